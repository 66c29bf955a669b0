//! One process at a time: a lock file beside the database, held for the life of the store.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::store::Error;

/// The lock. The operating system frees it when the process ends, however it ends.
#[derive(Debug)]
pub(super) struct LockFile {
    held: Arc<File>,
}

impl LockFile {
    /// The file, held as long as anybody has it.
    pub(super) fn file(&self) -> &Arc<File> {
        &self.held
    }

    /// Takes the lock of this database, or says who stands in the way.
    ///
    /// It is a file of its own: closing any other descriptor of the database itself would drop the locks
    /// that SQLite holds on it. It is never removed, for whoever removes it might remove another's.
    pub(super) fn take(database: &Path) -> Result<Self, Error> {
        let path = beside(database);
        let open = File::options().read(true).write(true).create(true).truncate(false).open(&path);
        let file = open.map_err(|error| {
            Error::not_written(format!("the lock file `{}` cannot be opened", path.display()))
                .from_source(error)
        })?;
        match file.try_lock() {
            Ok(()) => Ok(Self { held: Arc::new(file) }),
            Err(TryLockError::WouldBlock) => Err(Error::not_written(format!(
                "`{}` is in use: `{}` is locked\n\
                 note: a store in a file has one process, which alone decides who performs\n\
                 help: end the other process, or let the two share one store that many processes can open",
                database.display(),
                path.display(),
            ))),
            Err(TryLockError::Error(error)) => {
                Err(Error::not_written(format!("`{}` cannot be locked", path.display()))
                    .from_source(error))
            }
        }
    }
}

fn beside(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}
