//! The specification's own texts, byte for byte.

use std::collections::BTreeMap;

use pap_protocol::extensions::{ExtensionDescriptor, lists_operations};
use pap_protocol::operation::{
    ApprovedBy, ConfirmRequest, Confirmation, Operation, OperationResult, Proposed, Revision, State,
};
use pap_protocol::refusal::{Code, ErrorBody, ErrorCode};
use pap_protocol::{client_metadata, discovery};
use serde::Serialize;
use serde_json::value::RawValue;

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
        State::Cancelled | State::Expired => Some(OperationResult::new("Nothing was changed.")),
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

macro_rules! golden {
    ($name:literal) => {
        include_str!(concat!("golden/", $name, ".json"))
    };
}

fn golden_of(state: State) -> &'static str {
    match state {
        State::Proposed => golden!("proposed"),
        State::InProgress => golden!("in_progress"),
        State::Succeeded => golden!("succeeded"),
        State::Failed => golden!("failed"),
        State::Cancelled => golden!("cancelled"),
        State::Expired => golden!("expired"),
    }
}

#[track_caller]
fn check_written(value: &impl Serialize, golden: &str) {
    assert_eq!(format!("{}\n", serde_json::to_string_pretty(value).unwrap()), golden);
}

/// OPS-3-4, OPS-3-6, OPS-3-10, OPS-3-11, OPS-5.2-12
#[test]
fn an_operation_in_each_state_is_written_and_read_as_specified() {
    for state in State::ALL {
        let operation = exchange(state);
        check_written(&operation, golden_of(state));
        let read = Operation::from_json(golden_of(state).as_bytes()).unwrap();
        assert_eq!(read, operation, "{state}");
        check_written(&read, golden_of(state));
    }
}

/// OPS-4.1-1
#[test]
fn a_proposing_endpoint_answers_with_the_operation_in_operation() {
    let proposed = Proposed::new(exchange(State::Proposed));
    check_written(&proposed, golden!("proposed_answer"));
    let read = Proposed::from_json(golden!("proposed_answer").as_bytes()).unwrap();
    assert_eq!(read, proposed);
}

/// OPS-5.2-1
#[test]
fn a_confirm_is_the_revision_and_how_it_was_approved() {
    let request = ConfirmRequest::new(Revision::FIRST, ApprovedBy::User);
    check_written(&request, golden!("confirm"));
    let as_shown = r#"{ "revision": 1, "approved_by": "user" }"#;
    for text in [golden!("confirm"), as_shown] {
        assert_eq!(ConfirmRequest::from_json(text.as_bytes()).unwrap(), request);
    }
}

/// OPS-2-1
#[test]
fn a_company_lists_operations_as_specified() {
    let endpoint = "https://api.example.com/poppy/operations".parse().unwrap();
    let entry = discovery::operations_entry(&endpoint, None);
    check_listed("operations", &entry, golden!("company_extensions"));
}

/// OPS-2-4
#[test]
fn an_agent_lists_operations_as_specified() {
    let entry = client_metadata::operations_entry();
    check_listed("operations", &entry, golden!("agent_extensions"));
    assert!(lists_operations(&BTreeMap::from([("operations".to_owned(), entry)])));
}

#[track_caller]
fn check_listed(name: &str, entry: &ExtensionDescriptor, golden: &str) {
    let listed = BTreeMap::from([(name, entry)]);
    check_written(&BTreeMap::from([("extensions", &listed)]), golden);
    let read: BTreeMap<String, BTreeMap<String, ExtensionDescriptor>> =
        serde_json::from_str(golden).unwrap();
    assert_eq!(&read["extensions"][name], entry);
}

/// OPS-9-1, OPS-9-4, OPS-9-6, OPS-9-7
#[test]
fn each_error_is_written_and_read_with_its_members() {
    let scope = |code| ErrorBody::new(code).with_scope("orders:write");
    let not_offered = ErrorBody::new("already_shipped");
    for (body, golden) in [
        (ErrorBody::new(ErrorCode::OperationNotFound), golden!("operation_not_found")),
        (ErrorBody::terms_changed(exchange(State::Proposed)), golden!("terms_changed")),
        (ErrorBody::new(ErrorCode::UserApprovalRequired), golden!("user_approval_required")),
        (ErrorBody::extension_required("operations"), golden!("extension_required")),
        (scope(ErrorCode::SignInRequired), golden!("sign_in_required")),
        (scope(ErrorCode::InsufficientScope), golden!("insufficient_scope")),
        (ErrorBody::new(ErrorCode::InvalidToken), golden!("invalid_token")),
        (not_offered.with_message("The order has left the warehouse."), golden!("not_offered")),
    ] {
        check_written(&body, golden);
        assert_eq!(ErrorBody::from_json(golden.as_bytes()).unwrap(), body);
    }
    for code in ErrorCode::ALL {
        let text = format!(r#"{{"error":"{code}"}}"#);
        assert_eq!(ErrorBody::from_json(text.as_bytes()).unwrap().error, Code::Known(code));
    }
}
