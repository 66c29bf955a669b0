//! How things are called in `poppy.json`.

/// The file, if `pap.toml` names none.
pub(super) const FILE: &str = "poppy-extension.json";

/// The version of the extension that is served, as text: agents refuse a number.
pub(super) const VERSION: &str = "1";
