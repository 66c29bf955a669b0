//! What the lock file says about the file beside it: how far it had got, so that a copy that was put in its
//! place is noticed.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::Connection;

use super::failure::store_error;
use super::rows::Columns;
use super::sql;
use super::transaction::first;
use crate::store::Error;

/// No more than this is read of a lock file.
const LONGEST: u64 = 512;

/// How far a file has got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    /// Which store: made with its file.
    pub(super) store: String,
    /// Which opening of it.
    pub(super) incarnation: String,
    /// The opening that was about to begin.
    pub(super) next: Option<String>,
    /// The newest event.
    pub(super) sequence: i64,
}

impl Mark {
    /// As far as the file itself has got.
    pub(super) fn of(connection: &Connection) -> Result<Self, Error> {
        let meta = |name: &str| {
            let value = first(connection, sql::META, (name,), |row| Columns::of(row).take())?;
            Ok::<_, Error>(value.unwrap_or_default())
        };
        Ok(Self {
            store: meta("store_id")?,
            incarnation: meta("incarnation")?,
            next: None,
            sequence: newest(connection)?,
        })
    }

    fn line(&self) -> String {
        let Self { store, incarnation, next, sequence } = self;
        let next = next.as_deref().unwrap_or("-");
        // one length whatever it says: a shorter line would leave the end of a longer one behind
        format!("store {store} incarnation {incarnation} next {next:<32} event {sequence:020}\n")
    }

    fn read(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let mut named = |name: &str| (words.next() == Some(name)).then(|| words.next()).flatten();
        let store = named("store")?.to_owned();
        let incarnation = named("incarnation")?.to_owned();
        let next = Some(named("next")?).filter(|next| *next != "-").map(str::to_owned);
        let sequence = named("event")?.parse().ok()?;
        Some(Self { store, incarnation, next, sequence })
    }

    /// Why the file is behind what was seen of it.
    pub(super) fn behind(&self, seen: &Self) -> Option<String> {
        if self.store != seen.store {
            Some("it is another store's than the one that was here".to_owned())
        } else if self.incarnation != seen.incarnation
            && Some(&self.incarnation) != seen.next.as_ref()
        {
            Some("it was opened since this copy of it was made".to_owned())
        } else if self.sequence < seen.sequence {
            Some(format!(
                "it has got to event {}, and event {} was on record",
                self.sequence, seen.sequence
            ))
        } else {
            None
        }
    }

    /// Refuses a file that is behind what was seen of it.
    pub(super) fn check_follows(&self, seen: &Self, path: &Path) -> Result<(), Error> {
        let Some(what) = self.behind(seen) else { return Ok(()) };
        Err(Error::not_written(format!(
            "this is not the newest state of the store: {what}\n\
             note: what was confirmed since is not in it, and would be performed a second time\n\
             help: put the newest file back; if it is lost, take this one into use with \
             `pap-ops restore --store 'sqlite:{path}' --who NAME --why TEXT`, or with \
             `Sqlite::restore(\"{path}\")`: that lets nothing be confirmed that it has open and asks about everything that it has in progress",
            path = path.display()
        )))
    }
}

/// The newest event of a file; 0 if there is none.
pub(super) fn newest(connection: &Connection) -> Result<i64, Error> {
    let newest =
        first(connection, sql::NEWEST_SEQUENCE, (), |row| Columns::of(row).take::<Option<i64>>())?;
    Ok(newest.flatten().unwrap_or(0))
}

/// Sets which opening of the store this is.
pub(super) fn set_incarnation(connection: &Connection, incarnation: &str) -> Result<(), Error> {
    connection
        .execute(sql::SET_META, ("incarnation", incarnation))
        .map(drop)
        .map_err(|error| store_error("`meta` could not be written", error))
}

/// Writes into the lock file how far the file has got, never before that is on the device.
#[derive(Debug)]
pub(super) struct Witness {
    file: Arc<File>,
    mark: Mark,
    failed: AtomicBool,
}

impl Witness {
    pub(super) fn new(file: Arc<File>, mark: Mark) -> Self {
        Self { file, mark, failed: AtomicBool::new(false) }
    }

    /// What was seen; `None` if nobody was there to see, or the line cannot be read.
    pub(super) fn seen(mut file: &File) -> Option<Mark> {
        let mut line = String::new();
        file.seek(SeekFrom::Start(0)).ok()?;
        file.take(LONGEST).read_to_string(&mut line).ok()?;
        let seen = Mark::read(&line);
        if seen.is_none() && !line.is_empty() {
            tracing::warn!(
                "the lock file says nothing that can be read: a copy would not be noticed"
            );
        }
        seen
    }

    /// Says what is about to begin, and waits until that is on the device.
    pub(super) fn announce(&self) -> Result<(), Error> {
        self.write(&self.mark).and_then(|()| self.file.sync_data()).map_err(|error| {
            Error::not_written("the lock file could not be written").from_source(error)
        })
    }

    /// The file has got so far. It costs no wait for the device: what is lost with the power makes a copy
    /// harder to notice and nothing wrong.
    pub(super) fn saw(&mut self, sequence: i64) {
        if sequence <= self.mark.sequence {
            return;
        }
        self.mark.sequence = sequence;
        self.tell();
    }

    /// Writes the mark.
    pub(super) fn tell(&self) {
        if let Err(error) = self.write(&self.mark)
            && !self.failed.swap(true, Ordering::SeqCst)
        {
            tracing::warn!(%error, "the lock file could not be written: a copy may not be noticed");
        }
    }

    fn write(&self, mark: &Mark) -> std::io::Result<()> {
        let mut file = &*self.file;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(mark.line().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(incarnation: &str, next: Option<&str>, sequence: i64) -> Mark {
        let (store, next) = ("a".repeat(32), next.map(|next| next.repeat(32)));
        Mark { store, incarnation: incarnation.repeat(32), next, sequence }
    }

    #[test]
    fn a_line_says_what_was_written_and_has_one_length() {
        let marks = [mark("b", None, 0), mark("b", Some("c"), 7), mark("d", None, i64::MAX)];
        for written in &marks {
            assert_eq!(Mark::read(&written.line()).as_ref(), Some(written));
            assert_eq!(written.line().len(), marks[0].line().len());
        }
        for line in ["", "store", "store a incarnation b next - event x", "\0\0\0\0"] {
            assert_eq!(Mark::read(line), None, "{line:?}");
        }
    }

    #[test]
    fn a_file_follows_what_was_seen_of_it_or_is_a_copy() {
        let path = Path::new("operations.db");
        let seen = mark("b", Some("c"), 7);
        for (here, follows) in [
            (mark("b", None, 7), true),
            (mark("b", None, 9), true),
            // the process died after it had begun the next opening, or before
            (mark("c", None, 7), true),
            (mark("b", None, 6), false),
            (mark("d", None, 9), false),
            (Mark { store: "e".repeat(32), ..mark("b", None, 9) }, false),
        ] {
            let checked = here.check_follows(&seen, path);
            assert_eq!(checked.is_ok(), follows, "{here:?}");
            if let Err(error) = checked {
                assert!(
                    error.to_string().contains("Sqlite::restore(\"operations.db\")"),
                    "{error}"
                );
            }
        }
        let closed = Mark { next: None, ..seen };
        assert!(mark("c", None, 9).check_follows(&closed, path).is_err());
    }
}
