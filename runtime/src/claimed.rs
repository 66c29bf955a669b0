//! What a confirm or a start yields and performing takes.

use std::sync::Arc;

use crate::engine::Performing;
use crate::rooms::Room;
use crate::stops::Listening;
use crate::store::{Stored, Ticket};

/// The one right to perform a confirmed revision. It is never handed on, renewed or retried.
#[must_use = "the right to perform is spent: perform"]
pub(crate) struct Claimed {
    pub(crate) stored: Arc<Stored>,
    pub(crate) ticket: Ticket,
    pub(crate) stop: Listening,
    /// Its place among the handlers of its action.
    pub(crate) room: Room,
    /// Draining waits for it.
    pub(crate) performing: Performing,
}
