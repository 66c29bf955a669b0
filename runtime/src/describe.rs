//! Prints what a company declared, for `pap-codegen`: no state, no store, no network.

use std::io::Write;

use pap_protocol::catalogue::FORMAT;
use serde::Serialize;

use crate::declaration::OperationDeclaration;
use crate::operations::Operations;

/// The environment variable by which `pap-codegen` asks a company's binary to describe itself. Its value
/// is a random marker that the line with the catalogue begins with, so that other output cannot be
/// taken for it.
pub const ASKED_BY: &str = "PAP_DESCRIBE";

#[derive(Serialize)]
struct Catalogue {
    format: u32,
    operations: Vec<&'static OperationDeclaration>,
}

/// Prints the catalogue and exits, if `pap-codegen` asked for it; returns otherwise. The first line of
/// a company's `main`.
///
/// ```no_run
/// # use pap_runtime::Operations;
/// # fn operations() -> Operations<()> { Operations::new() }
/// fn main() {
///     pap_runtime::describe_if_asked(operations);
///     // … the service
/// }
/// ```
pub fn describe_if_asked<S: Send + Sync + 'static>(operations: fn() -> Operations<S>) {
    let Ok(marker) = std::env::var(ASKED_BY) else { return };
    let line = format!("{marker}{}\n", catalogue(&operations()));
    let printed = std::io::stdout().write_all(line.as_bytes());
    std::process::exit(if printed.is_ok() { 0 } else { 74 });
}

/// The catalogue as JSON: the format of [`pap_protocol::catalogue`].
pub fn catalogue<S: Send + Sync + 'static>(operations: &Operations<S>) -> String {
    let catalogue = Catalogue { format: FORMAT, operations: operations.declarations().collect() };
    // constants with text keys always encode
    serde_json::to_string(&catalogue).unwrap_or_default()
}
