//! Floors between crates, read from the manifests and the lock file: no build, no network.

use std::collections::{BTreeMap, BTreeSet};

use crate::Error;
use crate::finding::Finding;
use crate::layout::{Crate, ONE_VERSION, TOP_FLOOR};
use crate::lock::{Lock, Package};
use crate::tree::Tree;
use crate::workspace::{Member, Workspace};

const FLOORS: &str = "a crate stands on lower floors only";
const MACROS: &str = "the macros depend on syn, quote, proc-macro2 and heck, nothing else";
const NEVER: &str = "what only the command line needs never enters a company's build";
const LINTS: &str = "every crate opts into the workspace's lints";
const ONCE: &str = "a crate that costs much to build is in the tree once";
const TABLE: &str = "`CRATES` in xtask/src/layout.rs";

/// Checks every member of the workspace against the table.
///
/// # Errors
///
/// [`Error::Toml`] if a manifest or the lock file is none.
pub fn check(tree: &Tree, crates: &[Crate]) -> Result<Vec<Finding>, Error> {
    let workspace = Workspace::of(tree)?;
    let lock = Lock::of(tree)?;
    let ours: BTreeSet<&str> = workspace.members.iter().map(|of| of.name.as_str()).collect();
    let mut found = Vec::new();
    for member in &workspace.members {
        found.extend(opts_into_lints(member));
        if TOP_FLOOR.iter().any(|top| member.manifest.starts_with(top)) {
            continue;
        }
        let Some(row) = crates.iter().find(|row| row.name == member.name) else {
            let what = format!("`{}` stands on no floor", member.name);
            let help = format!("give it a row in {TABLE}");
            found.push(Finding::new(FLOORS, (&member.manifest, 1), what, help));
            continue;
        };
        found.extend(stands_on(tree, &workspace, member, row, &ours));
        found.extend(reaches(&workspace, &lock, member, row));
    }
    found.extend(twice(&workspace, &lock));
    Ok(found)
}

fn opts_into_lints(member: &Member) -> Option<Finding> {
    let what = format!("`{}` has lints of its own", member.name);
    let help = "add `[lints]` with `workspace = true`";
    (!member.opts_into_lints()).then(|| Finding::new(LINTS, (&member.manifest, 1), what, help))
}

fn stands_on(
    tree: &Tree,
    workspace: &Workspace,
    member: &Member,
    row: &Crate,
    ours: &BTreeSet<&str>,
) -> Vec<Finding> {
    let mut found = Vec::new();
    for (key, package) in workspace.dependencies(member, false) {
        let line = tree.file(&member.manifest).map_or(1, |file| file.line_with(key));
        let place = (member.manifest.as_str(), line);
        let is_ours = ours.contains(package);
        if is_ours && !row.on.contains(&package) {
            let what = format!("`{}` stands on `{package}`", row.name);
            let help = format!("remove it: it may stand on {}; see {TABLE}", list(row.on));
            found.push(Finding::new(FLOORS, place, what, help));
        } else if let Some(only) = row.only.filter(|only| !is_ours && !only.contains(&package)) {
            let what = format!("`{}` depends on `{package}`", row.name);
            let help = format!("do it by hand: {} are all there is", list(only));
            found.push(Finding::new(MACROS, place, what, help));
        }
    }
    found
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "none of ours".to_owned() } else { format!("`{}`", names.join("`, `")) }
}

/// What must not be reachable, whatever features are on.
fn reaches(workspace: &Workspace, lock: &Lock, member: &Member, row: &Crate) -> Vec<Finding> {
    let reached = lock.reachable(workspace, &[&member.name], false);
    let bad = reached.iter().filter(|(package, _)| row.never.contains(&package.name.as_str()));
    let finding = |(package, way): (&Package, &String)| {
        let what = format!("`{}` is reached: {way}", package.name);
        let help = format!("cut the way, or correct {TABLE}");
        Finding::new(NEVER, (&member.manifest, 1), what, help)
    };
    bad.map(finding).collect()
}

/// What is in the tree in two major versions, tests included.
fn twice(workspace: &Workspace, lock: &Lock) -> Vec<Finding> {
    let all: Vec<&str> = workspace.members.iter().map(|member| member.name.as_str()).collect();
    let reached = lock.reachable(workspace, &all, true);
    let mut found = Vec::new();
    for name in ONE_VERSION {
        let ways: BTreeMap<&str, &String> = reached
            .iter()
            .filter(|(of, _)| of.name == *name)
            .map(|(of, way)| (of.major(), way))
            .collect();
        if ways.len() > 1 {
            let shown: Vec<String> =
                ways.iter().map(|(major, way)| format!("{major}: {way}")).collect();
            let what = format!("`{name}` in {} major versions ({})", ways.len(), shown.join("; "));
            let help = "use a version or a feature set that does without, or refuse the crate";
            found.push(Finding::new(ONCE, ("Cargo.lock", 1), what, help));
        }
    }
    found
}
