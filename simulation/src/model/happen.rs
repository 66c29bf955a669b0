//! What each event does.
#![expect(clippy::wildcard_enum_match_arm, reason = "what is not named does nothing")]

use super::Protocol;
use super::design::{Fence, NoRecord, Unknown};
use super::events::Event;
use super::record::{self, Answer, Fate, write};
use super::state::{Asks, Claim, Performs, Question, Right, State, Verdict, Who, World};

/// The world after this event.
pub(super) fn after(protocol: &Protocol, world: &mut World, event: Event) {
    let design = &protocol.design;
    match event {
        Event::Confirm(who, revision) => {
            world.approved |= 1 << revision;
            begin_claim(protocol, world, who, revision);
        }
        Event::Replay(who, revision) => begin_claim(protocol, world, who, revision),
        Event::Start(who) => {
            let revision = world.visible.confirmed;
            let ticket = record::ticket(design, world, who);
            world.node_mut(who).performs = Performs::Starting(Right { ticket, revision });
        }
        Event::Write(who, fate) => written(protocol, world, who, fate),
        Event::ClaimArrives(who) => {
            if let Some(claim) = world.node_mut(who).claim_on_its_way.take() {
                let deferred = protocol.scope.deferral;
                let change = |world: &mut World| record::claim(design, deferred, world, claim);
                write(design, world, Fate::Answered, change);
            }
        }
        Event::Crash(who) => crash(protocol, world, who),
        Event::Restart(who) => {
            let node = world.node_mut(who);
            (node.up, node.life) = (true, node.life + 2);
        }
        Event::DeclareDead(who) => {
            world.pauses += 1;
            world.end_life(world.node(who).life);
        }
        Event::NewLife(who) => world.node_mut(who).life += 2,
        Event::StoreCrash => {
            world.store_crashes += 1;
            world.visible = world.durable;
        }
        Event::Replicate => world.durable = world.visible,
        Event::Tick => world.now += 1,
        Event::Read => read(protocol, world),
        Event::Look(_)
        | Event::Send(_)
        | Event::Arrive(_)
        | Event::ArriveAndFail(_)
        | Event::TakeLong(_)
        | Event::GiveUp(_)
        | Event::Decline(_)
        | Event::HearStop(_) => handled(protocol, world, event),
        Event::Take(..) | Event::AskToStop(_) | Event::Answer(_) | Event::Close(..) => {
            asked(protocol, world, event);
        }
        Event::Cancel(fate)
        | Event::CloseUnstarted(fate)
        | Event::Revise(fate)
        | Event::Expire(fate)
        | Event::Settle(fate) => {
            write(design, world, fate, |world| off_the_path(world, event));
        }
    }
}

fn begin_claim(protocol: &Protocol, world: &mut World, who: Who, revision: u8) {
    let ticket = record::ticket(&protocol.design, world, who);
    let (life, proved) = (world.node(who).life, protocol.scope.replays);
    let claim = Claim { ticket, revision, life, proved };
    world.node_mut(who).performs = Performs::Claiming(claim);
}

fn crash(protocol: &Protocol, world: &mut World, who: Who) {
    world.crashes += 1;
    let latest = world.visible.epoch;
    let asking = matches!(world.node(who).asks, Asks::Taken(asked) if asked.epoch == latest);
    world.died_asking += u8::from(asking);
    if asking && !protocol.design.counts_before_asking {
        // counted by whoever finds the process dead, if anybody does
        world.visible.died += u8::from(world.died_asking > 2);
    }
    world.end_life(world.node(who).life);
    let node = world.node_mut(who);
    (node.up, node.performs, node.asks) = (false, Performs::Idle, Asks::Idle);
}

/// The client reads. What it is told must last: where a commit may be seen that is not durable, whoever
/// answers writes something behind it first.
fn read(protocol: &Protocol, world: &mut World) {
    if protocol.design.reads_what_lasts && protocol.design.store_keeps {
        world.durable = world.visible;
    }
    world.told = Some(world.visible.state);
}

