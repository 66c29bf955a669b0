//! Answers that are of no use: each is told for what it is, and none is believed.

use pap_agent::{Error, Unanswered, Unreadable};
use serde_json::json;

use crate::company::{Reply, Step};
use crate::host::{Host, READ, id, in_progress, ok, proposed, succeeded};

async fn read(step: impl Into<Step>) -> Error {
    let host = Host::start().await;
    let client = host.client();
    host.proposal(&client).await;
    host.company.will(step);
    let error = client.read(&id()).await.unwrap_err();
    assert_eq!(host.company.lines(), [READ]);
    error
}

async fn check_not_as_specified(body: impl Into<Vec<u8>>) {
    let error = read(Reply::text(200, "application/json; charset=utf-8", body)).await;
    let Error::Unreadable(Unreadable::NotAsSpecified { status: 200, .. }) = error else {
        panic!("{error:?}")
    };
}

#[tokio::test]
async fn what_is_lost_on_the_way_is_told() {
    let error = read(Step::Drop).await;
    assert!(matches!(error, Error::Unanswered(Unanswered::Interrupted(_))), "{error:?}");
    let error = read(Step::Hang).await;
    assert!(matches!(error, Error::Unanswered(Unanswered::TimedOut)), "{error:?}");
    let whole = ok(&proposed()).bytes();
    let error = read(Step::Bytes(whole[..whole.len() - 1].to_vec())).await;
    assert!(matches!(error, Error::Unanswered(Unanswered::Interrupted(_))), "{error:?}");
}

#[tokio::test]
async fn other_media_types_are_not_read_as_json() {
    for (status, media_type) in [(200, "text/html"), (200, "application/jsonp"), (502, "text/html")]
    {
        let error = read(Reply::text(status, media_type, proposed().to_string())).await;
        let Error::Unreadable(Unreadable::NotJson { status: told }) = error else {
            panic!("{error:?}")
        };
        assert_eq!(told, status);
    }
}

#[tokio::test]
async fn a_redirect_is_told() {
    let error = read(Reply::text(302, "text/html", "").with("Location", "/")).await;
    assert!(matches!(error, Error::Unreadable(Unreadable::Redirect { status: 302 })), "{error:?}");
}

/// The limit is on what is read, whatever the length is said to be.
#[tokio::test]
async fn no_more_than_256_kib_are_read() {
    let mut operation = proposed();
    let fits = 256 * 1024 - operation.to_string().len();
    operation["summary"] =
        json!(operation["summary"].as_str().unwrap().to_owned() + &"x".repeat(fits + 1));
    let error = read(ok(&operation)).await;
    let Error::Unreadable(Unreadable::TooLarge { bytes_max }) = error else { panic!("{error:?}") };
    assert_eq!(bytes_max, 256 * 1024);

    let endless = [b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n".to_vec()];
    let endless = [&endless[0][..], &vec![b' '; 300 * 1024]].concat();
    let error = read(Step::Bytes(endless)).await;
    assert!(matches!(error, Error::Unreadable(Unreadable::TooLarge { .. })), "{error:?}");
}

#[tokio::test]
async fn json_that_two_readers_could_understand_differently_is_refused() {
    let body = proposed().to_string();
    check_not_as_specified(&body.as_bytes()[..body.len() - 1]).await;
    check_not_as_specified(body.replacen('{', r#"{"st\u0061te":"succeeded","#, 1)).await;
    check_not_as_specified(body.replacen("null", "NaN", 1)).await;
    check_not_as_specified(body.replacen("ord_7Hk2", "\u{0}", 1)).await;
    check_not_as_specified(b"\xff\xfe{}").await;
    check_not_as_specified(json!({ "operation": proposed() }).to_string()).await;
}

#[tokio::test]
async fn an_operation_that_breaks_the_rules_of_section_3_is_refused() {
    for (name, value) in [
        ("operation_id", json!("exc/../5Rt2")),
        ("operation_id", json!("")),
        ("revision", json!(0)),
        ("revision", json!(1.5)),
        ("revision", json!("1")),
        ("state", json!("done")),
        ("summary", json!("")),
        ("terms", json!([])),
        ("expires_at", json!("2026-10-08T12:20:00")),
        ("expires_at", json!(null)),
        ("url", json!("http://example.com/")),
        ("result", json!({ "summary": "Done." })),
        (
            "confirmation",
            json!({ "revision": 1, "approved_by": "user", "confirmed_at": "2026-10-08T19:04:31Z" }),
        ),
    ] {
        let mut operation = proposed();
        operation[name] = value;
        check_not_as_specified(operation.to_string()).await;
    }
    for name in
        ["operation_id", "revision", "state", "summary", "expires_at", "confirmation", "result"]
    {
        let mut operation = proposed();
        operation.as_object_mut().unwrap().remove(name);
        check_not_as_specified(operation.to_string()).await;
    }
    let mut without = succeeded(proposed());
    without["confirmation"] = json!(null);
    check_not_as_specified(without.to_string()).await;
    let mut early = in_progress(proposed());
    early["result"] = json!({ "summary": "Done." });
    check_not_as_specified(early.to_string()).await;
}

#[tokio::test]
async fn another_operation_is_no_answer() {
    let mut other = proposed();
    other["operation_id"] = json!("exc_other");
    let error = read(ok(&other)).await;
    let Error::Unreadable(Unreadable::OtherOperation { asked }) = error else {
        panic!("{error:?}")
    };
    assert_eq!(asked, id());
}
