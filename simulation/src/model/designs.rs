//! The table of designs: the one that is implemented, in several scopes that together cover it, and wrong
//! ones with the promise that each breaks.

use super::Protocol;
use super::design::{Design, Fence, NoRecord, Scope, Tickets, Unknown};
use super::promises;

/// A design that is explored to its end.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "a row of a table")]
pub struct Right {
    /// What it covers.
    pub name: &'static str,
    /// The design in its scope.
    pub protocol: Protocol,
    /// The ends that must be reached in it.
    pub reaches: &'static [&'static str],
}

/// A design that is explored until it breaks a promise.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "a row of a table")]
pub struct Wrong {
    /// What is wrong with it.
    pub name: &'static str,
    /// The design in its scope.
    pub protocol: Protocol,
    /// The promise that it breaks.
    pub breaks: &'static str,
}

const SQLITE: Design = Design { unknown: Unknown::NeverPerform, ..Design::OURS };

const SUCCEEDS: &[&str] = &["succeeds"];
const ENDS: &[&str] = &["succeeds", "fails"];
const CANCELS: &[&str] = &["succeeds", "fails", "is cancelled"];
const EXPIRES: &[&str] = &["succeeds", "is cancelled", "expires"];

/// The implemented design. Each scope is explored completely; together they have every fence, both forms
/// of the store and every event.
#[rustfmt::skip]
pub fn all_right() -> Vec<Right> {
    use Fence::{Checkpoint, Downstream, None, SameStore};
    let ours = Design::OURS;
    let small = Scope::SMALL;
    // nodes die and are declared dead, acknowledgements are lost twice, handlers end as they like
    let faults = |fence| Scope { fence, losses: 2, outcomes: true, ..small };
    // the question is taken twice
    let asked = |fence| Scope { fence, epochs: 2, ..small };
    // commits are seen that the store then forgets
    let forgets = |fence| Scope { fence, store_crashes: 1, epochs: 2, ..small };
    let stops = |fence| Scope { fence, crashes: 0, cancels: true, settles: true, outcomes: true, ..small };
    let revises = Scope { fence: None, crashes: 0, pauses: 0, revisions: 2, ticks: 2, cancels: true, ..small };
    let deferral = |fence| Scope { fence, tickets: 3, pauses: 0, deferral: true, cancels: true, ..small };
    let deferral_forgets = Scope { crashes: 0, store_crashes: 1, settles: true, ..deferral(Downstream) };
    let replays = Scope { fence: None, pauses: 0, revisions: 2, tickets: 3, replays: true, ..small };
    let right = |name, design, scope, reaches| Right { name, protocol: Protocol { design, scope }, reaches };
    vec![
        right("faults, downstream fence, PostgreSQL form", ours, faults(Downstream), ENDS),
        right("faults, downstream fence, SQLite form", SQLITE, faults(Downstream), ENDS),
        right("faults, checkpoint, PostgreSQL form", ours, faults(Checkpoint), ENDS),
        right("faults, checkpoint, SQLite form", SQLITE, faults(Checkpoint), ENDS),
        right("faults, effect in the same store, PostgreSQL form", ours, faults(SameStore), ENDS),
        right("faults, no fence, PostgreSQL form", ours, faults(None), ENDS),
        right("asked twice, downstream fence", ours, asked(Downstream), ENDS),
        right("asked twice, checkpoint", ours, asked(Checkpoint), ENDS),
        right("asked twice, no fence", ours, asked(None), SUCCEEDS),
        right("seen and forgotten, downstream fence, PostgreSQL form", ours, forgets(Downstream), ENDS),
        right("seen and forgotten, downstream fence, SQLite form", SQLITE, forgets(Downstream), ENDS),
        right("seen and forgotten, checkpoint, PostgreSQL form", ours, forgets(Checkpoint), ENDS),
        right("seen and forgotten, effect in the same store, PostgreSQL form", ours, forgets(SameStore), ENDS),
        right("cancelled and settled, downstream fence", ours, stops(Downstream), CANCELS),
        right("cancelled and settled, checkpoint", ours, stops(Checkpoint), CANCELS),
        right("cancelled and settled, no fence", ours, stops(None), CANCELS),
        right("revised, cancelled and expired", ours, revises, EXPIRES),
        right("deferred, downstream fence, PostgreSQL form", ours, deferral(Downstream), CANCELS),
        right("deferred, checkpoint, SQLite form", SQLITE, deferral(Checkpoint), CANCELS),
        right("deferred, settled, seen and forgotten, PostgreSQL form", ours, deferral_forgets, CANCELS),
        right("a proof is replayed", ours, replays, SUCCEEDS),
        right("processes die asking", ours, DYING, SUCCEEDS),
    ]
}

/// One confirm, and everybody who asks about it may die.
const DYING: Scope = Scope {
    fence: Fence::None,
    tickets: 1,
    crashes: 5,
    pauses: 0,
    losses: 0,
    epochs: 5,
    ..Scope::SMALL
};

/// Designs that break a promise, and which.
#[rustfmt::skip]
pub fn all_wrong() -> Vec<Wrong> {
    let ours = Design::OURS;
    let none = Scope { fence: Fence::None, ..Scope::SMALL };
    let checkpoint = Scope { fence: Fence::Checkpoint, ..none };
    let forgets = Scope { store_crashes: 1, ..none };
    let deferral = Scope { tickets: 3, deferral: true, cancels: true, ..none };
    let revised = Scope { revisions: 2, ..none };
    let wrong = |name, breaks, scope, design| Wrong { name, protocol: Protocol { design, scope }, breaks };
    vec![
        wrong("lease queue: after the lease, performed again", promises::ONCE, none,
              Design { no_record: NoRecord::PerformAgain, ..ours }),
        wrong("the ticket is the node's name", promises::ONCE, none,
              Design { ticket: Tickets::NodeName, ..ours }),
        wrong("nothing seen means failed, without a fence", promises::UNTOLD, none,
              Design { no_record: NoRecord::Fail, ..ours }),
        wrong("the same, behind a look at the lease before sending", promises::UNTOLD, none,
              Design { no_record: NoRecord::Fail, looks_before_sending: true, ..ours }),
        wrong("after an unknown commit, performs when it sees its ticket", promises::ONCE, forgets,
              Design { unknown: Unknown::See, ..ours }),
        wrong("a store that forgets what it acknowledged", promises::ONCE, forgets,
              Design { store_keeps: false, ..ours }),
        wrong("a client is told what is seen and may not last", promises::STANDS, forgets,
              Design { reads_what_lasts: false, ..ours }),
        wrong("a deferred one is started without compare-and-set", promises::ONCE, deferral,
              Design { start_states_unstarted: false, ..ours }),
        wrong("a deferred one is started in spite of a stop", promises::STOPPED, deferral,
              Design { start_states_no_stop: false, ..ours }),
        wrong("a checkpoint is written after the epoch was raised", promises::MISSING, checkpoint,
              Design { checkpoint_states_epoch: false, ..ours }),
        wrong("the same, and the close does not look for it either", promises::UNTOLD, checkpoint,
              Design { checkpoint_states_epoch: false, close_states_checkpoint: false, ..ours }),
        wrong("a refused confirm leaves its proof unused", promises::APPROVED,
              Scope { replays: true, ..revised },
              Design { refusal_keeps_proof: false, ..ours }),
        wrong("a claim rests on the revision that was read", promises::CLAIMABLE, revised,
              Design { claim_states_revision: false, ..ours }),
        wrong("who dies asking is counted afterwards", promises::PUT_ASIDE, DYING,
              Design { counts_before_asking: false, ..ours }),
    ]
}
