//! The item under `#[operation]`: headers are read, bodies are opaque tokens.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream};
use syn::{
    Attribute, Generics, LitStr, Meta, Signature, Token, Type, Visibility, WhereClause, braced,
    token,
};

use super::spelled::literal_text;

/// What stands under the attribute.
pub(crate) enum Item {
    Function(Box<Function>),
    Impl(Box<Impl>),
    /// Something else, or something that the compiler itself can't read.
    Other,
}

/// A function without its body.
pub(crate) struct Function {
    pub(crate) doc: String,
    pub(crate) vis: Visibility,
    pub(crate) signature: Signature,
}

/// An impl block.
pub(crate) struct Impl {
    pub(crate) doc: String,
    pub(crate) generics: Generics,
    /// Whether it implements a trait.
    pub(crate) of_trait: bool,
    pub(crate) of: Type,
    pub(crate) functions: Vec<Function>,
    /// Whether everything in the block could be read; the compiler tells the rest.
    pub(crate) complete: bool,
}

impl Item {
    pub(crate) fn parse(tokens: TokenStream) -> Self {
        syn::parse2(tokens).unwrap_or(Self::Other)
    }
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        if input.peek(Token![impl]) || input.peek(Token![unsafe]) && input.peek2(Token![impl]) {
            return Impl::after(&attributes, input).map(|block| Self::Impl(Box::new(block)));
        }
        let function = Function::after(&attributes, input)?;
        body(input);
        Ok(Self::Function(Box::new(function)))
    }
}

impl Function {
    fn after(attributes: &[Attribute], input: ParseStream<'_>) -> syn::Result<Self> {
        let vis = input.parse()?;
        let signature = input.parse()?;
        Ok(Self { doc: doc(attributes), vis, signature })
    }

    pub(crate) fn name(&self) -> &Ident {
        &self.signature.ident
    }
}

impl Impl {
    fn after(attributes: &[Attribute], input: ParseStream<'_>) -> syn::Result<Self> {
        let _unsafe: Option<Token![unsafe]> = input.parse()?;
        input.parse::<Token![impl]>()?;
        let generics = if input.peek(Token![<]) { input.parse()? } else { Generics::default() };
        let _negative: Option<Token![!]> = input.parse()?;
        let mut of: Type = input.parse()?;
        let of_trait = input.parse::<Option<Token![for]>>()?.is_some();
        if of_trait {
            of = input.parse()?;
        }
        let _where: Option<WhereClause> = input.parse()?;
        let inside;
        braced!(inside in input);
        let _inner = inside.call(Attribute::parse_inner)?;
        let (mut functions, mut complete) = (Vec::new(), true);
        while !inside.is_empty() {
            match function(&inside) {
                Ok(function) => functions.extend(function),
                Err(_syntax) => complete = false,
            }
        }
        Ok(Self { doc: doc(attributes), generics, of_trait, of, functions, complete })
    }
}

/// The next associated function, or nothing for another associated item. Takes the whole item in
/// either case.
fn function(input: ParseStream<'_>) -> syn::Result<Option<Function>> {
    let attributes = input.call(Attribute::parse_outer).inspect_err(|_syntax| {
        body(input);
    })?;
    let function = if is_function(&input.fork()) {
        Function::after(&attributes, input).map(Some)
    } else {
        Ok(None)
    };
    body(input);
    function
}

fn is_function(ahead: ParseStream<'_>) -> bool {
    let before_fn = |ahead: ParseStream<'_>| -> syn::Result<bool> {
        ahead.parse::<Visibility>()?;
        while !ahead.is_empty() {
            if ahead.peek(Token![fn]) {
                return Ok(true);
            }
            let ident =
                matches!(ahead.parse::<TokenTree>()?, TokenTree::Ident(ident) if ident == "const");
            // `const NAME: …` is a constant, `const fn` a function
            if ident
                && !(ahead.peek(Token![fn])
                    || ahead.peek(Token![async])
                    || ahead.peek(Token![unsafe])
                    || ahead.peek(Token![extern]))
            {
                return Ok(false);
            }
            if ahead.peek(Token![;]) || ahead.peek(Token![=]) || ahead.peek(token::Brace) {
                return Ok(false);
            }
        }
        Ok(false)
    };
    before_fn(ahead).unwrap_or(false)
}

/// Takes everything up to the end of an item: its braces, or its semicolon.
fn body(input: ParseStream<'_>) {
    while !input.is_empty() {
        let end = input.peek(token::Brace) || input.peek(Token![;]);
        if input.parse::<TokenTree>().is_err() || end {
            return;
        }
    }
}

/// The first paragraph of a doc comment, in one line.
pub(crate) fn doc(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| {
        let Meta::NameValue(pair) = &attribute.meta else { return None };
        literal_text(&pair.value).filter(|_| pair.path.is_ident("doc")).map(LitStr::value)
    });
    let text: Vec<String> = lines.collect();
    let text = text.join("\n");
    let paragraph = text.trim_start().split("\n\n").next().unwrap_or_default();
    // a line of spaces ends a paragraph too
    let lines: Vec<&str> =
        paragraph.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    lines.join(" ")
}
