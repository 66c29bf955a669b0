//! A lane: one task that takes whatever waits and writes it with one statement.
//!
//! No timer: while one statement is on its way the next ones gather, and before it goes whoever is about to run
//! does, since those whom one answer woke come one after the other. What two of them would both change is written
//! one after the other, so that a statement decides about each row once.

use std::collections::{HashSet, VecDeque};

use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::yield_now;

use crate::store::Key;

/// At most so many go together.
const TOGETHER_MAX: usize = 256;
/// At most so many wait in a lane; the next ones wait in their own tasks.
const WAITING_MAX: usize = 1_024;

/// What no two in one statement may share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Name<'j> {
    /// The operation that is changed.
    Operation(&'j Key),
    /// The proof that is used.
    Proof(&'j [u8; 32]),
}

/// Something that waits in a lane.
pub(super) trait Job: Send + 'static {
    /// What it may not share with another one in the same statement.
    fn names(&self) -> impl Iterator<Item = Name<'_>>;
}

/// What does the work of a lane: one statement for all of them, and an answer to each.
pub(super) trait Work<J>: Send + 'static {
    fn run(&mut self, jobs: Vec<J>) -> impl Future<Output = ()> + Send;
}

/// Starts a lane; it ends when the sender is dropped, after what waits.
pub(super) fn start<J: Job>(handle: &Handle, mut work: impl Work<J>) -> mpsc::Sender<J> {
    let (jobs, mut inbox) = mpsc::channel(WAITING_MAX);
    let lane = async move {
        let mut waiting = VecDeque::new();
        let mut arrived = Vec::with_capacity(TOGETHER_MAX);
        loop {
            if waiting.is_empty() {
                if inbox.recv_many(&mut arrived, TOGETHER_MAX).await == 0 {
                    return;
                }
                yield_now().await;
            }
            while waiting.len() + arrived.len() < TOGETHER_MAX
                && let Ok(job) = inbox.try_recv()
            {
                arrived.push(job);
            }
            waiting.extend(arrived.drain(..));
            work.run(together(&mut waiting)).await;
        }
    };
    drop(handle.spawn(lane));
    jobs
}

/// Takes those that can go together, in the order in which they came; the others stay.
fn together<J: Job>(waiting: &mut VecDeque<J>) -> Vec<J> {
    let goes = which_go(waiting);
    let mut go = Vec::with_capacity(goes.len());
    let mut stay = VecDeque::new();
    for (job, goes) in waiting.drain(..).zip(goes) {
        if goes {
            go.push(job);
        } else {
            stay.push_back(job);
        }
    }
    *waiting = stay;
    go
}

fn which_go<J: Job>(waiting: &VecDeque<J>) -> Vec<bool> {
    let mut used = HashSet::with_capacity(waiting.len());
    let mut many = 0;
    let goes = waiting.iter().map(|job| {
        let fits = many < TOGETHER_MAX && job.names().all(|name| !used.contains(&name));
        // what stays keeps its names, or a later one would overtake it
        used.extend(job.names());
        many += usize::from(fits);
        fits
    });
    goes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Numbered(u8, Vec<[u8; 32]>);

    impl Job for Numbered {
        fn names(&self) -> impl Iterator<Item = Name<'_>> {
            self.1.iter().map(Name::Proof)
        }
    }

    #[test]
    fn two_that_share_a_name_go_one_after_the_other_in_their_order() {
        let jobs = [(1, vec![1, 9]), (2, vec![2]), (3, vec![1, 2]), (4, vec![4]), (5, vec![9])];
        let mut waiting: VecDeque<_> = jobs
            .into_iter()
            .map(|(n, names)| Numbered(n, names.into_iter().map(|name| [name; 32]).collect()))
            .collect();
        let mut rounds = Vec::new();
        while !waiting.is_empty() {
            rounds.push(together(&mut waiting).iter().map(|job| job.0).collect::<Vec<_>>());
        }
        assert_eq!(rounds, [vec![1, 2, 4], vec![3, 5]]);
    }
}
