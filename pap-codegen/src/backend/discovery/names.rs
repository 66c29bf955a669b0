//! How things are called in `poppy.json`.

/// The file, if `pap.toml` names none.
pub(super) const FILE: &str = "poppy-extension.json";

/// The member of `poppy.json`.
pub(super) const EXTENSIONS: &str = "extensions";

/// The extension.
pub(super) const OPERATIONS: &str = "operations";
