//! Rules about a field as a value, in terms and elsewhere.

use quote::ToTokens;
use syn::Type;
use syn::ext::IdentExt as _;

use crate::declaration::Field;
use crate::parse::case::Case;
use crate::parse::data::WrittenField;
use crate::parse::spelled::{borrows, mentions, spelled};
use crate::problem::{Code, ErrorSink, Problem};

/// What the fields belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Terms,
    Shape,
}

/// A field's name, form and doc comment; what makes it a term is added by the rules of terms.
pub(super) fn field(written: &WrittenField, all: Option<Case>) -> Field {
    Field {
        name: written.name.clone(),
        wire: written.wire(all),
        doc: written.doc.clone(),
        ty: written.ty.to_token_stream(),
        term: crate::declaration::Term::default(),
    }
}

/// All rules about the type of a value, as far as its spelling shows them.
pub(super) fn value_type(ty: &Type, owner: &str, of: Of, sink: &mut ErrorSink) {
    exact(ty, of, sink);
    closed(ty, of, sink);
    owned(ty, sink);
    not_recursive(ty, owner, sink);
}

/// Floating-point numbers are not exact.
fn exact(ty: &Type, of: Of, sink: &mut ErrorSink) {
    let Some(float) = mentions(ty, &["f32", "f64"]) else { return };
    let (message, note) = match of {
        Of::Terms => (format!("`{float}` can't be a term"), "two sides must compare terms exactly"),
        Of::Shape => (format!("`{float}` can't be sent"), "two sides must read the same value"),
    };
    sink.push(
        Problem::new(Code::Float, &float, message)
            .note(note)
            .help("write `Money` for amounts and `Decimal` for other numbers"),
    );
}

/// Maps and untyped JSON have no form to declare.
fn closed(ty: &Type, of: Of, sink: &mut ErrorSink) {
    let json = spelled(ty).contains("serde_json::Value");
    let open = mentions(ty, &["HashMap", "BTreeMap"])
        .or_else(|| json.then(|| mentions(ty, &["Value"])).flatten());
    let Some(open) = open else { return };
    let (what, note) = match of {
        Of::Terms => ("be a term", "the User approves members that are known, and each is stated"),
        Of::Shape => ("be sent", "documents and clients name every member"),
    };
    sink.push(
        Problem::new(
            Code::OpenForm,
            &open,
            format!("`{open}` can't {what}: its members are not known"),
        )
        .note(note)
        .help("write a struct with a field for each member, or a `Vec` of one"),
    );
}

/// What is stored outlives the request it came in.
fn owned(ty: &Type, sink: &mut ErrorSink) {
    if let Some(borrow) = borrows(ty) {
        sink.push(
            Problem::new(Code::Generic, &borrow, "a declared value can't borrow")
                .note("it is stored and read back when nobody holds what it borrowed from")
                .help("own it: `String`, `Vec<…>`"),
        );
    }
}

/// A form that contains itself has no end to state.
fn not_recursive(ty: &Type, owner: &str, sink: &mut ErrorSink) {
    if let Some(itself) = mentions(ty, &[owner, "Self"]) {
        sink.push(
            Problem::new(Code::Recursive, &itself, format!("`{owner}` contains itself"))
                .note("its summary and its schema would have no end")
                .help("name the inner one by its id, or give it a type of its own"),
        );
    }
}

/// Two members with one name on the wire.
pub(super) fn names_differ(fields: &[Field], taken: &[&str], sink: &mut ErrorSink) {
    let mut seen: Vec<&Field> = Vec::new();
    for field in fields {
        let first = seen.iter().find(|seen| seen.wire == field.wire);
        if let Some(first) = first {
            sink.push(
                Problem::new(
                    Code::SameName,
                    &field.name,
                    format!("two members are called `{}`", field.wire),
                )
                .help("rename one of them")
                .label(&first.name, "the other one"),
            );
        } else if taken.contains(&field.wire.as_str()) {
            let message = format!("`{}` is taken: it tells the variants apart", field.name.unraw());
            sink.push(Problem::new(Code::SameName, &field.name, message).help("rename the field"));
        }
        seen.push(field);
    }
}
