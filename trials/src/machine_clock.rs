//! The clock of a whole process, as its machine tells it: libfaketime stands before the system's own.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::Fault;

/// What to do where there is no libfaketime.
const INSTALL: &str = "this trial needs libfaketime: `apt-get install faketime` puts it where it is looked for, \
                       /usr/lib/*/faketime; `PAP_FAKETIME` names the library itself";

/// The clock of every process that is started under it. It is moved while they run.
///
/// What steps is the time of day, as when somebody sets a machine's clock. The clock that waits are measured
/// by does not step on a machine, and does not here.
#[derive(Debug, Clone)]
pub struct MachineClock {
    library: PathBuf,
    folder: PathBuf,
}

impl MachineClock {
    /// A clock that is right, until it is set; the folder takes how it is set.
    ///
    /// # Errors
    ///
    /// If there is no libfaketime.
    pub fn in_folder(folder: &Path) -> Result<Self, Fault> {
        sweep();
        let clock = Self { library: library()?, folder: folder.to_owned() };
        clock.set_apart(0)?;
        Ok(clock)
    }

    /// From now on it is so many seconds ahead of the real one, or behind it.
    ///
    /// # Errors
    ///
    /// If that cannot be written.
    pub fn set_apart(&self, seconds: i64) -> Result<(), Fault> {
        // a whole one in place of the other: it is read at any time
        let next = self.folder.join("next machine clock");
        std::fs::write(&next, format!("{seconds:+}\n"))?;
        Ok(std::fs::rename(next, self.file())?)
    }

    /// What a process is started with to have this clock.
    pub fn environment(&self) -> Vec<(OsString, OsString)> {
        vec![
            ("LD_PRELOAD".into(), self.library.clone().into()),
            ("FAKETIME_TIMESTAMP_FILE".into(), self.file().into()),
            // the file is read at each look at the clock: a step is seen at once
            ("FAKETIME_NO_CACHE".into(), "1".into()),
            ("FAKETIME_DONT_FAKE_MONOTONIC".into(), "1".into()),
        ]
    }

    fn file(&self) -> PathBuf {
        self.folder.join("machine clock")
    }
}

/// The library for programs with threads.
fn library() -> Result<PathBuf, Fault> {
    if let Some(named) = std::env::var_os("PAP_FAKETIME") {
        return Ok(named.into());
    }
    let folders = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    let mut places = folders.map(|found| found.path().join("faketime/libfaketimeMT.so.1"));
    places.find(|place| place.exists()).ok_or_else(|| INSTALL.into())
}

/// Removes what the library keeps for a process and a killed one has left behind.
fn sweep() {
    for found in std::fs::read_dir("/dev/shm").into_iter().flatten().flatten() {
        let name = found.file_name();
        let name = name.to_string_lossy();
        let process = ["faketime_shm_", "sem.faketime_sem_"]
            .iter()
            .find_map(|kind| name.strip_prefix(kind)?.parse::<u32>().ok());
        if process.is_some_and(|id| !Path::new(&format!("/proc/{id}")).exists()) {
            // one that another trial removes at the same time is gone as well
            drop(std::fs::remove_file(found.path()));
        }
    }
}