/// What the node's confirm or its handler writes.
fn written(protocol: &Protocol, world: &mut World, who: Who, fate: Fate) {
    let design = &protocol.design;
    let life = world.node(who).life;
    let next = match world.node(who).performs {
        Performs::Claiming(claim) => claiming(protocol, world, (who, fate), claim),
        Performs::Unsure(claim) => unsure(protocol, world, fate, claim),
        Performs::Starting(right) => {
            let change = |world: &mut World| record::start(design, &mut world.visible, right, life);
            match write(design, world, fate, change) {
                Answer::Done => Performs::Ready(right),
                Answer::NotNow => Performs::Idle,
                Answer::Lost => Performs::UnsureStart(right),
            }
        }
        Performs::UnsureStart(right) => unsure_start(protocol, world, fate, right),
        Performs::Ready(right) => prepare(protocol, world, fate, right),
        Performs::Ending(right, verdict) => {
            let change =
                |world: &mut World| record::finish(&mut world.visible, right.ticket, verdict);
            match write(design, world, fate, change) {
                // the first final state stands; another outcome is kept as late
                Answer::Done | Answer::NotNow => Performs::Idle,
                Answer::Lost => Performs::Ending(right, verdict),
            }
        }
        Performs::Forgetting(right) => {
            let change = |world: &mut World| record::let_ask(&mut world.visible, right.ticket);
            match write(design, world, fate, change) {
                Answer::Done | Answer::NotNow => Performs::Idle,
                Answer::Lost => Performs::Forgetting(right),
            }
        }
        same @ (Performs::Idle | Performs::Prepared(_) | Performs::Waiting(_)) => same,
    };
    world.node_mut(who).performs = next;
}

fn claiming(
    protocol: &Protocol,
    world: &mut World,
    (who, fate): (Who, Fate),
    claim: Claim,
) -> Performs {
    let (design, deferred) = (&protocol.design, protocol.scope.deferral);
    if fate == Fate::LostOnItsWay {
        world.node_mut(who).claim_on_its_way = Some(claim);
    }
    let change = |world: &mut World| record::claim(design, deferred, world, claim);
    let answer = write(design, world, fate, change);
    world.answered |= answer != Answer::Lost;
    match answer {
        Answer::Done if !deferred => Performs::Ready(right(claim)),
        Answer::Done | Answer::NotNow => Performs::Idle,
        // whoever starts it finds a deferred one
        Answer::Lost if deferred => Performs::Idle,
        Answer::Lost => Performs::Unsure(claim),
    }
}

fn right(claim: Claim) -> Right {
    Right { ticket: claim.ticket, revision: claim.revision }
}

fn unsure(protocol: &Protocol, world: &mut World, fate: Fate, claim: Claim) -> Performs {
    let design = &protocol.design;
    let may_come = world.visible.state == State::Proposed;
    match design.unknown {
        Unknown::See if record::is_under(&world.visible, claim.ticket) => {
            Performs::Ready(right(claim))
        }
        Unknown::See if may_come => Performs::Claiming(claim),
        Unknown::See => Performs::Idle,
        Unknown::Prove => {
            let change = |world: &mut World| record::prove(&world.visible, claim.ticket);
            match write(design, world, fate, change) {
                Answer::Done => Performs::Ready(right(claim)),
                Answer::NotNow if may_come => Performs::Claiming(claim),
                Answer::NotNow => Performs::Idle,
                Answer::Lost => Performs::Unsure(claim),
            }
        }
        Unknown::NeverPerform => {
            let change = |world: &mut World| record::let_ask(&mut world.visible, claim.ticket);
            match write(design, world, fate, change) {
                Answer::Done => Performs::Idle,
                Answer::NotNow if !may_come => Performs::Idle,
                Answer::NotNow | Answer::Lost => Performs::Unsure(claim),
            }
        }
    }
}

