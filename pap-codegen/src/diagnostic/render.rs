//! A problem as people read it in a terminal, and as one line of JSON.

use std::fmt::{self, Display};
use std::io::{self, Write};

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, Severity,
    SourceCode,
};
use serde_json::json;

use super::{Excerpt, Problem};

impl Problem {
    /// Writes it for a person. A message stays on one line, however long: it can be searched for.
    ///
    /// # Errors
    ///
    /// What the writer refuses.
    pub fn write_human(&self, out: &mut dyn Write, colour: bool) -> io::Result<()> {
        let theme =
            if colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        let mut text = String::new();
        GraphicalReportHandler::new_themed(theme)
            .with_links(false)
            .with_wrap_lines(false)
            .with_footer(self.footer())
            .render_report(&mut text, &Shown::new(self))
            .map_err(io::Error::other)?;
        for line in text.lines() {
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    /// Writes it as one line of JSON, version 1 of our form.
    ///
    /// # Errors
    ///
    /// What the writer refuses.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let line = json!({
            "code": self.code.name(),
            "file": self.file.as_deref().map(place),
            "help": self.help,
            "kind": "problem",
            "message": self.message,
            "note": self.note,
            "severity": self.severity_name(),
            "version": 1,
        });
        writeln!(out, "{line}")
    }

    /// The rule, what to type, and where to read more.
    fn footer(&self) -> String {
        let mut lines = Vec::new();
        lines.extend(self.note.as_ref().map(|note| format!("note: {note}")));
        lines.extend(self.help.as_ref().map(|help| format!("help: {help}")));
        lines.push(format!("more: pap-codegen explain {}", self.code.name()));
        lines.join("\n")
    }

    fn severity_name(&self) -> &'static str {
        if self.is_warning { "warning" } else { "error" }
    }
}

fn place(excerpt: &Excerpt) -> serde_json::Value {
    let before = excerpt.text.get(..excerpt.span.start).unwrap_or(&excerpt.text);
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count());
    json!({
        "column": column + 1,
        "end": excerpt.span.end,
        "label": excerpt.label,
        "line": before.matches('\n').count() + 1,
        "name": excerpt.name,
        "start": excerpt.span.start,
    })
}

/// A problem in the form that miette draws.
#[derive(Debug)]
struct Shown<'a> {
    problem: &'a Problem,
    source: Option<NamedSource<String>>,
}

impl<'a> Shown<'a> {
    fn new(problem: &'a Problem) -> Self {
        let source = problem
            .file
            .as_ref()
            .map(|excerpt| NamedSource::new(&excerpt.name, excerpt.text.clone()));
        Self { problem, source }
    }
}

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self.problem, f)
    }
}

impl std::error::Error for Shown<'_> {}

impl Diagnostic for Shown<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        Some(Box::new(format!("{}[{}]", self.problem.severity_name(), self.problem.code.name())))
    }

    fn severity(&self) -> Option<Severity> {
        Some(if self.problem.is_warning { Severity::Warning } else { Severity::Error })
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| -> &dyn SourceCode { source })
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let excerpt = self.problem.file.as_ref()?;
        let label = LabeledSpan::at(excerpt.span.clone(), &excerpt.label);
        Some(Box::new(std::iter::once(label)))
    }
}
