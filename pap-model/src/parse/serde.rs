//! serde's attributes beside ours: names are read, everything else would change the wire unseen.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Attribute, LitStr, Meta, Token};

use super::case::Case;
use super::spelled::literal_text;
use crate::problem::{Code, ErrorSink, Problem};

/// Where an attribute stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Type,
    Variant,
    Field { optional: bool },
}

/// What serde was told that matters to the wire.
#[derive(Debug, Clone, Default)]
pub(crate) struct Serde {
    pub(crate) rename: Option<String>,
    pub(crate) rename_all: Option<Case>,
    pub(crate) rename_all_fields: Option<Case>,
    /// The value of `tag`, with its place.
    pub(crate) tag: Option<(String, TokenStream)>,
}

impl Serde {
    /// Reads all `#[serde(…)]` of one item.
    pub(crate) fn parse(attributes: &[Attribute], place: Place, sink: &mut ErrorSink) -> Self {
        let mut serde = Self::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
            let metas = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
            // what serde itself can't read, serde tells
            for meta in metas.unwrap_or_default() {
                if let Err(problem) = serde.take(&meta, place) {
                    sink.push(problem);
                }
            }
        }
        serde
    }

    fn take(&mut self, meta: &Meta, place: Place) -> Result<(), Problem> {
        let Some(key) = meta.path().get_ident() else { return Ok(()) };
        let text = text(meta);
        match (key.to_string().as_str(), text) {
            ("rename", Some(text)) => self.rename = Some(text.value()),
            ("rename_all", Some(text)) => self.rename_all = Some(case(&text)?),
            ("rename_all_fields", Some(text)) => self.rename_all_fields = Some(case(&text)?),
            ("rename" | "rename_all" | "rename_all_fields", None) => return Err(one_name(key)),
            ("tag", Some(text)) => self.tag = Some((text.value(), text.into_token_stream())),
            ("crate" | "deny_unknown_fields" | "expecting" | "transparent", _) => {}
            ("skip_serializing_if", Some(text)) if absent_is_left_out(&text, place) => {}
            (name, _) => return Err(refused(key, name)),
        }
        Ok(())
    }
}

/// `skip_serializing_if = "Option::is_none"`: a member that may be absent is left out, which is what
/// its form says.
fn absent_is_left_out(function: &LitStr, place: Place) -> bool {
    place == Place::Field { optional: true } && function.value().ends_with("Option::is_none")
}

fn text(meta: &Meta) -> Option<LitStr> {
    let Meta::NameValue(pair) = meta else { return None };
    literal_text(&pair.value).cloned()
}

fn case(text: &LitStr) -> Result<Case, Problem> {
    Case::named(&text.value()).ok_or_else(|| {
        Problem::new(
            Code::SerdeAttribute,
            text,
            format!("`{}` is no case that is known", text.value()),
        )
        .help("write `\"camelCase\"`, `\"snake_case\"`, `\"kebab-case\"` or another of serde's")
    })
}

fn one_name(key: &Ident) -> Problem {
    Problem::new(
        Code::SerdeAttribute,
        key,
        format!("`{key}` gives two names, one for each direction"),
    )
    .note("what is stored has to read back as it was written")
    .help(format!("write one name for both: `{key} = \"…\"`"))
}

/// serde's keys that are not taken, with why and what to do instead.
const REFUSED: &[(&[&str], &str, &str)] = &[
    (
        &["skip", "skip_serializing", "skip_deserializing", "skip_serializing_if"],
        "what is left out would be lost when the operation is stored",
        "make it an `Option`, or take the field out",
    ),
    (
        &["flatten"],
        "its members would be part of the wire without being declared here",
        "write its members as fields, or keep it as one member",
    ),
    (
        &["untagged"],
        "a reader could not tell which variant it has before it",
        "write `#[serde(tag = \"kind\")]`",
    ),
    (
        &["default"],
        "a member that is not there would mean something that nobody stated",
        "make it an `Option` and decide in `propose`",
    ),
    (
        &[
            "with",
            "serialize_with",
            "deserialize_with",
            "from",
            "try_from",
            "into",
            "remote",
            "getter",
        ],
        "the form on the wire would not be the form that is declared",
        "give the value a type of its own with `#[derive(Term)]` or `#[derive(Shape)]`",
    ),
    (&["alias"], "no document would tell the second name", "keep one name"),
    (&["other"], "a word that nobody knows would pass for a known one", "write every variant"),
    (
        &["content"],
        "only members beside `kind` have a form that is known",
        "write `#[serde(tag = \"kind\")]` alone",
    ),
];

fn refused(key: &Ident, name: &str) -> Problem {
    let message = format!("serde's `{name}` can't stand here");
    let known = REFUSED.iter().find(|(names, ..)| names.contains(&name));
    let (note, help) = known.map_or(
        ("only `rename`, `rename_all`, `tag` and `deny_unknown_fields` are read", "take it out"),
        |(_, note, help)| (*note, *help),
    );
    Problem::new(Code::SerdeAttribute, key, message).note(note).help(help)
}
