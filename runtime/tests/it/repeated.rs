//! What was sent, agreed or put aside is repeated to nobody: no refusal, no record, no `Debug`.

use std::sync::atomic::Ordering;
use std::time::Duration;

use pap_runtime::clock::Clock;
use pap_runtime::store::{CloseProposed, Closing, End, Finish, FinishBy, Key, Note, NoteKind};
use pap_runtime::{OperationId, State};

use crate::lab::Bay;

const SECRET: &str = "a secret value";

/// EXT-16
#[tokio::test]
async fn a_refused_request_is_not_repeated_to_its_sender() {
    let bay = Bay::new().await;
    for times in [r#""a secret value""#, r#"["a secret value"]"#, r#"{"a secret value":1}"#, "-1"] {
        let json = format!(r#"{{ "times": {times}, "list": ["a"] }}"#);
        let answer = bay.post("/labs/x/tries", &json).await;
        answer.is(400, "invalid_request");
        assert!(!answer.text.contains(SECRET), "{}", answer.text);
    }
}

/// EXT-16
#[tokio::test(start_paused = true)]
async fn a_checkpoint_that_does_not_read_back_stays_out_of_the_record() {
    let bay = Bay::new().await;
    let id = bay.propose("remember-then-lose").await;
    bay.confirm(&id).await.state("in_progress");
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert!(bay.lab.asks.load(Ordering::SeqCst) > 0);
    let events = bay.events(&id).await;
    assert!(events.iter().any(|(_, detail)| detail.contains("does not read back")), "{events:?}");
    assert!(events.iter().all(|(_, detail)| !detail.contains(SECRET)), "{events:?}");
}

/// EXT-16
#[test]
fn what_a_store_is_asked_to_write_shows_no_words_in_debug() {
    let id: OperationId = "exc_5Rt2".parse().unwrap();
    let key = Key { company: "Example Outfitters".into(), id };
    let (summary, proof) = (SECRET.to_owned(), None);
    let closing = Closing::Cancelled;
    let close = CloseProposed { key: key.clone(), closing, summary: summary.clone(), proof };
    let end = End { state: State::Failed, summary: summary.clone(), data: Some(summary.clone()) };
    let by = FinishBy::Settler { who: "operator".into(), why: "looked".into() };
    let finish = Finish { key, by, end, changes_seen: 0, carried: vec![summary.clone()] };
    let note = Note { note: NoteKind::Change(summary), at: crate::shop::clock().now() };
    for text in [format!("{close:?}"), format!("{finish:?}"), format!("{note:?}")] {
        assert!(!text.contains(SECRET), "{text}");
    }
}
