//! Rules about the type as a whole.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::{Attribute, DeriveInput, Generics};

use crate::declaration::NamedItem;
use crate::keys;
use crate::parse::data::{WrittenType, ours};
use crate::parse::given::Keys;
use crate::problem::{Code, ErrorSink, Problem};

/// The name, doc comment and runtime path of a type.
pub(super) fn named(written: &WrittenType) -> NamedItem {
    NamedItem {
        name: written.name.clone(),
        schema_name: written.serde.rename.clone().unwrap_or_else(|| written.name.to_string()),
        doc: written.doc.clone(),
        runtime: written.keys.path("crate").map(ToTokens::to_token_stream),
    }
}

/// The path given by `crate` in any of our attributes, whatever else is wrong.
pub(crate) fn runtime_of(input: &DeriveInput) -> Option<TokenStream> {
    let mut unheard = ErrorSink::new();
    keys::ATTRIBUTES.iter().find_map(|attribute| {
        let lists = ours(&input.attrs, attribute.name).into_iter();
        lists.filter_map(|ours| ours.meta.require_list().ok()).find_map(|list| {
            let keys = Keys::parse(attribute, list.tokens.clone(), list, &mut unheard);
            keys.path("crate").map(ToTokens::to_token_stream)
        })
    })
}

/// Declared types are not generic: a standing permission is checked against one form.
pub(super) fn not_generic(generics: &Generics, sink: &mut ErrorSink) {
    if !generics.params.is_empty() {
        sink.push(
            Problem::new(Code::Generic, generics, "a declared type can't be generic")
                .note("documents and permissions name one form, not a family of forms")
                .help("write one type for each use"),
        );
    }
}

/// Below the derive, its attribute is its own; above it, it is nobody's yet.
pub(super) fn below_its_derive(attributes: &[&Attribute], derive: Span, sink: &mut ErrorSink) {
    for attribute in attributes {
        let at = attribute.pound_token.span;
        let place = |span: Span| (span.start().line, span.start().column);
        if at.file() == derive.file() && place(at) < place(derive) {
            let name = attribute.path().to_token_stream();
            sink.push(
                Problem::new(
                    Code::AboveDerive,
                    attribute,
                    format!("`#[{name}]` stands above its derive"),
                )
                .note("the compiler reads attributes from top to bottom and does not know it yet")
                .help("move it below the `#[derive(…)]`"),
            );
        }
    }
}
