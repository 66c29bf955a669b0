//! A table of `pap.toml` with the places of its keys and values.

use std::ops::Range;

use toml::Spanned;
use toml::de::DeTable;

use super::forms::Unfit;
use crate::codes::Code;
use crate::diagnostic::Problem;
use crate::nearest::nearest;

/// A file being read: its text and what was found to be wrong with it.
pub(super) struct Reading<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
    pub(super) problems: Vec<Problem>,
}

impl Reading<'_> {
    pub(super) fn problem(&mut self, problem: Problem, span: Range<usize>, label: &str) {
        self.problems.push(problem.at(self.name, self.text, span, label));
    }
}

/// One table: `[company]`, say.
pub(super) struct Table<'a> {
    name: String,
    entries: &'a DeTable<'a>,
    span: Range<usize>,
}

impl<'a> Table<'a> {
    pub(super) fn new(
        name: impl Into<String>,
        entries: &'a DeTable<'a>,
        span: Range<usize>,
    ) -> Self {
        Self { name: name.into(), entries, span }
    }

    /// Refuses keys that have no meaning here.
    pub(super) fn allow(&self, reading: &mut Reading<'_>, keys: &[&str]) {
        for (key, _) in self.entries {
            let word: &str = key.get_ref();
            if keys.contains(&word) {
                continue;
            }
            let problem = Problem::new(Code::UnknownKey, self.unknown(word)).help(
                match nearest(word, keys.iter().copied()) {
                    Some(near) => format!("a similar key exists: `{near}`"),
                    None => "remove it".to_owned(),
                },
            );
            let problem = problem.note(format!("the keys here are {}", listed(keys)));
            reading.problem(problem, key.span(), "this key has no meaning");
        }
    }

    /// The tables inside this one, with their names.
    pub(super) fn tables(&self, reading: &mut Reading<'_>) -> Vec<(Spanned<&'a str>, Self)> {
        let mut found = Vec::new();
        for (key, value) in self.entries {
            let name: &str = key.get_ref();
            if let Some(entries) = value.get_ref().as_table() {
                let table = Self::new(format!("{}.{name}", self.name), entries, key.span());
                found.push((Spanned::new(key.span(), name), table));
            } else {
                self.unfit(reading, name, value.span(), "a table");
            }
        }
        found
    }

    /// The table `key`; an empty place if there is none.
    pub(super) fn table(&self, reading: &mut Reading<'_>, key: &'a str) -> Option<Self> {
        let (at, value) = self.entries.get_key_value(key)?;
        let Some(entries) = value.get_ref().as_table() else {
            self.unfit(reading, key, value.span(), "a table");
            return None;
        };
        Some(Self::new(key, entries, at.span()))
    }

    /// The text `key`, if it is there and fits.
    pub(super) fn text(
        &self,
        reading: &mut Reading<'_>,
        key: &str,
        form: fn(&str) -> Result<(), Unfit>,
    ) -> Option<Spanned<String>> {
        let value = self.entries.get(key)?;
        let Some(text) = value.get_ref().as_str() else {
            self.unfit(reading, key, value.span(), "text in double quotes");
            return None;
        };
        if let Err(rule) = form(text) {
            self.unfit(reading, key, value.span(), rule);
            return None;
        }
        Some(Spanned::new(value.span(), text.to_owned()))
    }

    /// The text `key`; a missing one is a problem, with the `line` to type.
    pub(super) fn needed(
        &self,
        reading: &mut Reading<'_>,
        key: &str,
        form: fn(&str) -> Result<(), Unfit>,
        line: &str,
    ) -> Option<String> {
        if !self.entries.contains_key(key) {
            if self.has_misspelt(key) {
                return None;
            }
            let message = format!("`[{}]` has no `{key}`", self.name);
            let problem = Problem::new(Code::MissingKey, message).help(format!("add `{line}`"));
            reading.problem(problem, self.span.clone(), "it belongs here");
            return None;
        }
        self.text(reading, key, form).map(Spanned::into_inner)
    }

    /// Whether another key was most likely meant to be this one: that is said where it stands.
    pub(super) fn has_misspelt(&self, key: &str) -> bool {
        self.entries.keys().any(|other| nearest(other.get_ref(), [key]).is_some())
    }

    fn unfit(&self, reading: &mut Reading<'_>, key: &str, span: Range<usize>, rule: &str) {
        let message = format!("the value of {} must be {rule}", self.qualified(key));
        reading.problem(Problem::new(Code::WrongValue, message), span, "this does not fit");
    }

    pub(super) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    fn unknown(&self, key: &str) -> String {
        if self.name.is_empty() {
            return format!("`{key}` is no key of pap.toml");
        }
        format!("`{key}` is no key of `[{}]`", self.name)
    }

    fn qualified(&self, key: &str) -> String {
        if self.name.is_empty() {
            return format!("`{key}`");
        }
        format!("`{key}` in `[{}]`", self.name)
    }
}

/// `a`, `b` and `c`.
pub(crate) fn listed(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        None => "none".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}
