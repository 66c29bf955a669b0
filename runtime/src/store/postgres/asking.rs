//! Taking what may be asked about.

use std::collections::HashMap;

use super::base::{Base, failed};
use super::bound::Bound;
use super::clock::ServerClock;
use super::failure::Failure;
use super::rows::{Columns, note, stored};
use crate::store::{Asked, Error, Note, TakeAskable};

/// Takes what can be asked about; what cannot be read is reported and left out.
pub(super) async fn take_askable(base: &Base, take: TakeAskable) -> Result<Vec<Asked>, Error> {
    // what only this process knows about can then be asked about too
    base.write_disowned().await.map_err(failed)?;
    let lease = i64::try_from(take.lease.as_millis()).unwrap_or(i64::MAX);
    let bound = base.write().text(take.company).number(take.limit.into()).number(lease);
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

async fn notes(base: &Base, keys: &Bound) -> Result<HashMap<i64, Vec<Note>>, Error> {
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
