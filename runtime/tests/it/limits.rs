//! Very large, very many, very small: what cannot be offered is the caller's to mend, and what happened can
//! always be read.

use std::time::Duration;

use axum::Router;
use axum::http::Method;
use pap_runtime::store::memory::Memory;
use pap_runtime::{Company, operations};
use std::sync::Arc;
use tower::ServiceExt;

use crate::lab::{Bay, try_it};
use crate::shop::{Answer, BY_USER, EXCHANGES, OPERATIONS, ORIGIN, Street};

/// What an agent reads of an operation, in bytes.
const READ_MAX: usize = 256 * 1024;

#[tokio::test]
async fn more_than_an_agent_could_read_is_too_large_and_nothing_is_stored() {
    let street = Street::on_sqlite().await;
    let long = "x".repeat(250 * 1024);
    let json = format!(r#"{{ "item_id": "x", "replacement_sku": "{long}" }}"#);
    let answer = street.post(&street.ada(), EXCHANGES, &json).await;
    answer.is(413, "request_too_large");
    assert_eq!(street.on_record(), [0, 0, 0]);
    // each quotation mark takes two bytes of the answer, once in the summary and once in the terms
    let bay = Bay::new().await;
    for marks in [40, 49, 50, 51, 60, 100] {
        let marked = r#"\""#.repeat(marks * 1024);
        let json = format!(r#"{{ "times": 1, "list": ["{marked}"] }}"#);
        let answer = bay.post("/labs/x/tries", &json).await;
        match answer.status.as_u16() {
            202 => assert!(answer.text.len() < READ_MAX, "{}", answer.text.len()),
            _ => drop(answer.is(413, "request_too_large")),
        }
    }
}

/// Where the request is the terms.
#[tokio::test]
async fn a_request_for_what_cannot_be_offered_is_invalid_and_says_why() {
    let bay = Bay::new().await;
    for (list, why) in [
        (r#"["a","b","c","d"]"#, "`list` holds 4 values; at most 3 can be proposed"),
        ("[]", "`list` is an empty list: a summary cannot state nothing; make it optional"),
    ] {
        let json = format!(r#"{{ "times": 1, "list": {list} }}"#);
        let answer = bay.post("/labs/x/tries", &json).await;
        answer.is(400, "invalid_request");
        assert_eq!(answer.json["message"], why);
    }
}

/// OPS-6-1 OPS-6-10 Row E21
#[tokio::test]
async fn what_happened_can_be_read_however_long_its_data_is() {
    let bay = Bay::new().await;
    let id = bay.propose("large").await;
    let answer = bay.confirm(&id).await;
    let result = answer.state("succeeded").json["result"].as_object().unwrap();
    assert_eq!(result["summary"], "Done.");
    assert!(answer.text.len() < READ_MAX && !result.contains_key("data"), "{}", answer.text.len());
    assert_eq!(bay.read(&id).await.text, answer.text);
}

/// OPS-5.2-10 OPS-6-2
#[tokio::test]
async fn no_waiting_at_all_answers_in_progress_and_retry_after_is_whole_seconds_rounded_up() {
    let bay = Bay::new().await;
    for (set, said) in [(0, "1"), (1, "1"), (1000, "1"), (1001, "2"), (2500, "3")] {
        let company = Company::builder(bay.lab.clone())
            .name("Lab")
            .origin(ORIGIN)
            .sessions(bay.sessions.clone())
            .store(Memory::on_clock(Arc::new(bay.clock.clone())))
            .operations(operations![try_it])
            .retry_after(Duration::from_millis(set))
            .answer_within(Duration::ZERO);
        let router = company.start().await.unwrap().in_front_of(Router::new());
        let send = async |url: &str, json| {
            let request = bay.ada.request(Method::POST, url, Some(json));
            Answer::of(router.clone().oneshot(request).await.unwrap()).await
        };
        let json = r#"{ "times": 1, "list": ["a"] }"#;
        let proposed = send(&format!("{ORIGIN}/labs/wait/tries"), json).await;
        let id = proposed.json["operation"]["operation_id"].as_str().unwrap();
        let answer = send(&format!("{OPERATIONS}/{id}/confirm"), BY_USER).await;
        assert_eq!(answer.state("in_progress").header("retry-after"), Some(said), "{set} ms");
    }
}
