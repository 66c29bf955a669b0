//! What git carries: nothing large, and links that lead somewhere.

use std::path::Path;

use crate::finding::Finding;
use crate::layout::FILE_BYTES;
use crate::tree::Tree;

const SMALL: &str = "a tracked file has at most 400 KiB";
const LINKED: &str = "files that two places need are one file and a symbolic link";

/// Checks every file, and the links that the table asks for.
pub fn check(tree: &Tree, links: &[(&str, &str)]) -> Vec<Finding> {
    let mut found = Vec::new();
    for file in &tree.files {
        let at = (file.path.as_str(), 1);
        if file.bytes > FILE_BYTES {
            let what = format!("{} KiB", file.bytes / 1024);
            let help = "make it where it is needed, or keep the part that a test reads";
            found.push(Finding::new(SMALL, at, what, help));
        }
        if let Some(to) = &file.link
            && !points_at_something(tree, &file.path, to)
        {
            let what = format!("points at `{to}`, which is not there");
            found.push(Finding::new(LINKED, at, what, "correct the link or remove it"));
        }
    }
    let missing = links.iter().filter(|(path, to)| {
        let is = tree.file(path).and_then(|file| file.link.as_deref());
        points_at_something(tree, path, to) && is != Some(*to)
    });
    found.extend(missing.map(|(path, to)| {
        let what = format!("is no symbolic link to `{to}`");
        Finding::new(LINKED, (path, 1), what, format!("ln -s {to} {path}"))
    }));
    found
}

fn points_at_something(tree: &Tree, path: &str, to: &str) -> bool {
    let folder = Path::new(path).parent().unwrap_or(Path::new(""));
    tree.root.join(folder).join(to).exists()
}
