//! Where a trial keeps its operations.

use std::fmt::{Display, Formatter};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pap_runtime::clock::{Clock, SystemClock};
use pap_runtime::store::Store;
use pap_runtime::store::postgres::{Config, Postgres};
use pap_runtime::store::sqlite::Sqlite;

use crate::Fault;
use crate::cluster::Cluster;

/// A store by its name on a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// `sqlite:/path/of/operations.db`: one node at a time.
    Sqlite(PathBuf),
    /// `postgres:postgres://…#schema`: any number of nodes.
    Postgres(String),
}

impl Place {
    /// Opens the store.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, such as while another process has it, or if this build has no such store.
    pub async fn open(&self) -> Result<Opened, Fault> {
        self.open_by(None).await
    }

    /// The same on another clock, also where the store has one of its own.
    ///
    /// # Errors
    ///
    /// As [`Place::open`].
    pub async fn open_on(&self, clock: Arc<dyn Clock>) -> Result<Opened, Fault> {
        self.open_by(Some(clock)).await
    }

    async fn open_by(&self, clock: Option<Arc<dyn Clock>>) -> Result<Opened, Fault> {
        match self {
            Self::Sqlite(path) => {
                let clock = clock.unwrap_or_else(|| Arc::new(SystemClock::default()));
                let sqlite = Sqlite::open_on(path, clock)?;
                Ok(Opened { store: Arc::new(sqlite.clone()), sqlite: Some(sqlite), postgres: None })
            }
            Self::Postgres(url) => {
                let (url, schema) = Self::schema(url);
                // the trials' server has no standby, and its disk is not lost
                let config = Config::at(url).schema(schema).single_node();
                let config = match clock {
                    Some(clock) => config.on_clock(clock),
                    None => config,
                };
                let postgres = Postgres::connect(config).await?;
                let store = Arc::new(postgres.clone());
                Ok(Opened { store, sqlite: None, postgres: Some(postgres) })
            }
        }
    }

    /// The parts of a server's address: where it is, and the schema.
    pub(crate) fn schema(url: &str) -> (&str, &str) {
        url.rsplit_once('#').unwrap_or((url, "pap"))
    }

    /// How many nodes may use it at a time.
    pub fn nodes(&self) -> usize {
        match self {
            Self::Sqlite(_) => 1,
            Self::Postgres(_) => 3,
        }
    }
}

/// A store that was opened here.
#[derive(Debug)]
pub struct Opened {
    /// The store.
    pub store: Arc<dyn Store>,
    sqlite: Option<Sqlite>,
    postgres: Option<Postgres>,
}

impl Opened {
    /// The store, if it is a file.
    pub fn sqlite(&self) -> Option<&Sqlite> {
        self.sqlite.as_ref()
    }

    /// Closes it; when this returns another process can have it.
    pub async fn close(self) {
        drop(self.store);
        if let Some(sqlite) = self.sqlite {
            sqlite.close().await;
        }
        if let Some(postgres) = self.postgres {
            postgres.close();
        }
    }
}

/// Which store, before there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    Sqlite,
    /// A database server.
    Postgres,
}

/// Where new stores are made: in a folder, or in new schemas of one server.
#[derive(Debug, Default)]
pub struct Ground {
    cluster: Option<Mutex<Cluster>>,
    made: AtomicU64,
}

impl Ground {
    /// Ground for stores of these kinds; a server is made and started if one is needed.
    ///
    /// # Errors
    ///
    /// If there is no PostgreSQL, or it does not start.
    pub fn of(kinds: &[Kind]) -> Result<Self, Fault> {
        let needs = kinds.contains(&Kind::Postgres);
        let cluster = if needs { Some(Mutex::new(Cluster::start()?)) } else { None };
        Ok(Self { cluster, made: AtomicU64::new(0) })
    }

    /// A store that nobody has used.
    ///
    /// # Errors
    ///
    /// If there is no ground for it.
    pub fn new_place(&self, kind: Kind, folder: &Path) -> Result<Place, Fault> {
        match (kind, &self.cluster) {
            (Kind::Sqlite, _) => Ok(Place::Sqlite(folder.join("operations.db"))),
            (Kind::Postgres, Some(cluster)) => {
                let number = self.made.fetch_add(1, Ordering::SeqCst);
                let url = cluster.lock().unwrap_or_else(PoisonError::into_inner).url();
                Ok(Place::Postgres(format!("{url}#trial_{number}")))
            }
            (Kind::Postgres, None) => Err("there is no server for it".into()),
        }
    }

    /// Whether there is a server here.
    pub fn has_server(&self) -> bool {
        self.cluster.is_some()
    }

    /// Ends the server as `pg_ctl stop -m immediate` does, and starts it again after so long. Blocks.
    ///
    /// # Errors
    ///
    /// If there is none, or it does not start.
    pub fn restart_server(&self, away: Duration) -> Result<(), Fault> {
        let cluster = self.cluster.as_ref().ok_or("there is no server here")?;
        let mut cluster = cluster.lock().unwrap_or_else(PoisonError::into_inner);
        cluster.stop_immediate()?;
        std::thread::sleep(away);
        cluster.restart()
    }
}

impl FromStr for Place {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        match text.split_once(':') {
            Some(("sqlite", path)) if !path.is_empty() => Ok(Self::Sqlite(path.into())),
            Some(("postgres", url)) if !url.is_empty() => Ok(Self::Postgres(url.to_owned())),
            _ => Err(format!("`{text}` is no store: `sqlite:PATH` or `postgres:URL`").into()),
        }
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::Postgres(url) => write!(f, "postgres:{url}"),
        }
    }
}
