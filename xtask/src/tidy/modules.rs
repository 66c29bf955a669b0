//! Floors between the modules of one crate: read top to bottom, nothing reaches up or sideways.

use crate::finding::Finding;
use crate::layout::{Floor, Neighbours};
use crate::rust;
use crate::tree::{File, Tree};

const RULE: &str = "a module uses lower floors only; a step never uses another step";
const TABLE: &str = "`FLOORS` in xtask/src/layout.rs";

/// Checks every file under `folder`, such as `runtime/src/`, against its table.
pub fn check(tree: &Tree, folder: &str, floors: &[Floor]) -> Vec<Finding> {
    let shipped = tree.under(folder).filter(|file| file.is("rs") && !file.is_test());
    shipped.flat_map(|file| in_file(file, folder, floors)).collect()
}

fn in_file(file: &File, folder: &str, floors: &[Floor]) -> Vec<Finding> {
    let inside = file.path.strip_prefix(folder).unwrap_or(&file.path);
    let module: Vec<&str> = inside.trim_end_matches(".rs").split('/').collect();
    let depth = module.iter().filter(|part| **part != "mod").count();
    let Some(own) = module.first().filter(|own| !matches!(**own, "lib" | "main")) else {
        return Vec::new(); // the crate's root is where everything is named
    };
    let Some(floor) = floor_of(own, floors) else {
        let what = format!("module `{own}` stands on no floor");
        return vec![Finding::new(
            RULE,
            (&file.path, 1),
            what,
            format!("give it a row in {TABLE}"),
        )];
    };
    let (shipped, _) = rust::without_tests(&file.tokens);
    let reached = rust::reached(&shipped, depth);
    reached.iter().filter_map(|reach| judge(file, (own, floor), reach, floors)).collect()
}

fn floor_of(module: &str, floors: &[Floor]) -> Option<usize> {
    floors.iter().position(|floor| floor.modules.contains(&module))
}

fn judge(
    file: &File,
    (own, floor): (&str, usize),
    reach: &rust::Reach,
    floors: &[Floor],
) -> Option<Finding> {
    let other = reach.name.as_str();
    let at = (file.path.as_str(), reach.line);
    let Some(theirs) = floor_of(other, floors) else {
        let what = format!("`crate::{other}` hides which module it comes from");
        let help = format!("write the module's path, or give `{other}` a row in {TABLE}");
        return reach.by_crate.then(|| Finding::new(RULE, at, what, help));
    };
    let named = |index: usize| floors.get(index).map_or("", |floor| floor.name);
    let free = floors.get(floor).is_some_and(|floor| floor.neighbours == Neighbours::Free);
    if own == other || theirs < floor || (theirs == floor && free) {
        return None;
    }
    if theirs == floor {
        let what = format!("`{own}` uses its neighbour `{other}` on the floor of {}", named(floor));
        let help = "move what both need to a lower floor, or let a higher one pass it on";
        return Some(Finding::new(RULE, at, what, help));
    }
    let what = format!("`{own}` ({}) uses `{other}` ({}) above it", named(floor), named(theirs));
    let help = format!("move what it needs down, or correct {TABLE}");
    Some(Finding::new(RULE, at, what, help))
}
