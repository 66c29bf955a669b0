//! What must hold in every state that can be reached, and what must be reachable at all.

use stateright::Property;

use super::Protocol;
use super::state::{State, World};

/// OPS-6-4.
pub const ONCE: &str = "performed at most once";
/// OPS-3-23.
pub const STANDS: &str = "a final state never changes, also for a client that was told it";
/// OPS-6-6, OPS-6-7.
pub const UNTOLD: &str = "failed, cancelled and expired mean no untold effect";
/// OPS-6-6.
pub const HAPPENED: &str = "succeeded means it happened";
/// OPS-5.2-4, OPS-3-7.
pub const CLAIMABLE: &str = "only the latest revision, proposed and in time, is claimed";
/// OPS-1-1.
pub const APPROVED: &str = "what is performed is what the User approved";
/// A deferred one.
pub const STOPPED: &str = "a stop on record keeps a deferred one from being started";
/// The fence of ours.
pub const MISSING: &str = "a checkpoint that was found missing is never written";
/// Quarantine.
pub const PUT_ASIDE: &str = "after three processes in a row died asking, nobody asks";

fn holds(world: &World, name: &str) -> bool {
    let state = world.visible.state;
    match name {
        ONCE => world.effects() <= 1,
        STANDS => !world.changed && world.told.is_none_or(|told| told == state),
        UNTOLD => {
            let unsuccessful = matches!(state, State::Failed | State::Cancelled | State::Expired);
            !unsuccessful || world.effects() == 0 || world.visible.told
        }
        HAPPENED => state != State::Succeeded || world.effects() > 0,
        CLAIMABLE => !world.claimed_wrongly,
        APPROVED => !world.unapproved,
        STOPPED => !world.started_stopped,
        MISSING => !world.late_checkpoint,
        PUT_ASIDE => world.died_asking <= 3,
        _ => false,
    }
}

macro_rules! always {
    ($($name:ident)*) => {
        vec![$(Property::<Protocol>::always($name, |_, world| holds(world, $name))),*]
    };
}

/// All of them, and the ends that show that the model gets anywhere.
pub(super) fn all() -> Vec<Property<Protocol>> {
    let mut all = always![ONCE STANDS UNTOLD HAPPENED CLAIMABLE APPROVED STOPPED MISSING PUT_ASIDE];
    all.extend([
        Property::<Protocol>::sometimes("succeeds", |_, world| {
            world.visible.state == State::Succeeded
        }),
        Property::<Protocol>::sometimes("fails", |_, world| world.visible.state == State::Failed),
        Property::<Protocol>::sometimes("is cancelled", |_, world| {
            world.visible.state == State::Cancelled
        }),
        Property::<Protocol>::sometimes("expires", |_, world| {
            world.visible.state == State::Expired
        }),
    ]);
    all
}
