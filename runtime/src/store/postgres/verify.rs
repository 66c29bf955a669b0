//! Whether everything on record about a company fits together: table by table, then operation by operation.

use pap_protocol::operation::{OperationId, State};
use tokio_postgres::Row;

use super::base::Base;
use super::bound::Bound;
use super::reads::{history, read_failed};
use super::rows::Columns;
use crate::store::invariants::broken;
use crate::store::{Error, History, Key};

/// So many operations are looked at at a time.
const TOGETHER: i64 = 64;

/// What does not fit together, one line each.
pub(super) async fn verify(base: &Base, company: String) -> Result<Vec<String>, Error> {
    let mut wrong = Vec::new();
    let loose = base.read_rows(&base.sql.loose, &Bound::default()).await.map_err(read_failed)?;
    for row in &loose {
        let table: &str = Columns::of(row).take()?;
        wrong.push(format!("a row of `{table}` is of no operation"));
    }
    let mut after = i64::MIN;
    loop {
        let bound = Bound::default().text(company.clone()).number(after).number(TOGETHER);
        let rows = base.read_rows(&base.sql.beside, &bound).await.map_err(read_failed)?;
        if rows.is_empty() {
            return Ok(wrong);
        }
        for row in &rows {
            let beside = Beside::of(row)?;
            after = beside.key;
            let lines = look(base, &company, &beside).await?;
            wrong.extend(lines.into_iter().map(|what| format!("`{}`: {what}", beside.id)));
        }
    }
}

/// What other tables say about an operation.
#[expect(clippy::struct_excessive_bools, reason = "a row of answers")]
struct Beside {
    key: i64,
    id: String,
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
            key: columns.take()?,
            id: columns.take()?,
            has_place: columns.take()?,
            has_ticket: columns.take()?,
            will_expire: columns.take()?,
            listed_elsewhere: columns.take()?,
            miscounted: columns.take()?,
        })
    }
}

async fn look(base: &Base, company: &str, beside: &Beside) -> Result<Vec<String>, Error> {
    let Ok(id) = OperationId::try_from(beside.id.clone()) else {
        return Ok(vec!["its id is none".to_owned()]);
    };
    match history(base, Key { company: company.to_owned(), id }).await {
        Ok(Some(history)) => {
            let lines = broken(&history).into_iter().chain(misplaced(&history, beside));
            Ok(lines.map(str::to_owned).collect())
        }
        // it was removed meanwhile
        Ok(None) => Ok(Vec::new()),
        Err(error) if error.kind() == crate::store::ErrorKind::Corrupt => {
            Ok(vec![error.to_string()])
        }
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
