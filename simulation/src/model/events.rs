//! Everything that can happen next.

use super::design::{Fence, NoRecord, Unknown};
use super::record::{Fate, is_askable};
use super::state::{Asks, Performs, State, Who, World};
use super::{Protocol, Scope};

/// One event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "every case is tried")]
pub enum Event {
    /// The client asks this node to confirm a revision.
    Confirm(Who, u8),
    /// Somebody without the key sends the proof of an answered confirm again, for this revision.
    Replay(Who, u8),
    /// The node takes up a deferred operation.
    Start(Who),
    /// What the node's confirm or handler has to write is written, or lost.
    Write(Who, Fate),
    /// A claim arrives that nobody waits for any more.
    ClaimArrives(Who),
    /// The handler looks whether recovery has begun.
    Look(Who),
    /// The handler sends its request.
    Send(Who),
    /// The request arrives, and is answered to whoever waits: it went well.
    Arrive(Who),
    /// The same, and the handler says that it failed after this effect.
    ArriveAndFail(Who),
    /// The handler's answer takes long: it may be asked about, and the handler goes on.
    TakeLong(Who),
    /// The handler gives up waiting.
    GiveUp(Who),
    /// The handler declines before it has sent anything.
    Decline(Who),
    /// The handler hears of the stop before it has sent anything.
    HearStop(Who),
    /// The node takes the question.
    Take(Who, Fate),
    /// The node asks the system behind to stop, without taking the question.
    AskToStop(Who),
    /// The system behind answers.
    Answer(Who),
    /// The answer is written, or lost.
    Close(Who, Fate),
    /// The process dies.
    Crash(Who),
    /// Another process of that name starts.
    Restart(Who),
    /// The node was paused for so long that its life was declared over. It goes on.
    DeclareDead(Who),
    /// The node finds its life over and begins another.
    NewLife(Who),
    /// The store goes down, and comes back with what was durable.
    StoreCrash,
    /// What was acknowledged becomes durable, where the store does not see to it.
    Replicate,
    /// The client cancels.
    Cancel(Fate),
    /// A deferred operation is closed that was asked to stop.
    CloseUnstarted(Fate),
    /// The company issues the next revision.
    Revise(Fate),
    /// Expiry is recorded.
    Expire(Fate),
    /// Time passes.
    Tick,
    /// An operator who found out settles.
    Settle(Fate),
    /// The client reads a final state.
    Read,
}

/// What can become of a write now.
fn fates(scope: &Scope, world: &World) -> impl Iterator<Item = Fate> {
    let lost = world.losses < scope.losses;
    let forgets = world.store_crashes < scope.store_crashes;
    let lost = lost.then_some([Fate::LostBefore, Fate::LostAfter]).into_iter().flatten();
    let seen = (world.losses < scope.losses && forgets).then_some(Fate::LostSeen);
    [Fate::Answered].into_iter().chain(lost).chain(seen)
}

/// All of them.
pub(super) fn possible(protocol: &Protocol, world: &World, events: &mut Vec<Event>) {
    for who in Who::BOTH {
        of_node(protocol, world, who, events);
    }
    of_others(protocol, world, events);
}

fn of_node(protocol: &Protocol, world: &World, who: Who, events: &mut Vec<Event>) {
    let scope = &protocol.scope;
    let node = world.node(who);
    if node.request_on_its_way.is_some() {
        events.push(Event::Arrive(who));
        let waits = node.up && matches!(node.performs, Performs::Waiting(_)) && !world.fenced;
        if scope.outcomes && waits {
            events.push(Event::ArriveAndFail(who));
        }
    }
    if node.claim_on_its_way.is_some() {
        events.push(Event::ClaimArrives(who));
    }
    if !node.up {
        events.push(Event::Restart(who));
        return;
    }
    if world.crashes < scope.crashes {
        events.push(Event::Crash(who));
    }
    if !world.lives(node.life) {
        events.push(Event::NewLife(who));
    } else if world.pauses < scope.pauses {
        events.push(Event::DeclareDead(who));
    }
    performing(protocol, world, who, events);
    asking(protocol, world, who, events);
}

