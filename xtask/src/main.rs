//! `cargo xtask`: see `USAGE`.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use xtask::requirements::Requirements;
use xtask::steps::run::{Ended, bench, run, trial};
use xtask::steps::{REGENERATE, Step, TEST};
use xtask::tree::Tree;
use xtask::{Error, layout, tidy};

const USAGE: &str = "\
Usage: cargo xtask <COMMAND>

Commands:
  test [STEP]…             run every check and test, cheap ones first; or only these steps
  test --list              list the steps
  tidy                     check floors, sizes, words, links and requirements
  regenerate               write every snapshot and every generated file of the examples again
  kills [--runs N] [--seed S] [--store sqlite|postgres|both]
                           kill nodes at every named fail-point, and compare
  soak [--minutes N] [--seed S] [--store sqlite|postgres|both]
                           kill, pause and restart nodes and the database at random under load, and compare
  restarts [--runs N] [--seed S]
                           end PostgreSQL without a checkpoint again and again under load, and compare
  bench [OPTION]…          measure what a confirm costs; `bench --help` lists the options
  requirements             list each requirement with the tests that name it
  requirements --prune     take what tests have come to name out of `Left for later`

Exit codes: 0 done, 1 something is wrong, 2 wrong usage";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut out = std::io::stdout();
    match done(&words, &mut out) {
        Ok(code) => code,
        Err(error) => {
            tell(&error);
            ExitCode::FAILURE
        }
    }
}

fn done(words: &[&str], out: &mut dyn Write) -> Result<ExitCode, Error> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    match words {
        ["test", "--list"] => {
            for step in TEST {
                writeln!(out, "{:<10} {}", step.name, step.shows)?;
            }
            Ok(ExitCode::SUCCESS)
        }
        ["test", names @ ..] => match chosen(names) {
            Some(steps) => Ok(code(&run(root, &steps, out)?)),
            None => usage(out),
        },
        ["regenerate"] => Ok(code(&run(root, REGENERATE, out)?)),
        ["bench", options @ ..] => Ok(code(&bench(root, options, out)?)),
        ["tidy"] => tidied(root, out),
        ["kills" | "soak" | "restarts", ..] => Ok(code(&trial(root, words)?)),
        ["requirements"] => {
            write!(out, "{}", Requirements::of(&Tree::read(root)?).report())?;
            Ok(ExitCode::SUCCESS)
        }
        ["requirements", "--prune"] => prune(root, out),
        ["help" | "--help" | "-h"] => {
            writeln!(out, "{USAGE}")?;
            Ok(ExitCode::SUCCESS)
        }
        _ => usage(out),
    }
}

fn usage(out: &mut dyn Write) -> Result<ExitCode, Error> {
    writeln!(out, "{USAGE}")?;
    Ok(ExitCode::from(2))
}

/// The named steps in the order of the table; all without a name, none if a name is unknown.
fn chosen(names: &[&str]) -> Option<Vec<Step>> {
    let known = names.iter().all(|name| TEST.iter().any(|step| step.name == *name));
    let is_chosen = |step: &&Step| names.is_empty() || names.contains(&step.name);
    known.then(|| TEST.iter().filter(is_chosen).copied().collect())
}

fn code(ended: &Ended) -> ExitCode {
    if *ended == Ended::Passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn tidied(root: &Path, out: &mut dyn Write) -> Result<ExitCode, Error> {
    let found = tidy::findings(root)?;
    for finding in &found {
        writeln!(out, "{finding}\n")?;
    }
    if found.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "findings: {}", found.len())?;
    Ok(ExitCode::FAILURE)
}

fn prune(root: &Path, out: &mut dyn Write) -> Result<ExitCode, Error> {
    let tree = Tree::read(root)?;
    let path = root.join(layout::REQUIREMENTS);
    let before = tree.file(layout::REQUIREMENTS).map_or("", |file| &file.text);
    let after = Requirements::of(&tree).pruned(before);
    std::fs::write(&path, &after).map_err(|source| Error::File { path, source })?;
    let gone = before.lines().count() - after.lines().count();
    writeln!(out, "{gone} rows removed from {}", layout::REQUIREMENTS)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints an error and what caused it.
fn tell(error: &Error) {
    let mut to = std::io::stderr();
    let mut lines = vec![format!("error: {error}")];
    let mut cause = std::error::Error::source(error);
    while let Some(next) = cause {
        lines.push(format!("  caused by: {next}"));
        cause = next.source();
    }
    // there is nowhere left to say that the terminal is gone
    writeln!(to, "{}", lines.join("\n")).unwrap_or_default();
}
