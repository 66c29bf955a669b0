//! The end of an operation in a transaction of the company's, beside its own rows.

use pap_protocol::value::Instant;

use super::Postgres;
use super::finishes::{by_word, check};
use crate::store::{Error, Finish, FinishBy, Pending, Transaction, Value, Within, Written, detail};

/// Where no moment is told: the server's clock decides.
const NOT_TOLD: i64 = -1;

impl Within for Postgres {
    fn finish_in<'a>(
        &'a self,
        transaction: &'a mut dyn Transaction,
        finish: Finish,
    ) -> Pending<'a, Written> {
        Box::pin(async move {
            check(&finish)?;
            let event = detail::finished(finish.end.state, &finish.by)?;
            let clock = &self.0.base.clock;
            let ended = transaction
                .integer(
                    &self.0.base.sql.finish_in,
                    &values(&finish, &event, (clock.told(), clock.seen())),
                )
                .await?;
            Ok(ended.map_or(Written::NotNow, |at| Written::Done(Instant::from_millis(at))))
        })
    }
}

fn values<'f>(
    finish: &'f Finish,
    event: &'f str,
    (told, seen): (Option<i64>, i64),
) -> [Value<'f>; 15] {
    let Finish { key, by, end, changes_seen, carried } = finish;
    let (ticket, epoch, fence): (&[u8], i64, Option<&str>) = match by {
        FinishBy::Performer(ticket) => (&ticket.0, 0, None),
        FinishBy::Asker { epoch, fence } => (&[], i64::from(*epoch), fence.as_deref()),
        FinishBy::AskerInPart { epoch } => (&[], i64::from(*epoch), None),
        FinishBy::NotStarted | FinishBy::Settler { .. } => (&[], 0, None),
    };
    [
        Value::Integer(told.unwrap_or(NOT_TOLD)),
        Value::Integer(seen),
        Value::Text(Some(&key.company)),
        Value::Text(Some(key.id.as_str())),
        Value::Text(Some(by_word(by))),
        Value::Bytes(ticket),
        Value::Integer(epoch),
        Value::Integer(i64::from(*changes_seen)),
        Value::Text(fence),
        Value::Text(Some(end.state.as_str())),
        Value::Text(Some(&end.summary)),
        Value::Text(end.data.as_deref()),
        Value::Texts(carried),
        Value::Text(Some(detail::change_noted(true))),
        Value::Text(Some(event)),
    ]
}

/// A transaction of the driver that this store is built on.
impl Transaction for tokio_postgres::Transaction<'_> {
    fn execute<'a>(&'a mut self, sql: &'a str, values: &'a [Value<'a>]) -> Pending<'a, u64> {
        Box::pin(async move {
            let bound: super::bound::Bound<'_> = values.iter().copied().collect();
            self.execute_typed(sql, &bound.as_sent()).await.map_err(|error| refused(&error))
        })
    }

    fn integer<'a>(
        &'a mut self,
        sql: &'a str,
        values: &'a [Value<'a>],
    ) -> Pending<'a, Option<i64>> {
        Box::pin(async move {
            let bound: super::bound::Bound<'_> = values.iter().copied().collect();
            let rows =
                self.query_typed(sql, &bound.as_sent()).await.map_err(|error| refused(&error))?;
            rows.first().map(|row| row.try_get(0)).transpose().map_err(|error| refused(&error))
        })
    }
}

fn refused(error: &tokio_postgres::Error) -> Error {
    // whatever became of it, it is not committed
    let failure = super::failure::Failure::of(error);
    Error::not_written(super::base::failed(failure).to_string())
}
