//! What would change in a file, as a unified diff.

use similar::TextDiff;

use super::plan::{Change, Planned};

/// The unified diff of one file; empty if nothing changes.
pub(crate) fn unified(file: &Planned, colour: bool) -> String {
    if file.change == Change::Same {
        return String::new();
    }
    let before = String::from_utf8_lossy(&file.before);
    let old = if file.change == Change::Create { "/dev/null" } else { &file.shown };
    let new = if file.change == Change::Remove { "/dev/null" } else { &file.shown };
    let diff = TextDiff::from_lines(before.as_ref(), file.after.as_str());
    let text = diff.unified_diff().context_radius(3).header(old, new).to_string();
    if colour { coloured(&text) } else { text }
}

fn coloured(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let colour = match line.as_bytes().first() {
            Some(b'+') => "32",
            Some(b'-') => "31",
            Some(b'@') => "36",
            _ => "0",
        };
        lines.push(format!("\u{1b}[{colour}m{line}\u{1b}[0m\n"));
    }
    lines.concat()
}
