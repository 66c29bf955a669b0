//! The specification's own texts, byte for byte.

use pap_protocol::discovery;
use pap_protocol::extensions::{ExtensionDescriptor, lists_operations};
use pap_protocol::json::canonical;
use pap_protocol::operation::{
    ApprovedBy, ConfirmRequest, Confirmation, Operation, OperationResult, Proposed, Revision, State,
};
use pap_protocol::refusal::{Code, ErrorBody, ErrorCode};
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

const SUMMARY: &str = "Exchange the Stormline Jacket (M) on order ord_7Hk2 for the Stormline \
    Insulated Jacket (M), for $70.00 more, charged to the card used for the order.";

/// As the specification indents it, so that raw text shows to be kept.
const TERMS: &str = r#"{
    "order_id": "ord_7Hk2",
    "item_id": "itm_4Qa",
    "replacement_sku": "stormline-insulated-m",
    "price_difference": { "amount": "70.00", "currency": "USD" }
  }"#;

/// The operation of section 3, in any state.
pub(crate) fn exchange(state: State) -> Operation {
    let id = "exc_5Rt2".parse().unwrap();
    let mut operation = Operation::new(id, Revision::FIRST, state, SUMMARY);
    operation.terms = Some(RawValue::from_string(TERMS.to_owned()).unwrap());
    operation.url = Some("https://example.com/orders/ord_7Hk2/exchanges/exc_5Rt2".to_owned());
    let result = match state {
        State::Proposed | State::InProgress => None,
        State::Succeeded => Some(OperationResult::new(
            "Exchange placed. The insulated jacket ships today, and a return label for the \
             original jacket was emailed. $70.00 was charged to the card ending in 4242.",
        )),
        State::Failed => Some(OperationResult::new("The card was declined; nothing was charged.")),
        State::Cancelled | State::Expired | _ => Some(OperationResult::new("Nothing was changed.")),
    };
    let data = r#"{ "exchange_id": "exc_5Rt2", "return_id": "rtn_8Lp3" }"#;
    operation.result = match result {
        Some(result) if state == State::Succeeded => {
            Some(result.with_data(RawValue::from_string(data.to_owned()).unwrap()))
        }
        result => result,
    };
    if matches!(state, State::InProgress | State::Succeeded | State::Failed) {
        let at = "2026-10-08T12:04:31-07:00".parse().unwrap();
        operation.confirmation = Some(Confirmation::new(Revision::FIRST, ApprovedBy::User, at));
    } else {
        operation.expires_at = Some("2026-10-08T12:20:00-07:00".parse().unwrap());
    }
    operation
}

fn golden(name: &str) -> &'static str {
    match name {
        "proposed" => include_str!("golden/proposed.json"),
        "in_progress" => include_str!("golden/in_progress.json"),
        "succeeded" => include_str!("golden/succeeded.json"),
        "failed" => include_str!("golden/failed.json"),
        "cancelled" => include_str!("golden/cancelled.json"),
        "expired" => include_str!("golden/expired.json"),
        name => panic!("there is no golden text of `{name}`"),
    }
}

fn written(value: &impl Serialize) -> String {
    format!("{}\n", serde_json::to_string_pretty(value).unwrap())
}

/// OPS-3-4, OPS-3-6, OPS-3-10, OPS-3-11, OPS-5.2-12
#[test]
fn an_operation_in_each_state_is_written_and_read_as_specified() {
    for state in State::ALL {
        let operation = exchange(state);
        assert_eq!(written(&operation), golden(state.as_str()), "{state}");
        let read = Operation::from_json(golden(state.as_str()).as_bytes()).unwrap();
        assert_eq!(read, operation, "{state}");
        assert_eq!(written(&read), golden(state.as_str()), "{state}");
    }
}

