//! What can be designed otherwise, and how much may go wrong at once.
#![expect(clippy::exhaustive_structs, reason = "a row of the table of designs")]
#![expect(clippy::exhaustive_enums, reason = "a cell of the table of designs")]

/// How the protocol is built. [`Design::OURS`] is the one that is implemented; every other value is a switch
/// to a wrong one.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is one decision, looked at by itself")]
pub struct Design {
    /// What is done after a claim, or a start, whose commit is unknown.
    pub unknown: Unknown,
    /// What a ticket is.
    pub ticket: Tickets,
    /// What is done when an asker sees no effect and has no fence.
    pub no_record: NoRecord,
    /// Looks right before sending whether recovery has begun, as if that were a fence.
    pub looks_before_sending: bool,
    /// The claim states the revision it claims.
    pub claim_states_revision: bool,
    /// The start of a deferred operation states that nobody has started it.
    pub start_states_unstarted: bool,
    /// The start of a deferred operation states that no stop was asked for.
    pub start_states_no_stop: bool,
    /// A checkpoint is written only while the epoch is 0.
    pub checkpoint_states_epoch: bool,
    /// The closing write states again that the checkpoint is absent.
    pub close_states_checkpoint: bool,
    /// The use of a proof stays on record when the confirm is refused.
    pub refusal_keeps_proof: bool,
    /// Processes that die asking are counted before they ask.
    pub counts_before_asking: bool,
    /// A client is told a final state only when its commit is known to last.
    pub reads_what_lasts: bool,
    /// The store keeps what it has acknowledged.
    pub store_keeps: bool,
}

impl Design {
    /// As implemented.
    pub const OURS: Self = Self {
        unknown: Unknown::Prove,
        ticket: Tickets::Random,
        no_record: NoRecord::Stay,
        looks_before_sending: false,
        claim_states_revision: true,
        start_states_unstarted: true,
        start_states_no_stop: true,
        checkpoint_states_epoch: true,
        close_states_checkpoint: true,
        refusal_keeps_proof: true,
        counts_before_asking: true,
        reads_what_lasts: true,
        store_keeps: true,
    };
}

/// See [`Design::unknown`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// PostgreSQL: a second conditional write of the same ticket, whose own commit is acknowledged.
    Prove,
    /// SQLite: nobody performs from this ticket; its outcome is to be asked about.
    NeverPerform,
    /// Performs when the ticket is seen in the row.
    See,
}

/// See [`Design::ticket`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tickets {
    /// Made for one attempt.
    Random,
    /// The name of the node.
    NodeName,
}

/// See [`Design::no_record`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoRecord {
    /// It stays in progress.
    Stay,
    /// It is closed as failed.
    Fail,
    /// It is performed again.
    PerformAgain,
}

/// What stands between a late request and its effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fence {
    /// Nothing.
    None,
    /// The system behind refuses the operation's key once it was asked.
    Downstream,
    /// The performer writes a checkpoint before it sends.
    Checkpoint,
    /// Effect and result are one commit in the company's own database.
    SameStore,
}

/// How much may happen in one run: what makes the model finite.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is one kind of event, tried or not")]
pub struct Scope {
    /// The fence of the action.
    pub fence: Fence,
    /// Requests to confirm, each with a ticket of its own; and starts of a deferred operation.
    pub tickets: u8,
    /// Nodes that die, and come back under the same name.
    pub crashes: u8,
    /// Lives that others declare ended while their node is only paused.
    pub pauses: u8,
    /// Commits whose acknowledgement is lost.
    pub losses: u8,
    /// Times that the store goes down and forgets what was not durable.
    pub store_crashes: u8,
    /// Questions taken.
    pub epochs: u8,
    /// Revisions that can be issued, the first included.
    pub revisions: u8,
    /// Steps of the clock.
    pub ticks: u8,
    /// Claims are deferred.
    pub deferral: bool,
    /// The client cancels.
    pub cancels: bool,
    /// An operator settles.
    pub settles: bool,
    /// A proof is replayed, by somebody without its key, once its request was answered.
    pub replays: bool,
    /// Handlers also decline, and fail after their effect.
    pub outcomes: bool,
}

impl Scope {
    /// Two confirms, one of everything that goes wrong.
    pub const SMALL: Self = Self {
        fence: Fence::Downstream,
        tickets: 2,
        crashes: 1,
        pauses: 1,
        losses: 1,
        store_crashes: 0,
        epochs: 1,
        revisions: 1,
        ticks: 0,
        deferral: false,
        cancels: false,
        settles: false,
        replays: false,
        outcomes: false,
    };
}
