//! `operations![…]`: what is served is what is on the list.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::at;

/// The list, with a check per entry at the entry.
pub(crate) fn list(entries: &[TokenStream], runtime: &TokenStream) -> TokenStream {
    let listed: Vec<TokenStream> = entries
        .iter()
        .map(|entry| quote_spanned!(at(entry)=> __pap::listed::<#entry, _>()))
        .collect();
    let checks = entries.iter().enumerate().skip(1).map(|(index, entry)| {
        quote_spanned!(at(entry)=> const _: () = __pap::is_distinct(__ALL, __PRINTS, #index);)
    });
    let count = entries.len();
    quote! {{
        use #runtime::private as __pap;
        const __ALL: &'static [&'static __pap::OperationDeclaration] = &[#(#listed.declaration),*];
        const __PRINTS: &'static [__pap::Fingerprint] = &__pap::fingerprints::<#count>(__ALL);
        #(#checks)*
        __pap::Operations::new()#(.listing(#listed))*
    }}
}
