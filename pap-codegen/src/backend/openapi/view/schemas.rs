//! From the forms of the catalogue to named schemas. Two types that want one name are an error.

use std::collections::{BTreeMap, BTreeSet};

use openapiv3::{
    ArrayType, BooleanType, Discriminator, IntegerFormat, IntegerType, ReferenceOr, Schema,
    SchemaData, SchemaKind, StringType, Type, VariantOrUnknownOrEmpty,
};
use pap_protocol::catalogue::{Entry, Member, Record, Schema as Form, TermFacts, Variant, Word};
use serde_json::{Map, Value};

use super::super::names;
use super::build::{self, Object};
use crate::codes::Code;
use crate::diagnostic::Problem;
use crate::forms;

/// Who has the names of the protocol.
pub(super) const PROTOCOL: &str = "the Personal Agent Protocol";

/// The schemas of a document, sorted by name, and what is wrong with their names.
pub(super) struct Schemas {
    named: BTreeMap<String, (String, Schema)>,
    /// The names of the objects that terms are made of.
    closed: BTreeSet<String>,
    pub(super) problems: Vec<Problem>,
}

impl Schemas {
    pub(super) fn new(entries: &[Entry]) -> Self {
        let mut closed = BTreeSet::new();
        for entry in entries {
            closed.insert(entry.terms.record.name.clone());
            let members = entry.terms.record.members.iter();
            members.for_each(|member| close(&member.schema, &mut closed));
        }
        Self { named: BTreeMap::new(), closed, problems: Vec::new() }
    }

    pub(super) fn finish<Sorted>(self) -> (Sorted, Vec<Problem>)
    where
        Sorted: FromIterator<(String, ReferenceOr<Schema>)>,
    {
        let named = self.named.into_iter();
        (
            named.map(|(name, (_, schema))| (name, ReferenceOr::Item(schema))).collect(),
            self.problems,
        )
    }

    /// Gives the name to the schema, unless another declaration has it.
    pub(super) fn claim(
        &mut self,
        name: &str,
        origin: &str,
        schema: Schema,
    ) -> ReferenceOr<Schema> {
        if !names::is_component(name) {
            self.problems.push(no_component(name, origin));
        }
        match self.named.get(name) {
            Some((first, known)) if first != origin || *known != schema => {
                let problem = taken(name, first, origin);
                if !self.problems.contains(&problem) {
                    self.problems.push(problem);
                }
            }
            Some(_) => {}
            None => {
                self.named.insert(name.to_owned(), (origin.to_owned(), schema));
            }
        }
        build::named(name)
    }

    /// An object under its own name.
    pub(super) fn record(&mut self, record: &Record) -> ReferenceOr<Schema> {
        let object = self.with_members(Object::new(&record.doc), &record.members);
        let object = if self.closed.contains(&record.name) { object.closed() } else { object };
        self.claim(&record.name, &record.origin, object.build())
    }

    /// Members of an object, each with what is said about it.
    fn with_members(&mut self, mut object: Object, members: &[Member]) -> Object {
        for member in members {
            let value = self.member(member, member.term.as_ref());
            object = add(object, member, value);
        }
        object
    }

    /// The body of a request: what is not in its path. A term is nothing special before it is agreed.
    pub(super) fn body(&mut self, description: &str, members: &[&Member]) -> Object {
        let mut object = Object::new(description);
        for member in members {
            let value = self.member(member, None);
            object = add(object, member, value);
        }
        object
    }

    fn member(&mut self, member: &Member, term: Option<&TermFacts>) -> ReferenceOr<Schema> {
        let mut data = build::described(&member.doc);
        if let Some(term) = term {
            data.extensions.insert("x-pap-term".to_owned(), term_facts(&member.schema, term));
        }
        let max = term.and_then(|term| term.max);
        let value = self.value(&member.schema);
        build::with(shortened(value, max), data)
    }

    /// The form of a value: a named schema, or a single value where it stands.
    pub(super) fn value(&mut self, form: &Form) -> ReferenceOr<Schema> {
        match forms::present(form) {
            Form::Named { name, origin, doc, of } => {
                let value = build::with(self.value(of), build::described(doc));
                let schema = match value {
                    ReferenceOr::Item(item) => item,
                    reference @ ReferenceOr::Reference { .. } => build::schema(
                        SchemaData::default(),
                        SchemaKind::AllOf { all_of: vec![reference] },
                    ),
                };
                self.claim(name, origin, schema)
            }
            Form::Record(record) => self.record(record),
            Form::Choice { name, origin, doc, variants } => {
                self.choice(name, origin, doc, variants)
            }
            Form::Words { name, origin, doc, words } => {
                let form = build::words(words.iter().map(|word| word.word.as_str()));
                self.claim(name, origin, build::text(&words_doc(doc, words), form))
            }
            Form::Money => build::named("Money"),
            Form::List { of } => {
                let items = Some(build::boxed(self.value(of)));
                let list =
                    ArrayType { items, min_items: None, max_items: None, unique_items: false };
                single(Type::Array(list))
            }
            Form::Boolean => single(Type::Boolean(BooleanType::default())),
            Form::Integer { minimum, maximum } => single(integer(*minimum, *maximum)),
            Form::Decimal => string(build::pattern(r"^-?[0-9]+(\.[0-9]+)?$")),
            Form::Date => string(build::format("date")),
            Form::Instant | Form::LocalTime => string(build::format("date-time")),
            Form::Url => string(build::format("uri")),
            Form::Text | Form::Nothing | Form::Optional { .. } => string(StringType::default()),
            later => {
                let message = format!("the form {later:?} has no schema");
                self.problems.push(Problem::bug(message));
                string(StringType::default())
            }
        }
    }

