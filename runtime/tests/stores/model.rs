//! A small model of the contract, written from its words and independent of both stores.
#![expect(clippy::wildcard_enum_match_arm, reason = "what is not named does not hold")]

use std::collections::{BTreeMap, BTreeSet};

use pap_protocol::operation::State;

/// Moments, in seconds.
type Moment = u32;

/// What is asked of a store. Operations, places, tickets, lives and proofs are small numbers.
#[derive(Debug, Clone)]
pub enum Command {
    Propose { operation: u32, place: u32 },
    Revise { operation: u32, number: u32 },
    Claim { operation: u32, revision: u32, performer: Option<(u32, u8)>, proof: Option<(u32, u32)> },
    Start { operation: u32, ticket: u32, life: u8 },
    Close { operation: u32, expired: bool, proof: Option<(u32, u32)> },
    Stop { operation: u32, proof: Option<(u32, u32)> },
    Change { operation: u32, ticket: u32 },
    Checkpoint { operation: u32, ticket: u32, name: u32 },
    Finish { operation: u32, by: By, state: State, seen: usize, carried: usize },
    AskLater { operation: u32, by: By, after: u32 },
    Take { limit: usize },
    EndLife { life: u8 },
    Proof { proof: (u32, u32) },
    Pause { claims: bool },
    Resume { claims: bool },
    ExpireDue { limit: u32 },
    Waiting,
    Wait { seconds: u32 },
}

/// Who ends an operation or says when to ask.
#[derive(Debug, Clone, Copy)]
pub enum By {
    Performer(u32),
    Asker { epoch: u32, fence: Option<u32> },
    NotStarted,
    Settler,
    Operator,
}

/// What a store answers, as far as the model knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    Done,
    NotNow,
    Replayed,
    Refused,
    Opened,
    OpenAlready(u32),
    Paused,
    Expired(u32),
    Taken(Vec<u32>),
}

/// One operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Proposal order.
    order: usize,
    pub state: State,
    pub place: u32,
    pub revision: u32,
    pub expires: Moment,
    pub confirmed: bool,
    pub ticket: Option<u32>,
    pub life: Option<u8>,
    pub performing: bool,
    pub epoch: u32,
    pub died: u32,
    pub ask_after: Moment,
    pub stop: Option<Moment>,
    pub changes: usize,
    pub checkpoints: BTreeSet<u32>,
    pub events: usize,
}

pub const LIFETIME: Moment = 900;
pub const LEASE: Moment = 30;

#[derive(Debug, Default)]
pub struct Model {
    pub now: Moment,
    pub operations: BTreeMap<u32, Known>,
    dead: BTreeSet<u8>,
    proofs: BTreeMap<u32, u32>,
    paused: BTreeSet<bool>,
}

impl Model {
    pub fn answer(&mut self, command: &Command) -> Answer {
        match *command {
            Command::Propose { operation, place } => self.propose(operation, place),
            Command::Take { limit } => self.take(limit),
            Command::EndLife { life } => {
                self.dead.insert(life);
                Answer::Done
            }
            Command::Pause { claims } => {
                self.paused.insert(claims);
                Answer::Done
            }
            Command::Resume { claims } if self.paused.remove(&claims) => Answer::Done,
            Command::Resume { .. } => Answer::NotNow,
            Command::ExpireDue { limit } => self.expire_due(limit),
            Command::Waiting => self.waiting(),
            Command::Proof { proof } if self.accepts(Some(proof)) => Answer::Done,
            Command::Proof { .. } => Answer::Replayed,
            Command::Wait { seconds } => {
                self.now += seconds;
                Answer::Done
            }
            Command::Claim { proof, .. }
            | Command::Close { proof, .. }
            | Command::Stop { proof, .. }
                if !self.accepts(proof) =>
            {
                Answer::Replayed
            }
            Command::Finish {
                state: State::Proposed | State::InProgress | State::Expired, ..
            } => Answer::Refused,
            _ => match self.change(command) {
                Some(()) => Answer::Done,
                None => Answer::NotNow,
            },
        }
    }

    fn accepts(&mut self, proof: Option<(u32, u32)>) -> bool {
        proof.is_none_or(|(proof, ticket)| *self.proofs.entry(proof).or_insert(ticket) == ticket)
    }

    fn propose(&mut self, number: u32, place: u32) -> Answer {
        let now = self.now;
        let open = self.operations.iter().find(|(_, known)| {
            known.place == place
                && (known.state == State::InProgress
                    || known.state == State::Proposed && known.expires >= now)
        });
        if let Some((open, _)) = open {
            return Answer::OpenAlready(*open);
        }
        if self.paused.contains(&false) {
            return Answer::Paused;
        }
        if self.operations.contains_key(&number) {
            return Answer::Refused;
        }
        for known in self.operations.values_mut() {
            if known.place == place && known.state == State::Proposed {
                (known.state, known.events) = (State::Expired, known.events + 1);
            }
        }
        let known = Known {
            order: self.operations.len(),
            state: State::Proposed,
            place,
            revision: 1,
            expires: now + LIFETIME,
            confirmed: false,
            ticket: None,
            life: None,
            performing: false,
            epoch: 0,
            died: 0,
            ask_after: 0,
            stop: None,
            changes: 0,
            checkpoints: BTreeSet::new(),
            events: 1,
        };
        self.operations.insert(number, known);
        Answer::Opened
    }

