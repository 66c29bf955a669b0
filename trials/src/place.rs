//! Where a trial keeps its operations.

use std::fmt::{Display, Formatter};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use pap_runtime::clock::{Clock, SystemClock};
use pap_runtime::store::Store;
use pap_runtime::store::sqlite::Sqlite;

use crate::Fault;

/// A store by its name on a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// `sqlite:/path/of/operations.db`: one node at a time.
    Sqlite(PathBuf),
    /// `postgres:postgres://…`: any number of nodes.
    Postgres(String),
}

impl Place {
    /// Opens the store.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, such as while another process has it, or if this build has no such store.
    pub fn open(&self) -> Result<Opened, Fault> {
        self.open_on(Arc::new(SystemClock::default()))
    }

    /// The same on another clock, where the store has none of its own.
    ///
    /// # Errors
    ///
    /// As [`Place::open`].
    pub fn open_on(&self, clock: Arc<dyn Clock>) -> Result<Opened, Fault> {
        match self {
            Self::Sqlite(path) => {
                let sqlite = Sqlite::open_on(path, clock)?;
                Ok(Opened { store: Arc::new(sqlite.clone()), sqlite: Some(sqlite) })
            }
            Self::Postgres(_) => Err("this build has no store on PostgreSQL yet".into()),
        }
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
}

impl Opened {
    /// Closes it; when this returns another process can have it.
    pub async fn close(self) {
        drop(self.store);
        if let Some(sqlite) = self.sqlite {
            sqlite.close().await;
        }
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
