//! The alphabets of actions, scopes and id prefixes.

use super::Misspelled;

const MAX_ACTION: usize = 64;
const MAX_PREFIX: usize = 16;

/// Checks the stable name of an action, such as `orders.exchange`.
///
/// # Errors
///
/// If it is not lower-case words joined by dots, or longer than an MCP tool's name may be.
pub fn action(text: &str) -> Result<(), Misspelled> {
    let help = "write lower-case words joined by dots: `\"orders.exchange\"`";
    if text.len() > MAX_ACTION {
        let message =
            format!("the action has {} characters; {MAX_ACTION} are the limit", text.len());
        return Err(Misspelled::new(message, help));
    }
    if text.split('.').all(is_lower_word) {
        return Ok(());
    }
    Err(Misspelled::new(format!("`{text}` is no action name"), help))
}

/// The name of an action as an MCP tool: `orders_exchange`.
pub fn tool(action: &str) -> String {
    action.replace('.', "_")
}

/// Checks a scope (RFC 6749, section 3.3).
///
/// # Errors
///
/// If it is empty or has a space, a quote or a character beyond ASCII in it.
pub fn scope(text: &str) -> Result<(), Misspelled> {
    let legal = |c: char| matches!(c, '\u{21}' | '\u{23}'..='\u{5B}' | '\u{5D}'..='\u{7E}');
    if !text.is_empty() && text.chars().all(legal) {
        return Ok(());
    }
    if text.is_empty() {
        return Err(Misspelled::new("an empty text is no scope", "take it out: `scopes = []`"));
    }
    let help = "write one scope per text, without spaces: `[\"orders:read\", \"orders:write\"]`";
    Err(Misspelled::new(format!("`{text}` is no scope"), help))
}

/// Checks what operation ids start with, such as `exc`.
///
/// # Errors
///
/// If it is not a short lower-case word.
pub fn id_prefix(text: &str) -> Result<(), Misspelled> {
    let starts = text.starts_with(|c: char| c.is_ascii_lowercase());
    let legal = text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    if starts && legal && text.len() <= MAX_PREFIX {
        return Ok(());
    }
    let help = format!(
        "write up to {MAX_PREFIX} lower-case letters and digits: `\"exc\"` gives ids such as `exc_5Rt2…`"
    );
    Err(Misspelled::new(format!("`{text}` is no id prefix"), help))
}

fn is_lower_word(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase())
        && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}
