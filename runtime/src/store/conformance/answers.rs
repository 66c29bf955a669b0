//! What is expected of an answer, in the words of the promise.

use pap_protocol::operation::{OperationId, Revision};

use crate::store::{Error, Event, Key, Written};

/// What an event says about something.
pub(super) fn said(event: &Event, member: &str) -> serde_json::Value {
    let detail: Result<serde_json::Value, _> = serde_json::from_str(&event.detail);
    match detail {
        Ok(serde_json::Value::Object(mut members)) => members.remove(member).unwrap_or_default(),
        Ok(_) | Err(_) => panic!("the detail of an event is a JSON object"),
    }
}

/// Bytes as the record writes them.
pub(super) fn hex(bytes: &[u8]) -> String {
    let digit = |number: u8| char::from_digit(number.into(), 16).unwrap_or('?');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The answer of a store that has no fault.
#[track_caller]
pub(super) fn kept<T>(answer: Result<T, Error>) -> T {
    match answer {
        Ok(answer) => answer,
        Err(error) => panic!("a store without faults answers, and this one says: {error}"),
    }
}

#[track_caller]
pub(super) fn assert_done(written: Result<Written, Error>, promise: &str) {
    let written = kept(written);
    assert!(matches!(written, Written::Done(_)), "{promise}: {written:?}");
}

#[track_caller]
pub(super) fn assert_not_now(written: Result<Written, Error>, promise: &str) {
    let written = kept(written);
    assert!(matches!(written, Written::NotNow), "{promise}: {written:?}");
}

/// How many of the answers are `Done`.
pub(super) fn count_done(answers: &[Written]) -> usize {
    answers.iter().filter(|answer| matches!(answer, Written::Done(_))).count()
}

/// All of the answers, of requests that were made at the same time.
pub(super) async fn at_once<T: Send + 'static>(
    requests: impl IntoIterator<Item = impl Future<Output = T> + Send + 'static>,
) -> Vec<T> {
    let tasks: tokio::task::JoinSet<T> = requests.into_iter().collect();
    tasks.join_all().await
}

#[track_caller]
pub(super) fn revision(number: u32) -> Revision {
    match Revision::try_from(number) {
        Ok(revision) => revision,
        Err(refused) => panic!("{number} is a revision: {refused}"),
    }
}

#[track_caller]
pub(super) fn id(text: &str) -> OperationId {
    match text.parse() {
        Ok(id) => id,
        Err(refused) => panic!("`{text}` is an id: {refused}"),
    }
}

#[track_caller]
pub(super) fn there<T>(found: Option<T>, key: &Key) -> T {
    match found {
        Some(found) => found,
        None => panic!("operation `{}` is on record", key.id),
    }
}

pub(super) fn sixteen(number: u32) -> [u8; 16] {
    u128::from(number).to_be_bytes()
}

pub(super) fn thirty_two(number: u32) -> [u8; 32] {
    let mut bytes = [7; 32];
    for (byte, from) in bytes.iter_mut().zip(number.to_be_bytes()) {
        *byte = from;
    }
    bytes
}
