//! The protocol of the store as a state machine of one operation: everything that two nodes, a client, an
//! operator, the store and the system behind can do, in every order.

pub mod design;
pub mod designs;
pub mod events;
mod happen;
pub mod promises;
pub mod record;
pub mod state;

use stateright::{Model, Property};

use design::{Design, Scope};
use events::Event;
use state::World;

/// A design, and how much may happen.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "a row of the table of designs")]
pub struct Protocol {
    /// How it is built.
    pub design: Design,
    /// How much may happen.
    pub scope: Scope,
}

impl Model for Protocol {
    type State = World;
    type Action = Event;

    fn init_states(&self) -> Vec<World> {
        vec![World::new()]
    }

    fn actions(&self, world: &World, events: &mut Vec<Event>) {
        events::possible(self, world, events);
    }

    fn next_state(&self, last: &World, event: Event) -> Option<World> {
        let mut world = last.clone();
        happen::after(self, &mut world, event);
        (world != *last).then_some(world)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        promises::all()
    }
}
