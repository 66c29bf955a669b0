//! What a team says about its database.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::sql::USUAL_SCHEMA;
use super::tls::Tls;
use crate::clock::Clock;
use crate::store::Error;
use crate::wait::{DAY, LEAST, Wait};

/// More connections than any server takes (`max_connections`).
const CONNECTIONS_MOST: usize = 262_143;

/// Where the database is, and what it may be trusted with.
///
/// # Examples
///
/// ```no_run
/// use pap_runtime::store::postgres::{Config, Postgres};
///
/// # async fn connect() -> Result<(), Box<dyn std::error::Error>> {
/// let config = Config::at("postgres://shop@db.internal/shop")
///     .ca_file("/etc/ssl/db-ca.pem")
///     .replicated("RDS Multi-AZ");
/// let store = Postgres::connect(config).await?;
/// # drop(store);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Config {
    pub(super) url: String,
    pub(super) schema: String,
    pub(super) connections: usize,
    pub(super) ca_file: Option<PathBuf>,
    pub(super) durability: Durability,
    pub(super) migrate: bool,
    pub(super) prepares: bool,
    pub(super) answer_within: Duration,
    pub(super) lock_within: Duration,
    pub(super) clock: Option<Arc<dyn Clock>>,
}

/// What keeps a commit when the server's machine is lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Durability {
    /// A standby of PostgreSQL's own, named in `synchronous_standby_names`.
    Standby,
    /// Nothing but the one server's disk, and the operator knows.
    SingleNode,
    /// Something that the server's settings do not show.
    Replicated(String),
    /// Nothing is said, and nothing performed.
    Unsaid,
}

