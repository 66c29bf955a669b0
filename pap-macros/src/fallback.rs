//! When a declaration is wrong, impls that let the rest of the crate be checked as if it were right: one
//! mistake is one error.

use pap_model::declaration::{Sketch, TypeSketch};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::expand::{hidden, marker, written_struct};

/// The marker, the terms that were to be written, and an operation that never runs.
pub(crate) fn operation(sketch: &Sketch, runtime: &TokenStream) -> TokenStream {
    let name = marker(sketch, "");
    let written = sketch.written_terms.as_deref().map(|written| {
        let item = written_struct(written, &sketch.name.to_string(), runtime);
        let impls = terms_of(&written.terms.named.name, runtime);
        quote!(#item #impls)
    });
    let of = &sketch.marker;
    let impls = sketch.state.as_ref().map(|state| {
        let items = quote! {
            impl __pap::Declared for #of {
                type State = #state;
                type Request = __pap::NotDeclared;
                type Terms = __pap::NotDeclared;
                type Result = ();
                const ATTRIBUTE: __pap::Attribute = __pap::NotDeclared::ATTRIBUTE;
                fn propose<'a>(
                    _: &'a Self::State,
                    _: &'a __pap::Session,
                    _: &'a __pap::Proposing,
                    _: Self::Request,
                ) -> __pap::Pending<'a, __pap::Proposed<Self::Terms>> {
                    __pap::not_declared()
                }
                fn perform(
                    _: &Self::State,
                    _: __pap::Confirmed<Self::Terms>,
                ) -> __pap::Pending<'_, __pap::Performed<Self::Result>> {
                    __pap::not_declared()
                }
            }
        };
        hidden(runtime, &items)
    });
    quote!(#name #written #impls)
}

/// Terms without a declaration.
pub(crate) fn terms(sketch: &TypeSketch, runtime: &TokenStream) -> TokenStream {
    if is_generic(sketch) { TokenStream::new() } else { terms_of(&sketch.name, runtime) }
}

/// A term without a declaration.
pub(crate) fn term(sketch: &TypeSketch, runtime: &TokenStream) -> TokenStream {
    if is_generic(sketch) {
        return TokenStream::new();
    }
    hidden(runtime, &said(&sketch.name))
}

/// A value without a declaration.
pub(crate) fn shape(sketch: &TypeSketch, runtime: &TokenStream) -> TokenStream {
    if is_generic(sketch) {
        return TokenStream::new();
    }
    let name = &sketch.name;
    let items = quote! {
        impl __pap::Shape for #name {
            const SCHEMA: __pap::Schema = __pap::Schema::Record(__pap::NotDeclared::RECORD);
        }
    };
    hidden(runtime, &items)
}

/// For a generic type the impls would need bounds, which would be errors of their own.
fn is_generic(sketch: &TypeSketch) -> bool {
    sketch.generics.iter().any(|part| !part.is_empty())
}

fn terms_of(name: &Ident, runtime: &TokenStream) -> TokenStream {
    let said = said(name);
    let items = quote! {
        #said
        impl __pap::Terms for #name {
            const DECLARATION: &'static __pap::TermsDeclaration = __pap::NotDeclared::TERMS;
        }
    };
    hidden(runtime, &items)
}

fn said(name: &Ident) -> TokenStream {
    quote! {
        impl __pap::Shape for #name {
            const SCHEMA: __pap::Schema = __pap::Schema::Record(__pap::NotDeclared::RECORD);
        }
        impl __pap::Said for #name {
            fn say(&self, _: &__pap::Reader, _: &__pap::str, _: &mut __pap::String) {}
        }
        impl __pap::Term for #name {}
    }
}
