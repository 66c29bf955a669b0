//! The macros of `pap-runtime`, which documents and re-exports them. A shell: `pap-model` reads and
//! checks, `expand` writes, `fallback` keeps the rest of the crate checkable when something is wrong.

mod expand;
mod fallback;
mod runtime_path;
mod shell;

use proc_macro::TokenStream;
use proc_macro2::Span;

/// Declares an operation: see `pap_runtime::operation`.
#[proc_macro_attribute]
pub fn operation(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let (attribute, item) = (attribute.into(), item.into());
    shell::keeping(&item, || shell::operation(attribute, &item, Span::call_site())).into()
}

/// Lists operations: see `pap_runtime::operations`.
#[proc_macro]
pub fn operations(entries: TokenStream) -> TokenStream {
    shell::caught(|| shell::operations(entries.into())).into()
}

/// Declares the terms of an operation: see `pap_runtime::Terms`.
#[proc_macro_derive(Terms, attributes(terms, term))]
pub fn terms(item: TokenStream) -> TokenStream {
    shell::caught(|| shell::terms(item.into(), Span::call_site())).into()
}

/// Declares a value that terms can hold: see `pap_runtime::Term`.
#[proc_macro_derive(Term, attributes(term))]
pub fn term(item: TokenStream) -> TokenStream {
    shell::caught(|| shell::term(item.into())).into()
}

/// Declares the form of a request or result: see `pap_runtime::Shape`.
#[proc_macro_derive(Shape, attributes(shape))]
pub fn shape(item: TokenStream) -> TokenStream {
    shell::caught(|| shell::shape(item.into())).into()
}
