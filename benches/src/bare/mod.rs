//! The bare store: the two durable commits of a confirm, in one file or in PostgreSQL, and nothing around
//! them.
//!
//! The prototype writes through the same functions, so that the two differ by HTTP and the proof alone.

pub(crate) mod postgres;

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, TransactionBehavior};

use crate::error::Error;
use crate::usage::cpu;

/// Terms of the size that an operation has.
const TERMS: &str = r#"{"order_id":"ord_7Hk2","item_id":"itm_4Qa","replacement_sku":"stormline-insulated-m","price_difference":{"amount":"70.00","currency":"USD"}}"#;
const SUMMARY: &str = "Exchange the Stormline Jacket (M) on order ord_7Hk2 for the Stormline Insulated Jacket (M), for $70.00 more, charged to the card used for the order.";
const RESULT: &str = r#"{"summary":"The exchange is placed. The insulated jacket ships today.","data":{"exchange_id":"exc_5Rt2","return_id":"rtn_8Lp3"}}"#;
const DETAIL: &str = r#"{"by":"https://agent.example/client.json","jkt":"0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"}"#;
const TICKET: [u8; 16] = [7; 16];
/// A fixed time: nobody here waits for one.
const NOW: i64 = 1_793_000_000;
/// So many proposals are written in one commit.
const PROPOSED_TOGETHER: usize = 4_096;

/// One of the two commits of a confirm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// The proof, the claim and its event.
    Claim,
    /// The result and its event.
    Finish,
}

/// One operation's part of a commit.
#[derive(Debug, Clone)]
pub(crate) struct Write {
    pub(crate) id: String,
    pub(crate) step: Step,
    pub(crate) jti: [u8; 16],
}

/// A file with operations to confirm.
#[derive(Debug)]
pub(crate) struct Bare {
    connection: Connection,
    issued: u64,
}

impl Bare {
    /// Makes the file, as durable as the runtime's.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let connection = Connection::open(path)?;
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "synchronous", "full")?;
        connection.execute_batch(include_str!("sql/schema.sql"))?;
        Ok(Self { connection, issued: 0 })
    }

    /// Makes so many operations to confirm.
    pub(crate) fn propose(&mut self, count: usize) -> Result<Vec<String>, Error> {
        let numbers = self.issued..self.issued.saturating_add(u64::try_from(count)?);
        self.issued = numbers.end;
        let ids: Vec<String> = numbers.map(id).collect();
        for some in ids.chunks(PROPOSED_TOGETHER) {
            let transaction =
                self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            {
                let mut propose = transaction.prepare_cached(include_str!("sql/propose.sql"))?;
                for id in some {
                    propose.execute((id, TERMS.as_bytes(), SUMMARY))?;
                }
            }
            transaction.commit()?;
        }
        Ok(ids)
    }

    /// One commit for all of them; says of each whether its condition held.
    pub(crate) fn commit(&mut self, writes: &[Write]) -> Result<Vec<bool>, Error> {
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = writes.iter().map(|write| apply(&transaction, write)).collect::<Result<_, _>>();
        transaction.commit()?;
        done
    }

    /// Confirms batches of this size for so long: how many, and the CPU time they took.
    pub(crate) fn confirm(&mut self, batch: usize, during: Duration) -> Result<Confirmed, Error> {
        let mut confirmed = Confirmed::default();
        let mut waiting = Vec::new();
        while confirmed.elapsed < during {
            if waiting.len() < batch {
                waiting = self.propose(PROPOSED_TOGETHER)?;
            }
            let some = waiting.split_off(waiting.len().saturating_sub(batch));
            let (start, before) = (Instant::now(), cpu());
            for step in [Step::Claim, Step::Finish] {
                let write = |id: &String| Write { id: id.clone(), step, jti: spread(id) };
                let done = self.commit(&some.iter().map(write).collect::<Vec<_>>())?;
                if done.contains(&false) {
                    return Err(Error::said("the bare store refused a confirm"));
                }
            }
            confirmed.cpu += cpu().saturating_sub(before);
            confirmed.elapsed += start.elapsed();
            confirmed.count += some.len();
        }
        Ok(confirmed)
    }
}

/// What a slice of the bare store came to.
#[derive(Debug, Default)]
pub(crate) struct Confirmed {
    pub(crate) count: usize,
    pub(crate) elapsed: Duration,
    pub(crate) cpu: Duration,
}

fn apply(connection: &Connection, write: &Write) -> Result<bool, Error> {
    let Write { id, step, jti } = write;
    let (changed, kind) = match step {
        Step::Claim => {
            let mut claim = connection.prepare_cached(include_str!("sql/claim.sql"))?;
            (claim.execute((id, TICKET, NOW, [1_u8; 16]))?, 1)
        }
        Step::Finish => {
            let mut finish = connection.prepare_cached(include_str!("sql/finish.sql"))?;
            (finish.execute((id, RESULT.as_bytes(), NOW, TICKET))?, 2)
        }
    };
    if changed == 0 {
        return Ok(false);
    }
    let mut event = connection.prepare_cached(include_str!("sql/event.sql"))?;
    event.execute((id, NOW, kind, DETAIL.as_bytes()))?;
    if *step == Step::Claim {
        connection.prepare_cached(include_str!("sql/proof.sql"))?.execute((jti, NOW))?;
    }
    Ok(true)
}

/// The id of the n-th operation: one to one, and in no order, as random ids are.
fn id(number: u64) -> String {
    format!("exc_{:016x}", number.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// A `jti` that is another for each id, in no order.
fn spread(id: &str) -> [u8; 16] {
    let number = id.bytes().fold(0_u128, |sum, byte| {
        sum.wrapping_add(u128::from(byte)).wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645)
    });
    number.to_be_bytes()
}
