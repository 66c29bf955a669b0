//! The company's own transaction: its rows and the end of an operation are there together or not at all.
#![expect(clippy::exhaustive_enums, reason = "whoever brings a transaction handles every value")]

use std::fmt::Debug;

use super::{Error, Finish, Pending, Written};

/// A transaction that the company has begun on the database that operations are kept in, and that it
/// commits itself. The runtime's own statements run in it.
///
/// The store brings this for the drivers it knows; for another, it is these two functions.
pub trait Transaction: Send {
    /// Runs one statement, and answers how many rows it changed.
    ///
    /// # Errors
    ///
    /// An error of the driver, as [`Error::not_written`]: the transaction is of no use any more.
    fn execute<'a>(&'a mut self, sql: &'a str, values: &'a [Value<'a>]) -> Pending<'a, u64>;

    /// Runs one statement that answers at most one row of one 64-bit integer.
    ///
    /// # Errors
    ///
    /// As [`Transaction::execute`].
    fn integer<'a>(&'a mut self, sql: &'a str, values: &'a [Value<'a>])
    -> Pending<'a, Option<i64>>;
}

/// What a statement is given for `$1`, `$2` and so on.
#[derive(Clone, Copy, PartialEq)]
pub enum Value<'a> {
    /// `bigint`.
    Integer(i64),
    /// `text`, or null.
    Text(Option<&'a str>),
    /// `bytea`.
    Bytes(&'a [u8]),
    /// `text[]`.
    Texts(&'a [String]),
}

impl Debug for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // a summary may be among them
        f.write_str("Value(…)")
    }
}

/// A store that takes the end of an operation within a transaction of the company's.
pub trait Within: Send + Sync + Debug {
    /// [`Store::finish`](super::Store::finish) within this transaction: `Done` holds if it is committed.
    ///
    /// # Crash safety
    ///
    /// What the transaction is committed with: all of it or nothing. Until then whoever else wants to end the
    /// operation waits, and finds it ended if it was.
    fn finish_in<'a>(
        &'a self,
        transaction: &'a mut dyn Transaction,
        finish: Finish,
    ) -> Pending<'a, Written>;
}

/// There is no way to do that in this store.
pub(crate) fn no_transactions() -> Error {
    Error::not_written(
        "this store takes nothing within another's transaction\n\
         help: keep operations in PostgreSQL beside your own tables, or in SQLite, where `settle_with` \
         writes your rows and the outcome together",
    )
}
