//! Floors between the modules of one crate: read top to bottom, nothing reaches up or sideways.

use std::collections::BTreeSet;

use crate::finding::Finding;
use crate::layout::{Floor, Neighbours};
use crate::rust::{self, Reach};
use crate::tree::{File, Tree};

const RULE: &str = "a module uses lower floors only; a step never uses another step";
const TABLE: &str = "`FLOORS` in xtask/src/layout.rs";
const LAYOUT: &str = "xtask/src/layout.rs";

/// The floors of one crate.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "the tables of xtask/src/layout.rs, or of a test")]
pub struct Table<'a> {
    /// Where the modules are, such as `runtime/src/`.
    pub folder: &'a str,
    /// The floors, lowest first.
    pub floors: &'a [Floor],
    /// What may go against them: module, what it uses, why.
    pub against: &'a [(&'a str, &'a str, &'a str)],
}

/// Checks every file of the crate against its table.
pub fn check(tree: &Tree, table: Table<'_>) -> Vec<Finding> {
    let shipped = tree.under(table.folder).filter(|file| file.is("rs") && !file.is_test());
    let uses: Vec<Use<'_>> = shipped.flat_map(|file| uses_in(file, table.folder)).collect();
    let mut found: Vec<Finding> = Vec::new();
    let mut needed = BTreeSet::new();
    for used in &uses {
        let allowed = table.against.iter().position(|(module, other, _)| {
            *module == used.module && used.reach.as_ref().is_some_and(|reach| reach.name == *other)
        });
        if let Some(finding) = judge(used, table.floors) {
            match allowed {
                Some(row) => drop(needed.insert(row)),
                None => found.push(finding),
            }
        }
    }
    let rows = table.against.iter().enumerate().filter(|(row, (module, _, _))| {
        !needed.contains(row) && uses.iter().any(|used| used.module == *module)
    });
    found.extend(rows.map(|(_, (module, other, _))| {
        let what = format!("`{module}` no longer uses `{other}` against the floors");
        Finding::new(RULE, (LAYOUT, 1), what, "take the row out of `AGAINST_FLOORS`")
    }));
    found
}

/// A module in one file, and something that it reaches there; nothing, to stand for the file itself.
struct Use<'a> {
    file: &'a File,
    module: &'a str,
    reach: Option<Reach>,
}

fn uses_in<'a>(file: &'a File, folder: &str) -> Vec<Use<'a>> {
    let inside = file.path.strip_prefix(folder).unwrap_or(&file.path);
    let path: Vec<&str> = inside.trim_end_matches(".rs").split('/').collect();
    let depth = path.iter().filter(|part| **part != "mod").count();
    let Some(module) = path.first().filter(|own| !matches!(**own, "lib" | "main")) else {
        return Vec::new(); // the crate's root is where everything is named
    };
    let (shipped, _) = rust::without_tests(&file.tokens);
    let reached = rust::reached(&shipped, depth).into_iter().map(Some);
    let uses = [None].into_iter().chain(reached);
    uses.map(|reach| Use { file, module, reach }).collect()
}

fn floor_of(module: &str, floors: &[Floor]) -> Option<usize> {
    floors.iter().position(|floor| floor.modules.contains(&module))
}

fn judge(used: &Use<'_>, floors: &[Floor]) -> Option<Finding> {
    let own = used.module;
    let at = |line| (used.file.path.as_str(), line);
    let (reach, floor) = match (&used.reach, floor_of(own, floors)) {
        (Some(reach), Some(floor)) => (reach, floor),
        (None, None) => {
            let what = format!("module `{own}` stands on no floor");
            return Some(Finding::new(RULE, at(1), what, format!("give it a row in {TABLE}")));
        }
        (None, Some(_)) | (Some(_), None) => return None,
    };
    let other = reach.name.as_str();
    let Some(theirs) = floor_of(other, floors) else {
        let what = format!("`crate::{other}` hides which module it comes from");
        let help = format!("write the module's path, or give `{other}` a row in {TABLE}");
        return reach.by_crate.then(|| Finding::new(RULE, at(reach.line), what, help));
    };
    let named = |index: usize| floors.get(index).map_or("", |floor| floor.name);
    let free = floors.get(floor).is_some_and(|floor| floor.neighbours == Neighbours::Free);
    if own == other || theirs < floor || (theirs == floor && free) {
        return None;
    }
    if theirs == floor {
        let what = format!("`{own}` uses its neighbour `{other}` on the floor of {}", named(floor));
        let help = "move what both need to a lower floor, or let a higher one pass it on";
        return Some(Finding::new(RULE, at(reach.line), what, help));
    }
    let what = format!("`{own}` ({}) uses `{other}` ({}) above it", named(floor), named(theirs));
    let help = format!("move what it needs down, or correct {TABLE}");
    Some(Finding::new(RULE, at(reach.line), what, help))
}
