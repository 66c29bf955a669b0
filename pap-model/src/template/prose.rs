//! Rules about the text itself: a person reads it in an interface that is not ours.

use super::Template;

/// The most characters that a template's own text may have, values not counted.
pub const MAX_CHARS: usize = 300;

/// What the text is for, and so which rules it keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a text either stands alone or in another text")]
pub enum Prose {
    /// The whole summary: a sentence.
    Sentence,
    /// A part of a summary, such as the text of a variant.
    Part,
}

/// What is wrong with the text, each in words; the template is not looked at beyond its text.
pub fn prose_faults(template: &Template, prose: Prose) -> Vec<String> {
    let text: String = template.texts().collect();
    let mut faults = Vec::new();
    if template.pieces.is_empty() {
        return vec!["the text is empty".to_owned()];
    }
    if text.contains(['\n', '\r', '\t', '\u{0B}', '\u{0C}', '\u{85}', '\u{2028}', '\u{2029}']) {
        faults.push("the text has a line break or a tab in it: it is one line".to_owned());
    } else if let Some(c) = text.chars().find(|c| c.is_control() || is_invisible(*c)) {
        faults.push(format!("the text has the invisible character `{}` in it", c.escape_unicode()));
    }
    if let Some(markup) = markup(&text) {
        faults
            .push(format!("the text has markup in it, `{markup}`: the User reads it as it stands"));
    }
    let chars = text.chars().count();
    if chars > MAX_CHARS {
        faults.push(format!(
            "the text has {chars} characters beside its values; {MAX_CHARS} are the limit"
        ));
    }
    let rendered = template.render(|_| "0".to_owned());
    if rendered.trim() != rendered {
        faults.push("the text begins or ends with a space".to_owned());
    } else if prose == Prose::Sentence && !rendered.ends_with(['.', '!', '?']) {
        faults.push("the summary does not end with a full stop".to_owned());
    }
    faults
}

/// The first sign that the author expects the text to be rendered.
fn markup(text: &str) -> Option<&'static str> {
    const SIGNS: [&str; 6] = ["**", "__", "`", "](", "</", "&nbsp;"];
    if let Some(sign) = SIGNS.into_iter().find(|sign| text.contains(*sign)) {
        return Some(sign);
    }
    let tag = |(_, after): (&str, &str)| {
        after.starts_with(|c: char| c.is_ascii_alphabetic()) && after.contains('>')
    };
    text.split_once('<').filter(|split| tag(*split)).map(|_| "<")
}

/// Characters that hide or turn the reading direction. The runtime drops the same from values.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}
