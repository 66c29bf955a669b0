//! The company's own transaction: its rows and the end of an operation are there together or not at all.
#![expect(clippy::exhaustive_enums, reason = "whoever brings a transaction handles every value")]

use std::fmt::Debug;

use super::{Error, Finish, Pending, Written};

/// A transaction that the company has begun on the database that operations are kept in, and that it
/// commits itself. The runtime's own statements run in it.
///
/// The store brings this for the drivers it knows; for another, it is these two functions.
///
/// # Examples
///
/// For sqlx 0.9, which this crate does not depend on (it needs a newer compiler than this crate does):
///
/// ```
/// # mod sqlx {
/// #     use std::marker::PhantomData;
/// #     pub struct Postgres;
/// #     pub struct Error;
/// #     impl std::fmt::Display for Error {
/// #         fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { Ok(()) }
/// #     }
/// #     pub struct AssertSqlSafe<T>(pub T);
/// #     pub struct Connection;
/// #     pub struct Transaction<'c, D>(Connection, PhantomData<(&'c (), D)>);
/// #     impl<D> std::ops::Deref for Transaction<'_, D> {
/// #         type Target = Connection;
/// #         fn deref(&self) -> &Connection { &self.0 }
/// #     }
/// #     impl<D> std::ops::DerefMut for Transaction<'_, D> {
/// #         fn deref_mut(&mut self) -> &mut Connection { &mut self.0 }
/// #     }
/// #     pub mod postgres { pub struct PgArguments; pub struct PgQueryResult; pub struct PgRow; }
/// #     impl postgres::PgQueryResult { pub fn rows_affected(&self) -> u64 { 0 } }
/// #     pub trait Row { fn try_get<T>(&self, index: usize) -> Result<T, Error>; }
/// #     impl Row for postgres::PgRow {
/// #         fn try_get<T>(&self, _: usize) -> Result<T, Error> { Err(Error) }
/// #     }
/// #     pub mod query {
/// #         pub struct Query<'q, D, A>(pub std::marker::PhantomData<(&'q (), D, A)>);
/// #         impl<'q, D, A> Query<'q, D, A> {
/// #             pub fn bind<T: 'q>(self, _: T) -> Self { self }
/// #             pub async fn execute(
/// #                 self, _: &mut super::Connection,
/// #             ) -> Result<super::postgres::PgQueryResult, super::Error> { Err(super::Error) }
/// #             pub async fn fetch_optional(
/// #                 self, _: &mut super::Connection,
/// #             ) -> Result<Option<super::postgres::PgRow>, super::Error> { Err(super::Error) }
/// #         }
/// #     }
/// #     pub fn query<'q, D, A>(_: AssertSqlSafe<&str>) -> query::Query<'q, D, A> {
/// #         query::Query(PhantomData)
/// #     }
/// # }
/// use pap_runtime::store::{Error, Pending, Transaction, Value};
/// use sqlx::{AssertSqlSafe, Postgres, Row as _, postgres::PgArguments, query::Query};
///
/// struct Ours<'t>(&'t mut sqlx::Transaction<'static, Postgres>);
///
/// impl Transaction for Ours<'_> {
///     fn execute<'a>(&'a mut self, sql: &'a str, values: &'a [Value<'a>]) -> Pending<'a, u64> {
///         Box::pin(async move {
///             let done = bound(sql, values).execute(&mut **self.0).await.map_err(failed)?;
///             Ok(done.rows_affected())
///         })
///     }
///
///     fn integer<'a>(&'a mut self, sql: &'a str, values: &'a [Value<'a>]) -> Pending<'a, Option<i64>> {
///         Box::pin(async move {
///             let row = bound(sql, values).fetch_optional(&mut **self.0).await.map_err(failed)?;
///             row.map(|row| row.try_get(0)).transpose().map_err(failed)
///         })
///     }
/// }
///
/// fn bound<'q>(sql: &str, values: &'q [Value<'q>]) -> Query<'q, Postgres, PgArguments> {
///     values.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, value| match *value {
///         Value::Integer(number) => query.bind(number),
///         Value::Text(text) => query.bind(text),
///         Value::Bytes(bytes) => query.bind(bytes),
///         Value::Texts(texts) => query.bind(texts),
///     })
/// }
///
/// fn failed(error: sqlx::Error) -> Error {
///     Error::not_written(error.to_string())
/// }
/// ```
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
