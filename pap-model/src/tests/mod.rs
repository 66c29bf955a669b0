//! What is read, what is found wrong, and that neither ever panics.

mod any_input;
mod fields;
mod functions;
mod keys;

use proc_macro2::{Span, TokenStream};
use quote::quote;

use crate::declaration::{Operation, Terms, Value};
use crate::problem::{Code, Problem};

/// The codes and messages of problems, one per line.
fn told(problems: &[Problem]) -> Vec<String> {
    problems.iter().map(|problem| format!("{} {}", problem.code, problem.message)).collect()
}

#[track_caller]
fn declared<T>(declaration: Option<T>, problems: &[Problem]) -> T {
    assert_eq!(told(problems), [""; 0]);
    declaration.unwrap()
}

#[track_caller]
fn operation(attribute: TokenStream, item: TokenStream) -> Operation {
    let checked = crate::operation(attribute, item, Span::call_site());
    declared(checked.declaration, &checked.problems)
}

#[track_caller]
fn terms(item: TokenStream) -> Terms {
    let checked = crate::terms(item, Span::call_site()).unwrap();
    declared(checked.declaration, &checked.problems)
}

#[track_caller]
fn term(item: TokenStream) -> Value {
    let checked = crate::term(item).unwrap();
    declared(checked.declaration, &checked.problems)
}

#[track_caller]
fn shape(item: TokenStream) -> Value {
    let checked = crate::shape(item).unwrap();
    declared(checked.declaration, &checked.problems)
}

/// What is wrong with an operation on a handler of the usual form.
fn wrong(attribute: TokenStream) -> Vec<Code> {
    let item = quote!(
        async fn gift_note(shop: &Shop, op: Confirmed<NoteTerms>) -> Outcome {}
    );
    codes(&crate::operation(attribute, item, Span::call_site()).problems)
}

fn codes(problems: &[Problem]) -> Vec<Code> {
    problems.iter().map(|problem| problem.code).collect()
}
