//! Confirms on the bare store in PostgreSQL, by clients that do nothing else.

use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use super::super::{Confirmed, Step, Write, spread};
use super::Connection;
use crate::error::Error;
use crate::usage::cpu;

/// More confirms than all of them do in a second.
const MOST_PER_SECOND: u32 = 12_000;

/// Clients, each with a connection and with operations to confirm.
#[derive(Debug)]
pub(crate) struct Confirms {
    url: String,
    clients: Vec<One>,
    issued: u64,
}

#[derive(Debug)]
struct One {
    connection: Connection,
    waiting: Vec<String>,
}

impl Confirms {
    pub(crate) fn new(url: &str) -> Self {
        Self { url: url.to_owned(), clients: Vec::new(), issued: 0 }
    }

    /// Confirms for so long, by so many clients at once: as many in one statement as said, or each by two
    /// statements of its own if that is one.
    pub(crate) async fn confirm(
        &mut self,
        clients: usize,
        batch: usize,
        during: Duration,
    ) -> Result<Confirmed, Error> {
        while self.clients.len() < clients {
            let connection = Connection::open(&self.url).await?;
            self.clients.push(One { connection, waiting: Vec::new() });
        }
        let most = Duration::from_secs(u64::from(MOST_PER_SECOND)).mul_f64(during.as_secs_f64());
        let each = usize::try_from(most.as_secs())? / clients + batch;
        for one in self.clients.iter_mut().take(clients) {
            let missing = each.saturating_sub(one.waiting.len());
            one.waiting.extend(one.connection.propose(self.issued, missing).await?);
            self.issued = self.issued.saturating_add(u64::try_from(missing)?);
        }
        let (start, before) = (Instant::now(), cpu());
        let mut busy = JoinSet::new();
        for one in self.clients.drain(..clients) {
            busy.spawn(one.confirm(batch, start + during));
        }
        let mut confirmed = Confirmed::default();
        while let Some(done) = busy.join_next().await {
            let (one, count) = done.map_err(Error::of)??;
            self.clients.push(one);
            confirmed.count += count;
        }
        Ok(Confirmed { elapsed: start.elapsed(), cpu: cpu().saturating_sub(before), ..confirmed })
    }
}

impl One {
    async fn confirm(mut self, batch: usize, until: Instant) -> Result<(Self, usize), Error> {
        let mut count = 0;
        while Instant::now() < until && self.waiting.len() >= batch {
            let some = self.waiting.split_off(self.waiting.len() - batch);
            for step in [Step::Claim, Step::Finish] {
                let write = |id: &String| Write { id: id.clone(), step, jti: spread(id) };
                let writes: Vec<Write> = some.iter().map(write).collect();
                let done = match writes.as_slice() {
                    [one] => vec![self.connection.commit_one(one).await?],
                    all => self.connection.commit(step, all).await?,
                };
                if done.contains(&false) {
                    return Err(Error::said("the bare store refused a confirm"));
                }
            }
            count += some.len();
        }
        Ok((self, count))
    }
}
