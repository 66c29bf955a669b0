//! What `reconcile` and `stop` find out after a crash, an unknown outcome or a request to stop.

use std::fmt::Display;

/// What `reconcile` found out about one operation (section 6).
#[derive(Debug)]
#[must_use]
pub struct Finding<T = ()>(pub(crate) Found<T>);

#[derive(Debug)]
pub(crate) enum Found<T> {
    Happened { summary: String, data: T },
    Partly { changes: Vec<String>, summary: String },
    DidNotAndCannot(Fence),
    NotSeenYet,
}

/// The action took effect: the operation succeeds with this summary and data.
///
/// # Errors
///
/// Never: a `Result` so that it can end a `reconcile` function.
pub fn happened<T>(summary: impl Into<String>, data: T) -> Result<Finding<T>, Retry> {
    Ok(Finding(Found::Happened { summary: summary.into(), data }))
}

/// The action took effect in part, and nothing more of it will happen: the operation ends as failed
/// (cancelled, if the User asked to stop) with these changes. At least one.
///
/// That nothing more will happen is your word, and may rest on a checkpoint that is missing. So it ends
/// nothing of a store that was restored from a copy: a person is called, and settles it.
///
/// # Errors
///
/// Never: a `Result` so that it can end a `reconcile` function.
pub fn partly<T, const N: usize>(
    changes: [&str; N],
    summary: impl Into<String>,
) -> Result<Finding<T>, Retry> {
    const {
        assert!(
            N > 0,
            "`partly` needs at least one change: use `did_not_and_cannot` if nothing was changed"
        );
    };
    let changes = changes.map(str::to_owned).into();
    Ok(Finding(Found::Partly { changes, summary: summary.into() }))
}

/// The action did not take effect, and behind this fence it no longer can: the operation ends as
/// failed (cancelled, if the User asked to stop), with nothing changed.
///
/// # Errors
///
/// Never: a `Result` so that it can end a `reconcile` function.
pub fn did_not_and_cannot<T>(fence: Fence) -> Result<Finding<T>, Retry> {
    Ok(Finding(Found::DidNotAndCannot(fence)))
}

/// Nothing was seen of the action. That is no proof that it did not happen: the operation stays in
/// progress and is asked about again.
///
/// Asking never ends by itself. So that an operation whose process died before its first effect can
/// end, let `perform` write a checkpoint first and answer [`did_not_and_cannot`] where it is missing
/// ([`Fence::checkpoint`]), or finish the action here by its idempotency key and answer [`happened`].
///
/// # Errors
///
/// Never: a `Result` so that it can end a `reconcile` function.
pub fn not_seen_yet<T>() -> Result<Finding<T>, Retry> {
    Ok(Finding(Found::NotSeenYet))
}

/// Why an effect that was not seen can no longer happen. Elapsed time is no fence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fence(pub(crate) FenceKind);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FenceKind {
    Downstream(String),
    Checkpoint(String),
    /// The effect is written with the outcome, under the performer's ticket.
    SameStore,
}

impl Fence {
    /// The author states that EVERY effect of `perform` is refused by the systems it calls from now
    /// on, such as a payment whose key was voided. `how` is kept for the operator.
    pub fn downstream(how: impl Into<String>) -> Self {
        Self(FenceKind::Downstream(how.into()))
    }

    /// `perform` writes the checkpoint `name` before its first effect, and it was never written. The
    /// store checks that in the closing write; once recovery has begun no checkpoint can be written.
    pub fn checkpoint(name: impl Into<String>) -> Self {
        Self(FenceKind::Checkpoint(name.into()))
    }
}

/// The question could not be answered now; it is asked again. An error becomes one by `?`; what is no
/// [`std::error::Error`], such as an `anyhow::Error` or a boxed error, by `.map_err(Retry::because)?`.
#[derive(Debug)]
pub struct Retry(pub(crate) String);

impl<E: std::error::Error> From<E> for Retry {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

impl Retry {
    /// Ask again; `why` is kept for the operator.
    pub fn because(why: impl Display) -> Self {
        Self(why.to_string())
    }
}

/// What `stop` answers. It closes the operation only behind a fence.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct StopAnswer(pub(crate) Stop);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stop {
    Asked,
    Cannot,
    Stopped(Fence),
}

impl StopAnswer {
    /// The systems behind were asked to stop; whether they did is found out later.
    pub fn asked() -> Self {
        Self(Stop::Asked)
    }

    /// It can no longer be stopped.
    pub fn cannot() -> Self {
        Self(Stop::Cannot)
    }

    /// Nothing of it happened, and behind this fence nothing can: the operation is cancelled.
    pub fn stopped(fence: Fence) -> Self {
        Self(Stop::Stopped(fence))
    }
}
