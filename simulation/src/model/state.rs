//! One operation, two nodes, a store that holds what is visible and what is durable, and the system behind.
#![expect(clippy::exhaustive_structs, reason = "a counterexample is read field by field")]
#![expect(clippy::exhaustive_enums, reason = "a counterexample is read word by word")]

/// The state on record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// Not confirmed.
    Proposed,
    /// Claimed.
    InProgress,
    /// Final: it happened.
    Succeeded,
    /// Final.
    Failed,
    /// Final.
    Cancelled,
    /// Final: never confirmed.
    Expired,
}

impl State {
    /// Whether nothing leaves it.
    pub fn is_final(self) -> bool {
        !matches!(self, Self::Proposed | Self::InProgress)
    }
}

/// The operation on record. Numbers from 1; 0 is NULL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "columns of a row")]
pub struct Row {
    /// The state.
    pub state: State,
    /// The latest revision.
    pub latest: u8,
    /// Last moment at which it can be confirmed.
    pub expires: u8,
    /// The confirmed revision.
    pub confirmed: u8,
    /// Who may perform.
    pub ticket: u8,
    /// The life that performs.
    pub life: u8,
    /// Whether its performer has not answered yet.
    pub performing: bool,
    /// How often the question was taken.
    pub epoch: u8,
    /// How many processes died asking.
    pub died: u8,
    /// Whether a stop was asked for.
    pub stop: bool,
    /// Whether the checkpoint was written.
    pub checkpoint: bool,
    /// Whether the result tells the effect.
    pub told: bool,
    /// Whether the effect is on record here, behind [`super::design::Fence::SameStore`].
    pub effect: bool,
    /// Which ticket used the proof.
    pub proof: u8,
}

/// One of the two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Who {
    /// The one.
    A,
    /// The other.
    B,
}

impl Who {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    pub(super) fn number(self) -> u8 {
        match self {
            Self::A => 1,
            Self::B => 2,
        }
    }
}

/// A node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Node {
    /// Whether its process runs.
    pub up: bool,
    /// The life of its process.
    pub life: u8,
    /// Its request to confirm, and its handler.
    pub performs: Performs,
    /// Its question to the system behind.
    pub asks: Asks,
    /// A claim on its way to the store that nobody waits for any more.
    pub claim_on_its_way: Option<Claim>,
    /// A request on its way to the system behind, of this revision: it arrives also when its sender is dead.
    pub request_on_its_way: Option<u8>,
}

/// What a claim says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Claim {
    /// The right to perform.
    pub ticket: u8,
    /// The revision to be confirmed.
    pub revision: u8,
    /// Whose life will perform.
    pub life: u8,
    /// Whether it carries the one proof that is replayed.
    pub proved: bool,
}

/// How far a confirm and its handler are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Performs {
    /// Nothing to do.
    Idle,
    /// The claim is to be written.
    Claiming(Claim),
    /// Whether the claim was written is unknown.
    Unsure(Claim),
    /// The start of a deferred operation is to be written.
    Starting(Right),
    /// Whether the start was written is unknown.
    UnsureStart(Right),
    /// Has the right to perform.
    Ready(Right),
    /// Has the right, and has looked whether it still stands, or has written the checkpoint.
    Prepared(Right),
    /// Has sent the request, and waits for the answer.
    Waiting(Right),
    /// Knows its outcome.
    Ending(Right, Verdict),
    /// Does not know its outcome.
    Forgetting(Right),
}

/// A right to perform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Right {
    /// Its ticket.
    pub ticket: u8,
    /// The confirmed revision.
    pub revision: u8,
}

/// A final state with what the result tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// The final state.
    pub state: State,
    /// Whether it tells the effect.
    pub told: bool,
}

/// How far a question is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Asks {
    /// Nothing to ask.
    Idle,
    /// The question was taken.
    Taken(Question),
    /// The answer is to be written.
    Closing {
        /// The epoch that was taken.
        epoch: u8,
        /// The answer.
        verdict: Verdict,
        /// Whether it rests on the absence of the checkpoint.
        checkpoint: bool,
    },
}