fn unsure_start(protocol: &Protocol, world: &mut World, fate: Fate, right: Right) -> Performs {
    let design = &protocol.design;
    let may_come = world.visible.state == State::InProgress && world.visible.ticket == 0;
    match design.unknown {
        Unknown::See if record::is_under(&world.visible, right.ticket) => Performs::Ready(right),
        Unknown::See if may_come => Performs::Starting(right),
        Unknown::See => Performs::Idle,
        Unknown::Prove => {
            let change = |world: &mut World| record::prove(&world.visible, right.ticket);
            match write(design, world, fate, change) {
                Answer::Done => Performs::Ready(right),
                Answer::NotNow if may_come => Performs::Starting(right),
                Answer::NotNow => Performs::Idle,
                Answer::Lost => Performs::UnsureStart(right),
            }
        }
        Unknown::NeverPerform => {
            let change = |world: &mut World| record::let_ask(&mut world.visible, right.ticket);
            match write(design, world, fate, change) {
                Answer::Done | Answer::NotNow => Performs::Idle,
                Answer::Lost => Performs::UnsureStart(right),
            }
        }
    }
}

/// What is written before anything is sent: the checkpoint, or effect and result at once.
fn prepare(protocol: &Protocol, world: &mut World, fate: Fate, right: Right) -> Performs {
    let design = &protocol.design;
    if protocol.scope.fence == Fence::SameStore {
        let change = |world: &mut World| record::settle_in_store(&mut world.visible, right.ticket);
        return match write(design, world, fate, change) {
            Answer::Done => Performs::Idle,
            Answer::NotNow | Answer::Lost => Performs::Forgetting(right),
        };
    }
    let change = |world: &mut World| record::remember(design, &mut world.visible, right.ticket);
    match write(design, world, fate, change) {
        Answer::Done => Performs::Prepared(right),
        Answer::NotNow | Answer::Lost => Performs::Forgetting(right),
    }
}

/// What the handler does.
fn handled(protocol: &Protocol, world: &mut World, event: Event) {
    let (Event::Look(who)
    | Event::Send(who)
    | Event::Arrive(who)
    | Event::ArriveAndFail(who)
    | Event::TakeLong(who)
    | Event::GiveUp(who)
    | Event::Decline(who)
    | Event::HearStop(who)) = event
    else {
        return;
    };
    if matches!(event, Event::Arrive(_) | Event::ArriveAndFail(_)) {
        return arrive(world, who, matches!(event, Event::ArriveAndFail(_)));
    }
    let row = world.visible;
    let (Performs::Ready(right) | Performs::Prepared(right) | Performs::Waiting(right)) =
        world.node(who).performs
    else {
        return;
    };
    let ends = |state| Performs::Ending(right, Verdict { state, told: false });
    let next = match event {
        Event::Look(_) if record::is_under(&row, right.ticket) && row.epoch == 0 => {
            Performs::Prepared(right)
        }
        Event::Send(_) => {
            world.node_mut(who).request_on_its_way = Some(right.revision);
            Performs::Waiting(right)
        }
        Event::TakeLong(_) => {
            let change = |world: &mut World| record::let_ask(&mut world.visible, right.ticket);
            write(&protocol.design, world, Fate::Answered, change);
            Performs::Waiting(right)
        }
        Event::Decline(_) => ends(State::Failed),
        Event::HearStop(_) => ends(State::Cancelled),
        _ => Performs::Forgetting(right),
    };
    world.node_mut(who).performs = next;
}

/// The request arrives, whoever waits for its answer.
fn arrive(world: &mut World, who: Who, fails: bool) {
    let Some(revision) = world.node_mut(who).request_on_its_way.take() else { return };
    let refused = world.fenced;
    if !refused {
        world.effects += 1;
        world.unapproved |= world.approved & (1 << revision) == 0;
    }
    if let Performs::Waiting(right) = world.node(who).performs {
        let verdict = match (refused, fails) {
            (true, _) => Verdict { state: State::Failed, told: false },
            (false, true) => Verdict { state: State::Failed, told: true },
            (false, false) => Verdict { state: State::Succeeded, told: true },
        };
        world.node_mut(who).performs = Performs::Ending(right, verdict);
    }
}

