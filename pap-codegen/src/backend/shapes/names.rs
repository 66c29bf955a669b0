//! How the file is called and spelled.

use crate::output::MARK;

/// The file, if `pap.toml` names none.
pub(super) const FILE: &str = "terms.shapes";

/// What stands above the lines.
pub(super) fn head() -> String {
    format!(
        "# {MARK}\n# Which version of which action's terms has which stored form. \
         Operations are stored with the version, so one that is in use keeps its form.\n"
    )
}
