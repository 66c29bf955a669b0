//! What a handler says happened. Not knowing is a value, never a failure (section 6).

use std::fmt::{Debug, Display, Formatter};
use std::marker::PhantomData;
use std::time::Duration;

/// What `perform` returns.
///
/// Make one with [`succeeded`], [`failed_unchanged`], [`failed_after`], [`stopped_unchanged`],
/// [`stopped_after`], [`unknown`] or [`handed_over`].
pub type Outcome<T = ()> = Result<Succeeded<T>, NotSucceeded>;

/// The action was performed. Made by [`succeeded`].
#[derive(Debug)]
#[must_use = "an outcome that is dropped is never recorded"]
pub struct Succeeded<T = ()>(pub(crate) Success<T>);

/// The ways to have succeeded.
#[derive(Debug)]
pub(crate) enum Success<T> {
    /// To be put on record.
    Now { summary: String, data: T },
    /// It is on record, if the company's own transaction was committed.
    InTransaction,
}

/// The action did not succeed, or nobody knows yet.
#[derive(Debug)]
#[must_use = "an outcome that is dropped is never recorded"]
pub struct NotSucceeded(pub(crate) Ended);

/// The ways not to have succeeded.
#[derive(Debug)]
pub(crate) enum Ended {
    /// It will not be completed; `changes` tells what was changed.
    Failed { summary: String, changes: Vec<String> },
    /// It was stopped because the User asked; `changes` tells what was changed.
    Stopped { summary: String, changes: Vec<String> },
    /// Nobody knows whether it took effect.
    Unknown { reason: String },
    /// People or another system finish it.
    HandedOver { to: String, look_again_in: Duration },
    /// It is on record that it did not succeed, if the company's own transaction was committed.
    InTransaction,
}

/// The action was performed: `summary` tells the User every change that was made (section 6), `data`
/// becomes `result.data`.
pub fn succeeded<T>(summary: impl Into<String>, data: T) -> Outcome<T> {
    Ok(Succeeded(Success::Now { summary: summary.into(), data }))
}

/// The action was not performed and nothing was changed, as this handler knows first-hand.
pub fn failed_unchanged<T>(summary: impl Into<String>) -> Outcome<T> {
    Err(NotSucceeded(Ended::Failed { summary: summary.into(), changes: Vec::new() }))
}

/// The action was not completed, and these changes were made. At least one: use
/// [`failed_unchanged`] if there was none.
pub fn failed_after<T, const N: usize>(
    changes: [&str; N],
    summary: impl Into<String>,
) -> Outcome<T> {
    const {
        assert!(
            N > 0,
            "`failed_after` needs at least one change: use `failed_unchanged` if nothing was changed"
        );
    };
    let changes = changes.map(str::to_owned).into();
    Err(NotSucceeded(Ended::Failed { summary: summary.into(), changes }))
}

/// The action was stopped as the User asked, and nothing was changed.
pub fn stopped_unchanged<T>(summary: impl Into<String>) -> Outcome<T> {
    Err(NotSucceeded(Ended::Stopped { summary: summary.into(), changes: Vec::new() }))
}

/// The action was stopped as the User asked, after these changes. At least one: use
/// [`stopped_unchanged`] if there was none.
pub fn stopped_after<T, const N: usize>(
    changes: [&str; N],
    summary: impl Into<String>,
) -> Outcome<T> {
    const {
        assert!(
            N > 0,
            "`stopped_after` needs at least one change: use `stopped_unchanged` if nothing was changed"
        );
    };
    let changes = changes.map(str::to_owned).into();
    Err(NotSucceeded(Ended::Stopped { summary: summary.into(), changes }))
}

/// Nobody knows whether the action took effect. It stays in progress and `reconcile` is asked.
///
/// The reason is for the operator; it reaches no agent.
pub fn unknown<T>(reason: impl Into<String>) -> Outcome<T> {
    Err(NotSucceeded(Ended::Unknown { reason: reason.into() }))
}

/// People or another system finish the action. It stays in progress; `reconcile` is asked after
/// `look_again_in`, and no alarm is raised before.
pub fn handed_over<T>(to: impl Into<String>, look_again_in: Duration) -> Outcome<T> {
    Err(NotSucceeded(Ended::HandedOver { to: to.into(), look_again_in }))
}

