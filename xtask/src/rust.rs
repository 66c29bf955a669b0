//! Rust sources as a flat list of tokens: comments are gone, doc comments are attributes.
//!
//! Enough for rules about imports, literals and attributes, without parsing the language.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// One token. A bracket is two: its open and its close.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Token {
    /// As written; brackets are `(`, `)`, and so on.
    pub text: String,
    /// The line it starts on, from 1.
    pub line: usize,
    /// Whether it is a literal.
    pub is_literal: bool,
    /// For an open bracket: how many tokens further its close is.
    pub closes_after: usize,
}

/// The tokens of a source text; none if it is no Rust, as in a test of what the compiler refuses.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut flat = Vec::new();
    if let Ok(stream) = text.parse::<TokenStream>() {
        flatten(stream, &mut flat);
    }
    flat
}

fn flatten(stream: TokenStream, flat: &mut Vec<Token>) {
    for tree in stream {
        let line = tree.span().start().line;
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                let at = flat.len();
                flat.push(Token::new(open, line, false));
                flatten(group.stream(), flat);
                flat.push(Token::new(close, group.span_close().start().line, false));
                let length = flat.len() - 1 - at;
                if let Some(open) = flat.get_mut(at) {
                    open.closes_after = length;
                }
            }
            TokenTree::Literal(literal) => {
                flat.push(Token::new(&literal.to_string(), line, true));
            }
            TokenTree::Ident(word) => flat.push(Token::new(&word.to_string(), line, false)),
            TokenTree::Punct(sign) => flat.push(Token::new(&sign.to_string(), line, false)),
        }
    }
}

impl Token {
    fn new(text: &str, line: usize, is_literal: bool) -> Self {
        Self { text: text.to_owned(), line, is_literal, closes_after: 0 }
    }

    /// The content of a string literal, escapes left as written.
    pub fn string(&self) -> Option<&str> {
        let inside = self.text.trim_start_matches(['b', 'c', 'r']).trim_matches('#');
        self.is_literal.then(|| inside.strip_prefix('"')?.strip_suffix('"')).flatten()
    }
}

/// An attribute: its path, and where in the tokens it ends.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Attribute<'a> {
    /// The last segment of its path: `test` of `#[tokio::test]`.
    pub name: &'a str,
    /// What stands in its brackets.
    pub inside: &'a [Token],
    /// How many tokens it has, `#` included.
    pub length: usize,
}

/// The attribute that starts at the first of these tokens.
pub fn attribute(tokens: &[Token]) -> Option<Attribute<'_>> {
    let (first, rest) = tokens.split_first()?;
    let inner = usize::from(rest.first().is_some_and(|next| next.text == "!"));
    let open = rest.get(inner).filter(|open| first.text == "#" && open.text == "[")?;
    let inside = rest.get(inner + 1..inner + open.closes_after)?;
    let path = inside.iter().take_while(|token| token.text == ":" || is_word(&token.text));
    let name = path.filter(|token| token.text != ":").last()?;
    Some(Attribute { name: &name.text, inside, length: inner + 2 + open.closes_after })
}

/// Whether this is an identifier or a keyword.
pub fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Splits the tokens into what is shipped and the lines that only tests use: `#[cfg(test)]` items.
pub fn without_tests(tokens: &[Token]) -> (Vec<Token>, Vec<(usize, usize)>) {
    let (mut shipped, mut tests) = (Vec::new(), Vec::new());
    let mut rest = tokens;
    while let Some(token) = rest.first() {
        let only_tests = attribute(rest).filter(|found| found.name == "cfg" && is_test(found));
        let length = only_tests.map_or(1, |_| item_length(rest));
        if only_tests.is_some() {
            let last = rest.get(length.saturating_sub(1)).map_or(token.line, |last| last.line);
            tests.push((token.line, last));
        } else {
            // the lengths of enclosing brackets are no longer used by whoever reads these
            shipped.push(token.clone());
        }
        rest = rest.get(length.max(1)..).unwrap_or_default();
    }
    (shipped, tests)
}

fn is_test(cfg: &Attribute<'_>) -> bool {
    let words: Vec<&str> = cfg.inside.iter().map(|token| token.text.as_str()).collect();
    matches!(words.as_slice(), ["cfg", "(", "test", ")"] | ["cfg", "(", "all", "(", "test", ..])
}

