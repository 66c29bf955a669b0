//! One connection: statements with their values in one message, and an answer within a time.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::try_join_all;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::Handle;
use tokio::time::timeout;
use tokio_postgres::{AsyncMessage, Client, Config, Connection, NoTls, Row, Statement};

use super::bound::Bound;
use super::failure::{Failure, in_words};
use super::standing::Standing;
use super::tls::Tls;

/// How a server reports a commit that no standby has: as a warning about a success.
const NOT_REPLICATED: &str = "synchronous replication";

/// Asked of every new connection: an address can lead to another server than before.
const IS_REPLICA: &str = include_str!("sql/is_replica.sql");

/// How connections are made.
#[derive(Debug, Clone)]
pub(super) struct Way {
    pub(super) config: Config,
    pub(super) tls: Tls,
    /// So long an answer is waited for; after that it is lost.
    pub(super) answer_within: Duration,
    /// What many wait for is prepared by name.
    pub(super) prepares: bool,
    pub(super) handle: Handle,
    pub(super) standing: Arc<Standing>,
}

impl Way {
    /// A new connection, to the server that is expected and that is no replica: one could answer with what is
    /// over.
    pub(super) async fn connect(&self) -> Result<Link, Failure> {
        let link = self.reach().await?;
        let none = Bound::default();
        // both in one message: a replica does not answer the second
        let (rows, expected) =
            tokio::join!(link.ask(IS_REPLICA, &none), self.standing.check_server(&link));
        let rows = rows.map_err(Failure::before_anything)?;
        let is_primary =
            rows.first().is_some_and(|row| matches!(row.try_get::<_, bool>(0), Ok(false)));
        if !is_primary {
            let replica = "the server is a replica: nothing is asked of it";
            return Err(Failure::NotSent(replica.to_owned()));
        }
        expected.map(|()| link)
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
        let standing = Arc::clone(&self.standing);
        let driver = async move {
            while let Some(message) = poll_fn(|cx| connection.poll_message(cx)).await {
                match message {
                    Ok(AsyncMessage::Notice(said)) if said.message().contains(NOT_REPLICATED) => {
                        doubts.store(true, Ordering::SeqCst);
                        standing.incident();
                    }
                    Ok(_) => {}
                    Err(error) => {
                        standing.incident();
                        tracing::debug!(error = in_words(&error), "a connection ended");
                        return;
                    }
                }
            }
        };
        drop(self.handle.spawn(driver));
        let standing = Arc::clone(&self.standing);
        Link { client, doubtful, answer_within: self.answer_within, standing }
    }
}

/// A connection to the server, or to a pooler before it.
pub(super) struct Link {
    client: Client,
    /// A commit was reported that no standby has.
    doubtful: Arc<AtomicBool>,
    answer_within: Duration,
    standing: Arc<Standing>,
}

impl Link {
    /// Whether the connection is known to be gone.
    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Runs one statement as a transaction of its own, where what is seen lasts.
    pub(super) async fn rows(&self, sql: &str, bound: &Bound<'_>) -> Result<Vec<Row>, Failure> {
        self.sure().await?;
        self.ask(sql, bound).await
    }

    /// The same, whatever is seen.
    pub(super) async fn ask(&self, sql: &str, bound: &Bound<'_>) -> Result<Vec<Row>, Failure> {
        self.there()?;
        let sent = bound.as_sent();
        self.in_time(self.client.query_typed(sql, &sent)).await
    }

    /// Prepares a statement by name: for a connection that leads to one session of the server.
    pub(super) async fn prepare(&self, sql: &str) -> Result<Statement, Failure> {
        self.there()?;
        let prepared = self.in_time(self.client.prepare(sql)).await;
        prepared.map_err(Failure::before_anything)
    }

    /// The same as [`Link::rows`], by a statement that was prepared.
    pub(super) async fn rows_of(
        &self,
        statement: &Statement,
        bound: &Bound<'_>,
    ) -> Result<Vec<Row>, Failure> {
        self.there()?;
        self.sure().await?;
        let sent = bound.values();
        self.in_time(self.client.query(statement, &sent)).await
    }

    /// Runs two statements as one transaction, all of it in one message, so that nothing can leave it open.
    /// The rows of the second.
    pub(super) async fn rows_after(
        &self,
        first: (&str, &Bound<'_>),
        second: (&str, &Bound<'_>),
    ) -> Result<Vec<Row>, Failure> {
        self.there()?;
        self.sure().await?;
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
    pub(super) async fn as_of_one_moment(
        &self,
        reads: &[(&str, &Bound<'_>)],
    ) -> Result<Vec<Vec<Row>>, Failure> {
        self.there()?;
        self.sure().await?;
        let sent: Vec<_> = reads.iter().map(|(sql, bound)| (*sql, bound.as_sent())).collect();
        let each = sent.iter().map(|(sql, bound)| self.client.query_typed(sql, bound));
        let whole = async {
            let (begun, read, ended) = tokio::join!(
                self.client.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
                try_join_all(each),
                self.client.batch_execute("COMMIT"),
            );
            begun?;
            let read = read?;
            ended.map(|()| read)
        };
        self.in_time(whole).await
    }

    /// Several statements without values, by the simple protocol.
    pub(super) async fn batch(&self, sql: &str) -> Result<(), Failure> {
        self.client.batch_execute(sql).await.map_err(|error| Failure::of(&error))
    }

    /// Nothing is sent on a connection that had ended before: what was not sent is not lost.
    fn there(&self) -> Result<(), Failure> {
        if self.is_closed() {
            return Err(Failure::NotSent("the connection had ended".to_owned()));
        }
        Ok(())
    }

    /// What is seen from here on lasts.
    async fn sure(&self) -> Result<(), Failure> {
        if self.standing.is_sure() {
            return Ok(());
        }
        // seldom: not a part of every caller's future
        Box::pin(self.standing.make_sure(self)).await
    }

    /// Waits no longer than for an answer.
    pub(super) async fn within<T>(&self, work: impl Future<Output = T>) -> Result<T, Failure> {
        let late = |_late| Failure::NotSent("the server did not answer others in time".to_owned());
        timeout(self.answer_within, work).await.map_err(late)
    }

    async fn in_time<T>(
        &self,
        answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, Failure> {
        let answer = match timeout(self.answer_within, answer).await {
            Err(_late) => Err(Failure::silence(self.answer_within)),
            Ok(Err(error)) => Err(Failure::of(&error)),
            Ok(Ok(_)) if self.doubtful.load(Ordering::SeqCst) => Err(Failure::not_replicated()),
            Ok(Ok(answer)) => Ok(answer),
        };
        if matches!(answer, Err(Failure::Lost(_))) {
            self.standing.incident();
        }
        answer
    }
}
