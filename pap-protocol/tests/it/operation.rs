//! What an operation must be to be read.

use pap_protocol::operation::{
    ApprovedBy, Confirmation, Operation, OperationId, OperationResult, Proposed, Revision, State,
};
use pap_protocol::value::Instant;
use proptest::prelude::*;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::golden::exchange;

/// The operation of section 3 in that state, as a tree that a test can change.
fn tree(state: State) -> Value {
    serde_json::to_value(exchange(state)).unwrap()
}

#[track_caller]
fn check_refused(operation: &Value, because: &str) {
    let refused = Operation::from_json(operation.to_string().as_bytes()).unwrap_err();
    assert!(refused.to_string().contains(because), "{refused}");
}

fn with(mut operation: Value, member: &str, value: Value) -> Value {
    operation[member] = value;
    operation
}

fn without(mut operation: Value, member: &str) -> Value {
    operation.as_object_mut().unwrap().remove(member).unwrap();
    operation
}

/// OPS-3-1
#[test]
fn an_operation_id_has_its_alphabet_and_length() {
    let longest = "a".repeat(256);
    for good in ["exc_5Rt2", "A", "-", "_", "0", longest.as_str()] {
        let id: OperationId = good.parse().unwrap();
        assert_eq!(id.as_str(), good);
        assert_eq!(OperationId::try_from(good.to_owned()).unwrap(), id);
        assert_eq!(serde_json::to_string(&id).unwrap(), format!("\"{good}\""));
    }
    let too_long = "a".repeat(257);
    for bad in ["", "a b", "a/b", "a.b", "ä", "a\n", "../a", "a%2fb", too_long.as_str()] {
        assert!(bad.parse::<OperationId>().is_err(), "{bad:?}");
        assert!(OperationId::try_from(bad.to_owned()).is_err(), "{bad:?}");
        check_refused(&with(tree(State::Proposed), "operation_id", json!(bad)), "operation id");
    }
}

/// OPS-3-4
#[test]
fn a_state_is_one_of_six_words() {
    let words = ["proposed", "in_progress", "succeeded", "failed", "cancelled", "expired"];
    assert_eq!(State::ALL.map(State::as_str), words);
    for state in State::ALL {
        let word = serde_json::to_string(&state).unwrap();
        assert_eq!(serde_json::from_str::<State>(&word).unwrap(), state);
        assert_eq!(state.is_final(), !matches!(state, State::Proposed | State::InProgress));
    }
    for unknown in
        [json!("Proposed"), json!("done"), json!(""), json!(null), json!({"failed": null})]
    {
        check_refused(&with(tree(State::Proposed), "state", unknown), "`proposed`");
    }
}

/// OPS-3-6
#[test]
fn terms_are_an_object_or_absent() {
    let operation = exchange(State::Proposed);
    let terms = operation.terms.as_deref().unwrap().get();
    assert!(terms.starts_with("{\n    \"order_id\""), "raw text is kept as it was written");
    for bad in [json!(null), json!([]), json!("text"), json!(7), json!(true)] {
        check_refused(&with(tree(State::Proposed), "terms", bad), "`terms` to be an object");
    }
    let absent = without(tree(State::Proposed), "terms").to_string();
    assert!(Operation::from_json(absent.as_bytes()).unwrap().terms.is_none());
    let mut list = exchange(State::Proposed);
    list.terms = Some(RawValue::from_string("[]".to_owned()).unwrap());
    assert!(list.check().is_err());
}

/// OPS-3-7
#[test]
fn a_proposed_operation_has_an_expiry() {
    check_refused(&without(tree(State::Proposed), "expires_at"), "`expires_at` is absent");
    for bad in [json!(null), json!("2026-10-08T12:20:00"), json!(1_793_000_000)] {
        check_refused(&with(tree(State::Proposed), "expires_at", bad), "expected a moment");
    }
}

