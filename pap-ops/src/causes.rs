//! What lies behind an error.

use std::error::Error;

/// An error and everything behind it, outermost first.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut said = error.to_string();
    let mut cause = error.source();
    while let Some(behind) = cause {
        let text = behind.to_string();
        // some repeat what is behind them
        if !said.contains(&text) {
            said = format!("{said}: {text}");
        }
        cause = behind.source();
    }
    said
}

/// The cause of all.
#[cfg(feature = "cli")]
pub(crate) fn innermost(error: &dyn Error) -> String {
    let mut innermost = error;
    while let Some(behind) = innermost.source() {
        innermost = behind;
    }
    innermost.to_string()
}
