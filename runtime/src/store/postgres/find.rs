//! Finding operations, and counting what is open.

use pap_protocol::operation::State;

use super::base::Base;
use super::bound::{Bound, check_texts, millis};
use super::reads::{one, read_failed};
use super::rows::Columns;
use crate::store::row::{self, Row as _};
use crate::store::{
    Act, Count, CountOf, Counted, Error, OVERDUE, OpenWork, Page, PauseOf, Paused, Place, ReadActs,
    Search,
};

/// At most so many operations are counted in one read.
const COUNT_AT_ONCE: i64 = 16_384;

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

/// How many operations a purge, or an erasure, would touch.
pub(super) async fn count(base: &Base, count: Count) -> Result<Counted, Error> {
    let Count { company, of } = count;
    let (action, ended_before) = match of {
        CountOf::Purge { action, ended_before } => (action, ended_before.as_millis()),
        CountOf::Erase { account } => {
            check_texts([account.as_str()])?;
            let bound = Bound::default().text(company).text(account);
            let rows = base.read_rows(&base.sql.count_erase, &bound).await.map_err(read_failed)?;
            return counted(&mut Columns::of(rows.first().ok_or_else(uncounted)?));
        }
    };
    check_texts([action.as_str()])?;
    let (mut all, mut after) = (Counted::default(), i64::MIN);
    loop {
        let bound = Bound::default().text(company.clone()).text(action.clone());
        let bound = bound.number(after).number(COUNT_AT_ONCE).number(ended_before);
        let rows = base.read_rows(&base.sql.count_purge, &bound).await.map_err(read_failed)?;
        let mut columns = Columns::of(rows.first().ok_or_else(uncounted)?);
        let piece = counted(&mut columns)?;
        all.would = all.would.saturating_add(piece.would);
        all.open = all.open.saturating_add(piece.open);
        let looked_at = columns.take::<i64>()?;
        match columns.take::<Option<i64>>()? {
            Some(last) if looked_at == COUNT_AT_ONCE => after = last,
            _ => return Ok(all),
        }
    }
}

fn counted(columns: &mut Columns<'_>) -> Result<Counted, Error> {
    let count = |number: i64| Some(u32::try_from(number).unwrap_or(u32::MAX));
    Ok(Counted { would: columns.made(count)?, open: columns.made(count)? })
}

fn uncounted() -> Error {
    Error::corrupt("a count answers nothing")
}

/// What is in progress, action by action.
pub(super) async fn open_work(base: &Base, company: String) -> Result<Vec<OpenWork>, Error> {
    let overdue = i64::try_from(OVERDUE.as_millis()).unwrap_or(i64::MAX);
    let bound = base.read().text(company).number(overdue);
    let rows = base.read_rows(&base.sql.open_work, &bound).await.map_err(read_failed)?;
    let work = rows.iter().map(|read| row::open_work(&mut Columns::of(read)));
    work.collect()
}

/// What operators did.
pub(super) async fn acts(base: &Base, read: ReadActs) -> Result<Vec<Act>, Error> {
    let after = i64::try_from(read.after).unwrap_or(i64::MAX);
    let bound = Bound::default().text(read.company).number(after).number(read.limit.into());
    let rows = base.read_rows(&base.sql.acts, &bound).await.map_err(read_failed)?;
    rows.iter().map(|read| row::act(&mut Columns::of(read))).collect()
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