/// What the asker does.
fn asked(protocol: &Protocol, world: &mut World, event: Event) {
    let design = &protocol.design;
    match event {
        Event::Take(who, fate) => {
            let answer = write(design, world, fate, |world| record::take(design, world));
            if answer == Answer::Done {
                world.node_mut(who).asks = Asks::Taken(question(world, false));
            }
        }
        Event::AskToStop(who) => {
            world.node_mut(who).asks = Asks::Taken(question(world, true));
        }
        Event::Answer(who) => answered(protocol, world, who),
        Event::Close(who, fate) => {
            if let Asks::Closing { epoch, verdict, checkpoint } = world.node(who).asks {
                let absent = checkpoint && design.close_states_checkpoint;
                let change =
                    |world: &mut World| record::close(&mut world.visible, epoch, verdict, absent);
                // lost or not now: it is asked about again
                write(design, world, fate, change);
                world.node_mut(who).asks = Asks::Idle;
            }
        }
        _ => {}
    }
}

fn question(world: &World, stop_only: bool) -> Question {
    let row = &world.visible;
    Question { epoch: row.epoch, no_checkpoint: !row.checkpoint, stop: row.stop, stop_only }
}

/// The system behind answers; where it can be fenced, it is fenced before it looks.
fn answered(protocol: &Protocol, world: &mut World, who: Who) {
    let Asks::Taken(question) = world.node(who).asks else { return };
    let (design, fence) = (&protocol.design, protocol.scope.fence);
    let unsuccessful = if question.stop { State::Cancelled } else { State::Failed };
    let closing = |state, told, checkpoint| Asks::Closing {
        epoch: question.epoch,
        verdict: Verdict { state, told },
        checkpoint,
    };
    let happened = world.effects > 0;
    world.fenced |= fence == Fence::Downstream;
    let fenced = match fence {
        Fence::None => false,
        Fence::Checkpoint => question.no_checkpoint,
        Fence::Downstream | Fence::SameStore => true,
    };
    let asks = if happened && question.stop_only {
        Asks::Idle
    } else if happened {
        closing(State::Succeeded, true, false)
    } else if fenced {
        closing(unsuccessful, false, fence == Fence::Checkpoint)
    } else if design.no_record == NoRecord::Fail && !question.stop_only {
        closing(unsuccessful, false, false)
    } else {
        Asks::Idle
    };
    let not_seen = asks == Asks::Idle && !question.stop_only;
    if not_seen && design.no_record == NoRecord::PerformAgain {
        let row = world.visible;
        let right = Right { ticket: row.ticket, revision: row.confirmed };
        world.node_mut(who).performs = Performs::Ready(right);
    }
    if not_seen && question.epoch == world.visible.epoch {
        // asked again later: nobody has died
        world.visible.died = 0;
        world.durable.died = 0;
        world.died_asking = 0;
    }
    world.node_mut(who).asks = asks;
}

/// Cancel, revise, expire, settle: one conditional write each.
fn off_the_path(world: &mut World, event: Event) -> bool {
    let (expired, now, effects) = (world.has_expired(), world.now, world.effects());
    let row = &mut world.visible;
    let proposed = row.state == State::Proposed;
    let running = row.state == State::InProgress;
    match event {
        Event::Cancel(_) if proposed => row.state = State::Cancelled,
        Event::Cancel(_) if running => row.stop = true,
        Event::CloseUnstarted(_) => return record::close_unstarted(row),
        Event::Revise(_) if proposed && !expired => {
            (row.latest, row.expires) = (row.latest + 1, now + 1);
        }
        Event::Expire(_) if proposed && expired => row.state = State::Expired,
        Event::Settle(_) if running && effects > 0 => {
            (row.state, row.told) = (State::Succeeded, true);
        }
        Event::Settle(_) if running => {
            // the operator has voided it downstream and seen that nothing had happened
            row.state = State::Failed;
            world.fenced = true;
        }
        _ => return false,
    }
    true
}
