//! The pieces of a text that is known to be JSON.

/// One piece of a JSON text, without the whitespace, colons and commas between pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `{`
    ObjectStart,
    /// `[`
    ListStart,
    /// `}` or `]`
    End,
    /// The name of a member, in its quotes.
    Name(&'a str),
    /// A string, in its quotes.
    Text(&'a str),
    /// A number, `true`, `false` or `null`.
    Literal(&'a str),
}

/// The pieces of `text` in order, each with where it begins. `text` must be JSON: only then is this a
/// tokenizer, for it decides by the first byte.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = (usize, Token<'_>)> {
    Tokens { text, at: 0 }
}

struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (usize, Token<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.skip(|byte| b" \t\r\n:,".contains(&byte));
        let at = self.at;
        let token = match self.text.as_bytes().get(at)? {
            b'{' => self.one(Token::ObjectStart),
            b'[' => self.one(Token::ListStart),
            b'}' | b']' => self.one(Token::End),
            b'"' => {
                let text = self.string()?;
                if self.is_name() { Token::Name(text) } else { Token::Text(text) }
            }
            _ => {
                self.skip(|byte| !b" \t\r\n:,{}[]\"".contains(&byte));
                Token::Literal(self.text.get(at..self.at)?)
            }
        };
        Some((at, token))
    }
}

impl<'a> Tokens<'a> {
    fn one(&mut self, token: Token<'a>) -> Token<'a> {
        self.at += 1;
        token
    }

    fn string(&mut self) -> Option<&'a str> {
        let start = self.at;
        let mut escaped = false;
        self.at += 1;
        self.skip(|byte| {
            let goes_on = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            goes_on
        });
        self.at += 1;
        self.text.get(start..self.at)
    }

    /// Only a name is followed by a colon.
    fn is_name(&self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        rest.trim_start_matches([' ', '\t', '\r', '\n']).starts_with(':')
    }

    fn skip(&mut self, mut goes_on: impl FnMut(u8) -> bool) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at += rest.iter().position(|byte| !goes_on(*byte)).unwrap_or(rest.len());
    }
}
