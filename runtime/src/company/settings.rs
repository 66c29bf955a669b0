//! How long a company waits for what, and what each of its processes does.

use std::time::Duration;

use super::Builder;
use crate::attention::{Attention, OnAttention};
use crate::engine::Settings;
use crate::meter::{Measured, Meter};
use crate::role::Role;
use crate::rooms::Limits;
use crate::wait::{DAY, LEAST, MONTH, Wait};

impl<S: Send + Sync + 'static> Builder<S> {
    /// How long a confirm waits for the handler before it answers `in_progress`; 3 s unless set, at most 24 h.
    #[must_use]
    pub fn answer_within(mut self, wait: Duration) -> Self {
        self.settings.answer_within = wait;
        self
    }

    /// After how long a handler that has not answered may be asked about; 60 s unless set, at least 1 ms and at
    /// most 31 days. It is never aborted, and its own answer still counts.
    #[must_use]
    pub fn perform_within(mut self, wait: Duration) -> Self {
        self.settings.perform_within = wait;
        self
    }

    /// `Retry-After` while in progress, in whole seconds, at least one; 2 s unless set, at most 24 h.
    #[must_use]
    pub fn retry_after(mut self, wait: Duration) -> Self {
        self.settings.retry_after = wait;
        self
    }

    /// The first and the longest wait between two questions about an unknown outcome; 2 s and 10 min
    /// unless set, at most 24 h and 31 days. Asking never ends, and is never a busy loop.
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
    /// dead, by whichever process; 5 s and 30 s unless set, at least 1 ms, at most 24 h and 31 days. Only when
    /// questions are asked depends on it, never whether an action may be performed.
    #[must_use]
    pub fn heartbeat(mut self, every: Duration, dead_after: Duration) -> Self {
        self.settings.beat_every = every;
        self.settings.dead_after = dead_after;
        self
    }

    /// How often proposals are looked through for what has expired and is to be released, and old operations
    /// for what is kept no longer; 5 s unless set, at least 1 ms and at most 24 h.
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

impl Settings {
    /// Every wait that a company is set to.
    #[rustfmt::skip]
    pub(super) fn waits(&self) -> [Wait; 9] {
        [
            Wait {
                call: ".answer_within(…)", is: self.answer_within, may_be: Duration::ZERO..=DAY,
                why: "an agent waits for the answer to its confirm (section 5.2: a few seconds)",
                such_as: ".answer_within(Duration::from_secs(3))",
            },
            Wait {
                call: ".perform_within(…)", is: self.perform_within, may_be: LEAST..=MONTH,
                why: "a handler needs time before it is asked about, and one that hangs has to be asked about some day",
                such_as: ".perform_within(Duration::from_secs(60))",
            },
            Wait {
                call: ".retry_after(…)", is: self.retry_after, may_be: Duration::ZERO..=DAY,
                why: "an agent reads no result before",
                such_as: ".retry_after(Duration::from_secs(2))",
            },
            Wait {
                call: ".ask_again(first, …)", is: self.ask_again_first, may_be: Duration::ZERO..=DAY,
                why: "what is not known stays so until it is asked about",
                such_as: ".ask_again(Duration::from_secs(2), Duration::from_secs(600))",
            },
            Wait {
                call: ".ask_again(…, most)", is: self.ask_again_most, may_be: Duration::ZERO..=MONTH,
                why: "what is not known stays so until it is asked about",
                such_as: ".ask_again(Duration::from_secs(2), Duration::from_secs(600))",
            },
            Wait {
                call: ".heartbeat(every, …)", is: self.beat_every, may_be: LEAST..=DAY,
                why: "each sign of life is a write, and a process without one is taken for dead",
                such_as: ".heartbeat(Duration::from_secs(5), Duration::from_secs(30))",
            },
            Wait {
                call: ".heartbeat(…, dead_after)", is: self.dead_after, may_be: LEAST..=MONTH,
                why: "what a process held that has died is asked about only then",
                such_as: ".heartbeat(Duration::from_secs(5), Duration::from_secs(30))",
            },
            Wait {
                call: ".sweep_every(…)", is: self.sweep_every, may_be: LEAST..=DAY,
                why: "each look asks the store, and expiry and retention come on record by one",
                such_as: ".sweep_every(Duration::from_secs(5))",
            },
            Wait {
                call: ".release_within(…)", is: self.release_within, may_be: LEAST..=DAY,
                why: "without time to answer nothing is let go, and what a process died telling waits twice as long",
                such_as: ".release_within(Duration::from_secs(60))",
            },
        ]
    }
}
