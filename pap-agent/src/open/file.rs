//! Open operations in one JSON file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pap_protocol::json::{self, Limits};
use pap_protocol::operation::OperationId;
use serde::{Deserialize, Serialize};

use super::{NotKept, OpenOperation, OpenOperations};

/// The format that this version writes, and the only one that it reads.
const FORMAT: u32 = 1;

/// Many thousand open operations; a file that is larger is not this one.
const BYTES_MAX: usize = 16 * 1024 * 1024;

/// Keeps open operations in one JSON file that only its owner can read.
///
/// # Crash safety
///
/// Every change is written to a file beside it, made durable, and put in its place in one step: after
/// a crash the file holds what was kept before the change or after it, never a part of it. A file that
/// cannot be read is an error, never an empty table. One process uses the file at a time, through one
/// `InFile` and its clones.
#[derive(Debug, Clone)]
pub struct InFile {
    path: PathBuf,
    /// Reading, changing and writing the file is one step.
    in_use: Arc<Mutex<()>>,
}

#[derive(Serialize, Deserialize)]
struct Document {
    format: u32,
    open: Vec<OpenOperation>,
}

/// Why the file could not be used.
#[derive(Debug, thiserror::Error)]
enum Problem {
    #[error("the file could not be read or written")]
    Io(#[from] io::Error),
    #[error("the file does not hold open operations")]
    Content(#[from] json::Refused),
    #[error("the file has format {0}, and this version reads format {FORMAT}")]
    Format(u32),
    #[error("the open operations could not be written as JSON")]
    Json(#[from] serde_json::Error),
    #[error("the task that reads and writes the file was stopped")]
    Stopped(#[from] tokio::task::JoinError),
}

impl InFile {
    /// The file at that path; it is made with the first open operation, its folder must be there.
    ///
    /// # Errors
    ///
    /// [`NotKept`] if there is a file that does not hold open operations.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, NotKept> {
        let path = path.into();
        read(&path).map_err(NotKept::new)?;
        Ok(Self { path, in_use: Arc::default() })
    }

    async fn with_file<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Path) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, NotKept> {
        let (path, in_use) = (self.path.clone(), Arc::clone(&self.in_use));
        let done = tokio::task::spawn_blocking(move || {
            let _in_use = in_use.lock().unwrap_or_else(PoisonError::into_inner);
            work(&path)
        });
        let done = done.await;
        done.map_err(Problem::from).and_then(|done| done).map_err(NotKept::new)
    }
}

impl OpenOperations for InFile {
    async fn of(&self, company: &str) -> Result<Vec<OpenOperation>, NotKept> {
        let mut open = self.with_file(read).await?;
        open.retain(|open| open.company == company);
        Ok(open)
    }

    async fn keep(&self, operation: OpenOperation) -> Result<(), NotKept> {
        self.with_file(move |path| {
            let mut open = read(path)?;
            let same = |open: &OpenOperation| {
                open.company == operation.company && open.operation_id == operation.operation_id
            };
            match open.iter_mut().find(|open| same(open)) {
                Some(open) => *open = operation,
                None => open.push(operation),
            }
            write(path, open)
        })
        .await
    }

    async fn drop_final(&self, company: &str, id: &OperationId) -> Result<(), NotKept> {
        let (company, id) = (company.to_owned(), id.clone());
        self.with_file(move |path| {
            let mut open = read(path)?;
            let before = open.len();
            open.retain(|open| open.company != company || open.operation_id != id);
            if open.len() == before { Ok(()) } else { write(path, open) }
        })
        .await
    }
}

fn read(path: &Path) -> Result<Vec<OpenOperation>, Problem> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    let document: Document = json::decode(json::strict(&bytes, Limits::bytes(BYTES_MAX))?)?;
    if document.format == FORMAT {
        Ok(document.open)
    } else {
        Err(Problem::Format(document.format))
    }
}

fn write(path: &Path, open: Vec<OpenOperation>) -> Result<(), Problem> {
    let bytes = serde_json::to_vec_pretty(&Document { format: FORMAT, open })?;
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let beside = PathBuf::from(beside);

    let mut file = for_owner_only().open(&beside)?;
    file.write_all(&bytes)?;
    file.sync_all()?;
    fs::rename(&beside, path)?;
    sync_folder(path)?;
    Ok(())
}

fn for_owner_only() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// The new name is durable when the folder is.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}
