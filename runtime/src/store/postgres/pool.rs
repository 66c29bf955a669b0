//! The few connections that single reads and writes share.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::failure::Failure;
use super::link::{Link, Way};

/// Connections that are made when they are needed and kept for the next one.
pub(super) struct Pool {
    way: Arc<Way>,
    room: Arc<Semaphore>,
    idle: Mutex<Vec<Link>>,
}

impl Pool {
    pub(super) fn new(way: Arc<Way>, connections: usize) -> Self {
        Self { way, room: Arc::new(Semaphore::new(connections)), idle: Mutex::default() }
    }

    /// A connection, within the time of an answer.
    pub(super) async fn take(&self) -> Result<Taken<'_>, Failure> {
        let room = timeout(self.way.answer_within, Arc::clone(&self.room).acquire_owned()).await;
        let room = match room {
            Ok(Ok(room)) => room,
            Ok(Err(_closed)) => return Err(Failure::NotSent("the store was closed".to_owned())),
            Err(_late) => {
                return Err(Failure::NotSent("all connections are busy".to_owned()));
            }
        };
        let link = match self.kept() {
            Some(link) => link,
            None => self.way.connect().await?,
        };
        Ok(Taken { pool: self, link, _room: room })
    }

    /// No connection is handed out any more.
    pub(super) fn close(&self) {
        self.room.close();
        self.idle().clear();
    }

    /// Whether it was closed.
    pub(super) fn is_closed(&self) -> bool {
        self.room.is_closed()
    }

    fn kept(&self) -> Option<Link> {
        let mut idle = self.idle();
        while let Some(link) = idle.pop() {
            if !link.is_closed() {
                return Some(link);
            }
        }
        None
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Link>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that is somebody's. One that is not given back is closed: nobody knows what is left on it.
pub(super) struct Taken<'p> {
    pool: &'p Pool,
    pub(super) link: Link,
    _room: OwnedSemaphorePermit,
}

impl Taken<'_> {
    /// Gives the connection to the next one, if the server had the last word on it.
    pub(super) fn after<T>(self, answer: Result<T, Failure>) -> Result<T, Failure> {
        if matches!(answer, Ok(_) | Err(Failure::Refused(_))) && !self.pool.room.is_closed() {
            self.pool.idle().push(self.link);
        }
        answer
    }
}
