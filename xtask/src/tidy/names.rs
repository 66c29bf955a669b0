//! Module names that say nothing.

use crate::finding::Finding;
use crate::layout::BANNED_MODULES;
use crate::tree::{File, Tree};

const RULE: &str = "a module is named for what is in it";

/// Checks the names of files, folders and inline modules.
pub fn check(tree: &Tree) -> Vec<Finding> {
    tree.of_kind("rs").flat_map(in_file).collect()
}

fn in_file(file: &File) -> Vec<Finding> {
    let finding = |name: &str, line| {
        let what = format!("module `{name}` says nothing about what is inside");
        let help = "name it for the one thing it does; if it does several, split it";
        Finding::new(RULE, (&file.path, line), what, help)
    };
    let parts = file.path.trim_end_matches(".rs").split('/');
    let mut found: Vec<Finding> =
        parts.filter(|part| is_banned(part)).map(|part| finding(part, 1)).collect();
    let inline = file.tokens.windows(3).filter_map(|three| match three {
        [word, name, open] if word.text == "mod" && open.text == "{" => Some(name),
        _ => None,
    });
    found.extend(
        inline.filter(|name| is_banned(&name.text)).map(|name| finding(&name.text, name.line)),
    );
    found
}

fn is_banned(name: &str) -> bool {
    BANNED_MODULES.contains(&name)
}
