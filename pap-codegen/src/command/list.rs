//! `list`: the operations, the targets and their files.

use std::io;

use pap_protocol::catalogue::Entry;
use serde_json::json;

use super::Work;
use crate::backend;
use crate::cli::MessageFormat;
use crate::console::{Console, Stop};
use crate::exit::Exit;
use crate::output::FileSet;

pub(super) fn list(work: &Work, console: &mut Console<'_>) -> Result<Exit, Stop> {
    let (files, warnings) = work.files(&|_| true)?;
    super::say_all(&warnings, console)?;
    match console.format {
        MessageFormat::Human => people(work, &files, console)?,
        MessageFormat::Json => machines(work, &files, console)?,
    }
    Ok(Exit::Done)
}

fn people(work: &Work, files: &FileSet, console: &mut Console<'_>) -> io::Result<()> {
    let operations = &work.catalogue.operations;
    writeln!(console.out, "operations")?;
    let width = operations.iter().map(|entry| entry.action.len()).max().unwrap_or(0);
    for entry in operations {
        writeln!(console.out, "  {:<width$}  {}", entry.action, route(entry))?;
    }
    writeln!(console.out, "\ntargets")?;
    let width = backend::all().map(|backend| backend.name().len()).max().unwrap_or(0);
    for backend in backend::all() {
        let wanted = work.config.targets.iter().any(|target| target.name == backend.name());
        let asked = if wanted { "" } else { " (not in pap.toml)" };
        writeln!(console.out, "  {:<width$}  {}{asked}", backend.name(), backend.purpose())?;
        for (_, path, _) in files.iter().filter(|(target, ..)| *target == backend.name()) {
            writeln!(console.out, "  {:<width$}  {}/{path}", "", work.config.output)?;
        }
    }
    Ok(())
}

fn machines(work: &Work, files: &FileSet, console: &mut Console<'_>) -> io::Result<()> {
    for entry in &work.catalogue.operations {
        console.fact(&json!({
            "action": entry.action,
            "kind": "operation",
            "method": entry.route.as_ref().map(|route| &route.method),
            "path": entry.route.as_ref().map(|route| &route.path),
            "terms_version": entry.terms.version,
            "version": 1,
        }))?;
    }
    for backend in backend::all() {
        let is_wanted = work.config.targets.iter().any(|target| target.name == backend.name());
        let supports: Vec<&str> = backend.supports().iter().map(|fact| fact.name()).collect();
        console.fact(&json!({
            "kind": "target",
            "name": backend.name(),
            "supports": supports,
            "version": 1,
            "wanted": is_wanted,
        }))?;
    }
    for (target, path, _) in files.iter() {
        let path = format!("{}/{path}", work.config.output);
        console.fact(&json!({ "kind": "file", "path": path, "target": target, "version": 1 }))?;
    }
    Ok(())
}

fn route(entry: &Entry) -> String {
    match &entry.route {
        Some(route) => format!("{} {}", route.method, route.path),
        None => "proposed by the company's own code".to_owned(),
    }
}
