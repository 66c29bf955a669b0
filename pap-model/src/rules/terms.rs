//! Terms: a struct whose summary states every field.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Attribute, DeriveInput, Field as SynField, LitStr};

use super::fields::{Of, field, names_differ, value_type};
use super::named::{below_its_derive, named, not_generic};
use super::stated::{shown_as_names_text, summary};
use super::term::term;
use crate::declaration::{Field, InlineTerms, NamedItem, Terms};
use crate::keys;
use crate::parse::data::{Body, WrittenField, WrittenType, ours};
use crate::parse::given::{Given, Value};
use crate::parse::serde::Serde;
use crate::problem::{Code, ErrorSink, Problem};
use crate::template::Prose;

/// `#[derive(Terms)]`, which stands at `derive`.
pub(crate) fn terms(input: DeriveInput, derive: Span, sink: &mut ErrorSink) -> Option<Terms> {
    below_its_derive(&ours(&input.attrs, keys::TERMS.name), derive, sink);
    let written = WrittenType::parse(input, &keys::TERMS, sink);
    not_generic(&written.generics, sink);
    let Body::Record(fields_written) = &written.body else {
        sink.push(not_terms(&written));
        return None;
    };
    let (named, owner) = (named(&written), written.name.to_string());
    let mut fields = term_fields(fields_written, &written.serde, &owner, sink);
    shown_as_names_text(fields_written, &fields, sink);
    let summary = written.keys.text("summary").and_then(|literal| {
        summary(literal, Prose::Part, &owner, (fields_written, &mut fields), sink)
    });
    let version = version(written.keys.find("version"), sink);
    let upgrades = upgrades(written.keys.find("upgrades"), version, sink);
    Some(Terms { named, version, upgrades, fields, summary })
}

/// `terms = { … }` in `#[operation]`.
pub(crate) fn inline_terms(
    name: Ident,
    doc: String,
    literal: Option<&LitStr>,
    written: Vec<SynField>,
    sink: &mut ErrorSink,
) -> InlineTerms {
    let stripped = written.iter().map(|field| {
        let (attributes, ident, ty) = (without_ours(&field.attrs), &field.ident, &field.ty);
        let undocumented = !field.attrs.iter().any(|attribute| attribute.path().is_ident("doc"));
        let doc = undocumented.then(|| {
            let text = format!("The term `{}`.", ident.to_token_stream());
            quote!(#[doc = #text])
        });
        quote!(#doc #(#attributes)* pub #ident: #ty)
    });
    let stripped = quote!(#(#stripped,)*);
    for field in &written {
        only_known_attributes(field, sink);
    }
    let written: Vec<WrittenField> =
        written.into_iter().map(|field| WrittenField::new(field, sink)).collect();
    let owner = name.to_string();
    let mut fields = term_fields(&written, &Serde::default(), &owner, sink);
    shown_as_names_text(&written, &fields, sink);
    let summary = literal.and_then(|literal| {
        summary(literal, Prose::Sentence, &owner, (&written, &mut fields), sink)
    });
    let named = NamedItem { schema_name: owner, name, doc, runtime: None };
    let terms = Terms { named, version: 1, upgrades: Vec::new(), fields, summary };
    InlineTerms { terms, fields: stripped, vis: quote!() }
}

/// The fields of terms, each with what was said about it.
pub(super) fn term_fields(
    written: &[WrittenField],
    serde: &Serde,
    owner: &str,
    sink: &mut ErrorSink,
) -> Vec<Field> {
    let fields: Vec<Field> = written
        .iter()
        .map(|written| {
            value_type(&written.ty, owner, Of::Terms, sink);
            let mut field = field(written, serde.rename_all);
            field.term = term(written, sink);
            field
        })
        .collect();
    names_differ(&fields, &[], sink);
    fields
}

fn not_terms(written: &WrittenType) -> Problem {
    let name = &written.name;
    let (what, help) = match &written.body {
        Body::Enum(_) => {
            ("an enum", format!("write `#[derive(Term)]`, and make `{name}` a field of the terms"))
        }
        Body::Newtype(_) => (
            "a newtype",
            format!("write `#[derive(Term)]`, and make `{name}` a field of the terms"),
        ),
        Body::Other(what) => (*what, "write a struct with named fields".to_owned()),
        Body::Record(_) => ("a struct", String::new()),
    };
    Problem::new(
        Code::WrongItem,
        name,
        format!("terms are a struct with named fields, and `{name}` is {what}"),
    )
    .help(help)
}

fn version(given: Option<&Given>, sink: &mut ErrorSink) -> u32 {
    match given.map(|given| (&given.value, &given.name)) {
        Some((Value::Number(0), name)) => {
            sink.push(
                Problem::new(Code::WrongForm, name, "versions start at 1")
                    .help("write `version = 2` when the shape changes for the first time"),
            );
            1
        }
        Some((Value::Number(version), _)) => *version,
        _ => 1,
    }
}

/// The older terms; which versions they have, the compiler finds out from their types.
fn upgrades(given: Option<&Given>, version: u32, sink: &mut ErrorSink) -> Vec<TokenStream> {
    let Some((Value::Types(types), name)) = given.map(|given| (&given.value, &given.name)) else {
        return Vec::new();
    };
    if types.is_empty() {
        sink.push(
            Problem::new(Code::Upgrade, name, "`upgrades` names no older terms").help(
                "take it out, or name the type of older terms: `upgrades = [ExchangeTermsV1]`",
            ),
        );
    } else if version == 1 {
        sink.push(
            Problem::new(Code::Upgrade, name, "there are no terms older than version 1")
                .note("the version is stored with every revision, and says which type reads it")
                .help("raise the version with each change of the shape: `version = 2`"),
        );
    }
    types.iter().map(ToTokens::to_token_stream).collect()
}

/// In the attribute nobody expands `cfg` and derives, so they would be lost.
fn only_known_attributes(field: &SynField, sink: &mut ErrorSink) {
    for attribute in &field.attrs {
        let known = ["doc", "term", "serde"].iter().any(|known| attribute.path().is_ident(known));
        if !known {
            let name = attribute.path().to_token_stream();
            sink.push(
                Problem::new(Code::UnknownKey, attribute, format!("`#[{name}]` can't stand on a field here"))
                    .note("fields in the attribute take doc comments, `#[term]` and `#[serde]`")
                    .help("write the struct with `#[derive(Terms)]`, and name it: `terms = GiftNoteTerms`"),
            );
        }
    }
}

fn without_ours(attributes: &[Attribute]) -> Vec<&Attribute> {
    attributes.iter().filter(|attribute| !attribute.path().is_ident(keys::TERM.name)).collect()
}
