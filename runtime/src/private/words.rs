//! A message put together while the compiler evaluates a constant.

/// Longest message in bytes; what is longer is cut.
const MAX: usize = 2048;

/// A text under construction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words {
    bytes: [u8; MAX],
    length: usize,
}

impl Words {
    pub(super) const fn new() -> Self {
        Self { bytes: [0; MAX], length: 0 }
    }

    /// Adds a text.
    #[expect(clippy::indexing_slicing, reason = "both indices are below the lengths compared with")]
    pub(super) const fn and(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        let mut index = 0;
        while index < text.len() && self.length < MAX {
            self.bytes[self.length] = text[index];
            self.length += 1;
            index += 1;
        }
        self
    }

    /// Adds a text in backticks.
    pub(super) const fn named(self, text: &str) -> Self {
        self.and("`").and(text).and("`")
    }

    /// Adds a number.
    #[expect(
        clippy::as_conversions,
        reason = "a digit is below 10; `u8::try_from` is not yet constant"
    )]
    pub(super) const fn number(self, number: u32) -> Self {
        let words = if number >= 10 { self.number(number / 10) } else { self };
        let digit = [b'0' + (number % 10) as u8];
        match std::str::from_utf8(&digit) {
            Ok(digit) => words.and(digit),
            Err(_) => words,
        }
    }

    /// Whether nothing was added.
    pub(super) const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The text.
    pub(super) const fn as_str(&self) -> &str {
        let (text, _) = self.bytes.split_at(self.length);
        match std::str::from_utf8(text) {
            Ok(text) => text,
            // only a text that was cut can end within a character
            Err(_) => "a message too long to show",
        }
    }

    /// Stops the compilation with the text.
    #[track_caller]
    #[expect(
        clippy::panic,
        reason = "evaluated by the compiler: this is how a constant is refused"
    )]
    pub(super) const fn refuse(&self) -> ! {
        panic!("{}", self.as_str())
    }
}

/// Stops the compilation: what is named in backticks, and why.
#[track_caller]
pub(super) const fn refuse(name: &str, why: &str, code: &str) -> ! {
    Words::new().named(name).and(why).and("\nmore: pap-codegen explain ").and(code).refuse()
}

/// Whether two texts are equal.
#[expect(clippy::indexing_slicing, reason = "the index is below both lengths")]
pub(super) const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut index = 0;
    while index < one.len() {
        if one[index] != other[index] {
            return false;
        }
        index += 1;
    }
    true
}
