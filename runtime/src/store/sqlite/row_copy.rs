//! A row as it lies in the file, made into an operation by the thread that wants one.
//!
//! That thread then frees what it has allocated itself, and the threads of the store, the writing one above
//! all, have less to do.

use std::ops::Range;

use pap_protocol::value::Instant;
use rusqlite::Row;
use rusqlite::types::ValueRef;

use super::failure::store_error;
use super::rows::Columns;
use crate::store::row::Unchecked;
use crate::store::{Error, Stored};

/// The columns of the view `stored`.
pub(super) const STORED: [&str; 44] = [
    "key",
    "company",
    "operation_id",
    "action",
    "client",
    "user",
    "account",
    "session",
    "state",
    "revision",
    "confirmed_at",
    "approved_by",
    "confirmed_client",
    "confirmed_key",
    "confirmed_session",
    "confirmed_account",
    "confirmed_digest",
    "result_summary",
    "result_data",
    "ended_at",
    "reference",
    "erased_at",
    "erased_salt",
    "number",
    "schema_version",
    "full_terms",
    "wire_terms",
    "summary",
    "digest",
    "user_approval_required",
    "scopes",
    "url",
    "expires_at",
    "issued_at",
    "operation",
    "life",
    "performing",
    "epoch",
    "ask_after",
    "asks",
    "died_asking",
    "stop_requested",
    "due",
    "attention",
];

/// A row of the view `stored` as it lies in the file.
pub(super) struct RowCopy {
    cells: Vec<Cell>,
    /// Texts and blobs, one behind the other.
    bytes: Vec<u8>,
    now: Instant,
}

/// A value, or where in the bytes it is.
enum Cell {
    Null,
    Integer(i64),
    Real(f64),
    Text(Range<usize>),
    Blob(Range<usize>),
}

impl RowCopy {
    /// A copy of this row, read at this moment.
    pub(super) fn of(row: &Row<'_>, now: Instant) -> Result<Self, Error> {
        let mut copied =
            Self { cells: Vec::with_capacity(STORED.len()), bytes: Vec::with_capacity(2_048), now };
        for column in 0..STORED.len() {
            let value = row.get_ref(column);
            let value = value.map_err(|error| store_error("a row cannot be read", error))?;
            let cell = match value {
                ValueRef::Null => Cell::Null,
                ValueRef::Integer(integer) => Cell::Integer(integer),
                ValueRef::Real(real) => Cell::Real(real),
                ValueRef::Text(text) => Cell::Text(copied.keep(text)),
                ValueRef::Blob(blob) => Cell::Blob(copied.keep(blob)),
            };
            copied.cells.push(cell);
        }
        Ok(copied)
    }

    /// The operation, checked.
    pub(super) fn stored(self) -> Result<Stored, Error> {
        Unchecked::take_stored(&mut Columns::of_copy(&self), self.now)?.1.check()
    }

    fn keep(&mut self, bytes: &[u8]) -> Range<usize> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        start..self.bytes.len()
    }

    /// What a column holds.
    pub(super) fn value(&self, column: usize) -> ValueRef<'_> {
        let bytes = |range: &Range<usize>| self.bytes.get(range.clone()).unwrap_or_default();
        match self.cells.get(column) {
            None | Some(Cell::Null) => ValueRef::Null,
            Some(Cell::Integer(integer)) => ValueRef::Integer(*integer),
            Some(Cell::Real(real)) => ValueRef::Real(*real),
            Some(Cell::Text(range)) => ValueRef::Text(bytes(range)),
            Some(Cell::Blob(range)) => ValueRef::Blob(bytes(range)),
        }
    }
}
