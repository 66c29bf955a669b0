//! How the prototypes keep what they write: a thread over a file, lanes over PostgreSQL, or a pool of
//! connections that each write one thing at a time.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use tokio::sync::{Semaphore, mpsc as lane, oneshot};

use crate::bare::postgres::Connection;
use crate::bare::{Bare, Step, Write};
use crate::error::Error;

/// At most so many writes become one commit.
const TOGETHER: usize = 256;
/// Connections of the one that batches nothing.
const CONNECTIONS: usize = 16;

/// What waits for the writing thread.
pub(super) enum Job {
    Write(Write, oneshot::Sender<bool>),
    Propose(usize, oneshot::Sender<Result<Vec<String>, Error>>),
}

type Lane = lane::UnboundedSender<(Write, oneshot::Sender<bool>)>;

/// A way to keep.
#[derive(Clone)]
pub(super) enum Keep {
    File(mpsc::Sender<Job>),
    Lanes { claims: Lane, finishes: Lane, proposing: Arc<Proposing> },
    Pool { free: Arc<(Mutex<Vec<Connection>>, Semaphore)>, proposing: Arc<Proposing> },
}

/// Makes operations to confirm.
pub(super) struct Proposing {
    connection: Connection,
    issued: AtomicU64,
}

impl Keep {
    /// A file in this folder.
    pub(super) fn file(folder: &Path) -> Result<Self, Error> {
        let bare = Bare::open(&folder.join("prototype.db"))?;
        let (writes, inbox) = mpsc::channel();
        std::thread::Builder::new().name("writer".to_owned()).spawn(move || write(bare, &inbox))?;
        Ok(Self::File(writes))
    }

    /// A database, written by a lane for each of the two commits.
    pub(super) async fn lanes(url: &str) -> Result<Self, Error> {
        Ok(Self::Lanes {
            claims: lane(Connection::open(url).await?, Step::Claim),
            finishes: lane(Connection::open(url).await?, Step::Finish),
            proposing: Arc::new(Proposing::open(url).await?),
        })
    }

    /// A database, written by whichever connection is free.
    pub(super) async fn pool(url: &str) -> Result<Self, Error> {
        let mut free = Vec::new();
        for _ in 0..CONNECTIONS {
            free.push(Connection::open(url).await?);
        }
        let free = Arc::new((Mutex::new(free), Semaphore::new(CONNECTIONS)));
        Ok(Self::Pool { free, proposing: Arc::new(Proposing::open(url).await?) })
    }

    pub(super) async fn propose(&self, count: usize) -> Result<Vec<String>, Error> {
        match self {
            Self::File(writes) => {
                let (tell, told) = oneshot::channel();
                writes.send(Job::Propose(count, tell)).map_err(Error::of)?;
                told.await.map_err(Error::of)?
            }
            Self::Lanes { proposing, .. } | Self::Pool { proposing, .. } => {
                let first = proposing.issued.fetch_add(u64::try_from(count)?, Ordering::Relaxed);
                proposing.connection.propose(first, count).await
            }
        }
    }

    /// Whether this was written, and its condition held.
    pub(super) async fn written(&self, write: Write) -> bool {
        let (tell, told) = oneshot::channel();
        let sent = match self {
            Self::File(writes) => writes.send(Job::Write(write, tell)).is_ok(),
            Self::Lanes { claims, .. } if write.step == Step::Claim => {
                claims.send((write, tell)).is_ok()
            }
            Self::Lanes { finishes, .. } => finishes.send((write, tell)).is_ok(),
            Self::Pool { free, .. } => return alone(free, &write).await,
        };
        sent && told.await.unwrap_or(false)
    }
}

impl Proposing {
    async fn open(url: &str) -> Result<Self, Error> {
        Ok(Self { connection: Connection::open(url).await?, issued: AtomicU64::new(0) })
    }
}

/// Whatever waits becomes one commit, and is answered after it.
fn write(mut bare: Bare, inbox: &mpsc::Receiver<Job>) {
    while let Ok(first) = inbox.recv() {
        let (mut writes, mut waiting) = (Vec::new(), Vec::new());
        let mut next = Some(first);
        while let Some(job) = next.take() {
            match job {
                Job::Write(write, tell) => {
                    writes.push(write);
                    waiting.push(tell);
                }
                // whoever asked may have gone
                Job::Propose(count, tell) => drop(tell.send(bare.propose(count))),
            }
            if writes.len() < TOGETHER {
                next = inbox.try_recv().ok();
            }
        }
        answer(waiting, bare.commit(&writes).unwrap_or_default());
    }
}

/// The same over a connection, of writes at one step.
fn lane(connection: Connection, step: Step) -> Lane {
    let (writes, mut inbox) = lane::unbounded_channel();
    let run = async move {
        let mut some = Vec::with_capacity(TOGETHER);
        while inbox.recv_many(&mut some, TOGETHER).await > 0 {
            let (writes, waiting): (Vec<Write>, Vec<_>) = some.drain(..).unzip();
            answer(waiting, connection.commit(step, &writes).await.unwrap_or_default());
        }
    };
    drop(tokio::spawn(run));
    writes
}

fn answer(waiting: Vec<oneshot::Sender<bool>>, done: Vec<bool>) {
    for (tell, done) in waiting.into_iter().zip(done) {
        // whoever asked may have gone
        let _told: Result<(), bool> = tell.send(done);
    }
}

async fn alone((free, room): &(Mutex<Vec<Connection>>, Semaphore), write: &Write) -> bool {
    let Ok(_room) = room.acquire().await else { return false };
    let take = || free.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(connection) = take().pop() else { return false };
    let written = connection.commit_one(write).await;
    take().push(connection);
    written.unwrap_or(false)
}
