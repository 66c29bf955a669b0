//! What a type is spelled like. Only for messages that come before the compiler's: an alias is found
//! by the checks on the type itself.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::{Expr, ExprLit, GenericArgument, Lit, LitStr, PathArguments, Type, TypePath};

/// The `T` of something spelled `Option<T>`.
pub(crate) fn option_inside(ty: &Type) -> Option<&Type> {
    inside(ty, "Option")
}

/// The `T` of something spelled `Vec<T>`.
pub(crate) fn list_inside(ty: &Type) -> Option<&Type> {
    inside(ty, "Vec")
}

/// The `T` of something spelled `Confirmed<T>`.
pub(crate) fn confirmed_inside(ty: &Type) -> Option<&Type> {
    inside(ty, "Confirmed")
}

/// The `T` of something spelled `Outcome<T>`; nothing inside `Outcome` is nothing.
pub(crate) fn outcome_inside(ty: &Type) -> Option<TokenStream> {
    let Type::Path(TypePath { path, .. }) = ungrouped(ty) else { return None };
    let last = path.segments.last().filter(|last| last.ident == "Outcome")?;
    if last.arguments.is_none() {
        return Some(quote_spanned!(last.ident.span()=> ()));
    }
    inside(ty, "Outcome").map(ToTokens::to_token_stream)
}

fn inside<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    let Type::Path(TypePath { path, .. }) = ungrouped(ty) else { return None };
    let last = path.segments.last().filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    arguments.args.iter().find_map(|argument| {
        let GenericArgument::Type(ty) = argument else { return None };
        Some(ty)
    })
}

fn ungrouped(ty: &Type) -> &Type {
    if let Type::Group(group) = ty {
        ungrouped(&group.elem)
    } else if let Type::Paren(paren) = ty {
        ungrouped(&paren.elem)
    } else {
        ty
    }
}

/// The text of a value that is a literal text.
pub(crate) fn literal_text(value: &Expr) -> Option<&LitStr> {
    let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = value else { return None };
    Some(text)
}

/// The first identifier in a type that is one of these.
pub(crate) fn mentions(ty: &Type, names: &[&str]) -> Option<Ident> {
    let named = |ident: &Ident| names.iter().any(|name| ident == name);
    find(ty.to_token_stream(), &|token| {
        let TokenTree::Ident(ident) = token else { return None };
        named(ident).then(|| ident.clone())
    })
}

/// The first `&` in a type: it borrows.
pub(crate) fn borrows(ty: &Type) -> Option<TokenTree> {
    find(ty.to_token_stream(), &|token| {
        let TokenTree::Punct(punct) = token else { return None };
        (punct.as_char() == '&').then(|| token.clone())
    })
}

/// A type as an author would write it, for a message.
pub(crate) fn spelled(ty: &impl ToTokens) -> String {
    let mut text = ty.to_token_stream().to_string();
    for (spaced, close) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        ("& ", "&"),
        (" ,", ","),
    ] {
        text = text.replace(spaced, close);
    }
    text
}

fn find<T>(tokens: TokenStream, what: &dyn Fn(&TokenTree) -> Option<T>) -> Option<T> {
    tokens.into_iter().find_map(|token| match &token {
        TokenTree::Group(group) => find(group.stream(), what),
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => what(&token),
    })
}
