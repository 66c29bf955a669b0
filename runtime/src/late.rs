//! What comes after the end: it changes nothing, and is kept.

use std::sync::Arc;

use tracing::Instrument as _;

use crate::backoff::Backoff;
use crate::engine::{Engine, Performing};
use crate::meter::names;
use crate::store::{End, Error, ErrorKind, FinishBy, Late, Stored};

/// Keeps an outcome that differs from the final state that stands.
pub(crate) async fn note_if_late(engine: &Arc<Engine>, stands: &Stored, by: &FinishBy, end: &End) {
    let summary = stands.result.as_ref().map(|result| &result.summary);
    // what is blanked has no words left that could differ
    let same = stands.state == end.state
        && (stands.erased.is_some() || summary.is_some_and(|summary| *summary == end.summary));
    if same {
        return;
    }
    tracing::error!(operation = %stands.key.id, stands = %stands.state, late = %end.state, "an outcome came after the operation had ended: the first stands");
    engine.count(names::LATE_OUTCOMES, &stands.action);
    let late = Late { key: stands.key.clone(), state: Some(end.state), what: who_said_it(by) };
    record_late(engine, late).await;
}

/// Whose word came too late: whoever is called looks there for what went wrong.
fn who_said_it(by: &FinishBy) -> String {
    match by {
        FinishBy::Performer(_) => "its handler answered after it had ended".to_owned(),
        FinishBy::Asker { .. } | FinishBy::AskerInPart { .. } => {
            "a question was answered after it had ended".to_owned()
        }
        FinishBy::NotStarted => "it was stopped after it had ended".to_owned(),
        FinishBy::Settler { who, why } => format!("{who} settled it after it had ended: {why}"),
    }
}

/// Keeps what came after the end. Nobody waits for more than one attempt; it is tried again for as long as the
/// process lives.
pub(crate) async fn record_late(engine: &Arc<Engine>, late: Late) {
    failpoint!("late.before", await);
    if let Err(error) = engine.store.record_late(late.clone()).await {
        say(&late, &error);
        let trying = keep_trying(Arc::clone(engine), engine.performing(), late);
        drop(tokio::spawn(trying.in_current_span()));
    }
    failpoint!("late.after", await);
}

/// Draining waits for it, as for a handler.
async fn keep_trying(engine: Arc<Engine>, _performing: Performing, late: Late) {
    let mut backoff = Backoff::new();
    loop {
        backoff.pause().await;
        match try_again(&engine, &late).await {
            Ok(()) => return,
            Err(error) if error.kind() == ErrorKind::Corrupt => {
                tracing::error!(operation = %late.key.id, %error, "what came late was not recorded");
                return;
            }
            Err(error) => say(&late, &error),
        }
    }
}

/// What seemed not to be taken may be on record all the same, and what was removed has no record.
async fn try_again(engine: &Engine, late: &Late) -> Result<(), Error> {
    let Some(history) = engine.store.history(&late.key).await? else { return Ok(()) };
    if history.events.iter().any(|event| late.is(event)) {
        return Ok(());
    }
    engine.store.record_late(late.clone()).await
}

fn say(late: &Late, error: &Error) {
    tracing::warn!(operation = %late.key.id, %error, "the store did not take what came late: trying again");
}
