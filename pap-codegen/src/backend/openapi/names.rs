//! How things are called in an OpenAPI document.

use heck::ToUpperCamelCase;
use pap_protocol::extensions::SUPPORTED_EXTENSIONS;

/// The file, if `pap.toml` names none.
pub(super) const FILE: &str = "openapi.json";

/// The version of OpenAPI that is written.
pub(super) const OPENAPI: &str = "3.0.3";

/// The version of the Operations extension that is described.
pub(super) fn extension() -> &'static str {
    let [(_, version)] = SUPPORTED_EXTENSIONS;
    version
}

/// The security scheme.
pub(super) const DPOP: &str = "dpop";

/// The names of the protocol's own endpoints.
pub(super) const READ: &str = "read_operation";
/// See [`READ`].
pub(super) const CONFIRM: &str = "confirm_operation";
/// See [`READ`].
pub(super) const CANCEL: &str = "cancel_operation";

/// `OrdersExchange` of `orders.exchange`.
pub(super) fn of_action(action: &str) -> String {
    action.to_upper_camel_case()
}

/// `PriceChangeNoCost` of the choice `PriceChange` and the kind `no_cost`.
pub(super) fn of_variant(choice: &str, kind: &str) -> String {
    format!("{choice}{}", kind.to_upper_camel_case())
}

/// Whether OpenAPI allows the name in `components`.
pub(super) fn is_component(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
}

/// Where a schema is found in the document.
pub(super) fn schema_path(name: &str) -> String {
    format!("#/components/schemas/{name}")
}

/// Where a part of `components` is found in the document.
pub(super) fn path(part: &str, name: &str) -> String {
    format!("#/components/{part}/{name}")
}

/// A time span as ISO 8601: `PT15M`.
pub(super) fn duration(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let part = |number: u64, unit: &str| match number {
        0 => String::new(),
        number => format!("{number}{unit}"),
    };
    let text = [part(hours, "H"), part(minutes, "M"), part(seconds, "S")].concat();
    if text.is_empty() { "PT0S".to_owned() } else { format!("PT{text}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_from_what_was_declared() {
        assert_eq!(of_action("orders.gift_note"), "OrdersGiftNote");
        assert_eq!(of_variant("PriceChange", "no_cost"), "PriceChangeNoCost");
        assert_eq!(duration(900), "PT15M");
        assert_eq!(duration(90_061), "PT25H1M1S");
        assert_eq!(duration(0), "PT0S");
        assert!(is_component("A.b-c_1"));
        for name in ["", "Größe", "a b", "a/b", "$ref"] {
            assert!(!is_component(name), "{name}");
        }
    }
}
