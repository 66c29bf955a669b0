//! The feed: what happened, read in windows of transactions that have all ended.
//!
//! Numbers of events are given before their transactions commit, so a later number can become visible
//! first; whoever went by numbers alone would pass the other one over. A window `[from, to)` of transaction
//! numbers below the oldest one that still runs changes no more. Those of one operation wait for each
//! other, so their numbers are in order within a window, and windows are in order by themselves.

use std::fmt::{Display, Formatter};

use pap_protocol::operation::OperationId;

use super::base::Base;
use super::bound::Bound;
use super::reads::read_failed;
use super::rows::Columns;
use crate::store::row::Row as _;
use crate::store::{Cursor, Error, EventKind, Feed, FeedEvent, NoSuchPlace, ReadFeed};

/// So many characters of an incarnation are in a place.
const SHORT: usize = 8;

/// A place: the window, and the last event in it that was read. A place is written with the incarnation of the
/// store: in another one the same numbers are of other transactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Window {
    from: i64,
    to: i64,
    sequence: i64,
}

impl Window {
    const START: Self = Self { from: 0, to: 0, sequence: 0 };

    /// The window at a place of this incarnation; what was read in another one is read again.
    fn at(cursor: &Cursor, incarnation: &str) -> Result<Self, Error> {
        let place = cursor.place();
        if place.is_empty() {
            return Ok(Self::START);
        }
        let (of, numbers) = place.split_once('.').unwrap_or((place, ""));
        let mut numbers = numbers.split('.').map(|number| number.parse::<i64>().ok());
        let mut next = || numbers.next().flatten().filter(|number| *number >= 0);
        match (next(), next(), next(), numbers.next()) {
            (Some(from), Some(to), Some(sequence), None) if from <= to => {
                let same = of == short(incarnation);
                Ok(if same { Self { from, to, sequence } } else { Self::START })
            }
            _ => Err(NoSuchPlace(place.to_owned()).into()),
        }
    }

    fn cursor(self, incarnation: &str) -> Cursor {
        if self == Self::START {
            return Cursor::START;
        }
        Cursor::at(format!("{}.{self}", short(incarnation)))
    }
}

fn short(incarnation: &str) -> &str {
    incarnation.get(..SHORT).unwrap_or(incarnation)
}

impl Display for Window {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.from, self.to, self.sequence)
    }
}

/// What happened after a cursor.
pub(super) async fn read_feed(base: &Base, read: ReadFeed) -> Result<Feed, Error> {
    let mut window = Window::at(&read.after, &base.incarnation)?;
    let limit = usize::try_from(read.limit).unwrap_or(usize::MAX);
    let mut events = Vec::new();
    while events.len() < limit {
        let wanted = limit - events.len();
        let found = piece(base, &read.company, window, wanted).await?;
        let all = found.len() < wanted;
        window.sequence = found.last().map_or(window.sequence, |(sequence, _)| *sequence);
        events.extend(found.into_iter().map(|(_, event)| event));
        if all {
            let ended_below = ended_below(base).await?;
            if ended_below <= window.to {
                break;
            }
            window = Window { from: window.to, to: ended_below, sequence: 0 };
        }
    }
    Ok(Feed { events, next: window.cursor(&base.incarnation) })
}

async fn piece(
    base: &Base,
    company: &str,
    window: Window,
    limit: usize,
) -> Result<Vec<(i64, FeedEvent)>, Error> {
    if window.from == window.to {
        return Ok(Vec::new());
    }
    let bound = Bound::default()
        .text(company)
        .text(window.from.to_string())
        .text(window.to.to_string())
        .number(window.sequence)
        .number(i64::try_from(limit).unwrap_or(i64::MAX));
    let rows = base.read_rows(&base.sql.feed_piece, &bound).await.map_err(read_failed)?;
    let events = rows.iter().map(|row| {
        let mut columns = Columns::of(row);
        let (sequence, at) = (columns.take()?, columns.moment()?);
        let kind = columns
            .made(|word: &str| EventKind::ALL.into_iter().find(|kind| kind.word() == word))?;
        let id = columns.made(|id: String| OperationId::try_from(id).ok())?;
        let cursor = Window { sequence, ..window }.cursor(&base.incarnation);
        Ok((sequence, FeedEvent { cursor, id, kind, at }))
    });
    events.collect()
}

/// Every transaction with a lower number has ended.
async fn ended_below(base: &Base) -> Result<i64, Error> {
    let rows = base.read_rows(&base.sql.feed_window, &Bound::default()).await;
    let rows = rows.map_err(read_failed)?;
    let row = rows.first().ok_or_else(|| Error::not_written("the server tells no window"))?;
    Columns::of(row).take()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: &str = "0123456789abcdef";

    #[test]
    fn a_place_reads_as_it_was_written_and_is_of_one_incarnation() {
        let window = Window { from: 731, to: 742, sequence: 1_024 };
        let cursor = window.cursor(HERE);
        assert_eq!(Window::at(&cursor, HERE).unwrap(), window);
        assert_eq!(Window::at(&cursor, "another one").unwrap(), Window::START);
        assert_eq!(Window::at(&Cursor::START, HERE).unwrap(), Window::START);
        assert_eq!(Window::START.cursor(HERE), Cursor::START);
    }

    #[test]
    fn what_is_no_place_is_refused() {
        for place in ["x", "x.1.2", "x.1.2.3.4", "x.2.1.0", "x.-1.2.3", "x.1..3", "1.2.3"] {
            assert!(Window::at(&Cursor::at(place), HERE).is_err(), "{place}");
        }
    }
}
