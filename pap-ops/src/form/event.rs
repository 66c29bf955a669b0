//! What happened, one plain sentence for each event.

use pap_protocol::operation::OperationId;
use pap_protocol::value::Instant;
use pap_runtime::store::{Event, EventKind, FeedEvent};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::line::PUT_ASIDE;

/// One event of an operation's record.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EventLine {
    /// When, by the store's clock.
    pub at: Instant,
    /// The word that stores keep.
    pub kind: String,
    /// A sentence for people; not an interface. Never terms or summaries.
    pub text: String,
    /// What the record says: ids, numbers, who and why.
    pub detail: Value,
}

impl EventLine {
    pub(crate) fn of(event: &Event) -> Self {
        let detail = serde_json::from_str(&event.detail).unwrap_or(Value::Null);
        let text = sentence(event.kind, &Detail(&detail));
        Self { at: event.at.at_utc(), kind: event.kind.word().to_owned(), text, detail }
    }
}

/// A piece of the feed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Feed {
    /// 1.
    pub version: u32,
    /// Every event once; those of one operation in their order.
    pub events: Vec<FeedLine>,
    /// What `after` is to go on with, also when there was nothing.
    pub next: String,
}

/// One event of the feed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FeedLine {
    /// Reading after it yields what follows.
    pub cursor: String,
    /// Which operation.
    pub operation_id: OperationId,
    /// The word that stores keep.
    pub kind: String,
    /// When, by the store's clock.
    pub at: Instant,
}

impl FeedLine {
    pub(crate) fn of(event: FeedEvent) -> Self {
        let FeedEvent { cursor, id, kind, at } = event;
        Self {
            cursor: cursor.place().to_owned(),
            operation_id: id,
            kind: kind.word().to_owned(),
            at: at.at_utc(),
        }
    }
}

/// What the record says of an event. What was blanked says nothing, and so may what an older version wrote.
struct Detail<'a>(&'a Value);

impl Detail<'_> {
    fn text(&self, member: &str) -> Option<&str> {
        self.0.get(member)?.as_str()
    }

    fn number(&self, member: &str) -> Option<u64> {
        self.0.get(member)?.as_u64()
    }

    /// `before` and the member, or nothing.
    fn and(&self, before: &str, member: &str) -> String {
        let text = self.text(member).filter(|text| !text.is_empty());
        text.map_or_else(String::new, |text| format!("{before}{text}"))
    }

    fn revision(&self) -> String {
        self.number("revision").map_or_else(|| "a revision".to_owned(), |n| format!("revision {n}"))
    }
}

fn sentence(kind: EventKind, detail: &Detail<'_>) -> String {
    match kind {
        EventKind::Proposed => {
            let who = detail.and(" to agent ", "client");
            let account = detail.and(" for account ", "account");
            format!("{} was proposed{who}{account}", detail.revision())
        }
        EventKind::Revised => format!("{} took its place", detail.revision()),
        EventKind::Confirmed => confirmed(detail),
        EventKind::Started => "it was started, having waited for room".to_owned(),
        EventKind::ChangeNoted => "a change was noted for the User".to_owned(),
        EventKind::Remembered => {
            let name = detail.text("name").unwrap_or("?");
            format!("checkpoint `{name}` was written, before an effect")
        }
        EventKind::StopRequested => "the User asked to stop it".to_owned(),
        EventKind::Unsettled => unsettled(detail),
        EventKind::Asked => asked(detail),
        EventKind::Ended => ended(detail),
        EventKind::LateOutcome => {
            let state = detail.and(" (", "state");
            let state = if state.is_empty() { state } else { format!("{state})") };
            let what = detail.and(": ", "what");
            format!("an outcome came late{state}{what}; the first end stands")
        }
        EventKind::Released => {
            format!("the company was told that {} will not be performed", detail.revision())
        }
        EventKind::Erased => "what it said was blanked".to_owned(),
    }
}