impl Config {
    /// The database at this address (`postgres://…`, or `host=… dbname=…`). Without a word about `sslmode`
    /// in it, TLS is used unless the server is this machine.
    pub fn at(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            schema: USUAL_SCHEMA.to_owned(),
            connections: 8,
            ca_file: None,
            durability: Durability::Standby,
            migrate: true,
            prepares: false,
            answer_within: Duration::from_secs(10),
            lock_within: Duration::from_secs(3),
            clock: None,
        }
    }

    /// The schema that holds the tables; `pap` if nothing is said. Lower-case letters, digits and `_`.
    #[must_use]
    pub fn schema(mut self, schema: impl Into<String>) -> Self {
        schema.into().clone_into(&mut self.schema);
        self
    }

    /// At most so many connections for single reads and writes; three more carry what is confirmed,
    /// finished and read together. 8 if nothing is said, at least one.
    #[must_use]
    pub fn connections(mut self, connections: usize) -> Self {
        self.connections = connections;
        self
    }

    /// The PEM file of the authority that signed the server's certificate, instead of the public ones.
    #[must_use]
    pub fn ca_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.ca_file = Some(file.into());
        self
    }

    /// The operator's word that there is one server: if its disk is lost, so is what was confirmed. Without
    /// this or [`Config::replicated`] the server must name its synchronous standbys.
    #[must_use]
    pub fn single_node(mut self) -> Self {
        self.durability = Durability::SingleNode;
        self
    }

    /// The operator's word that no commit is lost with a machine, though the server's settings do not show
    /// it: by what, such as `RDS Multi-AZ`.
    #[must_use]
    pub fn replicated(mut self, by: impl Into<String>) -> Self {
        self.durability = Durability::Replicated(by.into());
        self
    }

    /// For a tool that looks, settles and holds back: nothing is said about what keeps a commit, as the
    /// processes that perform have said it. Lives, claims and starts are refused by a store that was opened
    /// so, whatever asks for them; what it writes is as durable as its role's commits are.
    #[must_use]
    pub fn performs_nothing(mut self) -> Self {
        self.durability = Durability::Unsaid;
        self
    }

    /// Whether connecting brings the tables up to date; `true` if nothing is said. A team whose service may
    /// not change tables says `false` and runs [`super::migrate`] itself.
    #[must_use]
    pub fn migrate(mut self, migrate: bool) -> Self {
        self.migrate = migrate;
        self
    }

    /// The operator's word that no pooler which hands out transactions stands before the server: what many wait for is
    /// then prepared by name, once for each connection, which spares the server a fifth of a confirm.
    ///
    /// Say it only of a server that is reached without one. Behind a pooler a name can be unknown, or another session's:
    /// what is unknown is refused before it runs, and sent as it is without this word, with a warning.
    #[must_use]
    pub fn without_pooler(mut self) -> Self {
        self.prepares = true;
        self
    }

    /// So long the server's answer is waited for, 10 s if nothing is said; then it counts as lost. At least 1 ms and
    /// at most 24 h.
    #[must_use]
    pub fn answer_within(mut self, wait: Duration) -> Self {
        self.answer_within = wait;
        self
    }

    /// So long a statement waits for a row that another one holds, 3 s if nothing is said. At least 1 ms and at most
    /// 24 h.
    #[must_use]
    pub fn lock_within(mut self, wait: Duration) -> Self {
        self.lock_within = wait;
        self
    }

    /// Every condition is judged by this clock and not by the server's. For tests.
    #[cfg(any(test, feature = "testing", feature = "conformance"))]
    #[must_use]
    pub fn on_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = Some(clock);
        self
    }

    /// How the server is reached; refused with everything that is wrong at once.
    pub(super) fn checked(&self) -> Result<(tokio_postgres::Config, Tls), Error> {
        let (mut wrong, reached) = (self.wrong(), self.reached());
        let reached = reached.map_err(|why| wrong.insert(0, why)).ok();
        match reached {
            Some(reached) if wrong.is_empty() => Ok(reached),
            _ if wrong.len() > 1 => Err(Error::not_written(format!(
                "the database is not reached as it was set ({} to put right)\n- {}",
                wrong.len(),
                wrong.join("\n- ").replace("\nhelp:", "\n  help:")
            ))),
            _ => Err(Error::not_written(wrong.concat())),
        }
    }

    fn reached(&self) -> Result<(tokio_postgres::Config, Tls), String> {
        let parsed = self.url.parse::<tokio_postgres::Config>();
        // the driver's words, and never the address: it may hold a password
        let mut driver = parsed.map_err(|error| {
            format!(
                "the address of the database cannot be read: {}\n\
                 help: write it as `postgres://user@host:5432/database?sslmode=require`",
                super::failure::in_words(&error)
            )
        })?;
        if driver.get_application_name().is_none() {
            driver.application_name("pap-runtime");
        }
        driver
            .connect_timeout(self.answer_within)
            .tcp_user_timeout(self.answer_within)
            .keepalives(true)
            .keepalives_idle(Duration::from_secs(5))
            .keepalives_interval(Duration::from_secs(2))
            .keepalives_retries(3);
        let tls = Tls::asked_for(&mut driver, self.ca_file.as_deref())?;
        Ok((driver, tls))
    }

    /// What was set and can never work.
    fn wrong(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        // one that would have to be quoted
        let mut letters = self.schema.bytes();
        let begins = letters.next().is_some_and(|first| first.is_ascii_lowercase());
        let goes_on =
            letters.all(|next| next.is_ascii_lowercase() || next.is_ascii_digit() || next == b'_');
        if !begins || !goes_on || self.schema.len() > 40 || self.schema.starts_with("pg_") {
            wrong.push(format!(
                "`{}` is no schema name for this store\n\
                 help: up to 40 lower-case letters, digits and `_`, a letter first",
                self.schema
            ));
        }
        if !(1..=CONNECTIONS_MOST).contains(&self.connections) {
            wrong.push(format!(
                "`.connections(…)` is {}, and may be from 1 to {CONNECTIONS_MOST}: a store needs one, and no server \
                 takes more; type `.connections(8)`",
                self.connections
            ));
        }
        wrong.extend(self.waits().iter().filter_map(Wait::wrong));
        wrong
    }

    fn waits(&self) -> [Wait; 2] {
        [
            Wait {
                call: ".answer_within(…)",
                is: self.answer_within,
                may_be: LEAST..=DAY,
                why: "no server answers in less, and whoever waits for an answer that was lost waits so long",
                such_as: ".answer_within(Duration::from_secs(10))",
            },
            Wait {
                call: ".lock_within(…)",
                is: self.lock_within,
                may_be: LEAST..=DAY,
                why: "it is told to the server in milliseconds, for which none means without end",
                such_as: ".lock_within(Duration::from_secs(3))",
            },
        ]
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // never the address: it may hold a password
        f.debug_struct("Config")
            .field("schema", &self.schema)
            .field("connections", &self.connections)
            .field("durability", &self.durability)
            .field("migrate", &self.migrate)
            .finish_non_exhaustive()
    }
}
