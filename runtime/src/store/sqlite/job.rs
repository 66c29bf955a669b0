//! A write on its way through the writer: decided inside the transaction, answered after the commit.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, oneshot};

use super::transaction::Transaction;
use crate::store::{Error, Key, Ticket};

/// A claim by its ticket.
#[derive(Debug)]
pub(super) struct Claimed {
    pub(super) key: Key,
    pub(super) ticket: Ticket,
}

/// What became of the transaction that a job was part of.
#[derive(Debug, Clone)]
pub(super) enum Fate {
    /// Committed, and acknowledged.
    Durable,
    /// Certainly not committed.
    NotWritten(Arc<str>),
    /// The commit failed: it may be there or not.
    Unknown(Arc<str>),
}

/// A write that waits for the writer.
pub(super) trait Job: Send {
    /// Writes what is to be written, or `false`: then what it wrote has to be undone. It may be run again
    /// after everything was undone.
    fn run(&mut self, transaction: &Transaction<'_>) -> bool;

    /// Answers whoever waits. Nobody may: the write was decided all the same.
    fn answer(self: Box<Self>, fate: &Fate);

    /// The claim that this job writes, if it is one.
    fn claim(&self) -> Option<&Arc<Claimed>>;
}

/// A job made of a function.
pub(super) struct Write<T, F> {
    work: F,
    done: Option<Result<T, Error>>,
    claim: Option<Arc<Claimed>>,
    reply: Option<oneshot::Sender<Answered<T>>>,
    room: Option<OwnedSemaphorePermit>,
}

/// What became of a write, with all that its job held: the writing thread did not allocate it, and leaves it to
/// whoever did to free it.
pub(super) struct Answered<T> {
    pub(super) answer: Result<T, Error>,
    _job: Box<dyn Send>,
}

impl<T, F> Write<T, F>
where
    T: Send + 'static,
    F: Fn(&Transaction<'_>) -> Result<T, Error> + Send + 'static,
{
    /// The job, and where its answer comes.
    pub(super) fn boxed(
        work: F,
        claim: Option<Arc<Claimed>>,
        room: Option<OwnedSemaphorePermit>,
    ) -> (Box<dyn Job>, oneshot::Receiver<Answered<T>>) {
        let (reply, answer) = oneshot::channel();
        (Box::new(Self { work, done: None, claim, reply: Some(reply), room }), answer)
    }
}

impl<T, F> Job for Write<T, F>
where
    T: Send + 'static,
    F: Fn(&Transaction<'_>) -> Result<T, Error> + Send + 'static,
{
    fn run(&mut self, transaction: &Transaction<'_>) -> bool {
        self.done.insert((self.work)(transaction)).is_ok()
    }

    fn answer(mut self: Box<Self>, fate: &Fate) {
        drop(self.room.take());
        let Some(reply) = self.reply.take() else { return };
        let answer = match (self.done.take(), fate) {
            // its own error undid it before anything was committed
            (Some(Err(error)), _) => Err(error),
            (Some(Ok(done)), Fate::Durable) => Ok(done),
            (_, Fate::Unknown(why)) => Err(Error::unknown(&**why)),
            (_, Fate::NotWritten(why)) => Err(Error::not_written(&**why)),
            (None, Fate::Durable) => Err(Error::not_written("the write was never begun")),
        };
        // an error here is a caller that went away
        drop(reply.send(Answered { answer, _job: self }));
    }

    fn claim(&self) -> Option<&Arc<Claimed>> {
        self.claim.as_ref()
    }
}
