//! The keys and values inside an attribute, each with its place. A mistake in one spoils no other.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::parse::{ParseBuffer, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Field, LitInt, LitStr, Path, Token, Type, braced, bracketed, parenthesized, token};

use crate::keys::{Attribute, Form, Key, Word};
use crate::problem::{Code, ErrorSink, Problem};
use crate::spelling::nearest;

/// What was given in one attribute.
pub(crate) struct Keys {
    given: Vec<Given>,
    /// Keys whose value could not be read: they are told, and not missing.
    broken: Vec<String>,
    /// The attribute's own place, for what is missing in it.
    pub(crate) at: TokenStream,
}

/// One key with its value.
pub(crate) struct Given {
    pub(crate) key: &'static Key,
    /// As it stands in the source.
    pub(crate) name: Ident,
    pub(crate) value: Value,
}

/// A value, in the form its key asks for.
pub(crate) enum Value {
    Flag,
    Text(LitStr),
    Texts(Vec<LitStr>),
    Number(u32),
    Name(Ident),
    Names(Vec<Named>),
    Word(Ident),
    Function(NamedFunction),
    Type(Box<Type>),
    Types(Vec<Type>),
    Fields(Vec<Field>),
    Path(Path),
}

/// A name that may be written as an identifier or, if it is none, as a text.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    pub(crate) text: String,
    pub(crate) at: TokenStream,
}

/// `path::to::function`, or the same with the parameters it takes: `function(session, request)`.
pub(crate) struct NamedFunction {
    pub(crate) path: Path,
    pub(crate) parameters: Option<Vec<Ident>>,
}

impl Keys {
    /// Reads the tokens between an attribute's parentheses.
    pub(crate) fn parse(
        attribute: &Attribute,
        tokens: TokenStream,
        at: &impl ToTokens,
        sink: &mut ErrorSink,
    ) -> Self {
        let mut keys = Self { given: Vec::new(), broken: Vec::new(), at: at.to_token_stream() };
        let parsed = |input: ParseStream<'_>| {
            while !input.is_empty() {
                let name = input.fork().call(Ident::parse_any);
                match one(attribute, input) {
                    Ok(given) => {
                        keys.add(given, sink);
                        // the keys after a missing comma are as good as those before it
                        if let Err(problem) = comma(input) {
                            sink.push(problem);
                        }
                    }
                    Err(problem) => {
                        keys.broken.extend(name.ok().map(|name| meant(attribute, &name)));
                        sink.push(problem);
                        skip_to_next(input);
                    }
                }
            }
            Ok(())
        };
        if let Err(error) = parsed.parse2(tokens) {
            let message = format!("`{}` can't be read: {error}", attribute.name);
            sink.push(Problem::at(Code::WrongForm, error.span(), message));
        }
        keys
    }

    /// Takes over what another attribute of the same name gives.
    pub(crate) fn extend(&mut self, other: Self, sink: &mut ErrorSink) {
        self.broken.extend(other.broken);
        for given in other.given {
            self.add(given, sink);
        }
    }

    fn add(&mut self, given: Given, sink: &mut ErrorSink) {
        match self.find(given.key.name) {
            None => self.given.push(given),
            Some(first) => sink.push(
                Problem::new(
                    Code::RepeatedKey,
                    &given.name,
                    format!("`{}` is given twice", given.key.name),
                )
                .help("keep one of the two")
                .label(&first.name, "first given here"),
            ),
        }
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Given> {
        self.given.iter().find(|given| given.key.name == name)
    }

    /// Whether the author wrote the key, well or not.
    pub(crate) fn tried(&self, name: &str) -> bool {
        self.find(name).is_some() || self.broken.iter().any(|broken| broken == name)
    }

    pub(crate) fn all(&self) -> &[Given] {
        &self.given
    }

    pub(crate) fn text(&self, name: &str) -> Option<&LitStr> {
        let Value::Text(text) = &self.find(name)?.value else { return None };
        Some(text)
    }

    pub(crate) fn path(&self, name: &str) -> Option<&Path> {
        let Value::Path(path) = &self.find(name)?.value else { return None };
        Some(path)
    }

    pub(crate) fn word(&self, name: &str) -> Option<&Ident> {
        let Value::Word(word) = &self.find(name)?.value else { return None };
        Some(word)
    }

    pub(crate) fn function(&self, name: &str) -> Option<&NamedFunction> {
        let Value::Function(function) = &self.find(name)?.value else { return None };
        Some(function)
    }
}

