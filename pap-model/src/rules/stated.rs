//! Rules about a summary and the fields it has to state (section 3: the User decides from it alone).

use quote::ToTokens as _;
use syn::LitStr;
use syn::ext::IdentExt as _;

use super::term::shown_as;
use crate::declaration::{Field, Piece, Seen, Summary};
use crate::parse::data::WrittenField;
use crate::parse::spelled::option_inside;
use crate::problem::{Code, ErrorSink, Problem};
use crate::spelling::nearest;
use crate::template::{self, Prose, Template, prose_faults};

/// The template of a literal, if it has no fault.
pub(super) fn template(literal: &LitStr, prose: Prose, sink: &mut ErrorSink) -> Option<Template> {
    let template = match Template::parse(&literal.value()) {
        Ok(template) => template,
        Err(faults) => {
            sink.extend(faults.into_iter().map(|fault| {
                Problem::new(Code::TemplateSyntax, literal, fault.kind.message())
                    .help(fault.kind.help())
            }));
            return None;
        }
    };
    readable(literal, &template, prose, sink);
    Some(template)
}

/// A person reads the text in an interface that is not ours: one line, no markup, bounded.
pub(super) fn readable(literal: &LitStr, template: &Template, prose: Prose, sink: &mut ErrorSink) {
    sink.extend(prose_faults(template, prose).into_iter().map(|message| {
        Problem::new(Code::SummaryText, literal, message)
            .note("the User reads it in the Personal Agent's interface, as plain text")
    }));
}

/// The summary over fields that are known here. Every rule between the two is checked, and what the
/// summary states is noted at the fields.
pub(super) fn summary(
    literal: &LitStr,
    prose: Prose,
    owner: &str,
    (written, fields): (&[WrittenField], &mut [Field]),
    sink: &mut ErrorSink,
) -> Option<Summary> {
    let template = template(literal, prose, sink)?;
    let meant = placeholders_are_fields(literal, &template, owner, fields, sink);
    for field in fields.iter_mut() {
        field.term.stated = template.states(&field.name.unraw().to_string());
    }
    for (written, field) in written.iter().zip(fields.iter()) {
        // a misspelled placeholder is told as that, not as a term that is missing too
        if !meant.contains(&field.name.unraw().to_string()) {
            every_term_is_stated(field, sink);
        }
        no_needless_key(written, field, sink);
        private_stays_private(written, field, sink);
        shown_only_is_shown(field, sink);
        absence_is_stated(written, field, sink);
    }
    Some(placed(literal, &template, fields))
}

/// A summary whose fields are declared elsewhere: the compiler checks it against their type.
pub(super) fn elsewhere(literal: &LitStr, sink: &mut ErrorSink) -> Option<Summary> {
    let template = template(literal, Prose::Sentence, sink)?;
    Some(placed(literal, &template, &[]))
}

fn placed(literal: &LitStr, template: &Template, fields: &[Field]) -> Summary {
    let pieces = template.pieces.iter().map(|piece| match piece {
        template::Piece::Text(text) => Piece::Text(text.clone()),
        template::Piece::Placeholder(placeholder) => Piece::Field {
            index: fields.iter().position(|field| field.name.unraw() == placeholder.name),
            name: placeholder.name.clone(),
            format: placeholder.format.clone(),
        },
    });
    Summary { text: literal.value(), at: literal.to_token_stream(), pieces: pieces.collect() }
}

/// Placeholders that are no fields are told; the fields that they probably mean are the answer.
fn placeholders_are_fields(
    literal: &LitStr,
    template: &Template,
    owner: &str,
    fields: &[Field],
    sink: &mut ErrorSink,
) -> Vec<String> {
    let names: Vec<String> = fields.iter().map(|field| field.name.unraw().to_string()).collect();
    let mut told: Vec<&str> = Vec::new();
    let mut meant = Vec::new();
    for placeholder in template.placeholders() {
        let name = placeholder.name.as_str();
        if names.iter().any(|known| known == name) || told.contains(&name) {
            continue;
        }
        told.push(name);
        let near = nearest(name, names.iter().map(String::as_str));
        let help = near.map_or_else(
            || format!("name one of its fields: `{}`", names.join("`, `")),
            |near| format!("a similar field exists: `{{{near}}}`"),
        );
        meant.extend(near.map(str::to_owned));
        let message = format!("the summary names `{{{name}}}`, but `{owner}` has no such field");
        sink.push(Problem::new(Code::NoSuchField, literal, message).help(help));
    }
    meant
}

