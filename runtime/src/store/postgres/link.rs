//! One connection: statements with their values in one message, and an answer within a time.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::Handle;
use tokio::time::timeout;
use tokio_postgres::{AsyncMessage, Client, Config, Connection, NoTls, Row};

use super::bound::Bound;
use super::failure::{Failure, in_words};
use super::tls::Tls;

/// How a server reports a commit that no standby has: as a warning about a success.
const NOT_REPLICATED: &str = "synchronous replication";

/// Asked of every new connection: an address can lead to another server than before.
const IS_REPLICA: &str = include_str!("sql/is_replica.sql");

/// How connections are made.
#[derive(Debug)]
pub(super) struct Way {
    pub(super) config: Config,
    pub(super) tls: Tls,
    /// So long an answer is waited for; after that it is lost.
    pub(super) answer_within: Duration,
    pub(super) handle: Handle,
}

impl Way {
    /// A new connection, to a server that is no replica: one could answer with what is over.
    pub(super) async fn connect(&self) -> Result<Link, Failure> {
        let link = self.reach().await?;
        let rows = link.rows(IS_REPLICA, &Bound::default()).await;
        let rows = rows.map_err(Failure::before_anything)?;
        match rows.first().map(|row| row.try_get::<_, bool>(0)) {
            Some(Ok(false)) => Ok(link),
            _ => {
                Err(Failure::NotSent("the server is a replica: nothing is asked of it".to_owned()))
            }
        }
    }

    /// A new connection, to whatever server is there.
    pub(super) async fn reach(&self) -> Result<Link, Failure> {
        let failed = |error: tokio_postgres::Error| match error.as_db_error() {
            Some(said) => Failure::NotSent(said.message().to_owned()),
            None => Failure::NotSent(in_words(&error)),
        };
        let connecting = async {
            match &self.tls {
                Tls::Off => {
                    let (client, connection) = self.config.connect(NoTls).await.map_err(failed)?;
                    Ok(self.link(client, connection))
                }
                Tls::On(tls) => {
                    let made = self.config.connect(tls.clone()).await;
                    let (client, connection) = made.map_err(failed)?;
                    Ok(self.link(client, connection))
                }
            }
        };
        match timeout(self.answer_within, connecting).await {
            Ok(made) => made,
            Err(_) => Err(Failure::NotSent(format!(
                "no connection was made within {} s",
                self.answer_within.as_secs_f32()
            ))),
        }
    }

    fn link<S, T>(&self, client: Client, mut connection: Connection<S, T>) -> Link
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
        T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let doubtful = Arc::new(AtomicBool::new(false));
        let doubts = Arc::clone(&doubtful);
        let driver = async move {
            while let Some(message) = poll_fn(|cx| connection.poll_message(cx)).await {
                match message {
                    Ok(AsyncMessage::Notice(said)) if said.message().contains(NOT_REPLICATED) => {
                        doubts.store(true, Ordering::SeqCst);
                    }
                    Ok(_) => {}
                    Err(error) => {
                        tracing::debug!(error = in_words(&error), "a connection ended");
                        return;
                    }
                }
            }
        };
        drop(self.handle.spawn(driver));
        Link { client, doubtful, answer_within: self.answer_within }
    }
}

/// A connection to the server, or to a pooler before it.
pub(super) struct Link {
    client: Client,
    /// A commit was reported that no standby has.
    doubtful: Arc<AtomicBool>,
    answer_within: Duration,
}

impl Link {
    /// Whether the connection is known to be gone.
    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Runs one statement as a transaction of its own.
    pub(super) async fn rows(&self, sql: &str, bound: &Bound) -> Result<Vec<Row>, Failure> {
        if self.client.is_closed() {
            return Err(Failure::NotSent("the connection had ended".to_owned()));
        }
        let sent = bound.as_sent();
        self.in_time(self.client.query_typed(sql, &sent)).await
    }

    /// Runs two statements as one transaction, all of it in one message, so that nothing can leave it open.
    /// The rows of the second.
    pub(super) async fn rows_after(
        &self,
        first: (&str, &Bound),
        second: (&str, &Bound),
    ) -> Result<Vec<Row>, Failure> {
        if self.client.is_closed() {
            return Err(Failure::NotSent("the connection had ended".to_owned()));
        }
        let (one, two) = (first.1.as_sent(), second.1.as_sent());
        let whole = async {
            let (begun, first, second, ended) = tokio::join!(
                self.client.batch_execute("BEGIN"),
                self.client.query_typed(first.0, &one),
                self.client.query_typed(second.0, &two),
                self.client.batch_execute("COMMIT"),
            );
            begun?;
            first?;
            let rows = second?;
            ended.map(|()| rows)
        };
        self.in_time(whole).await
    }

    /// Reads several times as of one moment, all of it in one message.
    pub(super) async fn as_of_one_moment<const N: usize>(
        &self,
        reads: [(&str, &Bound); N],
    ) -> Result<[Vec<Row>; N], Failure> {
        let whole = async {
            self.client.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
            let mut read = [const { Vec::new() }; N];
            for (rows, (sql, bound)) in read.iter_mut().zip(reads) {
                *rows = self.client.query_typed(sql, &bound.as_sent()).await?;
            }
            self.client.batch_execute("COMMIT").await?;
            Ok(read)
        };
        self.in_time(whole).await
    }

    /// Several statements without values, by the simple protocol.
    pub(super) async fn batch(&self, sql: &str) -> Result<(), Failure> {
        self.client.batch_execute(sql).await.map_err(|error| Failure::of(&error))
    }

    async fn in_time<T>(
        &self,
        answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, Failure> {
        let answer = timeout(self.answer_within, answer).await;
        let answer = answer.map_err(|_late| Failure::silence(self.answer_within))?;
        let answer = answer.map_err(|error| Failure::of(&error))?;
        if self.doubtful.load(Ordering::SeqCst) {
            return Err(Failure::not_replicated());
        }
        Ok(answer)
    }
}