fn one(attribute: &Attribute, input: ParseStream<'_>) -> Result<Given, Problem> {
    let name = input.call(Ident::parse_any).map_err(|error| {
        Problem::at(
            Code::WrongForm,
            error.span(),
            format!("a key of `{}` belongs here", attribute.name),
        )
        .note(format!("the keys are {}", attribute.names()))
    })?;
    let key = attribute.key(&name.to_string()).ok_or_else(|| unknown(attribute, &name))?;
    let value = value(key, &name, input)?;
    Ok(Given { key, name, value })
}

fn comma(input: ParseStream<'_>) -> Result<(), Problem> {
    if input.is_empty() || input.parse::<Token![,]>().is_ok() {
        return Ok(());
    }
    let next = input.cursor().token_stream().into_iter().next().into_token_stream();
    if !input.peek(Ident::peek_any) {
        skip_to_next(input);
    }
    Err(Problem::new(Code::WrongForm, &next, format!("a `,` is missing before `{next}`"))
        .help(format!("write `, {next}`")))
}

/// The key that a name is, or probably means.
fn meant(attribute: &Attribute, name: &Ident) -> String {
    let name = name.to_string();
    let near = nearest(&name, attribute.keys.iter().map(|key| key.name));
    near.map_or(name, str::to_owned)
}

fn unknown(attribute: &Attribute, name: &Ident) -> Problem {
    let message = format!("`{name}` is no key of `#[{}]`", attribute.name);
    let near = Some(meant(attribute, name)).filter(|near| name != near);
    Problem::new(Code::UnknownKey, name, message)
        .note(format!("the keys are {}", attribute.names()))
        .maybe_help(near.map(|near| format!("a similar key exists: `{near}`")))
}

fn value(key: &'static Key, name: &Ident, input: ParseStream<'_>) -> Result<Value, Problem> {
    let wrong = |at: &dyn Fn() -> TokenStream| {
        Problem::new(Code::WrongForm, &at(), format!("`{}` {}", key.name, takes(key.form)))
            .help(format!("write `{}`", key.example))
    };
    if key.form == Form::Flag {
        let alone = input.is_empty() || input.peek(Token![,]);
        return if alone { Ok(Value::Flag) } else { Err(wrong(&|| name.to_token_stream())) };
    }
    if matches!(key.form, Form::Names) {
        return names(input).map_err(|_error| wrong(&|| name.to_token_stream()));
    }
    input.parse::<Token![=]>().map_err(|_error| wrong(&|| name.to_token_stream()))?;
    let start = input.cursor().token_stream();
    let first = || {
        let first = start.clone().into_iter().next().filter(|token| token.to_string() != ",");
        first.map_or_else(|| name.to_token_stream(), ToTokens::into_token_stream)
    };
    formed(key, input).map_err(|why| match why {
        Why::NotOfThisForm => wrong(&first),
        Why::Told(problem) => problem,
    })
}

/// Why a value was not taken.
enum Why {
    NotOfThisForm,
    Told(Problem),
}

impl From<syn::Error> for Why {
    // the parser's own text speaks of tokens; the key's form says it in the author's words
    fn from(_error: syn::Error) -> Self {
        Self::NotOfThisForm
    }
}

fn formed(key: &'static Key, input: ParseStream<'_>) -> Result<Value, Why> {
    Ok(match key.form {
        Form::Text => Value::Text(input.parse()?),
        Form::Texts => Value::Texts(texts(input)?),
        Form::Number => Value::Number(input.parse::<LitInt>()?.base10_parse()?),
        Form::Name => Value::Name(input.call(Ident::parse_any)?),
        Form::Word(words) => Value::Word(one_of(key, words, input.call(Ident::parse_any)?)?),
        Form::Function(words) => function(key, words, input)?,
        Form::TypeOrFields if input.peek(token::Brace) => Value::Fields(fields(input)?),
        Form::Type | Form::TypeOrFields => Value::Type(input.parse()?),
        Form::Types => Value::Types(types(input)?),
        Form::Path => Value::Path(input.call(Path::parse_mod_style)?),
        Form::Flag | Form::Names => return Err(Why::NotOfThisForm),
    })
}

fn texts(input: ParseStream<'_>) -> syn::Result<Vec<LitStr>> {
    let inside;
    bracketed!(inside in input);
    let texts = Punctuated::<LitStr, Token![,]>::parse_terminated(&inside)?;
    Ok(texts.into_iter().collect())
}