/// What an asker knows from the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Question {
    /// The epoch that was taken, or read.
    pub epoch: u8,
    /// Whether there was no checkpoint.
    pub no_checkpoint: bool,
    /// Whether a stop was asked for.
    pub stop: bool,
    /// Whether only `stop` is asked: it closes nothing but what did not happen.
    pub stop_only: bool,
}

/// Everything.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "what was seen to go wrong, one by one")]
pub struct World {
    /// What a reader of the store sees.
    pub visible: Row,
    /// What is left when the store goes down.
    pub durable: Row,
    /// Bit `n`: life `n` is over, for the store.
    pub dead: u16,
    /// The clock.
    pub now: u8,
    /// One node.
    pub a: Node,
    /// The other.
    pub b: Node,
    /// Effects at the system behind.
    pub effects: u8,
    /// Whether the system behind refuses the operation's key.
    pub fenced: bool,
    /// Bit `n`: the client asked to confirm revision `n`.
    pub approved: u8,
    /// Whether the request with the proof that is replayed was answered.
    pub answered: bool,
    /// The final state that the client was told.
    pub told: Option<State>,
    /// Tickets given out.
    pub tickets: u8,
    /// Nodes that died.
    pub crashes: u8,
    /// Nodes declared dead that were not.
    pub pauses: u8,
    /// Acknowledgements lost.
    pub losses: u8,
    /// Times the store went down.
    pub store_crashes: u8,
    /// Processes that died while they asked, in a row.
    pub died_asking: u8,
    /// A final state was changed on record.
    pub changed: bool,
    /// A claim took what could not be claimed.
    pub claimed_wrongly: bool,
    /// Something was claimed or performed that the User had not approved.
    pub unapproved: bool,
    /// A deferred operation was started after a stop was on record.
    pub started_stopped: bool,
    /// A checkpoint was written after an asker had found it missing.
    pub late_checkpoint: bool,
}

impl World {
    pub(super) fn new() -> Self {
        let row = Row {
            state: State::Proposed,
            latest: 1,
            expires: 0,
            confirmed: 0,
            ticket: 0,
            life: 0,
            performing: false,
            epoch: 0,
            died: 0,
            stop: false,
            checkpoint: false,
            told: false,
            effect: false,
            proof: 0,
        };
        let node = |who: Who| Node {
            up: true,
            life: who.number(),
            performs: Performs::Idle,
            asks: Asks::Idle,
            claim_on_its_way: None,
            request_on_its_way: None,
        };
        Self {
            visible: row,
            durable: row,
            dead: 0,
            now: 0,
            a: node(Who::A),
            b: node(Who::B),
            effects: 0,
            fenced: false,
            approved: 0,
            answered: false,
            told: None,
            tickets: 0,
            crashes: 0,
            pauses: 0,
            losses: 0,
            store_crashes: 0,
            died_asking: 0,
            changed: false,
            claimed_wrongly: false,
            unapproved: false,
            started_stopped: false,
            late_checkpoint: false,
        }
    }

    /// One of the nodes.
    pub fn node(&self, who: Who) -> &Node {
        match who {
            Who::A => &self.a,
            Who::B => &self.b,
        }
    }

    pub(super) fn node_mut(&mut self, who: Who) -> &mut Node {
        match who {
            Who::A => &mut self.a,
            Who::B => &mut self.b,
        }
    }

    /// Effects, wherever they are.
    pub fn effects(&self) -> u8 {
        self.effects + u8::from(self.visible.effect)
    }

    /// Whether a life goes on, for the store.
    pub fn lives(&self, life: u8) -> bool {
        self.dead & (1 << life) == 0
    }

    pub(super) fn end_life(&mut self, life: u8) {
        self.dead |= 1 << life;
    }

    pub(super) fn has_expired(&self) -> bool {
        self.visible.expires < self.now
    }
}
