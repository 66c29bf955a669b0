//! How long a company waits for what, and what each of its processes does.

use std::time::Duration;

use super::Builder;
use crate::attention::{Attention, OnAttention};
use crate::meter::{Measured, Meter};
use crate::role::Role;
use crate::rooms::Limits;

impl<S: Send + Sync + 'static> Builder<S> {
    /// How long a confirm waits for the handler before it answers `in_progress`; 3 s unless set.
    #[must_use]
    pub fn answer_within(mut self, wait: Duration) -> Self {
        self.settings.answer_within = wait;
        self
    }

    /// After how long a handler that has not answered may be asked about; 60 s unless set. It is never
    /// aborted, and its own answer still counts.
    #[must_use]
    pub fn perform_within(mut self, wait: Duration) -> Self {
        self.settings.perform_within = wait;
        self
    }

    /// `Retry-After` while in progress, in whole seconds, at least one; 2 s unless set.
    #[must_use]
    pub fn retry_after(mut self, wait: Duration) -> Self {
        self.settings.retry_after = wait;
        self
    }

    /// The first and the longest wait between two questions about an unknown outcome; 2 s and 10 min
    /// unless set. Asking never ends.
    #[must_use]
    pub fn ask_again(mut self, first: Duration, most: Duration) -> Self {
        self.settings.ask_again_first = first;
        self.settings.ask_again_most = most;
        self
    }

    /// After how many questions without an answer a person has to look; 8 unless set.
    #[must_use]
    pub fn attention_after(mut self, asks: u32) -> Self {
        self.settings.attention_after = asks;
        self
    }

    /// What this process does of a company that has many; [`Role::Both`] unless set.
    #[must_use]
    pub fn role(mut self, role: Role) -> Self {
        self.settings.role = role;
        self
    }

    /// How much of an action runs in this process at once; no limits unless set. What is over them is
    /// confirmed all the same, and waits in the store for a process that has room.
    #[must_use]
    pub fn limits(mut self, action: impl Into<String>, limits: Limits) -> Self {
        self.settings.limits.insert(action.into(), limits);
        self
    }

    /// How often this process says that it lives, and after how long without that it may be taken for
    /// dead, by whichever process; 5 s and 30 s unless set. Only when questions are asked depends on it,
    /// never whether an action may be performed.
    #[must_use]
    pub fn heartbeat(mut self, every: Duration, dead_after: Duration) -> Self {
        self.settings.beat_every = every;
        self.settings.dead_after = dead_after;
        self
    }

    /// How often proposals are looked through for what has expired and is to be released, and old operations
    /// for what is kept no longer; 5 s unless set.
    #[must_use]
    pub fn sweep_every(mut self, wait: Duration) -> Self {
        self.settings.sweep_every = wait;
        self
    }

    /// How long a `released` function may take to answer for a revision that ended without being performed
    /// (section 3.1); 60 s unless set, at least 1 ms and at most 24 h. One that has not answered by then is told
    /// again. A few are told at a time, and the others wait for them.
    ///
    /// # Crash safety
    ///
    /// What a process died telling is told by a sweep after twice this time, of whichever process.
    #[must_use]
    pub fn release_within(mut self, wait: Duration) -> Self {
        self.settings.release_within = wait;
        self
    }

    /// Counts and times what this process does. [`crate::meter::names`] lists the names.
    #[must_use]
    pub fn meter(mut self, meter: impl Meter) -> Self {
        self.settings.measured = Measured::by(meter);
        self
    }

    /// Called when a person has to look at an operation, once each time that it comes to that in this
    /// process. It must not block: send it on.
    #[must_use]
    pub fn on_attention(mut self, call: impl Fn(Attention) + Send + Sync + 'static) -> Self {
        self.settings.on_attention = OnAttention::calling(call);
        self
    }
}