fn performing(protocol: &Protocol, world: &World, who: Who, events: &mut Vec<Event>) {
    let (scope, design) = (&protocol.scope, &protocol.design);
    let row = &world.visible;
    let node = world.node(who);
    let writes = |events: &mut Vec<Event>| {
        events.extend(fates(scope, world).map(|fate| Event::Write(who, fate)));
    };
    match node.performs {
        Performs::Idle => {
            let left = world.tickets < scope.tickets;
            if left && (!scope.replays || world.approved == 0) {
                let revisions = 1..=row.latest;
                events.extend(revisions.map(|revision| Event::Confirm(who, revision)));
            }
            if left && scope.replays && world.answered {
                let revisions = 1..=row.latest;
                events.extend(revisions.map(|revision| Event::Replay(who, revision)));
            }
            let waits = row.state == State::InProgress && row.ticket == 0;
            if left && scope.deferral && waits {
                events.push(Event::Start(who));
            }
        }
        Performs::Claiming(_) => {
            writes(events);
            if world.losses < scope.losses && node.claim_on_its_way.is_none() {
                events.push(Event::Write(who, Fate::LostOnItsWay));
            }
        }
        Performs::Unsure(_) | Performs::UnsureStart(_) if design.unknown == Unknown::See => {
            events.push(Event::Write(who, Fate::Answered));
        }
        Performs::Unsure(_)
        | Performs::UnsureStart(_)
        | Performs::Starting(_)
        | Performs::Ending(..)
        | Performs::Forgetting(_) => writes(events),
        Performs::Ready(_) => {
            before_sending(protocol, world, who, events);
            match scope.fence {
                Fence::Checkpoint | Fence::SameStore => writes(events),
                _ if design.looks_before_sending => events.push(Event::Look(who)),
                Fence::None | Fence::Downstream => sending(world, who, events),
            }
        }
        Performs::Prepared(_) => {
            before_sending(protocol, world, who, events);
            sending(world, who, events);
        }
        Performs::Waiting(right) => {
            events.push(Event::GiveUp(who));
            if row.performing && row.ticket == right.ticket {
                events.push(Event::TakeLong(who));
            }
        }
    }
}

fn before_sending(protocol: &Protocol, world: &World, who: Who, events: &mut Vec<Event>) {
    if protocol.scope.outcomes {
        events.push(Event::Decline(who));
    }
    if world.visible.stop {
        events.push(Event::HearStop(who));
    }
}

fn sending(world: &World, who: Who, events: &mut Vec<Event>) {
    if world.node(who).request_on_its_way.is_none() {
        events.push(Event::Send(who));
    }
}

fn asking(protocol: &Protocol, world: &World, who: Who, events: &mut Vec<Event>) {
    let scope = &protocol.scope;
    let row = &world.visible;
    let node = world.node(who);
    match node.asks {
        Asks::Idle => {
            // an effect that is performed again needs hands
            let hands = protocol.design.no_record != NoRecord::PerformAgain
                || node.performs == Performs::Idle;
            if row.epoch < scope.epochs && is_askable(world) && hands {
                events.extend(fates(scope, world).map(|fate| Event::Take(who, fate)));
            }
            if row.stop && row.state == State::InProgress && row.ticket != 0 {
                events.push(Event::AskToStop(who));
            }
        }
        Asks::Taken(_) => events.push(Event::Answer(who)),
        Asks::Closing { .. } => {
            events.extend(fates(scope, world).map(|fate| Event::Close(who, fate)));
        }
    }
}

fn of_others(protocol: &Protocol, world: &World, events: &mut Vec<Event>) {
    let (scope, design) = (&protocol.scope, &protocol.design);
    let row = &world.visible;
    let proposed = row.state == State::Proposed;
    let running = row.state == State::InProgress;
    if world.store_crashes < scope.store_crashes && row != &world.durable {
        events.push(Event::StoreCrash);
    }
    if !design.store_keeps && row != &world.durable {
        events.push(Event::Replicate);
    }
    if scope.cancels && (proposed || running && !row.stop) {
        events.extend(fates(scope, world).map(Event::Cancel));
    }
    if scope.deferral && running && row.ticket == 0 && row.stop {
        events.extend(fates(scope, world).map(Event::CloseUnstarted));
    }
    if proposed && row.latest < scope.revisions && !world.has_expired() {
        events.extend(fates(scope, world).map(Event::Revise));
    }
    if proposed && world.has_expired() {
        events.extend(fates(scope, world).map(Event::Expire));
    }
    if world.now < scope.ticks {
        events.push(Event::Tick);
    }
    if scope.settles && running && (world.effects() > 0 || scope.fence == Fence::Downstream) {
        events.extend(fates(scope, world).map(Event::Settle));
    }
    if row.state.is_final() && world.told.is_none() {
        events.push(Event::Read);
    }
}
