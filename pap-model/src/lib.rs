//! What an author declared with `#[operation]` and the derives, checked.
//!
//! The path of a declaration: parsing reads the author's tokens and keeps every value's place, the
//! rules find all independent mistakes at once, and what has none becomes a [`declaration`]. Mistakes
//! are [`problem::Problem`]s, rendered by the macros for the compiler and by `pap-codegen` for the
//! terminal.

pub mod declaration;
pub mod keys;
pub mod problem;
pub mod spelling;
pub mod template;

mod parse;
mod rules;
#[cfg(test)]
mod tests;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::parse::{ParseStream, Parser as _};
use syn::{DeriveInput, Path, Token};

use crate::declaration::{Operation, Sketch, Terms, TypeSketch, Value};
use crate::problem::{Code, ErrorSink, Problem};

/// A declaration with everything that is wrong with it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Checked<T, S> {
    /// The declaration, if nothing is wrong with it.
    pub declaration: Option<T>,
    /// What is known of it also if something is, unless the item can't be read at all.
    pub sketch: Option<S>,
    /// What is wrong.
    pub problems: Vec<Problem>,
}

/// Checks `#[operation(attribute)] item`; `at` is the place of the attribute.
pub fn operation(
    attribute: TokenStream,
    item: TokenStream,
    at: Span,
) -> Checked<Operation, Sketch> {
    let mut sink = ErrorSink::new();
    let at = quote_spanned!(at=> operation);
    let read = rules::operation(attribute, item, &at, &mut sink);
    Checked { declaration: read.operation, sketch: read.sketch, problems: sink.into_problems() }
}

/// Checks `#[derive(Terms)]` on a type; `derive` is the place of the word `Terms`.
///
/// # Errors
///
/// If the tokens are no type at all, which a compiler does not hand to a derive.
pub fn terms(input: TokenStream, derive: Span) -> syn::Result<Checked<Terms, TypeSketch>> {
    derived(input, |input, sink| rules::terms(input, derive, sink))
}

/// Checks `#[derive(Term)]` on a type.
///
/// # Errors
///
/// If the tokens are no type at all, which a compiler does not hand to a derive.
pub fn term(input: TokenStream) -> syn::Result<Checked<Value, TypeSketch>> {
    derived(input, rules::term)
}

/// Checks `#[derive(Shape)]` on a type.
///
/// # Errors
///
/// If the tokens are no type at all, which a compiler does not hand to a derive.
pub fn shape(input: TokenStream) -> syn::Result<Checked<Value, TypeSketch>> {
    derived(input, rules::shape)
}

fn derived<T>(
    input: TokenStream,
    check: impl FnOnce(DeriveInput, &mut ErrorSink) -> Option<T>,
) -> syn::Result<Checked<T, TypeSketch>> {
    let input: DeriveInput = syn::parse2(input)?;
    let (before, after, bounds) = input.generics.split_for_impl();
    let sketch = TypeSketch {
        name: input.ident.clone(),
        runtime: rules::runtime_of(&input),
        generics: [before.to_token_stream(), after.to_token_stream(), bounds.to_token_stream()],
    };
    let mut sink = ErrorSink::new();
    let declaration = check(input, &mut sink).filter(|_| sink.is_empty());
    Ok(Checked { declaration, sketch: Some(sketch), problems: sink.into_problems() })
}

/// Checks the entries of `operations![…]`: paths of operations.
pub fn list(tokens: TokenStream) -> Checked<Vec<TokenStream>, ()> {
    let paths = |input: ParseStream<'_>| {
        input.parse_terminated(|input| input.call(Path::parse_mod_style), Token![,])
    };
    let (declaration, problems) = match paths.parse2(tokens) {
        Ok(paths) => (Some(paths.iter().map(ToTokens::to_token_stream).collect()), Vec::new()),
        Err(error) => (None, vec![not_a_path(&error)]),
    };
    Checked { declaration, sketch: None, problems }
}

fn not_a_path(error: &syn::Error) -> Problem {
    Problem::at(Code::WrongForm, error.span(), format!("this is no operation: {error}"))
        .help("name operations by their paths: `operations![Exchange, notes::gift_note]`")
}
