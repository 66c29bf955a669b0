//! A file that another process may have, opened to be looked at.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::JoinHandle;

use pap_protocol::value::Instant;
use tokio::sync::{Semaphore, mpsc, watch};

use super::failure::in_file;
use super::job::Fate;
use super::readers::{READERS, Readers};
use super::transaction::{first, integer};
use super::writer::Message;
use super::{Sqlite, WAITING_MAX, migrations, open, sql};
use crate::clock::SystemClock;
use crate::store::Error;
use crate::store::ratchet::Ratchet;

/// Why nothing is written.
const LOOKED_AT: &str = "the store was opened to be looked at only";

impl Sqlite {
    /// Opens the store in this file to look at it, also while another process has it: no lock is taken, no
    /// life is ended and no table is changed. Every write is refused as not written. Blocks while it opens.
    ///
    /// # Errors
    ///
    /// If there is no such file, if its tables are not of this version, or if it cannot be read.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = open::whole(path.as_ref())?;
        let reading = (0..READERS).map(|_| open::reading(&path)).collect::<Result<Vec<_>, _>>()?;
        let mut newest = None;
        if let Some(connection) = reading.first() {
            let pending = migrations::pending(connection);
            if !pending.map_err(|error| in_file(&path, error))?.is_empty() {
                return Err(Error::not_written(format!(
                    "`{}` has tables of an older version\n\
                     help: open it once with this version, when no process has it",
                    path.display()
                )));
            }
            newest = first(connection, sql::NEWEST_MOMENT, (), |row| integer(row, 0))?;
        }
        let newest = Instant::from_millis(newest.unwrap_or(0));
        let clock = Arc::new(Ratchet::above(newest, Arc::new(SystemClock)));
        let (readers, reading) = Readers::start(reading)?;
        let (writes, inbox) = mpsc::unbounded_channel();
        let (ended, closed) = watch::channel(());
        let thread = std::thread::Builder::new().name("pap-store-refuser".to_owned());
        let started = thread.spawn(move || refuse(inbox, reading, ended));
        started.map_err(|error| {
            Error::not_written("the refusing thread could not be started").from_source(error)
        })?;
        let (room, behind) =
            (Arc::new(Semaphore::new(WAITING_MAX)), Arc::new(AtomicBool::default()));
        let restored = None;
        let open = super::Open { path, clock, writes, room, behind, readers, closed, restored };
        Ok(Self(Arc::new(open)))
    }

    /// The migrations that [`Sqlite::open`] would run on this file, oldest first; nothing is run.
    ///
    /// # Errors
    ///
    /// If there is no such file, if it is another program's or of a newer version, or if it cannot be read.
    pub fn pending_migrations(path: impl AsRef<Path>) -> Result<Vec<&'static str>, Error> {
        let path = open::whole(path.as_ref())?;
        let pending = migrations::pending(&open::reading(&path)?);
        pending.map(<[_]>::to_vec).map_err(|error| in_file(&path, error))
    }
}

/// Answers every write with a no, until there are no more; then the readers have ended too.
fn refuse(
    mut inbox: mpsc::UnboundedReceiver<Message>,
    reading: Vec<JoinHandle<()>>,
    ended: watch::Sender<()>,
) {
    let why = Fate::NotWritten(Arc::from(LOOKED_AT));
    while let Some(message) = inbox.blocking_recv() {
        match message {
            // a read of what is about to be written about
            Message::Read(read) => read(Err(&Error::not_written(LOOKED_AT))),
            Message::Write(job) => job.answer(&why),
            Message::Disown(_) => {}
            Message::End => break,
        }
    }
    for reader in reading {
        if reader.join().is_err() {
            tracing::error!("a reading thread of the store had panicked");
        }
    }
    drop(ended);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{ErrorKind, Keeping as _, Pause, PauseOf};

    fn pause(action: &str) -> Pause {
        Pause {
            company: "Example Outfitters".to_owned(),
            action: Some(action.to_owned()),
            of: PauseOf::Claims,
            who: "ada".to_owned(),
            why: "the warehouse is flooded".to_owned(),
        }
    }

    #[tokio::test]
    async fn a_file_that_another_store_has_is_looked_at_and_not_changed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("operations.db");
        let store = Sqlite::open(&path).expect("a store");
        store.pause(pause("orders.exchange")).await.expect("is written");

        let looking = Sqlite::open_read_only(&path).expect("no lock is needed");
        assert_eq!(looking.pauses("Example Outfitters").await.expect("is read").len(), 1);
        let refused = looking.pause(pause("orders.gift_note")).await.expect_err("is refused");
        assert_eq!(refused.kind(), ErrorKind::NotWritten);

        // and what the other writes meanwhile is seen
        store.pause(pause("orders.cancel")).await.expect("is written");
        assert_eq!(looking.pauses("Example Outfitters").await.expect("is read").len(), 2);
        looking.close().await;
        store.pause(pause("orders.return")).await.expect("is written");
    }

    #[test]
    fn looking_makes_no_file_and_no_tables() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("operations.db");
        assert!(Sqlite::open_read_only(&path).is_err());
        assert!(!path.exists());
        std::fs::write(&path, []).expect("an empty file");
        let error = Sqlite::open_read_only(&path).expect_err("it has no tables").to_string();
        assert!(error.contains("older version"), "{error}");
        assert_eq!(Sqlite::pending_migrations(&path).expect("is read").len(), 1);
        assert_eq!(std::fs::metadata(&path).expect("the file").len(), 0);
    }
}
