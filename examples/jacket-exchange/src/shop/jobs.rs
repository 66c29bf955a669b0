//! The post, the wrapping table and the workshop: each takes a job by an idempotency key, and does it
//! once.

use rusqlite::{OptionalExtension as _, Transaction};

use super::database::enter;
use super::warehouse::take_item;
use super::{Fault, ItemId, OrderId, Shop};

/// What became of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Job {
    /// It was done, now or before.
    Done,
    /// Its key was burned before: it was not done, and never will be.
    Burned,
}

impl Shop {
    /// Has a job done, once for each key: `gift wrapped`, `repair booked`.
    pub(crate) async fn have_done(
        &self,
        job: &'static str,
        reference: &str,
        key: String,
    ) -> Result<Job, Fault> {
        let reference = reference.to_owned();
        self.database
            .transaction(move |tx| {
                if let Some(job) = found(tx, &key)? {
                    return Ok(job);
                }
                tx.execute("INSERT INTO jobs VALUES (?1, ?2, 0)", (key, job))?;
                enter(tx, job, &reference)?;
                Ok(Job::Done)
            })
            .await
    }

    /// What became of the job with this key; from now on one that was not done never is.
    pub(crate) async fn burn(&self, job: &'static str, key: String) -> Result<Job, Fault> {
        self.database
            .transaction(move |tx| {
                if let Some(job) = found(tx, &key)? {
                    return Ok(job);
                }
                burn(tx, &key, job)?;
                Ok(Job::Burned)
            })
            .await
    }

    /// Emails a return label, once for each key, unless the item goes back in another way.
    pub(crate) async fn mail_label(&self, item: &ItemId, key: String) -> Result<Job, Fault> {
        let item = item.0.clone();
        self.database
            .transaction(move |tx| {
                if let Some(job) = found(tx, &key)? {
                    return Ok(job);
                }
                if !take_item(tx, &item, &key)? {
                    burn(tx, &key, "label mailed")?;
                    return Ok(Job::Burned);
                }
                tx.execute("INSERT INTO jobs VALUES (?1, 'label mailed', 0)", [key])?;
                enter(tx, "label mailed", &item)?;
                Ok(Job::Done)
            })
            .await
    }

    /// Books a repair. The workshop may take it and not say so.
    pub(crate) async fn book_repair(&self, item: &str, key: String) -> Result<(), Fault> {
        self.have_done("repair booked", item, key).await?;
        self.answers(Self::WORKSHOP).await
    }

    /// Whether the workshop has a booking with this key.
    pub(crate) async fn has_booking(&self, key: String) -> Result<bool, Fault> {
        self.answers(Self::WORKSHOP).await?;
        self.database.transaction(move |tx| Ok(found(tx, &key)? == Some(Job::Done))).await
    }

    /// Writes a note for the parcel, if it is this account's and still here. This old system has no
    /// idempotency keys.
    pub(crate) async fn put_gift_note(
        &self,
        account: Option<&str>,
        order: &OrderId,
        note: &str,
    ) -> Result<bool, Fault> {
        let (account, order, note) = (account.map(str::to_owned), order.0.clone(), note.to_owned());
        self.database
            .transaction(move |tx| {
                let update = "UPDATE orders SET gift_note = ?3
                              WHERE order_id = ?2 AND account = ?1 AND NOT delivered";
                let is_here = tx.execute(update, (account, &order, note))? == 1;
                if is_here {
                    enter(tx, "note put in", &order)?;
                }
                Ok(is_here)
            })
            .await
    }
}

fn found(tx: &Transaction<'_>, key: &str) -> Result<Option<Job>, rusqlite::Error> {
    let select = "SELECT burned FROM jobs WHERE idempotency_key = ?1";
    let burned: Option<bool> = tx.query_row(select, [key], |row| row.get(0)).optional()?;
    Ok(burned.map(|burned| if burned { Job::Burned } else { Job::Done }))
}

/// From now on nothing is done for this key.
pub(super) fn burn(tx: &Transaction<'_>, key: &str, job: &str) -> Result<(), rusqlite::Error> {
    tx.execute("INSERT OR IGNORE INTO jobs VALUES (?1, ?2, 1)", (key, job)).map(drop)
}

pub(super) fn burned(tx: &Transaction<'_>, key: &str) -> Result<bool, rusqlite::Error> {
    Ok(found(tx, key)? == Some(Job::Burned))
}