/// OPS-3-8
#[test]
fn user_approval_is_not_required_unless_it_says_so() {
    let absent = without(tree(State::Proposed), "user_approval_required").to_string();
    let operation = Operation::from_json(absent.as_bytes()).unwrap();
    assert!(!operation.user_approval_required);
    let id = "exc_5Rt2".parse().unwrap();
    let built = Operation::new(id, Revision::FIRST, State::Proposed, "Nothing.");
    assert!(!built.user_approval_required);
    let required = with(tree(State::Proposed), "user_approval_required", json!(true)).to_string();
    assert!(Operation::from_json(required.as_bytes()).unwrap().user_approval_required);
    for bad in [json!(null), json!("true"), json!(1)] {
        check_refused(&with(tree(State::Proposed), "user_approval_required", bad), "a boolean");
    }
}

/// OPS-3-10
#[test]
fn a_confirmation_is_there_exactly_when_it_was_confirmed() {
    for state in State::ALL {
        check_refused(&without(tree(state), "confirmation"), "missing member `confirmation`");
    }
    let confirmation = tree(State::Succeeded)["confirmation"].clone();
    for state in [State::Proposed, State::Expired] {
        check_refused(
            &with(tree(state), "confirmation", confirmation.clone()),
            "`confirmation` is there",
        );
    }
    for state in [State::InProgress, State::Succeeded, State::Failed] {
        check_refused(&with(tree(state), "confirmation", json!(null)), "`confirmation` is there");
        let other = with(confirmation.clone(), "revision", json!(2));
        check_refused(&with(tree(state), "confirmation", other), "another revision");
    }
    let stopped = with(tree(State::Cancelled), "confirmation", confirmation);
    assert!(Operation::from_json(stopped.to_string().as_bytes()).is_ok());
    let listed = json!([1, "user", "2026-10-08T12:04:31-07:00"]);
    check_refused(&with(tree(State::Succeeded), "confirmation", listed), "expected an object");
}

/// OPS-3-11
#[test]
fn a_result_is_there_exactly_when_the_operation_is_final() {
    for state in State::ALL {
        check_refused(&without(tree(state), "result"), "missing member `result`");
    }
    for state in [State::Proposed, State::InProgress] {
        let result = json!({ "summary": "Nothing was changed." });
        check_refused(&with(tree(state), "result", result), "`result` is there");
    }
    for state in [State::Succeeded, State::Failed, State::Cancelled, State::Expired] {
        check_refused(&with(tree(state), "result", json!(null)), "`result` is there");
    }
    check_refused(&with(tree(State::Failed), "result", json!(["text"])), "expected an object");
}