/// How many tokens the item has that starts here, its attributes included.
fn item_length(tokens: &[Token]) -> usize {
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if let Some(found) = tokens.get(at..).and_then(attribute) {
            at += found.length;
        } else if token.text == ";" {
            return at + 1;
        } else if token.text == "{" {
            return at + token.closes_after + 1;
        } else {
            at += token.closes_after + 1;
        }
    }
    tokens.len()
}

/// A name right below the crate's root that a file reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reach {
    /// The name.
    pub name: String,
    /// Where it stands.
    pub line: usize,
    /// Whether it was said as `crate::name`, not through a chain of `super`s.
    pub by_crate: bool,
}

/// What these tokens reach below the crate's root. `depth` is how deep the file's own module is.
pub fn reached(tokens: &[Token], depth: usize) -> Vec<Reach> {
    let mut found = Vec::new();
    let mut before = "";
    for (at, token) in tokens.iter().enumerate() {
        let rest = tokens.get(at..).unwrap_or_default();
        let starts = before != "$" && before != ":";
        let below = match token.text.as_str() {
            "crate" if starts => rest.get(1..),
            "super" if starts => past_root(rest, depth),
            _ => None,
        };
        let by_crate = token.text == "crate";
        let names = below.map(heads).unwrap_or_default();
        found.extend(names.into_iter().map(|(name, line)| Reach { name, line, by_crate }));
        before = &token.text;
    }
    found
}

/// What follows a chain of `super`s that ends at the crate's root.
fn past_root(tokens: &[Token], depth: usize) -> Option<&[Token]> {
    let chain = tokens.iter().take_while(|token| token.text == "super" || token.text == ":");
    let (mut supers, mut length) = (0_usize, 0_usize);
    for token in chain {
        supers += usize::from(token.text == "super");
        length += 1;
    }
    // `length` includes the `::` behind the last `super`, which `heads` expects to see
    (supers == depth).then(|| tokens.get(length.saturating_sub(2)..)).flatten()
}

/// The first words behind a `::`, of every branch if it opens a list.
fn heads(tokens: &[Token]) -> Vec<(String, usize)> {
    let [first, second, head, ..] = tokens else { return Vec::new() };
    if first.text != ":" || second.text != ":" {
        return Vec::new();
    }
    if head.text != "{" {
        return vec![(head.text.clone(), head.line)];
    }
    let mut found = Vec::new();
    let mut at = 3;
    let mut fresh = true;
    while let Some(token) = tokens.get(at).filter(|_| at < 2 + head.closes_after) {
        if fresh {
            found.push((token.text.clone(), token.line));
        }
        fresh = token.text == ",";
        at += token.closes_after + 1;
    }
    found
}

/// A function with what stands above it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Where its name stands.
    pub line: usize,
    /// Its doc comment.
    pub doc: String,
    /// Whether the test runner calls it.
    pub is_test: bool,
}

/// Every function, also inside macros that keep the syntax of one, such as `proptest!`.
pub fn functions(tokens: &[Token]) -> Vec<Function> {
    let mut found = Vec::new();
    let (mut doc, mut is_test) = (String::new(), false);
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if let Some(seen) = tokens.get(at..).and_then(attribute) {
            is_test |= seen.name == "test";
            if let ("doc", Some(text)) = (seen.name, seen.inside.last().and_then(Token::string)) {
                doc.push_str(text);
                doc.push('\n');
            }
            at += seen.length;
            continue;
        }
        let next = tokens.get(at + 1);
        match token.text.as_str() {
            "pub" if next.is_some_and(|next| next.text == "(") => {
                at += next.map_or(0, |next| next.closes_after + 1);
            }
            "pub" | "async" | "const" | "unsafe" | "extern" => {}
            "fn" => {
                if let Some(name) = next {
                    let (doc, is_test) = (std::mem::take(&mut doc), std::mem::take(&mut is_test));
                    found.push(Function { name: name.text.clone(), line: name.line, doc, is_test });
                }
            }
            _ => {
                doc.clear();
                is_test = false;
            }
        }
        at += 1;
    }
    found
}
