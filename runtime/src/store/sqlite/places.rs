//! The places of operations that have ended, which are cleared later and many at a time.
//!
//! A place is found by a digest, so that two of them are hardly ever on one page: clearing each when its
//! operation ends would write a page more for each. The place of a final operation can be taken at any time,
//! so nothing waits for this.

use std::cell::Cell;

use rusqlite::Connection;
use sha2::{Digest, Sha256};

use super::failure::store_error;
use super::sql;
use super::transaction::all;
use crate::store::{Error, OpenAction};

/// Digest of company, owner tag, action and identity.
pub(super) type Place = [u8; 32];

/// The place of an open action under this owner tag.
pub(super) fn place_of(open: &OpenAction, owner: &str) -> Place {
    let mut digest = Sha256::new();
    for part in [&open.company, owner, &open.action] {
        // the length in front keeps ("ab", "c") and ("a", "bc") apart
        digest.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        digest.update(part);
    }
    digest.update(open.identity);
    digest.finalize().into()
}

/// So many places are looked at in one transaction.
pub(super) const TOGETHER: u32 = 64;
/// With fewer that can be cleared, none is looked for.
const WORTH_IT: u64 = 4_096;

/// How far clearing has come.
#[derive(Debug)]
pub(super) struct Places {
    /// Operations that have ended since clearing began the last time.
    ended: Cell<u64>,
    /// Places that were left when it was through the last time.
    left: u64,
    /// Behind which place it goes on; `None` while it has nothing to do.
    behind: Option<Vec<u8>>,
    /// Places that it has left so far.
    passed: u64,
}

impl Places {
    /// Of a file that was opened: earlier openings may have left places to clear.
    pub(super) fn new() -> Self {
        Self { ended: Cell::new(0), left: 0, behind: Some(Vec::new()), passed: 0 }
    }

    /// An operation has ended. If that is undone, there is one less to clear than was counted.
    pub(super) fn one_more(&self) {
        self.ended.set(self.ended.get().saturating_add(1));
    }

    /// Looks at some places and clears those that can be, as long as about half of them can: a table with
    /// many open operations is not read through for a few.
    pub(super) fn clear(&mut self, connection: &Connection) -> Result<(), Error> {
        if self.behind.is_none() && self.ended.get() > self.left.max(WORTH_IT) {
            (self.behind, self.passed) = (Some(Vec::new()), 0);
            self.ended.set(0);
        }
        let Some(behind) = &self.behind else { return Ok(()) };
        let failed = |error| store_error("places could not be cleared", error);
        let some = all(connection, sql::SOME_PLACES, (behind, TOGETHER), |row| {
            row.get::<_, Vec<u8>>(0).map_err(failed)
        })?;
        let looked_at = u64::try_from(some.len()).unwrap_or(u64::MAX);
        let Some(last) = some.into_iter().next_back() else {
            (self.behind, self.left) = (None, self.passed);
            return Ok(());
        };
        let cleared = connection
            .prepare_cached(sql::CLEAR_PLACES)
            .and_then(|mut clear| clear.execute((behind, &last)));
        let cleared = u64::try_from(cleared.map_err(failed)?).unwrap_or(looked_at);
        self.passed = self.passed.saturating_add(looked_at.saturating_sub(cleared));
        self.behind = Some(last);
        Ok(())
    }
}
