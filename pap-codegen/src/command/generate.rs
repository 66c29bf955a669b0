//! `generate`: write the files, or show what would change.

use std::io;

use serde_json::json;

use super::Work;
use crate::backend;
use crate::cli::{Generate, MessageFormat};
use crate::codes::Code;
use crate::console::{Console, Stop};
use crate::diagnostic::Problem;
use crate::exit::Exit;
use crate::output::{self, Change, FileSet, Plan, Planned};

pub(super) fn generate(
    work: &Work,
    arguments: &Generate,
    console: &mut Console<'_>,
) -> Result<Exit, Stop> {
    let wanted = |target: &str| {
        arguments.targets.is_empty() || arguments.targets.iter().any(|named| named == target)
    };
    wanted_in_config(work, arguments)?;
    let (files, warnings) = work.files(&wanted)?;
    super::say_all(&warnings, console)?;
    let mut plan = plan(work, &files, &wanted)?;
    if arguments.diff {
        return diff(&plan, console);
    }
    output::write(&mut plan);
    report(work, &plan, console)?;
    if plan.problems.is_empty() { Ok(Exit::Done) } else { Err(plan.problems.into()) }
}

fn diff(plan: &Plan, console: &mut Console<'_>) -> Result<Exit, Stop> {
    for file in plan.files.iter().filter(|file| file.change != Change::Same) {
        match console.format {
            MessageFormat::Human => {
                write!(console.out, "{}", output::unified(file, console.colour_out))?;
            }
            MessageFormat::Json => console.fact(&json!({
                "diff": output::unified(file, false),
                "kind": "diff",
                "path": file.shown,
                "target": file.target,
                "version": 1,
            }))?,
        }
    }
    if plan.problems.is_empty() { Ok(Exit::Done) } else { Err(plan.problems.clone().into()) }
}

/// What writing would change below the output folder.
pub(super) fn plan(
    work: &Work,
    files: &FileSet,
    is_selected: &dyn Fn(&str) -> bool,
) -> Result<Plan, Stop> {
    let folder = work.config.root.join(&work.config.output);
    let plan = output::plan(folder, &work.config.output, files, is_selected)?;
    let refused: Vec<Problem> = plan.files.iter().flat_map(refused).collect();
    if refused.is_empty() { Ok(plan) } else { Err(refused.into()) }
}

/// Why a file may not be replaced.
fn refused(file: &Planned) -> Vec<Problem> {
    match backend::find(&file.target) {
        Ok((_, backend)) if file.change == Change::Replace => {
            backend.refuses(&String::from_utf8_lossy(&file.before), &file.after)
        }
        _ => Vec::new(),
    }
}

/// A target that exists but is not asked for has no place to go.
fn wanted_in_config(work: &Work, arguments: &Generate) -> Result<(), Stop> {
    let known = |name: &&String| work.config.targets.iter().any(|target| target.name == **name);
    match arguments.targets.iter().find(|name| !known(name)) {
        None => Ok(()),
        Some(name) => {
            let message = format!("pap.toml does not ask for the target `{name}`");
            let help = format!("add `[targets.{name}]` to `pap.toml`");
            Err(Problem::new(Code::UnknownTarget, message).help(help).into())
        }
    }
}

fn report(work: &Work, plan: &Plan, console: &mut Console<'_>) -> io::Result<()> {
    let (mut written, mut same, mut removed) = (0_usize, 0_usize, 0_usize);
    for file in &plan.files {
        let is_list = file.target.is_empty();
        match file.change {
            Change::Same if is_list => continue,
            Change::Same => same += 1,
            Change::Create | Change::Replace => written += 1,
            Change::Remove => removed += 1,
        }
        console.say(&format!("{:<8}{}", word(file), file.shown))?;
        console.fact(&json!({
            "change": word(file),
            "kind": "file",
            "path": file.shown,
            "target": file.target,
            "version": 1,
        }))?;
    }
    let operations = counted(work.catalogue.operations.len(), "operation");
    let mut line = format!("{operations}, {} written, {same} unchanged", counted(written, "file"));
    if removed > 0 {
        line = format!("{line}, {removed} removed");
    }
    console.say(&line)?;
    if plan.is_first && plan.problems.is_empty() {
        console.say("next: commit them, and run `pap-codegen check` in CI")?;
    }
    Ok(())
}

fn word(file: &Planned) -> &'static str {
    match file.change {
        Change::Create | Change::Replace => "wrote",
        Change::Same => "same",
        Change::Remove => "removed",
    }
}

/// `1 file`, `2 files`.
pub(super) fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}
