//! The few threads that read, each on a connection of its own that can change nothing.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::mpsc::error::TryRecvError;
use tokio::sync::{Semaphore, mpsc, oneshot};

use super::failure::store_error;
use crate::store::Error;

/// So many reads go on at the same time.
pub(super) const READERS: usize = 4;
/// At most so many reads wait; the next ones wait in their own tasks.
const WAITING_MAX: usize = 1_024;
/// At most so many reads that wait share one snapshot.
const TOGETHER_MAX: usize = 8;

/// A read that waits for a connection, and answers whoever asked.
pub(super) type Read = Box<dyn FnOnce(Result<&Connection, &Error>) + Send>;

enum Message {
    Read(Read),
    End,
}

/// The way to the reading threads.
#[derive(Debug)]
pub(super) struct Readers {
    reads: mpsc::UnboundedSender<Message>,
    room: Arc<Semaphore>,
}

impl Readers {
    /// Starts a thread for each connection; they end when this is dropped, or at [`Readers::end`].
    pub(super) fn start(
        connections: Vec<Connection>,
    ) -> Result<(Self, Vec<JoinHandle<()>>), Error> {
        let (reads, inbox) = mpsc::unbounded_channel();
        let inbox = Arc::new(Mutex::new(inbox));
        let threads = connections.into_iter().map(|connection| {
            let inbox = Arc::clone(&inbox);
            let thread = std::thread::Builder::new().name("pap-store-reader".to_owned());
            thread.spawn(move || run(&connection, &inbox)).map_err(|error| {
                Error::not_written("a reading thread could not be started").from_source(error)
            })
        });
        let threads = threads.collect::<Result<_, _>>()?;
        Ok((Self { reads, room: Arc::new(Semaphore::new(WAITING_MAX)) }, threads))
    }

    /// Reads on one of the threads, all of it as of one moment.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.read_by(read, |read| self.reads.send(Message::Read(read)).is_ok()).await
    }

    /// Reads by whatever thread this hands the read to; `false` if there is none.
    pub(super) async fn read_by<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, Error> + Send + 'static,
        hand_over: impl FnOnce(Read) -> bool,
    ) -> Result<T, Error> {
        let room = Arc::clone(&self.room).acquire_owned().await;
        let room = room.map_err(|closed| closed_error().from_source(closed))?;
        let (reply, answer) = oneshot::channel();
        let read = Box::new(move |snapshot: Result<&Connection, &Error>| {
            let _room = room;
            // whoever asked may have gone away, before or after
            if !reply.is_closed() {
                let failed = |error: &Error| Error::not_written(error.to_string());
                drop(reply.send(snapshot.map_err(failed).and_then(read)));
            }
        });
        if !hand_over(read) {
            return Err(closed_error());
        }
        answer.await.map_err(|gone| {
            Error::not_written("a thread of the store ended before it answered").from_source(gone)
        })?
    }

    /// Ends the threads after what waits.
    pub(super) fn end(&self) {
        self.room.close();
        for _ in 0..READERS {
            // a send that fails says that they have ended
            drop(self.reads.send(Message::End));
        }
    }
}

fn run(connection: &Connection, inbox: &Mutex<mpsc::UnboundedReceiver<Message>>) {
    let mut reads = Vec::with_capacity(TOGETHER_MAX);
    loop {
        let goes_on = next(inbox, &mut reads);
        // they were all asked for before the snapshot is taken, and one is cheaper than many
        let snapshot = connection.unchecked_transaction();
        let snapshot = snapshot.map_err(|error| store_error("a read could not begin", error));
        for read in reads.drain(..) {
            read(snapshot.as_deref());
        }
        if !goes_on {
            return;
        }
    }
}

/// Waits for a read and takes some of those that wait behind it; `false` if there will be no more.
fn next(inbox: &Mutex<mpsc::UnboundedReceiver<Message>>, reads: &mut Vec<Read>) -> bool {
    // whoever holds the lock waits for the next read, the others wait for the lock
    let mut inbox = inbox.lock().unwrap_or_else(PoisonError::into_inner);
    let mut message = inbox.blocking_recv();
    loop {
        match message {
            Some(Message::Read(read)) => reads.push(read),
            Some(Message::End) | None => return false,
        }
        if reads.len() == TOGETHER_MAX {
            return true;
        }
        message = match inbox.try_recv() {
            Ok(message) => Some(message),
            Err(TryRecvError::Empty) => return true,
            Err(TryRecvError::Disconnected) => None,
        };
    }
}

pub(super) fn closed_error() -> Error {
    Error::not_written("the store was closed")
}
