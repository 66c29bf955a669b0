//! `#[derive(Terms)]`, and the struct that `terms = { … }` declares.

use pap_model::declaration::{InlineTerms, Seen, Terms};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use super::field::{checks, of_term, pieces, said, term_field};
use super::{at, hidden, name_origin_doc};

/// The impls of terms.
pub(crate) fn terms(terms: &Terms, runtime: &TokenStream) -> TokenStream {
    hidden(runtime, &impls(terms))
}

/// The same, to stand in a scope with other generated items.
pub(super) fn impls(terms: &Terms) -> TokenStream {
    let Terms { named, version, upgrades, fields, summary, .. } = terms;
    let (name, described) = (&named.name, name_origin_doc(named));
    let declared = fields.iter().map(term_field);
    let of_self = fields.iter().map(|field| {
        let name = &field.name;
        said(field, &quote!(&self.#name))
    });
    let checks = checks(&quote!(__RECORD.fields), fields, summary.as_ref());
    let count = upgrades.len();
    let older = (count > 0).then(|| quote!(__pap::older::<#count, Self>(Self::UPGRADES)));
    let older = older.unwrap_or_else(|| quote!([]));
    let in_order = in_order(name, upgrades);
    let upgrades = upgraded(upgrades);
    let (summary, unsummarised) = match summary {
        Some(summary) => {
            let (text, pieces) = (&summary.text, pieces(summary, fields));
            (quote!(__pap::Summary { text: #text, pieces: #pieces }), TokenStream::new())
        }
        None => (quote!(<#name as __pap::HasOneSummary>::SUMMARY), unsummarised(terms)),
    };
    quote! {
        const __RECORD: __pap::Record = __pap::Record { #described, fields: &[#(#declared),*] };
        const __SUMMARY: __pap::Summary = #summary;
        #[automatically_derived]
        impl __pap::Shape for #name {
            const SCHEMA: __pap::Schema = __pap::Schema::Record(__RECORD);
        }
        #[automatically_derived]
        impl __pap::HasFields for #name {
            fn fields(&self, __see: __pap::See<'_>) {
                __see(__RECORD.fields, __SUMMARY.pieces, &[#(#of_self),*])
            }
        }
        #[automatically_derived]
        impl __pap::Said for #name {
            fn say(&self, __reader: &__pap::Reader, _: &__pap::str, __out: &mut __pap::String) {
                __pap::say(self, __reader, __out)
            }
            fn problem(&self, _: &__pap::Facts) -> __pap::Option<__pap::String> {
                __pap::problem(self)
            }
        }
        #[automatically_derived]
        impl __pap::Term for #name {}
        #[automatically_derived]
        impl __pap::Terms for #name {
            const DECLARATION: &'static __pap::TermsDeclaration = &__pap::TermsDeclaration {
                version: #version, summary: __SUMMARY.text, record: __RECORD, upgrades: &#older
            };
            #upgrades
        }
        #in_order
        #unsummarised
        #checks
    }
}

/// How the terms are made from older ones.
fn upgraded(upgrades: &[TokenStream]) -> Option<TokenStream> {
    let each =
        upgrades.iter().map(|older| quote_spanned!(at(older)=> __pap::upgrade::<#older, Self>()));
    (!upgrades.is_empty())
        .then(|| quote!(const UPGRADES: &'static [__pap::Upgrade<Self>] = &[#(#each),*];))
}

/// Each older version is checked where it is named.
fn in_order(name: &Ident, upgrades: &[TokenStream]) -> TokenStream {
    let checks = upgrades.iter().enumerate().map(|(index, older)| {
        quote_spanned!(at(older)=>
            const _: () = __pap::upgrades_in_order(<#name as __pap::Terms>::DECLARATION, #index);
        )
    });
    quote!(#(#checks)*)
}

/// What an operation's attribute needs to write the summary.
fn unsummarised(terms: &Terms) -> TokenStream {
    let name = &terms.named.name;
    let names = terms.fields.iter().map(|field| {
        let name = syn::ext::IdentExt::unraw(&field.name).to_string();
        let if_none = field.term.if_none.as_deref().unwrap_or_default();
        let formats = match field.term.seen {
            Seen::InTheSummary => quote!(&[]),
            Seen::OnTheWire | Seen::Private => {
                let of = of_term(field);
                quote!(#of.formats)
            }
        };
        quote!(__pap::TermField { name: #name, if_none: #if_none, formats: #formats })
    });
    quote! {
        #[automatically_derived]
        impl __pap::Unsummarised for #name {
            const FIELDS: &'static [__pap::Field] = __RECORD.fields;
            const NAMES: &'static [__pap::TermField] = &[#(#names),*];
        }
    }
}

/// The struct itself, when the operation's attribute declares it.
pub(crate) fn written_struct(
    written: &InlineTerms,
    operation: &str,
    runtime: &TokenStream,
) -> TokenStream {
    let InlineTerms { terms, fields, vis, .. } = written;
    let name = &terms.named.name;
    let doc = format!("What the User approves in `{operation}`.");
    let serde = quote!(#runtime::private::serde);
    let path = serde.to_string();
    quote! {
        #[doc = #doc]
        #[allow(clippy::exhaustive_structs, missing_debug_implementations, unreachable_pub)]
        #[::core::prelude::v1::derive(#serde::Serialize, #serde::Deserialize)]
        #[serde(crate = #path)]
        #vis struct #name { #fields }
    }
}
