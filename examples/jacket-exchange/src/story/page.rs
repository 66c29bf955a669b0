//! What the story prints, and the promises it counts.

use std::io::Write;

use super::Told;

pub(super) struct Page<'a> {
    out: &'a mut dyn Write,
    chapters: u32,
    promises: Vec<Promise>,
}

struct Promise {
    what: String,
    promised: u32,
    counted: u32,
}

impl<'a> Page<'a> {
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Self { out, chapters: 0, promises: Vec::new() }
    }

    pub(super) fn say(&mut self, line: &str) -> Told<()> {
        Ok(writeln!(self.out, "{line}")?)
    }

    pub(super) fn chapter(&mut self, title: &str) -> Told<()> {
        self.chapters += 1;
        Ok(writeln!(self.out, "\n{:>2}. {title}", self.chapters)?)
    }

    /// Each line under its chapter.
    pub(super) fn lines(&mut self, lines: impl IntoIterator<Item = impl AsRef<str>>) -> Told<()> {
        for line in lines {
            writeln!(self.out, "    {}", line.as_ref())?;
        }
        Ok(())
    }

    /// States how often things happened, and remembers how often they had to.
    pub(super) fn count(&mut self, of: &str, counted: Vec<(&str, u32, u32)>) -> Told<()> {
        let mut said = Vec::new();
        for (effect, promised, counted) in counted {
            said.push(format!(
                "{effect} {counted} {}",
                if counted == 1 { "time" } else { "times" }
            ));
            self.promises.push(Promise { what: format!("{effect}, {of}"), promised, counted });
        }
        Ok(writeln!(self.out, "    ledger, {of}: {}", said.join(", "))?)
    }

    /// Whether every count is as promised, said in the last lines.
    pub(super) fn settle(self) -> Told<bool> {
        let all = self.promises.len();
        let broken: Vec<_> =
            self.promises.iter().filter(|promise| promise.promised != promise.counted).collect();
        for Promise { what, promised, counted } in &broken {
            writeln!(self.out, "BROKEN: {what}: promised {promised}, counted {counted}")?;
        }
        let kept = all - broken.len();
        writeln!(self.out, "{kept} of {all} counts are as promised.")?;
        Ok(broken.is_empty())
    }
}
