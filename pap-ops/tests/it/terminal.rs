//! The command in this process, with what a person types and sees.

use std::io::Cursor;

use pap_ops::cli::{Exit, Streams, Surroundings, run};

use crate::shop::Shop;

/// What a run said.
#[derive(Debug)]
pub struct Said {
    pub exit: Exit,
    pub out: String,
    pub err: String,
}

impl Shop {
    /// Types a command, of which nobody is asked anything. A word that names an operation stands for its id.
    pub async fn types(&self, line: &str) -> Said {
        self.runs(line, None).await
    }

    /// Types a command and then this answer.
    pub async fn types_and_answers(&self, line: &str, answer: &str) -> Said {
        self.runs(line, Some(answer)).await
    }

    async fn runs(&self, line: &str, answer: Option<&str>) -> Said {
        let surroundings = Surroundings::with(|_| None).over(self.operators());
        let surroundings = if answer.is_some() { surroundings.interactive() } else { surroundings };
        let words = words(line).map(|word| match word.strip_prefix('@') {
            Some(name) => self.id(name).to_string(),
            None => word,
        });
        let said = runs(words, &surroundings, answer.unwrap_or_default()).await;
        Said { exit: said.exit, out: self.named(&said.out), err: self.named(&said.err) }
    }

    /// All of it, as it looks in a terminal.
    pub async fn screen(&self, line: &str) -> String {
        screen(line, &self.types(line).await)
    }
}

pub async fn runs(
    words: impl Iterator<Item = String>,
    surroundings: &Surroundings,
    answer: &str,
) -> Said {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut input = Cursor::new(format!("{answer}\n").into_bytes());
    let streams = Streams { input: &mut input, out: &mut out, err: &mut err };
    let arguments = std::iter::once("pap-ops".to_owned()).chain(words).map(Into::into);
    let exit = run(arguments, surroundings, streams).await;
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Said { exit, out: text(out), err: text(err) }
}

pub fn screen(line: &str, said: &Said) -> String {
    let exit = match said.exit.code() {
        0 => String::new(),
        code => format!("[exit {code}]\n"),
    };
    format!("$ pap-ops {line}\n{}{}{exit}", said.out, said.err)
}

/// The words of a line; `'…'` keeps some together.
pub fn words(line: &str) -> impl Iterator<Item = String> {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words.into_iter()
}
