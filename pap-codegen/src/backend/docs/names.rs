//! How things are called and spelled in Markdown.

/// The folder, if `pap.toml` names none.
pub(super) const FOLDER: &str = "docs";

/// The page that lists the others.
pub(super) const INDEX: &str = "index.md";

/// The page of an operation. What comes first is always the same word, so that no action becomes a
/// name that a system reserves.
pub(super) fn page(action: &str) -> String {
    format!("operation.{action}.md")
}

/// Words that mean themselves: nothing in them is markup, in a paragraph or in a table.
pub(super) fn text(words: &str) -> String {
    let line = one_line(words);
    let mut escaped = String::with_capacity(line.len());
    if begins_a_block(&line) {
        escaped.push('\\');
    }
    for letter in line.chars() {
        if "\\`*_{}[]<>|&~$".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    numbered(escaped)
}

/// An author's doc comment: its code spans stay, everything else means itself.
pub(super) fn doc(words: &str) -> String {
    let line = one_line(words);
    let parts: Vec<&str> = line.split('`').collect();
    let is_balanced = parts.len() % 2 == 1 && !line.contains("``");
    if !is_balanced {
        return text(&line);
    }
    let spelled = parts.iter().enumerate().map(|(index, part)| match index % 2 {
        0 => inner(part, index > 0),
        _ => code_in_table(part),
    });
    spelled.collect()
}

/// A code span in a paragraph.
pub(super) fn code(words: &str) -> String {
    let line = one_line(words);
    if line.is_empty() {
        return String::new();
    }
    let ticks = "`".repeat(longest_run(&line) + 1);
    let pad = if line.starts_with('`') || line.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{line}{pad}{ticks}")
}

/// A code span in a table, where a bar ends the cell even inside code.
pub(super) fn code_in_table(words: &str) -> String {
    code(words).replace('|', "\\|")
}

/// What stands above and below a block of code so that nothing in it ends the block.
pub(super) fn fence(words: &str) -> String {
    "`".repeat(longest_run(words).max(2) + 1)
}

/// A block of code: lines stay lines.
pub(super) fn block(words: &str) -> String {
    words.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}

/// `15 minutes`, `1 hour 30 minutes`.
pub(super) fn duration(seconds: u64) -> String {
    let units = [(86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")];
    let mut rest = seconds;
    let mut parts = Vec::new();
    for (size, unit) in units {
        let (number, left) = (rest / size, rest % size);
        rest = left;
        match number {
            0 => {}
            1 => parts.push(format!("1 {unit}")),
            _ => parts.push(format!("{number} {unit}s")),
        }
    }
    parts.join(" ")
}

/// Part of a line behind another part: nothing in it begins a block.
fn inner(part: &str, is_behind: bool) -> String {
    if !is_behind {
        let spelled = text(part);
        let space = if part.ends_with(' ') { " " } else { "" };
        return format!("{spelled}{space}");
    }
    let lead = if part.starts_with(' ') { " " } else { "" };
    let trail = if part.ends_with(' ') && part.trim() != "" { " " } else { "" };
    let mut spelled = text(part);
    if begins_a_block(part) {
        spelled = spelled.replacen('\\', "", 1);
    }
    format!("{lead}{spelled}{trail}")
}

fn begins_a_block(line: &str) -> bool {
    line.starts_with(['#', '+', '-', '='])
}

/// `1. x` would begin a list: the dot means itself.
fn numbered(line: String) -> String {
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    match line.get(digits..).and_then(|rest| rest.chars().next()) {
        Some('.' | ')') if digits > 0 => {
            let (number, rest) = line.split_at(digits);
            format!("{number}\\{rest}")
        }
        _ => line,
    }
}

fn one_line(words: &str) -> String {
    words.split_whitespace().map(visible).collect::<Vec<_>>().join(" ")
}

/// Signs that steer a terminal or turn the direction of text are shown, not obeyed.
fn visible(words: &str) -> String {
    let steers = |c: char| {
        c.is_control()
            || matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    words.chars().map(|c| if steers(c) { '\u{fffd}' } else { c }).collect()
}

fn longest_run(words: &str) -> usize {
    words.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_mean_themselves() {
        assert_eq!(text("<b> & *x* | [y](z) `q` $1"), r"\<b\> \& \*x\* \| \[y\](z) \`q\` \$1");
        assert_eq!(text("# no heading"), r"\# no heading");
        assert_eq!(text("- no list"), r"\- no list");
        assert_eq!(text("1. no list"), r"1\. no list");
        assert_eq!(text("a\nb\u{202e}c"), "a b\u{fffd}c");
    }

    #[test]
    fn a_doc_comment_keeps_its_code_and_nothing_else() {
        assert_eq!(doc("The `order_id` of *this*."), r"The `order_id` of \*this\*.");
        assert_eq!(doc("`a|b`-c"), r"`a\|b`-c");
        assert_eq!(doc("`a` <b>"), r"`a` \<b\>");
        assert_eq!(doc("one ` tick"), r"one \` tick");
        assert_eq!(doc("x`y` `z`"), "x`y` `z`");
    }

    #[test]
    fn code_is_not_ended_by_what_is_in_it() {
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code_in_table("a|b"), r"`a\|b`");
        assert_eq!(fence("a ``` b"), "````");
        assert_eq!(fence("a"), "```");
    }

    #[test]
    fn time_spans_are_said_in_words() {
        assert_eq!(duration(900), "15 minutes");
        assert_eq!(duration(5400), "1 hour 30 minutes");
        assert_eq!(duration(86_401), "1 day 1 second");
    }
}