/// An outcome that was written in the company's own transaction, beside the rows that are its effect. Both
/// come to be when the transaction is committed, or neither does.
///
/// Commit it, then return [`Settled::committed`]. If the commit's answer does not come, nobody knows whether
/// it took effect: end the handler by `.or_unknown("our database")?`, and what is on record counts.
#[must_use = "commit the transaction, then return `settled.committed()`"]
pub struct Settled<T = ()> {
    succeeded: bool,
    of: PhantomData<fn() -> T>,
}

impl<T> Settled<T> {
    /// What was written of this outcome; nothing of one that is no end.
    pub(crate) fn of(outcome: &Outcome<T>) -> Option<Self> {
        let settled = |succeeded| Some(Self { succeeded, of: PhantomData });
        match outcome {
            Ok(Succeeded(Success::Now { .. })) => settled(true),
            Err(NotSucceeded(Ended::Failed { .. } | Ended::Stopped { .. })) => settled(false),
            Ok(Succeeded(Success::InTransaction))
            | Err(NotSucceeded(
                Ended::Unknown { .. } | Ended::HandedOver { .. } | Ended::InTransaction,
            )) => None,
        }
    }

    /// The end of a handler whose transaction was committed: the operation has the outcome that was
    /// written, and nothing else is recorded.
    ///
    /// # Errors
    ///
    /// [`NotSucceeded`] if that is what was written.
    pub fn committed(self) -> Outcome<T> {
        if self.succeeded {
            Ok(Succeeded(Success::InTransaction))
        } else {
            Err(NotSucceeded(Ended::InTransaction))
        }
    }
}

impl<T> Debug for Settled<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Settled").field("succeeded", &self.succeeded).finish_non_exhaustive()
    }
}

/// An error that says whether the action took effect, and may therefore end a handler by `?`.
///
/// A foreign error (a time-out, a reset connection) does not say it: the handler has to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say whether the action took effect",
    label = "end this with `.or_unknown(\"…\")?` or `.or_failed_unchanged(\"…\")?`",
    note = "after a time-out or a broken connection nobody knows whether the other side acted: that is `.or_unknown(\"card system\")?`, and the operation stays in progress until `reconcile` finds out",
    note = "only if this error proves that nothing was changed is it `.or_failed_unchanged(\"The card was declined; nothing was charged.\")?`"
)]
pub trait SaysIfItHappened {
    /// The same, as the end of a handler.
    fn into_not_succeeded(self) -> NotSucceeded;
}

impl<E: SaysIfItHappened> From<E> for NotSucceeded {
    fn from(error: E) -> Self {
        error.into_not_succeeded()
    }
}

/// Nobody knows: made by [`OrSay::or_unknown`].
#[derive(Debug)]
pub struct Unknown(String);

impl SaysIfItHappened for Unknown {
    fn into_not_succeeded(self) -> NotSucceeded {
        NotSucceeded(Ended::Unknown { reason: self.0 })
    }
}

/// It did not happen and nothing was changed: made by [`OrSay::or_failed_unchanged`].
#[derive(Debug)]
pub struct FailedUnchanged(String);

impl SaysIfItHappened for FailedUnchanged {
    fn into_not_succeeded(self) -> NotSucceeded {
        NotSucceeded(Ended::Failed { summary: self.0, changes: Vec::new() })
    }
}

/// Says what a foreign error means for the action, so that `?` can end the handler with it.
pub trait OrSay<T> {
    /// On an error nobody knows whether `system` acted: the operation stays in progress and
    /// `reconcile` is asked. The error's text goes to the operator, never to the agent.
    fn or_unknown(self, system: &str) -> Result<T, Unknown>;

    /// On an error nothing was changed, as the author knows first-hand: the operation fails with
    /// this summary for the User.
    fn or_failed_unchanged(self, summary: &str) -> Result<T, FailedUnchanged>;
}

impl<T, E: Display> OrSay<T> for Result<T, E> {
    fn or_unknown(self, system: &str) -> Result<T, Unknown> {
        self.map_err(|error| Unknown(format!("{system}: {error}")))
    }

    fn or_failed_unchanged(self, summary: &str) -> Result<T, FailedUnchanged> {
        self.map_err(|error| {
            tracing::info!(%error, "an action failed with nothing changed");
            FailedUnchanged(summary.to_owned())
        })
    }
}
