//! Fields and summaries: what the derives say about a type, and the code they share.

use super::checks::has_format;
use super::words::{Words, refuse, same};
use crate::declaration::{Facts, Field, Piece, Schema, Seen};
use crate::terms::{Reader, Said, Shape, Term, problem_in, render};
use pap_protocol::catalogue::Role;

/// What generated code needs of the type of a term. One function makes it, so that a type that is no
/// term is told once.
#[derive(Debug)]
#[non_exhaustive]
pub struct OfTerm<T> {
    /// Its form.
    pub schema: Schema,
    /// Its formats.
    pub formats: &'static [&'static str],
    /// What it says.
    pub said: fn(&T) -> &dyn Said,
}

/// See [`OfTerm`].
pub const fn of_term<T: Term>() -> OfTerm<T> {
    OfTerm { schema: T::SCHEMA, formats: T::FORMATS, said: |value| value }
}

/// The form of a value outside terms.
pub const fn of_shape<T: Shape>() -> Schema {
    T::SCHEMA
}

/// What looks at the fields of a value: their declarations, the pieces of its summary, what they say.
pub type See<'a> = &'a mut dyn FnMut(&[Field], &[Piece], &[&dyn Said]);

/// A value whose summary is made of its fields.
pub trait HasFields {
    /// Shows its fields.
    fn fields(&self, see: See<'_>);
}

/// Says a value by its summary.
pub fn say(value: &dyn HasFields, reader: &Reader, out: &mut String) {
    value.fields(&mut |_, pieces, fields| render(pieces, fields, reader, out));
}

/// The first field of a value that must not be offered.
pub fn problem(value: &dyn HasFields) -> Option<String> {
    let mut problem = None;
    value.fields(&mut |declared, _, fields| problem = problem_in(declared, fields));
    problem
}

/// The summary of terms.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "built as a constant by generated code")]
pub struct Summary {
    /// As the author wrote it.
    pub text: &'static str,
    /// Its parts.
    pub pieces: &'static [Piece],
}

/// Terms whose summary an operation's attribute writes.
#[diagnostic::on_unimplemented(
    message = "nothing says `{Self}` in plain language",
    label = "these terms have no summary",
    note = "the User decides from the summary alone (section 3): write `#[terms(summary = \"…\")]` below the derive, or `summary = \"…\"` in the `#[operation]`",
    note = "more: pap-codegen explain PAP0001"
)]
pub trait HasOneSummary {
    /// It.
    const SUMMARY: Summary;
}

/// Terms that are declared without a summary.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has a summary of its own",
    label = "a second summary",
    note = "two texts about one thing differ one day, and the User reads one of them: write it in `#[terms]` or here, not in both",
    note = "more: pap-codegen explain PAP0024"
)]
pub trait Unsummarised: Sized {
    /// Their fields.
    const FIELDS: &'static [Field];
    /// What their code calls each of them, and what is said when it is absent.
    const NAMES: &'static [TermField];
}

/// The names of a field of terms.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "built as a constant by generated code")]
pub struct TermField {
    /// As a placeholder names it.
    pub name: &'static str,
    /// Said when it is absent; empty if it is always there.
    pub if_none: &'static str,
    /// The formats of its type.
    pub formats: &'static [&'static str],
}

/// A part of a summary whose fields are declared elsewhere.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_enums, reason = "built as a constant by generated code")]
pub enum NamedPiece {
    /// This text.
    Text(&'static str),
    /// The field of this name, in this format.
    Field(&'static str, &'static str),
}

/// The pieces with each field found, and every rule between a summary and its fields checked.
#[track_caller]
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler; the index is below the length"
)]
pub const fn placed<T: Unsummarised, const N: usize>(named: [NamedPiece; N]) -> [Piece; N] {
    let mut pieces = [Piece::Text(""); N];
    let mut at = 0;
    while at < N {
        pieces[at] = match named[at] {
            NamedPiece::Text(text) => Piece::Text(text),
            NamedPiece::Field(name, format) => {
                let index = index_of(T::NAMES, name);
                let field = T::NAMES[index];
                if !format.is_empty() {
                    has_format(name, field.formats, format);
                }
                Piece::Field { index, format, if_none: field.if_none }
            }
        };
        at += 1;
    }
    states_all::<T>(&pieces);
    pieces
}

#[track_caller]
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler; the index is below the length"
)]
const fn index_of(names: &[TermField], name: &str) -> usize {
    let mut words = Words::new()
        .and("the summary names `{")
        .and(name)
        .and("}`, but the terms have no such field\nhelp: name one of their fields: ");
    let mut index = 0;
    while index < names.len() {
        if same(names[index].name, name) {
            return index;
        }
        words = words.and(if index == 0 { "" } else { ", " }).and(names[index].name);
        index += 1;
    }
    words.and("\nmore: pap-codegen explain PAP0002").refuse()
}