fn confirmed(detail: &Detail<'_>) -> String {
    let how = match detail.text("approved_by") {
        Some("user") => ", approved by the User",
        Some("standing_permission") => ", under a standing permission of the User",
        _ => "",
    };
    let agent = detail.and(" by agent ", "client");
    format!("{} was confirmed{agent}{how}", detail.revision())
}

fn unsettled(detail: &Detail<'_>) -> String {
    let why = detail.and(": ", "why");
    let mut text = match (detail.text("by"), detail.text("due")) {
        (Some("operator"), _) => {
            let who = detail.text("who").unwrap_or("an operator");
            format!("{who} had it asked about again{why}")
        }
        (Some("restored"), _) => {
            let by = detail.and(" by ", "who");
            format!(
                "a copy of the store was taken into use{by}{why}; what happened since the copy was made is asked about, and a checkpoint that is missing proves nothing"
            )
        }
        (Some("asker"), None) => format!("nobody could say whether it happened{why}"),
        (_, Some(due)) => format!("others were given to finish it until {due}{why}"),
        // what was blanked, or written by an older version, does not tell whose word it was
        (None, None) => format!("nobody knew whether it happened{why}"),
        (Some(_), None) => format!("its handler does not know whether it happened{why}"),
    };
    if detail.0.get("attention").and_then(Value::as_bool) == Some(true) {
        text.push_str("; a person has to look");
    }
    text
}

fn asked(detail: &Detail<'_>) -> String {
    let Some(asks) = detail.number("asks") else {
        return "it was asked about: did it happen?".to_owned();
    };
    let died = detail.number("died_asking").unwrap_or(0);
    // the one that asks now is counted before its call
    let before = match died.saturating_sub(1) {
        0 => String::new(),
        1 => " (1 process died asking before)".to_owned(),
        died => format!(" ({died} processes died asking before)"),
    };
    let last = if died >= u64::from(PUT_ASIDE) {
        "; if this one dies too, nobody asks until an operator says so"
    } else {
        ""
    };
    format!("question {asks} was asked: did it happen?{before}{last}")
}

fn ended(detail: &Detail<'_>) -> String {
    let Some(state) = detail.text("state") else { return "it ended".to_owned() };
    match detail.text("by") {
        Some("cancelled") => "it was declined or withdrawn before it was confirmed".to_owned(),
        Some("expired") => "it expired: nobody confirmed it in time".to_owned(),
        Some("restored") => {
            let (by, why) = (detail.and(" by ", "who"), detail.and(": ", "why"));
            format!(
                "it expired, as a copy of the store was taken into use{by}{why}; it may have been confirmed since the copy was made"
            )
        }
        Some("performer") => format!("its handler ended it as {state}"),
        Some("asker") => {
            let fence = detail.text("fence").map_or_else(String::new, |fence| {
                format!(", as checkpoint `{fence}` can never be written any more")
            });
            format!("it was found out that it is {state}{fence}")
        }
        Some("not_started") => format!("it ended as {state} before it was started"),
        Some("settler") => {
            let who = detail.text("who").unwrap_or("an operator");
            format!("{who} settled it as {state}{}", detail.and(": ", "why"))
        }
        _ => format!("it ended as {state}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_whose_detail_was_blanked_still_has_a_sentence() {
        let said: Vec<String> = EventKind::ALL
            .into_iter()
            .map(|kind| sentence(kind, &Detail(&serde_json::json!({}))))
            .collect();
        insta::assert_snapshot!(said.join("\n"));
    }

    #[test]
    fn what_comes_late_to_one_that_was_blanked_has_no_gap_where_words_were() {
        let detail = serde_json::json!({ "state": "failed", "what": "" });
        assert_eq!(
            sentence(EventKind::LateOutcome, &Detail(&detail)),
            "an outcome came late (failed); the first end stands"
        );
    }
}