    fn choice(
        &mut self,
        name: &str,
        origin: &str,
        doc: &str,
        variants: &[Variant],
    ) -> ReferenceOr<Schema> {
        let mut one_of = Vec::new();
        let mut discriminator =
            Discriminator { property_name: "kind".to_owned(), ..Discriminator::default() };
        for variant in variants {
            let own = names::of_variant(name, &variant.kind);
            let kind = build::text("", build::words([variant.kind.as_str()]));
            let object = Object::new(&variant.doc).required("kind", ReferenceOr::Item(kind));
            let mut object = self.with_members(object, &variant.members);
            if self.closed.contains(name) {
                object = object.closed();
            }
            if !variant.summary.is_empty() {
                object = object.extension("x-pap-summary", variant.summary.clone().into());
            }
            let place = format!("{origin}, kind `{}`", variant.kind);
            one_of.push(self.claim(&own, &place, object.build()));
            discriminator.mapping.insert(variant.kind.clone(), names::schema_path(&own));
        }
        let mut data = build::described(doc);
        data.discriminator = Some(discriminator);
        self.claim(name, origin, build::schema(data, SchemaKind::OneOf { one_of }))
    }
}

fn add(object: Object, member: &Member, value: ReferenceOr<Schema>) -> Object {
    if forms::may_be_absent(&member.schema) {
        object.optional(&member.name, value)
    } else {
        object.required(&member.name, value)
    }
}

/// What a machine needs to judge a term; members sorted, whatever `serde_json` does elsewhere.
fn term_facts(form: &Form, term: &TermFacts) -> Value {
    let mut facts = BTreeMap::new();
    facts.insert("kind", Value::from(forms::kind(form)));
    facts.extend(term.max.map(|max| ("max", max.into())));
    facts.extend(term.role.map(|role| ("role", forms::role(role).into())));
    facts.extend(term.shown_as.as_ref().map(|shown| ("shown_as", shown.as_str().into())));
    facts.extend(term.unstated.as_ref().map(|reason| ("unstated", reason.as_str().into())));
    facts.into_iter().map(|(name, fact)| (name.to_owned(), fact)).collect::<Map<_, _>>().into()
}

fn shortened(mut value: ReferenceOr<Schema>, max: Option<u32>) -> ReferenceOr<Schema> {
    if let ReferenceOr::Item(Schema { schema_kind: SchemaKind::Type(Type::Array(list)), .. }) =
        &mut value
    {
        list.max_items = max.and_then(|max| usize::try_from(max).ok());
    }
    value
}

fn single(kind: Type) -> ReferenceOr<Schema> {
    ReferenceOr::Item(build::schema(SchemaData::default(), SchemaKind::Type(kind)))
}

fn string(form: StringType) -> ReferenceOr<Schema> {
    single(Type::String(form))
}

/// Bounds are left out where the format says the same.
fn integer(minimum: i64, maximum: u64) -> Type {
    let bound = i64::try_from(maximum).ok();
    let is_small = i32::try_from(minimum).is_ok() && i32::try_from(maximum).is_ok();
    let format = match bound {
        None => VariantOrUnknownOrEmpty::Unknown("uint64".to_owned()),
        Some(_) if is_small => VariantOrUnknownOrEmpty::Item(IntegerFormat::Int32),
        Some(_) => VariantOrUnknownOrEmpty::Item(IntegerFormat::Int64),
    };
    Type::Integer(IntegerType {
        format,
        minimum: Some(minimum).filter(|minimum| *minimum != i64::MIN),
        maximum: bound.filter(|maximum| *maximum != i64::MAX),
        ..IntegerType::default()
    })
}

fn words_doc(doc: &str, words: &[Word]) -> String {
    let mut lines = Vec::new();
    if !doc.is_empty() {
        lines.push(doc.to_owned());
    }
    for word in words {
        let said = if word.doc.is_empty() { &word.say } else { &word.doc };
        if !said.is_empty() {
            lines.push(format!("* `{}`: {said}", word.word));
        }
    }
    lines.join("\n")
}

fn close(form: &Form, closed: &mut BTreeSet<String>) {
    if let Form::Record(Record { name, .. }) | Form::Choice { name, .. } = form {
        closed.insert(name.clone());
    }
    for inner in forms::inside(form) {
        close(inner, closed);
    }
}

fn taken(name: &str, first: &str, other: &str) -> Problem {
    let message = if first == other {
        format!("`{name}` has two forms, both declared as `{first}`")
    } else {
        format!("`{name}` is the name of two schemas")
    };
    Problem::new(Code::NameCollision, message)
        .note(format!("one is of {first}, the other of {other}"))
        .help("rename one of the two types")
}

fn no_component(name: &str, origin: &str) -> Problem {
    Problem::new(Code::NameAlphabet, format!("`{name}` cannot name a schema in OpenAPI"))
        .note(format!("it comes from {origin}; allowed are English letters, digits, `.`, `-`, `_`"))
        .help("rename the type")
}
