//! `#[derive(Term)]` and `#[derive(Shape)]`: newtypes, words, choices and records.

use quote::ToTokens as _;
use syn::DeriveInput;

use super::fields::{Of, field, names_differ, value_type};
use super::named::{named, not_generic};
use super::stated::{shown_as_names_text, summary};
use super::term::{On, keys_belong, term as term_of};
use crate::declaration::{Field, Piece, Summary, Value, ValueForm, Variant, Word};
use crate::keys;
use crate::parse::case::Case;
use crate::parse::data::{Body, VariantBody, WrittenField, WrittenType, WrittenVariant};
use crate::problem::{Code, ErrorSink, Problem};
use crate::template::{self, Prose, Template, prose_faults};

/// The member that tells variants apart.
const KIND: &str = "kind";

/// `#[derive(Term)]`.
pub(crate) fn term(input: DeriveInput, sink: &mut ErrorSink) -> Option<Value> {
    let written = WrittenType::parse(input, &keys::TERM, sink);
    keys_belong(&written.keys, On::Type, sink);
    value(&written, Of::Terms, sink)
}

/// `#[derive(Shape)]`.
pub(crate) fn shape(input: DeriveInput, sink: &mut ErrorSink) -> Option<Value> {
    let written = WrittenType::parse(input, &keys::SHAPE, sink);
    value(&written, Of::Shape, sink)
}

fn value(written: &WrittenType, of: Of, sink: &mut ErrorSink) -> Option<Value> {
    not_generic(&written.generics, sink);
    let owner = written.name.to_string();
    let form = match &written.body {
        Body::Newtype(field) => {
            value_type(&field.ty, &owner, of, sink);
            ValueForm::Newtype(field.ty.to_token_stream())
        }
        Body::Record(fields) if of == Of::Shape => {
            let fields = shape_fields(fields, written.serde.rename_all, &owner, sink);
            names_differ(&fields, &[], sink);
            ValueForm::Record(fields)
        }
        Body::Enum(variants) if !variants.is_empty() => form_of_enum(written, variants, of, sink),
        Body::Record(_) | Body::Other(_) | Body::Enum(_) => {
            sink.push(no_value(written, of));
            return None;
        }
    };
    Some(Value { named: named(written), form })
}

fn no_value(written: &WrittenType, of: Of) -> Problem {
    let name = &written.name;
    let (message, help) = match (&written.body, of) {
        (Body::Record(_), _) => (
            format!("`{name}` has named fields, and no summary that states them"),
            "write `#[derive(Terms)]` and `#[terms(summary = \"…\")]`",
        ),
        (Body::Enum(_), _) => (format!("`{name}` has no value"), "write its variants"),
        (Body::Other(what), _) => (
            format!("a {what} has no form that can be declared"),
            "write named fields, or one unnamed field",
        ),
        (Body::Newtype(_), _) => (format!("`{name}` can't be declared"), "write named fields"),
    };
    Problem::new(Code::WrongItem, name, message).help(help)
}

fn shape_fields(
    written: &[WrittenField],
    all: Option<Case>,
    owner: &str,
    sink: &mut ErrorSink,
) -> Vec<Field> {
    let fields = written.iter().map(|written| {
        value_type(&written.ty, owner, Of::Shape, sink);
        field(written, all)
    });
    fields.collect()
}

fn form_of_enum(
    written: &WrittenType,
    variants: &[WrittenVariant],
    of: Of,
    sink: &mut ErrorSink,
) -> ValueForm {
    let units = variants.iter().all(|variant| matches!(variant.body, VariantBody::Unit));
    let form = if units && written.serde.tag.is_none() {
        let words =
            variants.iter().map(|variant| word(variant, written.serde.rename_all, of, sink));
        ValueForm::Words(words.collect())
    } else {
        told_apart_by_kind(written, sink);
        let owner = written.name.to_string();
        ValueForm::Choice(
            variants
                .iter()
                .filter_map(|variant| choice(variant, written, &owner, of, sink))
                .collect(),
        )
    };
    let wires = match &form {
        ValueForm::Words(words) => words.iter().map(|word| (&word.name, &word.wire)).collect(),
        ValueForm::Choice(variants) => {
            variants.iter().map(|variant| (&variant.name, &variant.wire)).collect()
        }
        ValueForm::Newtype(_) | ValueForm::Record(_) => Vec::new(),
    };
    words_differ(&wires, sink);
    form
}

/// Variants with data carry their name in a member, so that a reader knows it before the others.
fn told_apart_by_kind(written: &WrittenType, sink: &mut ErrorSink) {
    let at = match &written.serde.tag {
        Some((tag, _)) if tag == KIND => return,
        Some((_, at)) => at.clone(),
        None => written.name.to_token_stream(),
    };
    sink.push(
        Problem::new(
            Code::WrongVariant,
            &at,
            format!("nothing tells the variants of `{}` apart", written.name),
        )
        .note("on the wire a variant is an object with its name in the member `kind`")
        .help("write `#[serde(tag = \"kind\", rename_all = \"snake_case\")]` above the enum"),
    );
}

