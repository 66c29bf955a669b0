//! `#[derive(Term)]` and `#[derive(Shape)]`.

use pap_model::declaration::{Field, NamedItem, Summary, Value, ValueForm, Variant, Word};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::field::{checks, of_type, pieces, said, shape_field, term_field};
use super::{at, hidden, name_origin_doc};

/// The impls of a value that terms can hold.
pub(crate) fn term(value: &Value, runtime: &TokenStream) -> TokenStream {
    let Value { named, form, .. } = value;
    let items = match form {
        ValueForm::Newtype(ty) => newtype(named, ty),
        ValueForm::Words(words) => {
            let (schema, say) = (words_schema(named, words), say_words(words));
            implemented(&named.name, &schema, &said_by(&named.name, &say))
        }
        ValueForm::Choice(variants) => choice(named, variants),
        // a record that can be said is terms
        ValueForm::Record(_) => TokenStream::new(),
    };
    hidden(runtime, &items)
}

/// The impl of a value that requests and results can hold.
pub(crate) fn shape(value: &Value, runtime: &TokenStream) -> TokenStream {
    let Value { named, form, .. } = value;
    let (name, described) = (&named.name, name_origin_doc(named));
    let schema = match form {
        ValueForm::Newtype(ty) => {
            let of = quote_spanned!(at(ty)=> __pap::of_shape::<#ty>());
            quote!(__pap::Schema::Named { #described, of: &#of })
        }
        ValueForm::Record(fields) => {
            let fields = fields.iter().map(shape_field);
            quote!(__pap::Schema::Record(__pap::Record { #described, fields: &[#(#fields),*] }))
        }
        ValueForm::Words(words) => words_schema(named, words),
        ValueForm::Choice(variants) => {
            let variants = variants.iter().map(|variant| declared(variant, shape_field));
            quote!(__pap::Schema::Choice { #described, variants: &[#(#variants),*] })
        }
    };
    hidden(runtime, &shape_impl(name, &schema))
}

fn shape_impl(name: &Ident, schema: &TokenStream) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl __pap::Shape for #name {
            const SCHEMA: __pap::Schema = #schema;
        }
    }
}

fn implemented(name: &Ident, schema: &TokenStream, said: &TokenStream) -> TokenStream {
    let shape = shape_impl(name, schema);
    quote! {
        #shape
        #said
        #[automatically_derived]
        impl __pap::Term for #name {}
    }
}

fn newtype(named: &NamedItem, ty: &TokenStream) -> TokenStream {
    let (name, described, of) = (&named.name, name_origin_doc(named), of_type(ty));
    let shape = shape_impl(name, &quote!(__pap::Schema::Named { #described, of: &#of.schema }));
    quote! {
        #shape
        #[automatically_derived]
        impl __pap::Said for #name {
            fn say(&self, __reader: &__pap::Reader, __format: &__pap::str, __out: &mut __pap::String) {
                (#of.said)(&self.0).say(__reader, __format, __out)
            }
            fn is_none(&self) -> __pap::bool {
                (#of.said)(&self.0).is_none()
            }
            fn problem(&self, __facts: &__pap::Facts) -> __pap::Option<__pap::String> {
                (#of.said)(&self.0).problem(__facts)
            }
        }
        #[automatically_derived]
        impl __pap::Term for #name {
            const FORMATS: &'static [&'static __pap::str] = #of.formats;
        }
    }
}

fn words_schema(named: &NamedItem, words: &[Word]) -> TokenStream {
    let described = name_origin_doc(named);
    let words = words.iter().map(|word| {
        let Word { wire, say, doc, .. } = word;
        quote!(__pap::Word { word: #wire, say: #say, doc: #doc })
    });
    quote!(__pap::Schema::Words { #described, words: &[#(#words),*] })
}

fn say_words(words: &[Word]) -> TokenStream {
    let arms = words.iter().map(|Word { name, say, .. }| quote!(Self::#name => #say));
    quote!(__out.push_str(match self { #(#arms,)* }))
}

fn said_by(name: &Ident, say: &TokenStream) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl __pap::Said for #name {
            fn say(&self, _: &__pap::Reader, _: &__pap::str, __out: &mut __pap::String) {
                #say
            }
        }
    }
}

fn declared(variant: &Variant, field: fn(&Field) -> TokenStream) -> TokenStream {
    let Variant { wire, doc, fields, summary, .. } = variant;
    let summary = summary.as_ref().map(|summary| summary.text.as_str()).unwrap_or_default();
    let fields = fields.iter().map(field);
    quote!(__pap::Variant { kind: #wire, doc: #doc, summary: #summary, fields: &[#(#fields),*] })
}

fn choice(named: &NamedItem, variants: &[Variant]) -> TokenStream {
    let (name, described) = (&named.name, name_origin_doc(named));
    let declared = variants.iter().map(|variant| declared(variant, term_field));
    let arms = variants.iter().enumerate().map(|(index, variant)| arm(index, variant));
    let checks = variants.iter().enumerate().map(|(index, variant)| {
        let declared = quote!(__VARIANTS[#index].fields);
        checks(&declared, &variant.fields, variant.summary.as_ref())
    });
    let schema = quote!(__pap::Schema::Choice { #described, variants: __VARIANTS });
    let said = quote! {
        #[automatically_derived]
        impl __pap::HasFields for #name {
            fn fields(&self, __see: __pap::See<'_>) {
                match self { #(#arms)* }
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
    };
    let impls = implemented(name, &schema, &said);
    quote! {
        const __VARIANTS: &'static [__pap::Variant] = &[#(#declared),*];
        #impls
        #(#checks)*
    }
}

fn arm(index: usize, variant: &Variant) -> TokenStream {
    let Variant { name, fields, summary, .. } = variant;
    let pieces = summary.as_ref().map(|summary: &Summary| pieces(summary, fields));
    let pieces = pieces.unwrap_or_else(|| quote!(&[]));
    let values: Vec<Ident> = (0..fields.len()).map(|at| format_ident!("__field{at}")).collect();
    let bound = fields.iter().zip(&values).map(|(Field { name, .. }, value)| quote!(#name: #value));
    let said = fields.iter().zip(&values).map(|(field, value)| said(field, &quote!(#value)));
    quote! {
        Self::#name { #(#bound),* } => __see(__VARIANTS[#index].fields, #pieces, &[#(#said),*]),
    }
}
