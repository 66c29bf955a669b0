//! What is counted and timed, under names that do not change.

use std::fmt::{Debug, Formatter};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

/// Where counts and times go. A company hands them to the metrics library that it has; `pap-ops` has one for
/// Prometheus.
///
/// Every name and label is in [`names`]. A label's value is an action, a state or a word of ours, never
/// anything of a User's. Called on the path of a confirm: it must not block.
///
/// # Examples
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use std::time::Duration;
///
/// use pap_runtime::meter::{Label, Meter, names};
///
/// #[derive(Default)]
/// struct Confirms(AtomicU64);
///
/// impl Meter for Confirms {
///     fn count(&self, name: &'static str, _labels: &[Label<'_>]) {
///         if name == names::CONFIRMS {
///             self.0.fetch_add(1, Ordering::Relaxed);
///         }
///     }
///
///     fn took(&self, _name: &'static str, _labels: &[Label<'_>], _took: Duration) {}
/// }
/// ```
pub trait Meter: Send + Sync + 'static {
    /// Something happened once more.
    fn count(&self, name: &'static str, labels: &[Label<'_>]);

    /// Something took so long.
    fn took(&self, name: &'static str, labels: &[Label<'_>], took: Duration);
}

/// A label's name and value.
pub type Label<'a> = (&'static str, &'a str);

/// The names of everything that is counted, timed, or read off a store.
pub mod names {
    /// Counter, by `action`: new operations.
    pub const PROPOSALS: &str = "pap_proposals_total";
    /// Counter, by `action` and `outcome` (`claimed`, `deferred`, `as_it_is`, `refused`): answers to confirms.
    pub const CONFIRMS: &str = "pap_confirms_total";
    /// Histogram in seconds, by `action`: from the confirm to its answer, the handler included.
    pub const CONFIRM_SECONDS: &str = "pap_confirm_seconds";
    /// Histogram in seconds, by `action`: how long handlers ran.
    pub const PERFORM_SECONDS: &str = "pap_perform_seconds";
    /// Counter, by `action` and `state`: operations that this process ended after a confirmation.
    pub const ENDED: &str = "pap_ended_total";
    /// Counter, by `action`: questions about operations whose outcome nobody knows.
    pub const ASKED: &str = "pap_asked_total";
    /// Counter, by `action`: how often a person was called to look.
    pub const ATTENTION: &str = "pap_attention_total";
    /// Counter, by `action`: outcomes that came after the end and differ from it.
    pub const LATE_OUTCOMES: &str = "pap_late_outcomes_total";
    /// Counter, by `action`: revisions of whose end the company was told.
    pub const RELEASED: &str = "pap_released_total";
    /// Gauge, by `action`: operations in progress.
    pub const IN_PROGRESS: &str = "pap_in_progress";
    /// Gauge in seconds, by `action`: the age of the oldest operation in progress.
    pub const OLDEST_SECONDS: &str = "pap_in_progress_oldest_seconds";
    /// Gauge, by `action`: operations in progress that a person has to look at.
    pub const NEEDS_ATTENTION: &str = "pap_needs_attention";
    /// Gauge, by `action`: confirmed operations that wait to be started.
    pub const DEFERRED: &str = "pap_deferred";
    /// Gauge, by `action`: operations that others were given to finish.
    pub const HANDED_OVER: &str = "pap_handed_over";

    /// Every name, for documents and alerts that must not drift.
    pub const ALL: [&str; 14] = [
        PROPOSALS,
        CONFIRMS,
        CONFIRM_SECONDS,
        PERFORM_SECONDS,
        ENDED,
        ASKED,
        ATTENTION,
        LATE_OUTCOMES,
        RELEASED,
        IN_PROGRESS,
        OLDEST_SECONDS,
        NEEDS_ATTENTION,
        DEFERRED,
        HANDED_OVER,
    ];
}

/// The company's meter, if it has one.
#[derive(Clone, Default)]
pub(crate) struct Measured(Option<Arc<dyn Meter>>);

impl Measured {
    pub(crate) fn by(meter: impl Meter) -> Self {
        Self(Some(Arc::new(meter)))
    }

    pub(crate) fn count(&self, name: &'static str, labels: &[Label<'_>]) {
        if let Some(meter) = &self.0 {
            meter.count(name, labels);
        }
    }

    /// Since `begun`.
    pub(crate) fn took(&self, name: &'static str, action: &str, begun: Instant) {
        if let Some(meter) = &self.0 {
            meter.took(name, &[("action", action)], begun.elapsed());
        }
    }
}

impl Debug for Measured {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Measured").field(&self.0.is_some()).finish()
    }
}
