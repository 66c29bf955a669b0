//! The type under a derive, or the fields of terms in `#[operation]`.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::{Attribute, Data, DeriveInput, Field, Fields, Generics, Meta, Type, Variant};

use super::given::Keys;
use super::item::doc;
use super::serde::{Place, Serde};
use super::spelled::option_inside;
use crate::keys;
use crate::problem::{Code, ErrorSink, Problem};

/// A type as it was written.
pub(crate) struct WrittenType {
    pub(crate) name: Ident,
    pub(crate) generics: Generics,
    pub(crate) doc: String,
    /// The keys of `#[terms]`, `#[term]` or `#[shape]` on the type.
    pub(crate) keys: Keys,
    pub(crate) serde: Serde,
    pub(crate) body: Body,
}

/// What a type consists of.
pub(crate) enum Body {
    /// A struct with named fields.
    Record(Vec<WrittenField>),
    /// A struct with one unnamed field.
    Newtype(Box<WrittenField>),
    /// Another struct, or a union.
    Other(&'static str),
    Enum(Vec<WrittenVariant>),
}

/// A field as it was written.
pub(crate) struct WrittenField {
    /// Its name, or a made-up one for an unnamed field.
    pub(crate) name: Ident,
    pub(crate) doc: String,
    pub(crate) ty: Type,
    pub(crate) keys: Keys,
    pub(crate) serde: Serde,
}

/// A variant as it was written.
pub(crate) struct WrittenVariant {
    pub(crate) name: Ident,
    pub(crate) doc: String,
    pub(crate) keys: Keys,
    pub(crate) serde: Serde,
    pub(crate) body: VariantBody,
}

/// What a variant consists of.
pub(crate) enum VariantBody {
    Unit,
    Record(Vec<WrittenField>),
    /// Unnamed fields.
    Tuple,
}

impl WrittenType {
    /// Reads a type whose own attribute is `attribute`.
    pub(crate) fn parse(
        input: DeriveInput,
        attribute: &keys::Attribute,
        sink: &mut ErrorSink,
    ) -> Self {
        let DeriveInput { attrs, ident, generics, data, .. } = input;
        let keys = our_keys(&attrs, attribute, &ident, sink);
        let serde = Serde::parse(&attrs, Place::Type, sink);
        let body = match data {
            Data::Struct(data) => match data.fields {
                Fields::Named(fields) => Body::Record(written(fields.named, sink)),
                Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                    let field = fields.unnamed.into_iter().next();
                    let field = field.map(|field| WrittenField::new(field, sink));
                    field
                        .map_or(Body::Other("tuple struct"), |field| Body::Newtype(Box::new(field)))
                }
                Fields::Unnamed(_) => Body::Other("tuple struct"),
                Fields::Unit => Body::Other("struct without fields"),
            },
            Data::Enum(data) => Body::Enum(
                data.variants
                    .into_iter()
                    .map(|variant| WrittenVariant::new(variant, sink))
                    .collect(),
            ),
            Data::Union(_) => Body::Other("union"),
        };
        Self { name: ident, generics, doc: doc(&attrs), keys, serde, body }
    }
}

fn written(fields: impl IntoIterator<Item = Field>, sink: &mut ErrorSink) -> Vec<WrittenField> {
    fields.into_iter().map(|field| WrittenField::new(field, sink)).collect()
}

impl WrittenField {
    pub(crate) fn new(field: Field, sink: &mut ErrorSink) -> Self {
        let Field { attrs, ident, ty, .. } = field;
        let at = ident.as_ref().map_or_else(|| ty.to_token_stream(), ToTokens::to_token_stream);
        let name = ident.unwrap_or_else(|| Ident::new("value", proc_macro2::Span::call_site()));
        let keys = our_keys(&attrs, &keys::TERM, &at, sink);
        let serde =
            Serde::parse(&attrs, Place::Field { optional: option_inside(&ty).is_some() }, sink);
        Self { name, doc: doc(&attrs), ty, keys, serde }
    }

    /// The name that serde writes.
    pub(crate) fn wire(&self, all: Option<super::case::Case>) -> String {
        let name = self.name.unraw().to_string();
        match (&self.serde.rename, all) {
            (Some(rename), _) => rename.clone(),
            (None, Some(case)) => case.of_field(&name),
            (None, None) => name,
        }
    }
}

impl WrittenVariant {
    fn new(variant: Variant, sink: &mut ErrorSink) -> Self {
        let Variant { attrs, ident, fields, .. } = variant;
        let keys = our_keys(&attrs, &keys::TERM, &ident, sink);
        let serde = Serde::parse(&attrs, Place::Variant, sink);
        let body = match fields {
            Fields::Named(fields) => VariantBody::Record(written(fields.named, sink)),
            Fields::Unnamed(_) => VariantBody::Tuple,
            Fields::Unit => VariantBody::Unit,
        };
        Self { name: ident, doc: doc(&attrs), keys, serde, body }
    }

    /// The name that serde writes.
    pub(crate) fn wire(&self, all: Option<super::case::Case>) -> String {
        let name = self.name.unraw().to_string();
        match (&self.serde.rename, all) {
            (Some(rename), _) => rename.clone(),
            (None, Some(case)) => case.of_variant(&name),
            (None, None) => name,
        }
    }
}

/// The keys of all attributes of this name, as if they stood in one.
fn our_keys(
    attributes: &[Attribute],
    attribute: &keys::Attribute,
    at: &impl ToTokens,
    sink: &mut ErrorSink,
) -> Keys {
    let mut keys = Keys::parse(attribute, TokenStream::new(), at, sink);
    for ours in attributes.iter().filter(|ours| ours.path().is_ident(attribute.name)) {
        match &ours.meta {
            Meta::List(list) => {
                keys.extend(Keys::parse(attribute, list.tokens.clone(), at, sink), sink);
            }
            Meta::Path(_) | Meta::NameValue(_) => sink.push(
                Problem::new(
                    Code::WrongForm,
                    ours,
                    format!("`{}` takes keys in parentheses", attribute.name),
                )
                .note(format!("the keys are {}", attribute.names()))
                .help(format!("write `#[{}(…)]`", attribute.name)),
            ),
        }
    }
    keys
}

/// Our attributes with their places, to see whether one stands above its derive.
pub(crate) fn ours<'a>(attributes: &'a [Attribute], name: &str) -> Vec<&'a Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident(name)).collect()
}
