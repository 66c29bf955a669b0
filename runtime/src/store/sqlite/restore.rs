//! A copy of the file is taken into use: what may have happened since it was made is not in it.

use std::cell::Cell;
use std::collections::HashSet;

use pap_protocol::value::Instant;
use rusqlite::Connection;

use super::failure::store_error;
use super::places::Places;
use super::proofs::Proofs;
use super::sql;
use super::transaction::{Transaction, all, integer};
use super::witness::{Mark, set_incarnation};
use crate::store::{Error, EventKind, ReleaseWhy, detail};

/// `result.summary` of a proposal in a copy: nobody knows whether it was confirmed since.
const RESTORED: &str = "This can not be confirmed any more: the company's records were restored from an \
    earlier copy.";

/// Lets nothing be confirmed that the copy has open, and has everything asked about that it has in progress;
/// all of it together with the new incarnation, or nothing.
pub(super) fn restore(
    connection: &mut Connection,
    seen: Option<&Mark>,
    now: Instant,
    incarnation: &str,
) -> Result<(), Error> {
    let failed = |error| store_error("the copy could not be taken into use", error);
    let proofs = Proofs::on_record(connection)?;
    let open = connection.transaction().map_err(failed)?;
    let spent = HashSet::new();
    let places = Places::new();
    let (proofs, places) = (&proofs, &places);
    let paused = Cell::new(true);
    let (spent, paused) = (&spent, &paused);
    let transaction = Transaction { connection: &open, now, spent, paused, proofs, places };
    if let Some(seen) = seen.filter(|seen| seen.sequence > 0) {
        // whoever reads the feed may have got as far as this
        transaction.execute(sql::INSERT_GAP, (seen.sequence, now.as_millis()))?;
    }
    let proposed = all(&open, sql::COPIED_PROPOSALS, (), |row| integer(row, 0))?;
    for key in proposed {
        transaction.execute(sql::EXPIRE_COPIED, (key, RESTORED, now.as_millis()))?;
        transaction.will_release(key, None, ReleaseWhy::Expired)?;
        transaction.event(key, EventKind::Ended, detail::RESTORED_PROPOSAL)?;
    }
    transaction.execute(sql::SPEND_COPIED_TICKET, ())?;
    let in_progress = all(&open, sql::ASK_ABOUT_COPIED, (now.as_millis(),), |row| integer(row, 0))?;
    for key in in_progress {
        transaction.event(key, EventKind::Unsettled, detail::RESTORED)?;
    }
    set_incarnation(&open, incarnation)?;
    open.commit().map_err(failed)
}
