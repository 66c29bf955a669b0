//! Opening a file: lock, settings, tables, threads, in this order.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::JoinHandle;

use pap_protocol::value::Instant;
use rusqlite::{Connection, OpenFlags};
use tokio::sync::{Semaphore, mpsc, watch};

use super::failure::{in_file, store_error};
use super::lock::LockFile;
use super::readers::{READERS, Readers};
use super::settings;
use super::transaction::{first, integer};
use super::witness::{Mark, Witness, set_incarnation};
use super::writer::{Message, Writer};
use super::{Sqlite, WAITING_MAX, migrations, restore, sql};
use crate::clock::Clock;
use crate::store::ratchet::Ratchet;
use crate::store::{Error, RestoredBy, random};

/// Opens a store, which no other process has.
pub(super) fn open(
    path: &Path,
    clock: Arc<dyn Clock>,
    copied: Copied<'_>,
) -> Result<Sqlite, Error> {
    open_with(path, clock, copied, writing)
}

/// What becomes of a file that is behind what was seen of it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Copied<'a> {
    /// It is refused.
    Refuse,
    /// It is taken into use, whether or not it is seen to be behind, by whom and why.
    Restore(Option<&'a RestoredBy>),
}

/// Opens a store that writes on the connections which this function makes.
pub(super) fn open_with(
    path: &Path,
    clock: Arc<dyn Clock>,
    copied: Copied<'_>,
    writing: impl Fn(&Path) -> Result<Connection, Error> + Send + 'static,
) -> Result<Sqlite, Error> {
    let path = whole(path)?;
    let lock = LockFile::take(&path)?;
    let mut connection = writing(&path)?;
    let made = migrations::apply(&mut connection).map_err(|error| in_file(&path, error))?;
    let seen = Witness::seen(lock.file()).filter(|_| !made);
    if let Some(seen) = seen.as_ref().filter(|_| matches!(copied, Copied::Refuse)) {
        let here = Mark::of(&connection)?;
        here.check_follows(seen, &path).map_err(|error| in_file(&path, error))?;
    }
    let clock = go_on(&connection, clock)?;
    let (witness, restored) = match copied {
        Copied::Refuse => (begin(&connection, &lock)?, None),
        Copied::Restore(by) => {
            let incarnation = random::text()?;
            let (seen, now) = (seen.as_ref(), clock.now());
            let restored = restore::restore(&mut connection, seen, now, &incarnation, by)?;
            (Witness::new(Arc::clone(lock.file()), Mark::of(&connection)?), Some(restored))
        }
    };
    witness.tell();
    let reading = (0..READERS).map(|_| reading(&path)).collect::<Result<_, _>>()?;
    let (readers, reading) = Readers::start(reading)?;
    let behind = Arc::new(AtomicBool::new(false));
    let again = path.clone();
    let writer =
        Writer::new(connection, move || writing(&again), Arc::clone(&clock), Arc::clone(&behind));
    let writer = writer.map_err(|error| in_file(&path, error))?.seen_by(witness);
    let (writes, inbox) = mpsc::unbounded_channel();
    let (ended, closed) = watch::channel(());
    start(writer, inbox, Held { reading, lock, ended })?;
    let room = Arc::new(Semaphore::new(WAITING_MAX));
    let open = super::Open { path, clock, writes, room, behind, readers, closed, restored };
    Ok(Sqlite(Arc::new(open)))
}

/// Begins a new incarnation of the store. The lock file knows of it before the file has it, so that a process
/// that dies in between leaves nothing behind that looks like a copy.
fn begin(connection: &Connection, lock: &LockFile) -> Result<Witness, Error> {
    let (here, next) = (Mark::of(connection)?, random::text()?);
    let announced = Mark { next: Some(next.clone()), ..here.clone() };
    Witness::new(Arc::clone(lock.file()), announced).announce()?;
    set_incarnation(connection, &next)?;
    let begun = Mark { incarnation: next, ..here };
    Ok(Witness::new(Arc::clone(lock.file()), begun))
}

/// What the writing thread holds until everything has ended.
struct Held {
    reading: Vec<JoinHandle<()>>,
    lock: LockFile,
    ended: watch::Sender<()>,
}

/// The writing connection.
pub(super) fn writing(path: &Path) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    connect(path, flags, &settings::WRITER)
}

/// A reading connection.
pub(super) fn reading(path: &Path) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    connect(path, flags, &settings::READER)
}

fn connect(path: &Path, flags: OpenFlags, set: &[settings::Setting]) -> Result<Connection, Error> {
    let connection = Connection::open_with_flags(path, flags)
        .map_err(|error| store_error("the file could not be opened", error))
        .and_then(|connection| settings::apply(&connection, set).map(|()| connection));
    connection.map_err(|error| in_file(path, error))
}

/// Ends the lives of earlier openings with the questions they had taken, and goes on from the newest moment on record.
fn go_on(connection: &Connection, clock: Arc<dyn Clock>) -> Result<Arc<dyn Clock>, Error> {
    let newest = first(connection, sql::NEWEST_MOMENT, (), |row| integer(row, 0))?;
    let newest = Instant::from_millis(newest.unwrap_or(0));
    let clock: Arc<dyn Clock> = Arc::new(Ratchet::above(newest, clock));
    for statement in [sql::END_EARLIER_LIVES, sql::ASK_AGAIN_AT_ONCE] {
        connection
            .execute(statement, (clock.now().as_millis(),))
            .map_err(|error| store_error("earlier lives could not be ended", error))?;
    }
    Ok(clock)
}

/// The whole path, so that the lock is beside the file itself whatever link led to it.
pub(super) fn whole(path: &Path) -> Result<PathBuf, Error> {
    let found = path.canonicalize().or_else(|error| {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let name = path.file_name().ok_or(error)?;
        folder.canonicalize().map(|folder| folder.join(name))
    });
    found.map_err(|error| {
        Error::not_written(format!("`{}` names no file in a folder that is there", path.display()))
            .from_source(error)
    })
}

fn start(writer: Writer, inbox: mpsc::UnboundedReceiver<Message>, held: Held) -> Result<(), Error> {
    let thread = std::thread::Builder::new().name("pap-store-writer".to_owned());
    let started = thread.spawn(move || {
        let connection = writer.go_on(inbox);
        end(connection, held);
    });
    started.map(drop).map_err(|error| {
        Error::not_written("the writing thread could not be started").from_source(error)
    })
}

/// The end, in this order: readers, the log into the file, the lock, whoever waits for it.
fn end(connection: Connection, held: Held) {
    let Held { reading, lock, ended } = held;
    for reader in reading {
        if reader.join().is_err() {
            tracing::error!("a reading thread of the store had panicked");
        }
    }
    // the last connection that closes writes the log into the file
    if let Err((_, error)) = connection.close() {
        tracing::error!(%error, "the store was not closed cleanly: its log stays beside it");
    }
    drop(lock);
    drop(ended);
}
