//! Templates: short, and each of them used.

use crate::finding::Finding;
use crate::layout::{TEMPLATE_LINES, TEMPLATES};
use crate::tree::{File, Tree};

const SHORT: &str = "a template has at most 150 lines";
const USED: &str = "every template is used";

/// Checks everything in the templates' folder but its README.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for file in tree.under(TEMPLATES).filter(|file| !file.is("md")) {
        let lines = file.text.lines().count();
        let at = (file.path.as_str(), 1);
        if lines > TEMPLATE_LINES {
            let help = "include a part of it from a template of its own, or compute less in it";
            found.push(Finding::new(SHORT, at, format!("{lines} lines"), help));
        }
        if !is_used(tree, file) {
            let what = "no template and no source names it";
            let help = "remove it, or name it in `#[template(path = \"…\")]` or an `include`";
            found.push(Finding::new(USED, at, what, help));
        }
    }
    found
}

/// Whether a source or another template names it in quotes, as askama wants it: below the folder.
fn is_used(tree: &Tree, template: &File) -> bool {
    let name = template.path.strip_prefix(TEMPLATES).unwrap_or(&template.path);
    let quoted = format!("\"{name}\"");
    let in_sources = tree
        .of_kind("rs")
        .any(|file| file.tokens.iter().any(|token| token.is_literal && token.text == quoted));
    let others = tree.under(TEMPLATES).filter(|file| file.path != template.path);
    in_sources || others.into_iter().any(|file| file.text.contains(&quoted))
}