/// OPS-4.1-1
#[test]
fn a_proposing_endpoint_answers_with_the_operation_in_operation() {
    let proposed = Proposed::new(exchange(State::Proposed));
    let body = serde_json::to_string(&proposed).unwrap();
    let operation = serde_json::to_string(&proposed.operation).unwrap();
    assert_eq!(body, format!(r#"{{"operation":{operation}}}"#));
    assert_eq!(Proposed::from_json(body.as_bytes()).unwrap(), proposed);
}

/// OPS-5.2-1
#[test]
fn a_confirm_is_the_revision_and_how_it_was_approved() {
    let shown = r#"{ "revision": 1, "approved_by": "user" }"#;
    let request = ConfirmRequest::new(Revision::FIRST, ApprovedBy::User);
    assert_eq!(ConfirmRequest::from_json(shown.as_bytes()).unwrap(), request);
    let written = serde_json::to_string(&request).unwrap();
    assert_eq!(written, r#"{"revision":1,"approved_by":"user"}"#);
}

/// OPS-2-1
#[test]
fn a_company_lists_operations_as_specified() {
    let excerpt = r#""extensions": {
  "operations": {
    "version": "1",
    "endpoint": "https://api.example.com/poppy/operations"
  }
}"#;
    let endpoint = "https://api.example.com/poppy/operations".parse().unwrap();
    let entry = discovery::operations_entry(&endpoint, None);
    let map = BTreeMap::from([("operations", entry)]);
    let written = format!("\"extensions\": {}", serde_json::to_string_pretty(&map).unwrap());
    assert_eq!(written, excerpt);
}

/// OPS-2-4
#[test]
fn an_agent_lists_operations_as_specified() {
    let excerpt = r#"{ "extensions": {
  "operations": { "version": "1" }
} }"#;
    let map = BTreeMap::from([(
        "operations".to_owned(),
        pap_protocol::client_metadata::operations_entry(),
    )]);
    assert!(lists_operations(&map));
    let written = serde_json::to_string(&BTreeMap::from([("extensions", &map)])).unwrap();
    assert_eq!(written, canonical(excerpt));
    let read: BTreeMap<String, BTreeMap<String, ExtensionDescriptor>> =
        serde_json::from_str(excerpt).unwrap();
    assert_eq!(read["extensions"], map);
}

/// OPS-9-1, OPS-9-4, OPS-9-6, OPS-9-7
#[test]
fn each_error_is_written_and_read_with_its_members() {
    let proposed = exchange(State::Proposed);
    let operation = serde_json::to_string(&proposed).unwrap();
    let bodies = [
        (
            ErrorBody::new(ErrorCode::OperationNotFound),
            r#"{"error":"operation_not_found"}"#.to_owned(),
        ),
        (
            ErrorBody::terms_changed(proposed.clone()),
            format!(r#"{{"error":"terms_changed","operation":{operation}}}"#),
        ),
        (
            ErrorBody::new(ErrorCode::UserApprovalRequired),
            r#"{"error":"user_approval_required"}"#.to_owned(),
        ),
        (
            ErrorBody::extension_required("operations"),
            r#"{"error":"extension_required","extension":"operations"}"#.to_owned(),
        ),
        (
            ErrorBody::new(ErrorCode::InsufficientScope).with_scope("orders:write"),
            r#"{"error":"insufficient_scope","scope":"orders:write"}"#.to_owned(),
        ),
        (
            ErrorBody::new("order_already_shipped")
                .with_message("The order has left the warehouse."),
            r#"{"error":"order_already_shipped","message":"The order has left the warehouse."}"#
                .to_owned(),
        ),
    ];
    for (body, text) in bodies {
        assert_eq!(serde_json::to_string(&body).unwrap(), text);
        assert_eq!(ErrorBody::from_json(text.as_bytes()).unwrap(), body);
    }
    for code in ErrorCode::ALL {
        let text = format!(r#"{{"error":"{code}"}}"#);
        assert_eq!(ErrorBody::from_json(text.as_bytes()).unwrap().error, Code::Known(code));
    }
}
