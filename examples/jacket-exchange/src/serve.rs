//! The shop as a process: two SQLite files, one listener, and, if it is told to, its own death.

use std::fmt::{Display, Formatter};
use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use pap_runtime::company::StartError;
use pap_runtime::store::Store;
use pap_runtime::store::sqlite::Sqlite;
use pap_runtime::testing::{Crash, Crashing};
use tokio::net::TcpListener;

use crate::shop::{Fault, Shop};

/// How to serve.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "the options of one command")]
pub struct Options {
    /// The port on 127.0.0.1; 0 takes a free one.
    pub port: u16,
    /// The folder of the two files.
    pub data: PathBuf,
    /// Where to die.
    pub crash_after: Option<CrashAfter>,
}

/// A moment in the life of a confirmed operation, right after which the process dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the moments that `--crash-after` names")]
pub enum CrashAfter {
    /// The confirmation is durable, and the handler has not started.
    Claim,
    /// The handler's checkpoint is durable, and nothing has been done yet.
    Checkpoint,
    /// The first effect has happened, and nothing about it is on record.
    Effect,
    /// The outcome is durable, and nobody has been told.
    Finish,
}

impl CrashAfter {
    /// All of them, in the order of an operation's path.
    pub const ALL: [Self; 4] = [Self::Claim, Self::Checkpoint, Self::Effect, Self::Finish];
}

impl Display for CrashAfter {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Claim => "claim",
            Self::Checkpoint => "checkpoint",
            Self::Effect => "effect",
            Self::Finish => "finish",
        })
    }
}

impl FromStr for CrashAfter {
    type Err = NoSuchMoment;

    fn from_str(text: &str) -> Result<Self, NoSuchMoment> {
        let found = Self::ALL.into_iter().find(|moment| moment.to_string() == text);
        found.ok_or_else(|| NoSuchMoment(text.to_owned()))
    }
}

/// There is no such moment to die at.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{0}` is no moment to die at\nhelp: `--crash-after claim`, `checkpoint`, `effect` or `finish`"
)]
pub struct NoSuchMoment(String);

/// The shop could not serve.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotServed {
    /// The shop's own database cannot be opened.
    #[error("the shop cannot be opened")]
    Shop(#[from] Fault),
    /// The operations cannot be opened, such as while another process has them.
    #[error("the operations cannot be opened")]
    Store(#[from] pap_runtime::store::Error),
    /// The Company does not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The folder cannot be made, or the port cannot be listened on.
    #[error("the folder or the port cannot be used")]
    Io(#[from] std::io::Error),
}

/// Serves until it is told to stop. The first line on the standard output says where.
///
/// # Errors
///
/// [`NotServed`] if it cannot.
pub async fn serve(options: Options) -> Result<(), NotServed> {
    std::fs::create_dir_all(&options.data)?;
    let shop = Shop::open(&options.data)?;
    let store = store(&options.data, options.crash_after, &shop)?;
    let (company, app) = crate::company::open(shop, store).await?;

    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, options.port))).await?;
    writeln!(std::io::stdout(), "listening on http://{}", listener.local_addr()?)?;
    axum::serve(listener, app).with_graceful_shutdown(told_to_stop()).await?;
    if let Err(refusal) = company.close().await {
        tracing::warn!(%refusal, "this life is taken for dead later, as after a crash");
    }
    Ok(())
}

/// Where operations are kept: SQLite, and around it the death that was asked for.
fn store(
    data: &Path,
    crash_after: Option<CrashAfter>,
    shop: &Shop,
) -> Result<Arc<dyn Store>, NotServed> {
    let sqlite = Sqlite::open(data.join("operations.db"))?;
    let point = match crash_after {
        None => return Ok(Arc::new(sqlite)),
        Some(CrashAfter::Effect) => {
            shop.die_after_effect();
            return Ok(Arc::new(sqlite));
        }
        Some(CrashAfter::Claim) => Crash::AfterClaim,
        Some(CrashAfter::Checkpoint) => Crash::AfterCheckpoint("payment".to_owned()),
        Some(CrashAfter::Finish) => Crash::AfterFinish,
    };
    let crashing = Arc::new(Crashing::around(Arc::new(sqlite)));
    crashing.crash_at(point.clone());
    let watched = Arc::clone(&crashing);
    tokio::spawn(async move {
        watched.until_dead().await;
        tracing::error!(?point, "dying on purpose");
        std::process::abort();
    });
    Ok(crashing)
}

async fn told_to_stop() {
    if tokio::signal::ctrl_c().await.is_err() {
        // no signal can be heard: then nobody can ask
        std::future::pending::<()>().await;
    }
}
