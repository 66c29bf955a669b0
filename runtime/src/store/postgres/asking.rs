//! Taking what may be asked about.

use std::collections::HashMap;

use super::base::{Base, failed};
use super::bound::Bound;
use super::clock::ServerClock;
use super::failure::Failure;
use super::reads::{one, read_failed};
use super::rows::{Columns, stored};
use crate::store::row::{Row as _, note};
use crate::store::{Asked, Error, Known, Note, Stored, TakeAskable, Waiting};

/// Takes what can be asked about; what cannot be read is reported and left out.
pub(super) async fn take_askable(base: &Base, take: TakeAskable) -> Result<Vec<Asked>, Error> {
    // what only this process knows about can then be asked about too
    base.write_disowned().await.map_err(failed)?;
    let lease = i64::try_from(take.lease.as_millis()).unwrap_or(i64::MAX);
    let bound = base.write().text(take.company).number(take.limit.into()).number(lease);
    let asker = base.asker().map(|life| life.0.to_vec());
    let bound = known(bound, &take.known).bytes_if_any(asker);
    let sent = ServerClock::sending();
    let rows = base.rows(&base.sql.take_askable, &bound).await.map_err(failed)?;
    let mut raised = Vec::with_capacity(rows.len());
    for row in &rows {
        let mut columns = Columns::of(row);
        let at = columns.moment()?;
        base.heard(sent, at);
        raised.push((at, columns.take::<i64>()?, columns.count()?));
    }
    if raised.is_empty() {
        return Ok(Vec::new());
    }
    let keys = || Bound::default().numbers(raised.iter().map(|(_, key, _)| *key));
    let mut notes = notes(base, &keys()).await?;
    let rows = base.read_rows(&base.sql.read_taken, &keys()).await.map_err(failed)?;
    let mut asked = HashMap::with_capacity(rows.len());
    for row in &rows {
        // the key alone first: one that cannot be read keeps nobody from being asked about
        let key: i64 = Columns::of(row).take()?;
        let Some((now, _, epoch)) = raised.iter().find(|(_, of, _)| *of == key) else { continue };
        match stored(&mut Columns::of(row), *now) {
            // its performer ended it meanwhile, or somebody else asks
            Ok((_, stored)) if stored.running.as_ref().is_none_or(|n| n.epoch != *epoch) => {}
            Ok((_, stored)) => {
                let notes = notes.remove(&key).unwrap_or_default();
                asked.insert(key, Asked { stored, notes });
            }
            Err(error) => tracing::error!(%error, "an operation cannot be read"),
        }
    }
    Ok(raised.iter().filter_map(|(_, key, _)| asked.remove(key)).collect())
}

/// What the caller knows: a pair for each version of an action's terms.
pub(super) fn known<'k>(bound: Bound<'k>, known: &'k [Known]) -> Bound<'k> {
    let pairs = || {
        known
            .iter()
            .flat_map(|one| one.versions.iter().map(|version| (one.action.as_str(), *version)))
    };
    bound
        .texts(pairs().map(|(action, _)| action))
        .numbers(pairs().map(|(_, version)| i64::from(version)))
}

/// Operations that wait to be started, those that wait longest first.
pub(super) async fn waiting(base: &Base, which: Waiting) -> Result<Vec<Stored>, Error> {
    let bound = base.read().text(which.company).number(which.limit.into());
    let rows = base.read_rows(&base.sql.waiting, &known(bound, &which.known)).await;
    let rows = rows.map_err(read_failed)?;
    let found = rows.iter().filter_map(|row| {
        let found = one(&mut Columns::of(row));
        found.inspect_err(|error| tracing::error!(%error, "an operation cannot be read")).ok()
    });
    Ok(found.collect())
}

async fn notes(base: &Base, keys: &Bound<'_>) -> Result<HashMap<i64, Vec<Note>>, Error> {
    let rows = base.read_rows(&base.sql.notes_of, keys).await.map_err(|failure: Failure| {
        // the questions were taken: they come again after their lease
        failed(failure)
    })?;
    let mut notes: HashMap<i64, Vec<Note>> = HashMap::new();
    for row in &rows {
        let mut columns = Columns::of(row);
        let key = columns.take()?;
        notes.entry(key).or_default().push(note(&mut columns)?);
    }
    Ok(notes)
}
