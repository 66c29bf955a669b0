//! The store: one conditional write at a time, and what can become of its acknowledgement.

use super::design::{Design, Tickets};
use super::state::{Claim, Right, Row, State, Verdict, Who, World};

/// What becomes of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "every case is tried")]
pub enum Fate {
    /// Written if its condition holds, durable, and answered.
    Answered,
    /// Not written, and nobody knows.
    LostBefore,
    /// Written and durable, and nobody knows.
    LostAfter,
    /// Written where readers see it and not where it lasts, and nobody knows.
    LostSeen,
    /// On its way: written later, or never. Claims only.
    LostOnItsWay,
}

/// What the writer is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Done,
    NotNow,
    Lost,
}

/// One write, as a condition and a change: `false` where the condition does not hold.
pub(super) fn write(
    design: &Design,
    world: &mut World,
    fate: Fate,
    change: impl FnOnce(&mut World) -> bool,
) -> Answer {
    let lost = fate != Fate::Answered;
    world.losses += u8::from(lost);
    if matches!(fate, Fate::LostBefore | Fate::LostOnItsWay) {
        return Answer::Lost;
    }
    let before = world.visible;
    let done = change(world);
    note_what_went_wrong(world, before);
    // the log is written in order: what is acknowledged makes all before it durable
    if design.store_keeps && fate != Fate::LostSeen {
        world.durable = world.visible;
    }
    match (lost, done) {
        (true, _) => Answer::Lost,
        (false, true) => Answer::Done,
        (false, false) => Answer::NotNow,
    }
}

/// Judges a change by the row before and after, whatever its condition was.
fn note_what_went_wrong(world: &mut World, before: Row) {
    let after = world.visible;
    world.changed |= before.state.is_final() && before.state != after.state;
    if before.confirmed != after.confirmed {
        let claimable = before.state == State::Proposed
            && before.latest == after.confirmed
            && before.expires >= world.now;
        world.claimed_wrongly |= !claimable;
        world.unapproved |= world.approved & (1 << after.confirmed) == 0;
    }
    world.started_stopped |= before.ticket != after.ticket && before.stop;
    world.late_checkpoint |= before.checkpoint != after.checkpoint && before.epoch > 0;
}

/// The claim. The use of its proof is on record first, and stays.
pub(super) fn claim(design: &Design, deferred: bool, world: &mut World, claim: Claim) -> bool {
    let expired = world.has_expired();
    let row = &mut world.visible;
    if claim.proved && row.proof != 0 && row.proof != claim.ticket {
        return false;
    }
    let latest = row.latest == claim.revision || !design.claim_states_revision;
    let holds = row.state == State::Proposed && latest && !expired;
    if claim.proved && (holds || design.refusal_keeps_proof) {
        row.proof = claim.ticket;
    }
    if holds {
        row.state = State::InProgress;
        row.confirmed = claim.revision;
        if !deferred {
            (row.ticket, row.life, row.performing) = (claim.ticket, claim.life, true);
        }
    }
    holds
}

/// The start of a deferred operation.
pub(super) fn start(design: &Design, row: &mut Row, right: Right, life: u8) -> bool {
    let unstarted = row.ticket == 0 && row.epoch == 0;
    let holds = row.state == State::InProgress
        && (unstarted || !design.start_states_unstarted)
        && (!row.stop || !design.start_states_no_stop);
    if holds {
        (row.ticket, row.life, row.performing) = (right.ticket, life, true);
    }
    holds
}

/// The stop of a deferred operation that nobody has started.
pub(super) fn close_unstarted(row: &mut Row) -> bool {
    let holds = row.state == State::InProgress && row.ticket == 0 && row.stop;
    if holds {
        row.state = State::Cancelled;
    }
    holds
}

/// Whether the operation is in progress under this ticket.
pub(super) fn is_under(row: &Row, ticket: u8) -> bool {
    row.state == State::InProgress && row.ticket == ticket
}

/// The second conditional write after a lost acknowledgement: it changes nothing, and its own commit counts.
pub(super) fn prove(row: &Row, ticket: u8) -> bool {
    is_under(row, ticket) && row.epoch == 0
}

/// The performer ends without an outcome, or nobody performs from this ticket: it may be asked about.
pub(super) fn let_ask(row: &mut Row, ticket: u8) -> bool {
    let holds = is_under(row, ticket);
    if holds {
        row.performing = false;
    }
    holds
}

/// The checkpoint.
pub(super) fn remember(design: &Design, row: &mut Row, ticket: u8) -> bool {
    let barred = row.epoch > 0 && design.checkpoint_states_epoch;
    let holds = is_under(row, ticket) && !barred && !row.checkpoint;
    row.checkpoint |= holds;
    holds
}

/// Effect and result in one commit.
pub(super) fn settle_in_store(row: &mut Row, ticket: u8) -> bool {
    let holds = is_under(row, ticket);
    if holds {
        (row.effect, row.state) = (true, State::Succeeded);
    }
    holds
}

/// The performer's finish.
pub(super) fn finish(row: &mut Row, ticket: u8, verdict: Verdict) -> bool {
    let holds = is_under(row, ticket);
    if holds {
        (row.state, row.told) = (verdict.state, verdict.told);
    }
    holds
}

/// The asker's finish.
pub(super) fn close(row: &mut Row, epoch: u8, verdict: Verdict, checkpoint_absent: bool) -> bool {
    let holds = row.state == State::InProgress
        && row.epoch == epoch
        && !(checkpoint_absent && row.checkpoint);
    if holds {
        (row.state, row.told) = (verdict.state, verdict.told);
    }
    holds
}

/// Whether the question can be taken: nobody performs, and it was started.
pub(super) fn is_askable(world: &World) -> bool {
    let row = &world.visible;
    let performed = row.performing && world.lives(row.life);
    row.state == State::InProgress && row.ticket != 0 && !performed && row.died < 3
}

/// Takes the question.
pub(super) fn take(design: &Design, world: &mut World) -> bool {
    let holds = is_askable(world);
    if holds {
        world.visible.epoch += 1;
        world.visible.died += u8::from(design.counts_before_asking);
    }
    holds
}

/// The ticket of the next attempt.
pub(super) fn ticket(design: &Design, world: &mut World, who: Who) -> u8 {
    world.tickets += 1;
    match design.ticket {
        Tickets::Random => world.tickets,
        Tickets::NodeName => who.number(),
    }
}
