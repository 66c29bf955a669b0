//! Finding operations, and counting what is open.

use pap_protocol::operation::State;

use super::base::Base;
use super::bound::{Bound, check_texts, millis};
use super::reads::{one, read_failed};
use super::rows::Columns;
use crate::store::row::{self, Row as _};
use crate::store::{Error, OVERDUE, OpenWork, Page, PauseOf, Paused, Place, Search};

/// Operations by what is known about them, in proposal order.
pub(super) async fn search(base: &Base, search: Search) -> Result<Page, Error> {
    let Search { company, state, action, account, reference, limit, .. } = search;
    check_texts(
        [action.as_deref(), account.as_deref(), reference.as_deref()].into_iter().flatten(),
    )?;
    let in_progress = search.attention_before.is_some() || state == Some(State::InProgress);
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    // one more tells whether there are more
    let most = i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1);
    let bound = base
        .read()
        .text(company)
        .number(search.after.map_or(i64::MIN, |place| place.0))
        .number(most)
        .text_if_any(state.map(|state| state.as_str().to_owned()))
        .text_if_any(action)
        .text_if_any(account)
        .text_if_any(reference)
        .number_if_any(millis(search.proposed_before));
    let (statement, bound) = if in_progress {
        (&base.sql.search_in_progress, bound.number_if_any(millis(search.attention_before)))
    } else {
        (&base.sql.search, bound)
    };
    let rows = base.read_rows(statement, &bound).await.map_err(read_failed)?;
    let mut page = Page { operations: Vec::new(), next: None };
    let mut last = None;
    for row in rows.iter().take(limit) {
        let mut columns = Columns::of(row);
        page.operations.push(one(&mut columns)?);
        let mut place = Columns::of(row);
        place.moment()?;
        last = Some(Place(place.take()?));
    }
    page.next = last.filter(|_| rows.len() > limit);
    Ok(page)
}

/// What is in progress, action by action.
pub(super) async fn open_work(base: &Base, company: String) -> Result<Vec<OpenWork>, Error> {
    let overdue = i64::try_from(OVERDUE.as_millis()).unwrap_or(i64::MAX);
    let bound = base.read().text(company).number(overdue);
    let rows = base.read_rows(&base.sql.open_work, &bound).await.map_err(read_failed)?;
    let work = rows.iter().map(|read| row::open_work(&mut Columns::of(read)));
    work.collect()
}

/// What is held back.
pub(super) async fn pauses(base: &Base, company: String) -> Result<Vec<Paused>, Error> {
    let bound = Bound::default().text(company);
    let rows = base.read_rows(&base.sql.pauses, &bound).await.map_err(read_failed)?;
    let paused = rows.iter().map(|row| {
        let mut columns = Columns::of(row);
        let of =
            columns.made(|word: &str| PauseOf::ALL.into_iter().find(|of| of.word() == word))?;
        let action: String = columns.take()?;
        Ok(Paused {
            of,
            action: Some(action).filter(|action| !action.is_empty()),
            since: columns.moment()?,
            who: columns.take()?,
            why: columns.take()?,
        })
    });
    paused.collect()
}
