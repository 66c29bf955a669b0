//! Whether everything on record fits together: the file by itself, then operation by operation.

use rusqlite::Connection;

use super::read::{self, Record};
use super::rows::Columns;
use super::transaction::{all, first};
use super::{Sqlite, find, sql};
use crate::store::invariants::{Acted, broken};
use crate::store::row::Row as _;
use crate::store::{Error, History, ReadActs};

/// So many operations are read at a time.
const TOGETHER: u32 = 64;

/// What does not fit together, one line each.
pub(super) async fn verify(store: &Sqlite, company: &str) -> Result<Vec<String>, Error> {
    let mut wrong = store.0.readers.read(file).await?;
    let (mut after, company) = (i64::MIN, company.to_owned());
    let of = company.clone();
    wrong.extend(store.0.readers.read(move |connection| acts(connection, &of)).await?);
    loop {
        let (of, clock) = (company.clone(), std::sync::Arc::clone(&store.0.clock));
        let piece = move |connection: &Connection| next(connection, &of, after, clock.now());
        let piece = store.0.readers.read(piece).await?;
        let Some(last) = piece.last else { return Ok(wrong) };
        after = last;
        for (id, record, beside) in piece.records {
            let lines = look(record, &beside);
            wrong.extend(lines.into_iter().map(|what| format!("`{id}`: {what}")));
        }
    }
}

/// What SQLite itself finds in the file.
fn file(connection: &Connection) -> Result<Vec<String>, Error> {
    let text = |row: &rusqlite::Row<'_>| Columns::of(row).take::<String>();
    let mut wrong = all(connection, sql::QUICK_CHECK, (), text)?;
    wrong.retain(|line| line != "ok");
    let loose = all(connection, sql::FOREIGN_KEY_CHECK, (), text)?;
    wrong.extend(loose.into_iter().map(|table| format!("a row of `{table}` is of no operation")));
    Ok(wrong.into_iter().map(|line| format!("the file: {line}")).collect())
}

/// What operators did, beside what is there of it.
fn acts(connection: &Connection, company: &str) -> Result<Vec<String>, Error> {
    let beside = || {
        let counted = first(connection, sql::BESIDE_ACTS, (company,), |row| {
            let mut columns = Columns::of(row);
            Ok((u64::from(columns.take::<u32>()?), u64::from(columns.take::<u32>()?)))
        })?;
        Ok::<_, Error>(counted.unwrap_or_default())
    };
    let (blanked, _) = beside()?;
    let pauses = find::pauses(connection, company)?;
    let all = ReadActs { company: company.to_owned(), after: 0, limit: u32::MAX };
    let acts = find::acts(connection, &all)?;
    let (_, removed) = beside()?;
    Ok(Acted { blanked, pauses, acts, removed }.broken())
}

struct Piece {
    last: Option<i64>,
    records: Vec<(String, Result<Option<Record>, Error>, Beside)>,
}

/// What other tables say about an operation.
struct Beside {
    places: u32,
    tickets: u32,
    expiring: u32,
    elsewhere: u32,
}

fn next(
    connection: &Connection,
    company: &str,
    after: i64,
    now: pap_protocol::value::Instant,
) -> Result<Piece, Error> {
    let keys = all(connection, sql::KEYS, (after, TOGETHER, company), |row| {
        let mut columns = Columns::of(row);
        Ok((columns.take::<i64>()?, columns.take::<String>()?, columns.yes_or_no()?))
    })?;
    let last = keys.last().map(|(key, ..)| *key);
    let mut records = Vec::new();
    for (key, id, _) in keys.into_iter().filter(|(_, _, ours)| *ours) {
        let beside = first(connection, sql::BESIDE, (key,), |row| {
            let mut columns = Columns::of(row);
            Ok(Beside {
                places: columns.take()?,
                tickets: columns.take()?,
                expiring: columns.take()?,
                elsewhere: columns.take()?,
            })
        })?;
        let Some(beside) = beside else { continue };
        records.push((id, read::history_by_key(connection, key, now), beside));
    }
    Ok(Piece { last, records })
}

fn look(record: Result<Option<Record>, Error>, beside: &Beside) -> Vec<String> {
    match record.and_then(|record| record.map(Record::check).transpose()) {
        Ok(Some(history)) => {
            let mut lines: Vec<_> = broken(&history).into_iter().map(str::to_owned).collect();
            lines.extend(misplaced(&history, beside).into_iter().map(str::to_owned));
            lines
        }
        Ok(None) => vec!["it is listed and not there".to_owned()],
        Err(error) => vec![error.to_string()],
    }
}

fn misplaced(history: &History, beside: &Beside) -> Vec<&'static str> {
    use pap_protocol::operation::State;
    let stored = &history.stored;
    let deferred = stored.running.as_ref().is_some_and(|running| running.life.is_none());
    let in_progress = stored.state == State::InProgress;
    let checks = [
        (
            (beside.places == 1) != stored.state.is_final(),
            "it has a place among the open actions and is final, or the other way round",
        ),
        (
            !in_progress || (beside.tickets == 1) != deferred,
            "it was started by nobody and has a performer, or the other way round",
        ),
        (
            stored.state != State::Proposed || beside.expiring == 1,
            "it is proposed, and its end would not be found",
        ),
        (beside.elsewhere == 0, "it is on the list of another company's open work"),
    ];
    checks.into_iter().filter(|(holds, _)| !holds).map(|(_, what)| what).collect()
}
