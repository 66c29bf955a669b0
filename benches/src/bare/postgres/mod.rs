//! The bare store in PostgreSQL: the two commits of a confirm as one statement each, alone or together.

mod confirms;

pub(crate) use self::confirms::Confirms;

use std::collections::HashSet;

use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, NoTls, Row, Statement};

use super::{DETAIL, NOW, PROPOSED_TOGETHER, RESULT, SUMMARY, Step, TERMS, TICKET, Write, id};
use crate::error::Error;

/// A connection with its statements prepared.
#[derive(Debug)]
pub(crate) struct Connection {
    client: Client,
    propose: Statement,
    alone: Steps,
    together: Steps,
}

#[derive(Debug)]
struct Steps {
    claim: Statement,
    finish: Statement,
}

impl Steps {
    fn of(&self, step: Step) -> &Statement {
        match step {
            Step::Claim => &self.claim,
            Step::Finish => &self.finish,
        }
    }
}

impl Connection {
    /// Connects, and makes the tables if they are not there.
    pub(crate) async fn open(url: &str) -> Result<Self, Error> {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
        // an error is told to whoever waits for an answer
        drop(tokio::spawn(connection));
        client.batch_execute(include_str!("sql/schema.sql")).await?;
        let alone = Steps {
            claim: client.prepare(include_str!("sql/claim.sql")).await?,
            finish: client.prepare(include_str!("sql/finish.sql")).await?,
        };
        let together = Steps {
            claim: client.prepare(include_str!("sql/claim_together.sql")).await?,
            finish: client.prepare(include_str!("sql/finish_together.sql")).await?,
        };
        let propose = client.prepare(include_str!("sql/propose.sql")).await?;
        Ok(Self { client, propose, alone, together })
    }

    /// Makes so many operations to confirm, from this number on.
    pub(crate) async fn propose(&self, first: u64, count: usize) -> Result<Vec<String>, Error> {
        let ids: Vec<String> =
            (first..first.saturating_add(u64::try_from(count)?)).map(id).collect();
        for some in ids.chunks(PROPOSED_TOGETHER) {
            self.client.execute(&self.propose, &[&some, &TERMS.as_bytes(), &SUMMARY]).await?;
        }
        Ok(ids)
    }

    /// One commit for one of them: whether its condition held.
    pub(crate) async fn commit_one(&self, write: &Write) -> Result<bool, Error> {
        let jti = write.jti.as_slice();
        let rows = self.run(self.alone.of(write.step), &write.id, write.step, &jti).await?;
        Ok(!rows.is_empty())
    }

    /// One commit for all of them, which are at this step; says of each whether its condition held.
    pub(crate) async fn commit(&self, step: Step, writes: &[Write]) -> Result<Vec<bool>, Error> {
        let ids: Vec<&str> = writes.iter().map(|write| write.id.as_str()).collect();
        let jtis: Vec<&[u8]> = writes.iter().map(|write| write.jti.as_slice()).collect();
        let rows = self.run(self.together.of(step), &ids, step, &jtis).await?;
        let done = rows.iter().map(|row| row.try_get(0)).collect::<Result<HashSet<&str>, _>>()?;
        Ok(ids.iter().map(|id| done.contains(id)).collect())
    }

    async fn run(
        &self,
        statement: &Statement,
        ids: &(dyn ToSql + Sync),
        step: Step,
        jtis: &(dyn ToSql + Sync),
    ) -> Result<Vec<Row>, Error> {
        let (ticket, result, detail) = (TICKET.as_slice(), RESULT.as_bytes(), DETAIL.as_bytes());
        let second: &(dyn ToSql + Sync) = match step {
            Step::Claim => jtis,
            Step::Finish => &result,
        };
        Ok(self.client.query(statement, &[ids, second, &ticket, &NOW, &detail]).await?)
    }
}
