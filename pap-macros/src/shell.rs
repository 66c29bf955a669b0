//! From tokens to tokens: check, then write the declaration or its fallback, and every error.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pap_model::Checked;
use pap_model::declaration::TypeSketch;
use pap_model::problem::{Code, Problem, compile_errors};
use proc_macro2::{Span, TokenStream};
use quote::quote;

use crate::expand;
use crate::fallback;
use crate::runtime_path::runtime;

/// `#[operation]`: the item as it was written, and what it declares.
pub(crate) fn operation(attribute: TokenStream, item: &TokenStream, at: Span) -> TokenStream {
    let checked = pap_model::operation(attribute, item.clone(), at);
    let errors = compile_errors(&checked.problems);
    let runtime = runtime(checked.sketch.as_ref().and_then(|sketch| sketch.runtime.as_ref()));
    let written = match (checked.declaration, checked.sketch) {
        (Some(operation), _) => expand::operation(&operation, &runtime),
        (None, Some(sketch)) => fallback::operation(&sketch, &runtime),
        (None, None) => TokenStream::new(),
    };
    quote!(#written #errors)
}

/// `operations![…]`.
pub(crate) fn operations(entries: TokenStream) -> TokenStream {
    let checked = pap_model::list(entries);
    let runtime = runtime(None);
    if let Some(entries) = checked.declaration {
        return expand::list(&entries, &runtime);
    }
    let errors = compile_errors(&checked.problems);
    quote!({ #errors #runtime::private::not_declared() })
}

/// `#[derive(Terms)]`.
pub(crate) fn terms(item: TokenStream, derive: Span) -> TokenStream {
    derived(pap_model::terms(item, derive), expand::derived_terms, fallback::terms)
}

/// `#[derive(Term)]`.
pub(crate) fn term(item: TokenStream) -> TokenStream {
    derived(pap_model::term(item), expand::term, fallback::term)
}

/// `#[derive(Shape)]`.
pub(crate) fn shape(item: TokenStream) -> TokenStream {
    derived(pap_model::shape(item), expand::shape, fallback::shape)
}

fn derived<T>(
    checked: syn::Result<Checked<T, TypeSketch>>,
    expand: fn(&T, &TokenStream) -> TokenStream,
    fallback: fn(&TypeSketch, &TokenStream) -> TokenStream,
) -> TokenStream {
    let checked = match checked {
        Ok(checked) => checked,
        Err(error) => return error.to_compile_error(),
    };
    let errors = compile_errors(&checked.problems);
    let runtime = runtime(checked.sketch.as_ref().and_then(|sketch| sketch.runtime.as_ref()));
    let written = match (checked.declaration, checked.sketch) {
        (Some(declaration), _) => expand(&declaration, &runtime),
        (None, Some(sketch)) => fallback(&sketch, &runtime),
        (None, None) => TokenStream::new(),
    };
    quote!(#written #errors)
}

/// Runs what writes beside an item, which itself stays as it was written whatever happens.
pub(crate) fn keeping(item: &TokenStream, write: impl FnOnce() -> TokenStream) -> TokenStream {
    let written = caught(write);
    // every function of an operation is async, also one that waits for nothing
    quote!(#[allow(clippy::unused_async)] #item #written)
}

/// A panic in here is a mistake of ours, never of the author: it is told as one.
pub(crate) fn caught(write: impl FnOnce() -> TokenStream) -> TokenStream {
    // nothing of what was written so far is used after a panic
    catch_unwind(AssertUnwindSafe(write)).unwrap_or_else(|panic| {
        let what = panic_text(&*panic);
        let problem =
            Problem::at(Code::Bug, Span::call_site(), format!("pap-macros has a bug: {what}"))
                .note("the declaration may well be right")
                .help("report the declaration that caused it to the authors of pap-macros");
        compile_errors(&[problem])
    })
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("it panicked")
}