/// The summary says every term, and nothing that is private.
#[track_caller]
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler; the indices are below the lengths"
)]
const fn states_all<T: Unsummarised>(pieces: &[Piece]) {
    let mut index = 0;
    let mut missing = Words::new();
    while index < T::FIELDS.len() {
        let (field, name) = (&T::FIELDS[index], T::NAMES[index].name);
        let stated = is_stated(pieces, index);
        if !stated && is_to_be_stated(field) {
            missing = missing.and(if missing.is_empty() { "" } else { ", " }).named(name);
        }
        if stated && matches!(field.seen, Seen::Private) {
            Words::new()
                .and("the summary says the private ")
                .named(name)
                .and("\nnote: a private term is never on the wire, and the summary is")
                .and("\nmore: pap-codegen explain PAP0010")
                .refuse();
        }
        if stated && T::NAMES[index].if_none.is_empty() && Form::of(&field.schema).optional {
            no_words_for_absence(name);
        }
        if stated && waived(field) {
            Words::new()
                .and("the summary says ")
                .named(name)
                .and(", so its field needs no `shown_as` or `unstated`")
                .and("\nmore: pap-codegen explain PAP0007")
                .refuse();
        }
        index += 1;
    }
    if !missing.is_empty() {
        Words::new()
            .and("the summary does not say ")
            .and(missing.as_str())
            .and("\nnote: the User decides from the summary alone, so every term has to be in it")
            .and("\nmore: pap-codegen explain PAP0003")
            .refuse();
    }
}

const fn waived(field: &Field) -> bool {
    match field.term {
        Some(facts) => facts.shown_as.is_some() || facts.unstated.is_some(),
        None => false,
    }
}

const fn is_to_be_stated(field: &Field) -> bool {
    match field.seen {
        Seen::OnTheWire => !waived(field),
        Seen::InTheSummary => true,
        Seen::Private => false,
    }
}

const fn is_stated(mut pieces: &[Piece], of: usize) -> bool {
    while let [piece, rest @ ..] = pieces {
        if let Piece::Field { index, .. } = piece
            && *index == of
        {
            return true;
        }
        pieces = rest;
    }
    false
}

/// What the author wrote about a term fits its type, which may be an alias.
#[track_caller]
pub const fn fits(field: &Field, name: &str, stated: bool, if_none: bool) {
    let form = Form::of(&field.schema);
    let facts = match field.term {
        Some(facts) => facts,
        None => Facts::NONE,
    };
    if form.nested {
        refuse(
            name,
            " is a list or an optional value within another\nhelp: give the inner one a type of its own with `#[derive(Terms)]`",
            "PAP0026",
        );
    }
    if form.optional && stated && !if_none {
        no_words_for_absence(name);
    }
    if if_none && !form.optional {
        refuse(name, " is always there, so its `if_none` is never said", "PAP0007");
    }
    if form.list && facts.max.is_none() {
        refuse(name, " is a list without a `max`\nhelp: write `#[term(max = 20)]`", "PAP0012");
    }
    if facts.max.is_some() && !form.list {
        refuse(name, " is no list, so its `max` means nothing", "PAP0007");
    }
    match facts.role {
        Some(Role::Charge | Role::Refund) if !matches!(form.value, Schema::Money) => {
            refuse(
                name,
                " is no money\nhelp: write `Money`: an amount and its currency",
                "PAP0025",
            );
        }
        Some(Role::Date)
            if !matches!(form.value, Schema::Date | Schema::Instant | Schema::LocalTime) =>
        {
            refuse(name, " is no date\nhelp: write `Date`, `Instant` or `LocalTime`", "PAP0025");
        }
        Some(Role::Quantity) if !matches!(form.value, Schema::Integer { .. } | Schema::Decimal) => {
            refuse(name, " is no quantity\nhelp: write a whole number or a `Decimal`", "PAP0025");
        }
        _ => {}
    }
}

#[track_caller]
const fn no_words_for_absence(name: &str) -> ! {
    let why = " can be absent, and the summary has no words for that\nhelp: write \
               `#[term(if_none = \"…\")]` with what is then the case, such as `\"no note\"`";
    refuse(name, why, "PAP0011")
}

/// A form without its names, and what was around it.
struct Form<'a> {
    optional: bool,
    list: bool,
    /// Optional in optional, or list in list.
    nested: bool,
    value: &'a Schema,
}

impl<'a> Form<'a> {
    const fn of(mut schema: &'a Schema) -> Self {
        let (mut optional, mut list, mut nested) = (false, false, false);
        loop {
            if let Schema::Named { of, .. } = schema {
                schema = of;
            } else if let Schema::Optional { of } = schema {
                nested = nested || optional || list;
                optional = true;
                schema = of;
            } else if let Schema::List { of } = schema {
                nested = nested || list;
                list = true;
                schema = of;
            } else {
                return Self { optional, list, nested, value: schema };
            }
        }
    }
}