fn types(input: ParseStream<'_>) -> syn::Result<Vec<Type>> {
    let inside;
    bracketed!(inside in input);
    let types = Punctuated::<Type, Token![,]>::parse_terminated(&inside)?;
    Ok(types.into_iter().collect())
}

fn names(input: ParseStream<'_>) -> syn::Result<Value> {
    let inside = parentheses(input)?;
    let names = Punctuated::<Named, Token![,]>::parse_terminated(&inside)?;
    Ok(Value::Names(names.into_iter().collect()))
}

fn parentheses(input: ParseStream<'_>) -> syn::Result<ParseBuffer<'_>> {
    let inside;
    parenthesized!(inside in input);
    Ok(inside)
}

fn braces(input: ParseStream<'_>) -> syn::Result<ParseBuffer<'_>> {
    let inside;
    braced!(inside in input);
    Ok(inside)
}

impl syn::parse::Parse for Named {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitStr) {
            let text: LitStr = input.parse()?;
            return Ok(Self { text: text.value(), at: text.into_token_stream() });
        }
        let ident = input.call(Ident::parse_any)?;
        Ok(Self { text: ident.unraw().to_string(), at: ident.into_token_stream() })
    }
}

fn function(key: &'static Key, words: &[Word], input: ParseStream<'_>) -> Result<Value, Why> {
    let path = input.call(Path::parse_mod_style)?;
    if let Some(ident) = path.get_ident()
        && words.iter().any(|word| ident == word.word)
    {
        return Ok(Value::Word(one_of(key, words, ident.clone())?));
    }
    if !input.peek(token::Paren) {
        return Ok(Value::Function(NamedFunction { path, parameters: None }));
    }
    let inside = parentheses(input)?;
    let parameters = Punctuated::<Ident, Token![,]>::parse_terminated(&inside)?;
    Ok(Value::Function(NamedFunction { path, parameters: Some(parameters.into_iter().collect()) }))
}

fn one_of(key: &Key, words: &[Word], ident: Ident) -> Result<Ident, Why> {
    match words.iter().find(|word| ident == word.word) {
        Some(word) if word.now => Ok(ident),
        Some(word) => Err(Why::Told(
            Problem::new(
                Code::NotYet,
                &ident,
                format!("`{} = {}` is not yet there", key.name, word.word),
            )
            .note("the word is kept for a later version")
            .help(format!("write `{}`", key.example)),
        )),
        None => Err(Why::NotOfThisForm),
    }
}

/// The fields of terms to write; one that can't be read is left out and told by the caller.
fn fields(input: ParseStream<'_>) -> Result<Vec<Field>, Why> {
    let inside = braces(input)?;
    let fields = inside.call(|input| input.parse_terminated(Field::parse_named, Token![,]));
    let fields = fields.map_err(|error| {
        Why::Told(
            Problem::at(
                Code::WrongForm,
                error.span(),
                format!("this is no field of terms: {error}"),
            )
            .help("write `terms = { order_id: OrderId, note: String }`"),
        )
    })?;
    Ok(fields.into_iter().collect())
}

fn takes(form: Form) -> String {
    match form {
        Form::Flag => "takes no value".to_owned(),
        Form::Text => "takes a text".to_owned(),
        Form::Texts => "takes a list of texts".to_owned(),
        Form::Number => "takes a whole number".to_owned(),
        Form::Name => "takes the name of a field".to_owned(),
        Form::Names => "takes names in parentheses".to_owned(),
        Form::Word(words) => format!("takes {}", spelled(words)),
        Form::Function([]) => "takes the path of a function".to_owned(),
        Form::Function(words) => format!("takes the path of a function, or {}", spelled(words)),
        Form::Type => "takes a type".to_owned(),
        Form::Types => "takes a list of types".to_owned(),
        Form::TypeOrFields => "takes a type, or fields in braces".to_owned(),
        Form::Path => "takes the path of a crate".to_owned(),
    }
}

fn spelled(words: &[Word]) -> String {
    let words: Vec<String> =
        words.iter().filter(|word| word.now).map(|word| format!("`{}`", word.word)).collect();
    words.join(" or ")
}

/// To the start of the next key: what is left of a broken one is not read.
fn skip_to_next(input: ParseStream<'_>) {
    while !input.is_empty() {
        let comma = input.peek(Token![,]);
        // a token tree can always be taken while there is one
        if input.parse::<proc_macro2::TokenTree>().is_err() || comma {
            return;
        }
    }
}
