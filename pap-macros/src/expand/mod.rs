//! From a checked declaration to code: mostly constants, every name through the runtime's private module.

mod field;
mod list;
mod operation;
mod terms;
#[cfg(test)]
mod tests;
mod value;

pub(crate) use list::list;
pub(crate) use operation::{marker, operation};
pub(crate) use terms::{terms as derived_terms, written_struct};
pub(crate) use value::{shape, term};

use pap_model::declaration::NamedItem;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};

/// Generated items in a scope of their own, quiet under every lint of the author's crate.
pub(crate) fn hidden(runtime: &TokenStream, items: &TokenStream) -> TokenStream {
    quote! {
        #[doc(hidden)]
        #[allow(
            non_upper_case_globals, unused_attributes, unused_qualifications, unreachable_pub,
            clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
        )]
        const _: () = {
            use #runtime::private as __pap;
            #items
        };
    }
}

/// `name`, `origin` and `doc` of a declared type.
fn name_origin_doc(named: &NamedItem) -> TokenStream {
    let NamedItem { schema_name, doc, .. } = named;
    let origin = origin(&named.name);
    quote!(name: #schema_name, origin: #origin, doc: #doc)
}

/// Where the author wrote an item.
fn origin(name: &proc_macro2::Ident) -> TokenStream {
    let name = syn::ext::IdentExt::unraw(name).to_string();
    quote!(__pap::concat!(__pap::module_path!(), "::", #name))
}

/// Generated tokens that an error shows at the author's.
fn at(tokens: &impl ToTokens) -> Span {
    let place = tokens.to_token_stream().into_iter().next().map(|token| token.span());
    place.map_or_else(Span::mixed_site, |place| Span::mixed_site().located_at(place))
}

/// `Some(…)` or `None` of a value that is written as a literal.
fn option<T: ToTokens>(value: Option<T>) -> TokenStream {
    value.map_or_else(|| quote!(__pap::None), |value| quote!(__pap::Some(#value)))
}
