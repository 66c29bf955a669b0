//! Whether everything on record about a company fits together: table by table, then operation by operation.

use std::sync::Arc;

use pap_protocol::operation::{OperationId, State};
use tokio::task::JoinSet;
use tokio_postgres::Row;

use super::base::Base;
use super::bound::Bound;
use super::find;
use super::reads::{history_and, read_failed};
use super::rows::Columns;
use crate::store::invariants::{Acted, broken};
use crate::store::{Error, ErrorKind, History, Key, ReadActs};

/// So many operations are listed at a time.
const TOGETHER: i64 = 64;
/// So many are looked at at a time: a company at work has connections left.
const AT_ONCE: usize = 4;

/// What does not fit together, one line each.
pub(super) async fn verify(base: &Arc<Base>, company: &str) -> Result<Vec<String>, Error> {
    let mut wrong = Vec::new();
    let loose = base.read_rows(&base.sql.loose, &Bound::default()).await.map_err(read_failed)?;
    for row in &loose {
        let table: &str = Columns::of(row).take()?;
        wrong.push(format!("a row of `{table}` is of no operation"));
    }
    wrong.extend(acts(base, company).await?);
    let mut after = i64::MIN;
    loop {
        let bound = Bound::default().text(company).number(after).number(TOGETHER);
        let rows = base.read_rows(&base.sql.keys, &bound).await.map_err(read_failed)?;
        let mut ids = Vec::with_capacity(rows.len());
        for row in &rows {
            let mut columns = Columns::of(row);
            after = columns.take()?;
            ids.push(columns.take::<String>()?);
        }
        if ids.is_empty() {
            return Ok(wrong);
        }
        wrong.extend(each(base, company, ids).await?);
    }
}

/// What operators did, beside what is there of it.
async fn acts(base: &Base, company: &str) -> Result<Vec<String>, Error> {
    let count = async |sql: &str| -> Result<u64, Error> {
        let bound = Bound::default().text(company);
        let rows = base.read_rows(sql, &bound).await.map_err(read_failed)?;
        let count = rows.first().map(|row| Columns::of(row).take::<i64>()).transpose()?;
        Ok(count.and_then(|count| u64::try_from(count).ok()).unwrap_or(0))
    };
    let blanked = count(&base.sql.blanked).await?;
    let pauses = find::pauses(base, company.to_owned()).await?;
    let all = ReadActs { company: company.to_owned(), after: 0, limit: u32::MAX };
    let acts = find::acts(base, all).await?;
    let removed = count(&base.sql.removed).await?;
    Ok(Acted { blanked, pauses, acts, removed }.broken())
}

/// Looks at several, and answers in their order.
async fn each(base: &Arc<Base>, company: &str, ids: Vec<String>) -> Result<Vec<String>, Error> {
    let mut waiting = ids.into_iter().enumerate();
    let (mut looking, mut looked) = (JoinSet::new(), Vec::new());
    loop {
        while looking.len() < AT_ONCE
            && let Some((place, id)) = waiting.next()
        {
            let (base, company) = (Arc::clone(base), company.to_owned());
            looking.spawn(async move { (place, look(&base, company, &id).await) });
        }
        let Some(done) = looking.join_next().await else { break };
        let gone = |gone| Error::not_written("a look at the store did not end").from_source(gone);
        let (place, lines) = done.map_err(gone)?;
        looked.push((place, lines?));
    }
    looked.sort_unstable_by_key(|(place, _)| *place);
    Ok(looked.into_iter().flat_map(|(_, lines)| lines).collect())
}

/// What other tables say about an operation.
#[expect(clippy::struct_excessive_bools, reason = "a row of answers")]
struct Beside {
    has_place: bool,
    has_ticket: bool,
    will_expire: bool,
    listed_elsewhere: bool,
    miscounted: bool,
}

impl Beside {
    fn of(row: &Row) -> Result<Self, Error> {
        let mut columns = Columns::of(row);
        Ok(Self {
            has_place: columns.take()?,
            has_ticket: columns.take()?,
            will_expire: columns.take()?,
            listed_elsewhere: columns.take()?,
            miscounted: columns.take()?,
        })
    }
}

/// Looks at one, all of it as of one moment: others may be writing about it.
async fn look(base: &Base, company: String, id: &str) -> Result<Vec<String>, Error> {
    let named = |what: &str| format!("`{id}`: {what}");
    let Ok(parsed) = OperationId::try_from(id.to_owned()) else {
        return Ok(vec![named("its id is none")]);
    };
    let key = Key { company, id: parsed };
    match history_and(base, &key, Some(&base.sql.beside)).await {
        Ok(Some((history, beside))) => {
            let mut lines = broken(&history);
            if let Some(row) = beside.first() {
                lines.extend(misplaced(&history, &Beside::of(row)?));
            }
            Ok(lines.into_iter().map(named).collect())
        }
        // it was removed meanwhile
        Ok(None) => Ok(Vec::new()),
        Err(error) if error.kind() == ErrorKind::Corrupt => Ok(vec![named(&error.to_string())]),
        Err(error) => Err(error),
    }
}

fn misplaced(history: &History, beside: &Beside) -> Vec<&'static str> {
    let stored = &history.stored;
    let deferred = stored.running.as_ref().is_some_and(|running| running.life.is_none());
    let in_progress = stored.state == State::InProgress;
    let checks = [
        (
            beside.has_place != stored.state.is_final(),
            "it has a place among the open actions and is final, or the other way round",
        ),
        (
            !in_progress || beside.has_ticket != deferred,
            "it was started by nobody and has a performer, or the other way round",
        ),
        (
            stored.state != State::Proposed || beside.will_expire,
            "it is proposed, and its end would not be found",
        ),
        (!beside.listed_elsewhere, "it is on the list of another company's open work"),
        (!beside.miscounted, "its notes are other than the list of open work counts"),
    ];
    checks.into_iter().filter(|(holds, _)| !holds).map(|(_, what)| what).collect()
}
