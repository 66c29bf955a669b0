//! `check`: compare the files on disk with what would be written, and write nothing.

use std::io;

use serde_json::json;

use super::Work;
use super::generate::{counted, plan};
use crate::cli::MessageFormat;
use crate::codes::Code;
use crate::console::{Console, Stop};
use crate::diagnostic::Problem;
use crate::exit::Exit;
use crate::output::{self, Change, Planned};

/// How many files are shown as a diff.
const SHOWN: usize = 3;

pub(super) fn check(work: &Work, console: &mut Console<'_>) -> Result<Exit, Stop> {
    let (files, warnings) = work.files(&|_| true)?;
    super::say_all(&warnings, console)?;
    let plan = plan(work, &files, &|_| true)?;
    if !plan.problems.is_empty() {
        return Err(plan.problems.into());
    }
    let differing: Vec<&Planned> =
        plan.files.iter().filter(|file| file.change != Change::Same).collect();
    if differing.is_empty() {
        let operations = counted(work.catalogue.operations.len(), "operation");
        console
            .say(&format!("{operations}, {} up to date", counted(plan.files.len() - 1, "file")))?;
        return Ok(Exit::Done);
    }
    show(&differing, console)?;
    let message = format!("{} out of date", counted(differing.len(), "generated file"));
    let help = "run `pap-codegen generate`, look at the change and commit it";
    Err(Problem::new(Code::OutOfDate, message).help(help).into())
}

fn show(differing: &[&Planned], console: &mut Console<'_>) -> io::Result<()> {
    for (index, file) in differing.iter().enumerate() {
        let what = what(file);
        console.say(&format!("{what:<8}{}", file.shown))?;
        console.fact(&json!({
            "change": what,
            "kind": "file",
            "path": file.shown,
            "target": file.target,
            "version": 1,
        }))?;
        if index < SHOWN && file.change == Change::Replace && console.format == MessageFormat::Human
        {
            write!(console.err, "{}", output::unified(file, console.colour_err))?;
        }
    }
    Ok(())
}

fn what(file: &Planned) -> &'static str {
    match file.change {
        Change::Create => "missing",
        Change::Replace => "differs",
        Change::Remove => "stale",
        Change::Same => "same",
    }
}
