//! Every requirement is proved by a test that names it, or is openly left for later.

use std::collections::BTreeSet;

use crate::finding::Finding;
use crate::layout::REQUIREMENTS;
use crate::requirements::{Requirements, Row};
use crate::tree::Tree;

const RULE: &str = "a requirement is named by a test, or left for later with what it waits for";

/// Checks the list against the tests.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let all = Requirements::of(tree);
    let asked: BTreeSet<&str> = all.asked.iter().map(|row| row.id.as_str()).collect();
    let waiting: BTreeSet<&str> = all.waiting.iter().map(|row| row.id.as_str()).collect();
    let in_list = |row: &Row, what: &str, help: &str| {
        Finding::new(RULE, (REQUIREMENTS, row.line), format!("`{}` {what}", row.id), help)
    };
    let mut found = repeated(&all.asked);
    found.extend(repeated(&all.waiting));
    for row in &all.asked {
        if !waiting.contains(row.id.as_str()) && all.proofs_of(&row.id).next().is_none() {
            let help = "name it in the doc comment of the test that proves it, or add it to \
                        `## Left for later`";
            found.push(in_list(row, "is named by no test", help));
        }
    }
    for row in &all.waiting {
        if !asked.contains(row.id.as_str()) {
            found.push(in_list(row, "is left for later but not in the list", "correct the id"));
        } else if let Some(proof) = all.proofs_of(&row.id).next() {
            let what = format!("is left for later, yet `{}` proves it", proof.test);
            found.push(in_list(row, &what, "cargo xtask requirements --prune"));
        } else if row.says.is_empty() {
            found.push(in_list(row, "waits for nothing", "say what it waits for"));
        }
    }
    for proof in all.proofs.iter().filter(|proof| !asked.contains(proof.id.as_str())) {
        let what = format!("`{}` names `{}`, which is not in the list", proof.test, proof.id);
        let help = format!("correct the id: see {REQUIREMENTS}");
        found.push(Finding::new(RULE, (&proof.path, proof.line), what, help));
    }
    found
}

fn repeated(rows: &[Row]) -> Vec<Finding> {
    let mut seen = BTreeSet::new();
    let again = rows.iter().filter(|row| !seen.insert(row.id.as_str()));
    let finding = |row: &Row| {
        let what = format!("`{}` has two rows", row.id);
        Finding::new(RULE, (REQUIREMENTS, row.line), what, "keep one of them")
    };
    again.map(finding).collect()
}