#[test]
fn a_result_without_data_leaves_data_out() {
    let result = OperationResult::new("Nothing was changed.");
    assert_eq!(serde_json::to_string(&result).unwrap(), r#"{"summary":"Nothing was changed."}"#);
    // other companies write `null`
    let read: OperationResult =
        serde_json::from_str(r#"{"summary":"Nothing was changed.","data":null}"#).unwrap();
    assert_eq!(read, result);
}

/// OPS-3-3, OPS-3-5, OPS-3-9
#[test]
fn the_other_members_are_what_they_must_be() {
    for bad in [json!(0), json!(-1), json!(1.0), json!("1"), json!(null), json!(4_294_967_296_u64)]
    {
        check_refused(&with(tree(State::Proposed), "revision", bad), "expected");
    }
    check_refused(&with(tree(State::Proposed), "summary", json!("")), "`summary` is empty");
    check_refused(&with(tree(State::Proposed), "summary", json!(" \n")), "`summary` is empty");
    check_refused(&without(tree(State::Proposed), "summary"), "missing member `summary`");
    for bad in ["http://example.com/", "/orders", "https://u@example.com/"] {
        check_refused(&with(tree(State::Proposed), "url", json!(bad)), "`url` is not");
    }
    check_refused(&with(tree(State::Proposed), "url", json!(null)), "expected a string");
}

/// EXT-6
#[test]
fn unknown_members_are_ignored_at_every_level() {
    let mut operation = tree(State::Succeeded);
    for member in ["confirmation", "result"] {
        operation[member]["later"] = json!({ "version": [2] });
    }
    operation["later"] = json!([null, { "a": 1 }]);
    let read = Operation::from_json(operation.to_string().as_bytes()).unwrap();
    assert_eq!(read.confirmation, exchange(State::Succeeded).confirmation);
    assert_eq!(read.state, State::Succeeded);
    let wrapped = json!({ "operation": operation, "later": 1 }).to_string();
    assert_eq!(Proposed::from_json(wrapped.as_bytes()).unwrap().operation, read);
}

#[test]
fn an_operation_is_an_object_in_strict_json() {
    let text = tree(State::Proposed).to_string();
    let twice = text.replacen('{', r#"{"st\u0061te":"succeeded","#, 1);
    assert!(Operation::from_json(twice.as_bytes()).unwrap_err().problem().contains("two members"));
    let values: Vec<Value> = tree(State::Proposed).as_object().unwrap().values().cloned().collect();
    assert!(Operation::from_json(json!(values).to_string().as_bytes()).is_err());
    assert!(Proposed::from_json(format!("[{text}]").as_bytes()).is_err());
    assert!(Operation::from_json(b"").is_err());
}

/// EXT-16
#[test]
fn debug_shows_neither_terms_nor_summaries() {
    let shown = format!("{:?}", Proposed::new(exchange(State::Succeeded)));
    assert!(shown.contains("exc_5Rt2"), "{shown}");
    for hidden in ["jacket", "Jacket", "ord_7Hk2", "4242", "rtn_8Lp3"] {
        assert!(!shown.contains(hidden), "{shown}");
    }
    let refused = with(tree(State::Proposed), "url", json!(["sat_secret"])).to_string();
    let refused = Operation::from_json(refused.as_bytes()).unwrap_err();
    assert!(!format!("{refused} {refused:?}").contains("sat_secret"));
}

#[test]
fn revisions_count_from_one_and_stop_at_the_last_number() {
    assert_eq!(Revision::FIRST.get(), 1);
    assert_eq!(Revision::FIRST.next().get(), 2);
    let last = Revision::try_from(u32::MAX).unwrap();
    assert_eq!(last.next(), last);
    assert!(Revision::try_from(0).is_err());
}

fn any_operation() -> impl Strategy<Value = Operation> {
    let parts = (
        "[A-Za-z0-9_-]{1,40}",
        1..=u32::MAX,
        prop::sample::select(State::ALL.as_slice()),
        "\\PC*[a-z]",
        prop::option::of(prop::collection::btree_map("\\PC{0,8}", "\\PC{0,8}", 0..4)),
        any::<(bool, bool)>(),
        any::<(i64, i64)>(),
    );
    parts.prop_map(
        |(id, revision, state, summary, terms, (flag, standing), (expires, confirmed))| {
            let revision = Revision::try_from(revision).unwrap();
            let mut operation = Operation::new(id.parse().unwrap(), revision, state, summary);
            operation.terms = terms.map(|terms| serde_json::value::to_raw_value(&terms).unwrap());
            operation.user_approval_required = flag;
            operation.expires_at =
                (flag || state == State::Proposed).then_some(Instant::from_millis(expires));
            let by = if standing { ApprovedBy::StandingPermission } else { ApprovedBy::User };
            let was_confirmed =
                matches!(state, State::InProgress | State::Succeeded | State::Failed);
            operation.confirmation = was_confirmed
                .then(|| Confirmation::new(revision, by, Instant::from_millis(confirmed)));
            operation.result =
                state.is_final().then(|| OperationResult::new("Nothing was changed."));
            operation
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_reads_back_the_same(operation in any_operation()) {
        let written = serde_json::to_vec(&operation).unwrap();
        let read = Operation::from_json(&written).unwrap();
        prop_assert_eq!(&read, &operation);
        prop_assert_eq!(serde_json::to_vec(&read).unwrap(), written);
    }
}