/// Everything that affects the action is in the summary.
fn every_term_is_stated(field: &Field, sink: &mut ErrorSink) {
    let term = &field.term;
    let waived = term.shown_as.is_some() || term.unstated.is_some();
    if term.seen == Seen::OnTheWire && !term.stated && !waived {
        let name = &field.name;
        sink.push(
            Problem::new(Code::NotStated, name, format!("the summary does not say `{name}`"))
                .note("the User decides from the summary alone, so every term has to be in it")
                .help(format!(
                    "write `{{{name}}}` in the summary, or name the text that says it: `#[term(shown_as = …)]`"
                )),
        );
    }
}

/// A waiver that is not needed would hide the day on which it is.
fn no_needless_key(written: &WrittenField, field: &Field, sink: &mut ErrorSink) {
    let (term, name) = (&field.term, &field.name);
    let waiver = ["shown_as", "unstated"].iter().find_map(|waiver| written.keys.find(waiver));
    if let Some(waiver) = waiver.filter(|_| term.stated) {
        let message = format!("the summary says `{name}`, so it needs no `{}`", waiver.key.name);
        sink.push(
            Problem::new(Code::NeedlessKey, &waiver.name, message)
                .help(format!("take `{}` out", waiver.key.name)),
        );
    }
    // without a waiver it is told already that the summary does not say the term
    let if_none = written.keys.find("if_none").filter(|_| term.seen == Seen::OnTheWire);
    if let Some(if_none) = if_none.filter(|_| !term.stated && waiver.is_some()) {
        let message = format!("the summary does not say `{name}`, so its `if_none` is never said");
        sink.push(
            Problem::new(Code::NeedlessKey, &if_none.name, message)
                .help(format!("write `{{{name}}}` in the summary, or take `if_none` out")),
        );
    }
}

fn private_stays_private(written: &WrittenField, field: &Field, sink: &mut ErrorSink) {
    let stated = field.term.stated && field.term.seen == Seen::Private;
    if let Some(private) = written.keys.find("private").filter(|_| stated) {
        let name = &field.name;
        sink.push(
            Problem::new(
                Code::PrivateInSummary,
                &private.name,
                format!("the summary says the private `{name}`"),
            )
            .note("a private term is never on the wire, and the summary is")
            .help(format!("take `{{{name}}}` out of the summary, or `private` out of here")),
        );
    }
}

fn shown_only_is_shown(field: &Field, sink: &mut ErrorSink) {
    if field.term.seen == Seen::InTheSummary && !field.term.stated {
        let name = &field.name;
        sink.push(
            Problem::new(
                Code::NeverShown,
                name,
                format!("`{name}` is only shown, but the summary never shows it"),
            )
            .help(format!("write `{{{name}}}` in the summary, or take the field out")),
        );
    }
}

/// The User reads what an absent term means.
fn absence_is_stated(written: &WrittenField, field: &Field, sink: &mut ErrorSink) {
    let optional = option_inside(&written.ty).is_some();
    if optional && field.term.stated && written.keys.find("if_none").is_none() {
        let name = &field.name;
        sink.push(
            Problem::new(Code::NoIfNone, &written.ty, format!("`{name}` can be absent, and the summary has no words for that"))
                .note("the User decides from the summary alone, also when a term is absent")
                .help("write `#[term(if_none = \"…\")]` with what is then the case, such as `\"no note\"`"),
        );
    }
}

/// `shown_as` names shown-only text: of another term the User could not tell what it stands for.
pub(super) fn shown_as_names_text(
    written: &[WrittenField],
    fields: &[Field],
    sink: &mut ErrorSink,
) {
    let shown: Vec<String> = fields
        .iter()
        .filter(|field| field.term.seen == Seen::InTheSummary)
        .map(|field| field.name.unraw().to_string())
        .collect();
    for target in written.iter().filter_map(|field| shown_as(&field.keys)) {
        let name = target.unraw().to_string();
        if shown.contains(&name) {
            continue;
        }
        let exists = fields.iter().any(|field| field.name.unraw() == name);
        let message = if exists {
            format!("`{name}` is a term of its own, not text that is only shown")
        } else {
            format!("`shown_as` names `{name}`, but there is no such field")
        };
        let near = nearest(&name, shown.iter().map(String::as_str));
        let help = near.map_or_else(
            || format!("add `#[term(shown_only)] {name}: Shown`, and fill it in `propose`"),
            |near| format!("a similar field exists: `{near}`"),
        );
        sink.push(
            Problem::new(Code::ShownAs, target, message)
                .note("a term is said by a `shown_only` field of type `Shown`")
                .help(if exists {
                    "write it in the summary by its own name".to_owned()
                } else {
                    help
                }),
        );
    }
}
