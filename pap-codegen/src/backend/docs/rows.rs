//! The tables of a page: members, words and kinds, every text ready to be written.

use pap_protocol::catalogue::{Member, Record, Schema, TermFacts, Variant, Word};

use super::names;
use crate::forms;

/// A member of a request or of a form.
#[derive(Debug)]
pub(super) struct MemberRow {
    pub(super) name: String,
    pub(super) place: &'static str,
    pub(super) form: String,
    pub(super) need: &'static str,
    pub(super) doc: String,
}

/// A term, and what the summary says about it.
#[derive(Debug)]
pub(super) struct TermRow {
    pub(super) name: String,
    pub(super) form: String,
    pub(super) need: &'static str,
    pub(super) role: &'static str,
    pub(super) said: String,
    pub(super) doc: String,
}

/// A named form that an operation uses.
#[derive(Debug)]
pub(super) struct FormRow {
    pub(super) name: String,
    pub(super) doc: String,
    pub(super) is: String,
    pub(super) members: Vec<MemberRow>,
    pub(super) words: Vec<WordRow>,
    pub(super) kinds: Vec<KindRow>,
}

#[derive(Debug)]
pub(super) struct WordRow {
    pub(super) word: String,
    pub(super) say: String,
    pub(super) doc: String,
}

#[derive(Debug)]
pub(super) struct KindRow {
    pub(super) kind: String,
    pub(super) doc: String,
    pub(super) summary: String,
    pub(super) members: Vec<MemberRow>,
}

impl MemberRow {
    pub(super) fn new(member: &Member, place: &'static str) -> Self {
        Self {
            name: names::code_in_table(&member.name),
            place,
            form: form(&member.schema, member.term.as_ref()),
            need: need(member),
            doc: names::doc(&member.doc),
        }
    }

    fn all(members: &[Member]) -> Vec<Self> {
        members.iter().map(|member| Self::new(member, "")).collect()
    }
}

impl TermRow {
    pub(super) fn new(member: &Member) -> Self {
        let facts = member.term.as_ref();
        Self {
            name: names::code_in_table(&member.name),
            form: form(&member.schema, facts),
            need: need(member),
            role: facts.and_then(|facts| facts.role).map_or("", forms::role),
            said: said(&member.name, facts),
            doc: names::doc(&member.doc),
        }
    }
}

impl FormRow {
    /// The named forms in these members and values, each once, in the order of their first use.
    pub(super) fn used<'a>(forms: impl IntoIterator<Item = &'a Schema>) -> Vec<Self> {
        let mut rows = Vec::new();
        forms.into_iter().for_each(|form| collect(form, &mut rows));
        rows
    }

    fn new(name: &str, doc: &str, is: impl Into<String>) -> Self {
        Self {
            name: names::code(name),
            doc: names::doc(doc),
            is: is.into(),
            members: Vec::new(),
            words: Vec::new(),
            kinds: Vec::new(),
        }
    }
}

fn collect(schema: &Schema, rows: &mut Vec<FormRow>) {
    if let Some(row) = row(schema) {
        add(rows, row);
    }
    for inner in forms::inside(schema) {
        collect(inner, rows);
    }
}

fn row(schema: &Schema) -> Option<FormRow> {
    if let Schema::Named { name, doc, of, .. } = schema {
        return Some(FormRow::new(name, doc, form(of, None)));
    }
    if let Schema::Record(Record { name, doc, members, .. }) = schema {
        let row = FormRow::new(name, doc, "an object");
        return Some(FormRow { members: MemberRow::all(members), ..row });
    }
    if let Schema::Words { name, doc, words, .. } = schema {
        let row = FormRow::new(name, doc, "one of these words");
        return Some(FormRow { words: words.iter().map(word).collect(), ..row });
    }
    if let Schema::Choice { name, doc, variants, .. } = schema {
        let row = FormRow::new(name, doc, "one of several objects, told apart by `kind`");
        return Some(FormRow { kinds: variants.iter().map(kind).collect(), ..row });
    }
    None
}

fn add(rows: &mut Vec<FormRow>, row: FormRow) {
    if rows.iter().all(|known| known.name != row.name) {
        rows.push(row);
    }
}

fn word(word: &Word) -> WordRow {
    WordRow {
        word: names::code_in_table(&word.word),
        say: names::text(&word.say),
        doc: names::doc(&word.doc),
    }
}

fn kind(variant: &Variant) -> KindRow {
    KindRow {
        kind: names::code(&variant.kind),
        doc: names::doc(&variant.doc),
        summary: names::code(&variant.summary),
        members: MemberRow::all(&variant.members),
    }
}

/// A form in words.
pub(super) fn form(schema: &Schema, facts: Option<&TermFacts>) -> String {
    match forms::present(schema) {
        Schema::Nothing => "nothing".to_owned(),
        Schema::Boolean => "`true` or `false`".to_owned(),
        Schema::Integer { minimum, maximum } => format!("whole number from {minimum} to {maximum}"),
        Schema::Decimal => "decimal number, as text".to_owned(),
        Schema::Money => "amount of money".to_owned(),
        Schema::Date => "day, such as `2026-10-08`".to_owned(),
        Schema::Instant => "moment, RFC 3339".to_owned(),
        Schema::LocalTime => "moment at a place, RFC 3339 with its offset".to_owned(),
        Schema::Url => "`https` address".to_owned(),
        Schema::List { of } => match facts.and_then(|facts| facts.max) {
            Some(max) => format!("list of at most {max}: {}", form(of, None)),
            None => format!("list of: {}", form(of, None)),
        },
        Schema::Named { name, .. }
        | Schema::Record(Record { name, .. })
        | Schema::Choice { name, .. }
        | Schema::Words { name, .. } => names::code_in_table(name),
        Schema::Text | Schema::Optional { .. } => "text".to_owned(),
        later => forms::kind(later).to_owned(),
    }
}

fn need(member: &Member) -> &'static str {
    if forms::may_be_absent(&member.schema) { "if there is one" } else { "always" }
}

fn said(name: &str, facts: Option<&TermFacts>) -> String {
    let Some(facts) = facts else { return String::new() };
    match (&facts.unstated, &facts.shown_as) {
        (Some(reason), _) => format!("not stated: {}", names::doc(reason)),
        (None, Some(shown)) => format!("as {}", names::code_in_table(&format!("{{{shown}}}"))),
        (None, None) => format!("as {}", names::code_in_table(&format!("{{{name}}}"))),
    }
}
