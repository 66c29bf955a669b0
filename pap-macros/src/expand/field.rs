//! One field, and the pieces of a summary.

use heck::ToUpperCamelCase as _;
use pap_model::declaration::{Field, Piece, Seen, Summary, Term};
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};

use super::{at, option};

/// A member of a request or a result.
pub(super) fn shape_field(field: &Field) -> TokenStream {
    let Field { wire, doc, ty, .. } = field;
    let schema = quote_spanned!(at(ty)=> __pap::of_shape::<#ty>());
    quote! {
        __pap::Field {
            name: #wire, doc: #doc, schema: #schema, term: __pap::None, seen: __pap::Seen::OnTheWire
        }
    }
}

/// A field of terms.
pub(super) fn term_field(field: &Field) -> TokenStream {
    let Field { wire, doc, ty, term, .. } = field;
    let facts = facts(term);
    let (schema, seen) = match term.seen {
        Seen::OnTheWire => (of_term(field), quote!(OnTheWire)),
        Seen::Private => (of_term(field), quote!(Private)),
        Seen::InTheSummary => (TokenStream::new(), quote!(InTheSummary)),
    };
    let schema = match term.seen {
        Seen::InTheSummary => quote!(__pap::Schema::Text),
        Seen::OnTheWire | Seen::Private => quote_spanned!(at(ty)=> #schema.schema),
    };
    quote! {
        __pap::Field {
            name: #wire, doc: #doc, schema: #schema, term: __pap::Some(#facts), seen: __pap::Seen::#seen
        }
    }
}

/// What the runtime needs of a term's type; written in one way only, so that a type that is no term is
/// one error.
pub(super) fn of_term(field: &Field) -> TokenStream {
    of_type(&field.ty)
}

/// The same of a type.
pub(super) fn of_type(ty: &TokenStream) -> TokenStream {
    quote_spanned!(at(ty)=> __pap::of_term::<#ty>())
}

fn facts(term: &Term) -> TokenStream {
    let mut given = Vec::new();
    if let Some(role) = term.role {
        let role = format_ident!("{}", role.to_upper_camel_case());
        given.push(quote!(role: __pap::Some(__pap::Role::#role)));
    }
    if let Some(shown_as) = &term.shown_as {
        given.push(quote!(shown_as: __pap::Some(#shown_as)));
    }
    if let Some(unstated) = &term.unstated {
        given.push(quote!(unstated: __pap::Some(#unstated)));
    }
    if let Some(max) = term.max {
        given.push(quote!(max: __pap::Some(#max)));
    }
    if given.is_empty() {
        return quote!(__pap::Facts::NONE);
    }
    quote!(__pap::Facts { #(#given,)* ..__pap::Facts::NONE })
}

/// The value of a field as something that can be said; `value` is a reference to it.
pub(super) fn said(field: &Field, value: &TokenStream) -> TokenStream {
    match field.term.seen {
        Seen::InTheSummary => {
            let ty = &field.ty;
            quote_spanned!(at(ty)=> __pap::shown::<#ty>(#value))
        }
        Seen::OnTheWire | Seen::Private => {
            let of = of_term(field);
            quote!((#of.said)(#value))
        }
    }
}

/// The rules that need the field's type, at its tokens; `declared` are the fields as a constant.
pub(super) fn checks(
    declared: &TokenStream,
    fields: &[Field],
    summary: Option<&Summary>,
) -> TokenStream {
    let of_types =
        fields.iter().enumerate().filter(|(_, field)| field.term.seen != Seen::InTheSummary);
    let fits = of_types.map(|(index, Field { name, ty, term, .. })| {
        let name = syn::ext::IdentExt::unraw(name).to_string();
        let (stated, if_none) = (term.stated, term.if_none.is_some());
        quote_spanned! {at(ty)=>
            const _: () = __pap::fits(&#declared[#index], #name, #stated, #if_none);
        }
    });
    let formats = summary.into_iter().flat_map(|summary| {
        summary.pieces.iter().filter_map(|piece| format_check(piece, summary, fields))
    });
    quote!(#(#fits)* #(#formats)*)
}

fn format_check(piece: &Piece, summary: &Summary, fields: &[Field]) -> Option<TokenStream> {
    let Piece::Field { index, name, format } = piece else { return None };
    let field = fields.get((*index)?).filter(|_| !format.is_empty())?;
    let formats = match field.term.seen {
        Seen::InTheSummary => quote!(&[]),
        Seen::OnTheWire | Seen::Private => {
            let of = of_term(field);
            quote!(#of.formats)
        }
    };
    Some(
        quote_spanned!(at(&summary.at)=> const _: () = __pap::has_format(#name, #formats, #format);),
    )
}

/// The pieces of a summary over fields that are known.
pub(super) fn pieces(summary: &Summary, fields: &[Field]) -> TokenStream {
    let pieces = summary.pieces.iter().map(|piece| match piece {
        Piece::Text(text) => quote!(__pap::Piece::Text(#text)),
        Piece::Field { index, format, .. } => {
            let field = index.and_then(|index| fields.get(index));
            let if_none = field.and_then(|field| field.term.if_none.as_deref()).unwrap_or_default();
            let index = index.unwrap_or_default();
            quote!(__pap::Piece::Field { index: #index, format: #format, if_none: #if_none })
        }
    });
    quote!(&[#(#pieces),*])
}

/// The pieces of a summary whose fields are declared elsewhere.
pub(super) fn named_pieces(summary: &Summary) -> TokenStream {
    let pieces = summary.pieces.iter().map(|piece| match piece {
        Piece::Text(text) => quote!(__pap::NamedPiece::Text(#text)),
        Piece::Field { name, format, .. } => quote!(__pap::NamedPiece::Field(#name, #format)),
    });
    quote!([#(#pieces),*])
}

/// The wire names of members, as an optional list.
pub(super) fn optional_texts(texts: Option<Vec<&String>>) -> TokenStream {
    option(texts.map(|texts| quote!(&[#(#texts),*])))
}