    fn expire_due(&mut self, limit: u32) -> Answer {
        let mut expired = 0;
        let mut due: Vec<_> = self.operations.values_mut().collect();
        due.sort_by_key(|known| (known.expires, known.order));
        for known in due {
            if expired < limit && known.state == State::Proposed && known.expires < self.now {
                (known.state, known.events) = (State::Expired, known.events + 1);
                expired += 1;
            }
        }
        Answer::Expired(expired)
    }

    fn waiting(&self) -> Answer {
        let mut waiting: Vec<_> =
            self.operations.iter().filter(|(_, known)| known.is_deferred()).collect();
        waiting.sort_by_key(|(_, known)| (known.ask_after, known.order));
        Answer::Taken(waiting.into_iter().map(|(number, _)| *number).collect())
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each command, twice")]
    fn change(&mut self, command: &Command) -> Option<()> {
        let (now, claims_paused) = (self.now, self.paused.contains(&true));
        let dead = &self.dead;
        let (Command::Revise { operation, .. }
        | Command::Claim { operation, .. }
        | Command::Start { operation, .. }
        | Command::Close { operation, .. }
        | Command::Stop { operation, .. }
        | Command::Change { operation, .. }
        | Command::Checkpoint { operation, .. }
        | Command::Finish { operation, .. }
        | Command::AskLater { operation, .. }) = command
        else {
            return None;
        };
        let known = self.operations.get_mut(operation)?;
        let proposed = known.state == State::Proposed;
        let running = known.state == State::InProgress;
        let in_time = known.expires >= now;
        let mut events = 1;
        let holds = match *command {
            Command::Revise { number, .. } if proposed && in_time => known.revision + 1 == number,
            Command::Claim { revision, .. } if proposed && in_time => {
                known.revision == revision && !claims_paused
            }
            Command::Start { .. } => known.is_deferred() && known.stop.is_none(),
            Command::Close { expired, .. } if proposed => !expired || !in_time,
            Command::Stop { .. } => running,
            Command::Change { ticket, .. } if running => known.ticket == Some(ticket),
            Command::Checkpoint { ticket, name, .. } if running => {
                known.ticket == Some(ticket)
                    && known.epoch == 0
                    && !known.checkpoints.contains(&name)
            }
            Command::Finish { by, seen, .. } if running => known.is_by(by) && known.changes == seen,
            Command::AskLater { by: By::Operator, .. } if running => {
                known.life.is_some_and(|life| !known.performing || dead.contains(&life))
            }
            Command::AskLater { by, .. } if running => known.is_by(by),
            _ => false,
        };
        if !holds {
            return None;
        }
        match *command {
            Command::Revise { number, .. } => {
                (known.revision, known.expires) = (number, now + LIFETIME);
            }
            Command::Claim { performer, .. } => {
                (known.state, known.confirmed, known.ask_after) = (State::InProgress, true, now);
                (known.ticket, known.life) = performer.unzip();
                known.performing = performer.is_some();
            }
            Command::Start { ticket, life, .. } => {
                (known.ticket, known.life) = (Some(ticket), Some(life));
                (known.performing, known.ask_after) = (true, now);
            }
            Command::Close { expired, .. } => {
                known.state = if expired { State::Expired } else { State::Cancelled };
            }
            Command::Stop { .. } => match known.stop {
                Some(_) => events = 0,
                None => known.stop = Some(now),
            },
            Command::Change { .. } => known.changes += 1,
            Command::Checkpoint { name, .. } => {
                known.checkpoints.insert(name);
            }
            Command::Finish { state, carried, .. } => {
                (known.state, known.changes) = (state, known.changes + carried);
                events += carried;
            }
            Command::AskLater { by, after, .. } => {
                known.performing &= !matches!(by, By::Performer(_));
                (known.ask_after, known.died) = (now + after, 0);
            }
            _ => {}
        }
        known.events += events;
        Some(())
    }

    fn take(&mut self, limit: usize) -> Answer {
        let (now, dead) = (self.now, &self.dead);
        let waiting = self.operations.iter_mut().filter(|(_, known)| {
            known.state == State::InProgress
                && known.life.is_some_and(|life| !known.performing || dead.contains(&life))
                && known.ask_after <= now
                && known.died < 3
        });
        let mut waiting: Vec<_> = waiting.collect();
        waiting.sort_by_key(|(_, known)| (known.ask_after, known.order));
        let mut taken = Vec::new();
        for (number, known) in waiting.into_iter().take(limit) {
            (known.epoch, known.died) = (known.epoch + 1, known.died + 1);
            (known.ask_after, known.events) = (now + LEASE, known.events + 1);
            taken.push(*number);
        }
        Answer::Taken(taken)
    }
}

impl Known {
    fn is_deferred(&self) -> bool {
        self.state == State::InProgress && self.ticket.is_none()
    }

    fn is_by(&self, by: By) -> bool {
        match by {
            By::Performer(ticket) => self.ticket == Some(ticket),
            By::Asker { epoch, fence } => {
                self.epoch == epoch && fence.is_none_or(|name| !self.checkpoints.contains(&name))
            }
            By::NotStarted => self.is_deferred(),
            By::Settler => true,
            By::Operator => false,
        }
    }
}
