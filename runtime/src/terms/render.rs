//! Template pieces and values into a summary.

use super::{Reader, Said};
use crate::declaration::{Field, Piece};

/// Appends the template's text with each field said in its place.
pub fn render(pieces: &[Piece], fields: &[&dyn Said], reader: &Reader, out: &mut String) {
    for piece in pieces {
        match *piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Field { index, format, if_none } => match fields.get(index) {
                Some(field) if field.is_none() => out.push_str(if_none),
                Some(field) => field.say(reader, format, out),
                None => {}
            },
        }
    }
}

/// The first field whose value must not be offered, with its name.
pub fn problem_in(declared: &[Field], fields: &[&dyn Said]) -> Option<String> {
    declared.iter().zip(fields).find_map(|(field, value)| {
        let facts = field.term?;
        value.problem(&facts).map(|problem| format!("`{}` {problem}", field.name))
    })
}

/// The text without characters that could make a summary read otherwise than it is: controls become
/// spaces, and characters that turn the reading direction or hide are dropped (section 8 of the design).
pub fn neutralised(text: &str) -> String {
    // most texts are as they should be
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.to_owned();
    }
    text.chars()
        .filter(|c| !is_invisible(*c))
        .map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c })
        .collect()
}

fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}