fn words_differ(wires: &[(&proc_macro2::Ident, &String)], sink: &mut ErrorSink) {
    for (index, (name, wire)) in wires.iter().enumerate() {
        let first = wires.iter().take(index).find(|(_, other)| other == wire);
        if let Some((first, _)) = first {
            sink.push(
                Problem::new(Code::SameName, name, format!("two variants are called `{wire}`"))
                    .help("rename one of them")
                    .label(first, "the other one"),
            );
        }
    }
}

fn word(written: &WrittenVariant, all: Option<Case>, of: Of, sink: &mut ErrorSink) -> Word {
    let wire = written.wire(all);
    let say = said(written, of, sink).unwrap_or_else(|| wire.clone());
    Word { name: written.name.clone(), wire, say, doc: written.doc.clone() }
}

/// What the summary says for a variant without fields.
fn said(written: &WrittenVariant, of: Of, sink: &mut ErrorSink) -> Option<String> {
    if of == Of::Shape {
        return None;
    }
    keys_belong(&written.keys, On::Variant, sink);
    let name = &written.name;
    if let Some(summary) = written.keys.find("summary") {
        sink.push(
            Problem::new(
                Code::VariantNotStated,
                &summary.name,
                format!("`{name}` has no fields to state"),
            )
            .help("write `say = \"…\"` instead of `summary`"),
        );
        return None;
    }
    let Some(say) = written.keys.text("say") else {
        sink.push(
            Problem::new(
                Code::VariantNotStated,
                name,
                format!("the summary has no words for `{name}`"),
            )
            .note("the User decides from the summary alone")
            .help("write `#[term(say = \"…\")]` above it"),
        );
        return None;
    };
    let text = Template { pieces: vec![template::Piece::Text(say.value())] };
    let faults = if say.value().trim().is_empty() {
        vec!["the text is empty".to_owned()]
    } else {
        prose_faults(&text, Prose::Part)
    };
    sink.extend(faults.into_iter().map(|fault| Problem::new(Code::SummaryText, say, fault)));
    Some(say.value())
}

fn choice(
    written: &WrittenVariant,
    of_type: &WrittenType,
    owner: &str,
    of: Of,
    sink: &mut ErrorSink,
) -> Option<Variant> {
    let all = written.serde.rename_all.or(of_type.serde.rename_all_fields);
    let (fields, summary) = match &written.body {
        VariantBody::Unit => {
            let say = said(written, of, sink);
            (Vec::new(), say.map(|say| constant(say, written)))
        }
        VariantBody::Record(fields) if of == Of::Shape => {
            (shape_fields(fields, all, owner, sink), None)
        }
        VariantBody::Record(fields) => stated(written, fields, all, owner, sink),
        VariantBody::Tuple => {
            sink.push(
                Problem::new(
                    Code::WrongVariant,
                    &written.name,
                    format!("`{}` has fields without names", written.name),
                )
                .note("on the wire a variant is an object, and its members have names")
                .help(format!("write `{} {{ amount: Money }}`", written.name)),
            );
            return None;
        }
    };
    names_differ(&fields, &[KIND], sink);
    let wire = written.wire(of_type.serde.rename_all);
    Some(Variant { name: written.name.clone(), wire, doc: written.doc.clone(), fields, summary })
}

fn constant(say: String, written: &WrittenVariant) -> Summary {
    let at = written.name.to_token_stream();
    Summary { text: say.clone(), at, pieces: vec![Piece::Text(say)] }
}

/// A variant with fields states each of them.
fn stated(
    written: &WrittenVariant,
    fields_written: &[WrittenField],
    all: Option<Case>,
    owner: &str,
    sink: &mut ErrorSink,
) -> (Vec<Field>, Option<Summary>) {
    keys_belong(&written.keys, On::Variant, sink);
    let mut fields: Vec<Field> = Vec::new();
    for field_written in fields_written {
        value_type(&field_written.ty, owner, Of::Terms, sink);
        let mut field = field(field_written, all);
        field.term = term_of(field_written, sink);
        fields.push(field);
    }
    shown_as_names_text(fields_written, &fields, sink);
    let name = &written.name;
    if let Some(say) = written.keys.find("say") {
        sink.push(
            Problem::new(
                Code::VariantNotStated,
                &say.name,
                format!("`{name}` has fields, and `say` states none"),
            )
            .help("write `summary = \"…\"` instead of `say`"),
        );
        return (fields, None);
    }
    let Some(literal) = written.keys.text("summary") else {
        sink.push(
            Problem::new(
                Code::VariantNotStated,
                name,
                format!("the summary has no words for `{name}`"),
            )
            .note("the User decides from the summary alone, so each variant states its own fields")
            .help("write `#[term(summary = \"…\")]` above it"),
        );
        return (fields, None);
    };
    let summary =
        summary(literal, Prose::Part, &name.to_string(), (fields_written, &mut fields), sink);
    (fields, summary)
}
