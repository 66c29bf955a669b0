//! Named places at which a process can be killed, stopped or kept waiting, for the trials.
//!
//! A fail-point stands at each step that a crash could come between. Without the feature `failpoints` the
//! macro expands to nothing, and nothing of this file but the macro is compiled. With it nothing happens
//! either, until a program arms a point: by [`arm`], or by [`arm_from_environment`] from the variable
//! [`VARIABLE`], such as
//!
//! ```text
//! PAP_FAILPOINTS=claim.before=kill@2,store.finish.after_commit=hang:/tmp/go-on
//! ```
//!
//! A store passes its points as `store.<write>.within` inside the transaction, `before_commit`,
//! `after_commit` and `after_answer`. One that is reached over a network passes `within` before a statement is sent and
//! `before_commit` while it is on its way. A handler passes `handler.before_effect` and `handler.after_effect`
//! by [`passed`] or [`passed_waiting`].

/// Passes a named fail-point. `failpoint!("…", await)` in asynchronous code, where waiting must not keep a
/// thread; `failpoint!("…", or …)` where an error can be told: what follows is run for it.
#[cfg(feature = "failpoints")]
macro_rules! failpoint {
    ($name:literal) => {
        $crate::failpoint::passed($name)
    };
    ($name:literal, await) => {
        $crate::failpoint::passed_waiting($name).await
    };
    ($name:literal, or $fail:expr) => {
        if $crate::failpoint::fails($name) {
            $fail
        }
    };
    (committing $moment:literal, or $fail:expr) => {
        if $crate::failpoint::committing($moment) {
            $fail
        }
    };
    (committing $moment:literal) => {
        $crate::failpoint::committed($moment)
    };
    (undone) => {
        $crate::failpoint::undone()
    };
    (write $write:literal, $work:expr) => {{
        let work = async {
            if $crate::failpoint::fails_waiting(concat!("store.", $write, ".within")).await {
                return Err(Error::not_written("a fail-point"));
            }
            let mut work = std::pin::pin!($work);
            // on its way to the server, and not answered
            let at_once = $crate::failpoint::polled_once(work.as_mut()).await;
            if $crate::failpoint::fails_waiting(concat!("store.", $write, ".before_commit")).await {
                return Err(Error::unknown("a fail-point"));
            }
            let answer = match at_once {
                Some(answer) => answer,
                None => work.await,
            };
            if $crate::failpoint::fails_waiting(concat!("store.", $write, ".after_commit")).await {
                return Err(Error::unknown("a fail-point"));
            }
            $crate::failpoint::passed_waiting(concat!("store.", $write, ".after_answer")).await;
            answer
        };
        work.await
    }};
}

/// Nothing; where a write passes several points, the write.
#[cfg(not(feature = "failpoints"))]
macro_rules! failpoint {
    (write $write:literal, $work:expr) => {
        $work.await
    };
    ($($any:tt)*) => {};
}

/// Without the feature nothing is left, or this would not be a constant.
#[cfg(not(feature = "failpoints"))]
const _NOTHING_IS_LEFT: () = {
    failpoint!("claim.before");
    failpoint!("claim.before", await);
    failpoint!("store.claim.within", or return Err(()));
    failpoint!(committing "before_commit", or return);
    failpoint!(undone);
};

#[cfg(feature = "failpoints")]
#[cfg_attr(
    not(any(feature = "sqlite", feature = "postgres")),
    expect(dead_code, reason = "only stores that commit pass these")
)]
mod armed;

#[cfg(feature = "failpoints")]
pub use armed::{
    Act, NotArmed, VARIABLE, arm, arm_from_environment, count, disarm, passages, passed,
    passed_waiting,
};
#[cfg(feature = "failpoints")]
#[cfg_attr(
    not(any(feature = "sqlite", feature = "postgres")),
    expect(unused_imports, reason = "only stores that commit pass these")
)]
pub(crate) use armed::{committed, committing, fails, fails_waiting, polled_once, undone};

/// The names of all fail-points, in the order of an operation's path.
#[cfg(feature = "failpoints")]
#[rustfmt::skip]
pub const ALL: &[&str] = &[
    "life.begun",
    "http.proved",
    "propose.worked_out", "propose.stored",
    "revise.before", "revise.after",
    "confirm.decided", "confirm.rechecked",
    "claim.before", "claim.after",
    "waiting.before", "waiting.after",
    "start.before", "start.after",
    "perform.before_handler",
    "handler.before_effect", "handler.after_effect",
    "note.before", "note.after",
    "checkpoint.before", "checkpoint.after",
    "perform.after_handler", "perform.overdue",
    "finish.before", "finish.after", "finish.told",
    "ask_later.before", "ask_later.after",
    "take_askable.before", "take_askable.after",
    "reconcile.before", "reconcile.after",
    "ask_again.before", "ask_again.after",
    "decline.before", "decline.after",
    "request_stop.before", "request_stop.after",
    "stop.before", "stop.after",
    "expire.before", "expire.after",
    "late.before", "late.after",
    "settle_in.before", "settle_in.after", "settle_with.before", "settle_with.after", "handler.committing",
    "heartbeat.before", "heartbeat.after",
    "expire_due.before", "expire_due.after",
    "take_releases.before", "take_releases.after",
    "released.before", "released.after",
    "end_release.before", "end_release.after",
    "pause.before", "pause.after", "resume.before", "resume.after",
    "purge.before", "purge.after",
    "erase.before", "erase.after",
    "close.before", "close.after",
    "store.begin_life.within", "store.begin_life.before_commit", "store.begin_life.after_commit", "store.begin_life.after_answer",
    "store.record_proof.within", "store.record_proof.before_commit", "store.record_proof.after_commit", "store.record_proof.after_answer",
    "store.propose.within", "store.propose.before_commit", "store.propose.after_commit", "store.propose.after_answer",
    "store.revise.within", "store.revise.before_commit", "store.revise.after_commit", "store.revise.after_answer",
    "store.claim.within", "store.claim.before_commit", "store.claim.after_commit", "store.claim.after_answer",
    "store.write_note.within", "store.write_note.before_commit", "store.write_note.after_commit", "store.write_note.after_answer",
    "store.finish.within", "store.finish.before_commit", "store.finish.after_commit", "store.finish.after_answer",
    "store.ask_later.within", "store.ask_later.before_commit", "store.ask_later.after_commit", "store.ask_later.after_answer",
    "store.take_askable.within", "store.take_askable.before_commit", "store.take_askable.after_commit", "store.take_askable.after_answer",
    "store.close_proposed.within", "store.close_proposed.before_commit", "store.close_proposed.after_commit", "store.close_proposed.after_answer",
    "store.request_stop.within", "store.request_stop.before_commit", "store.request_stop.after_commit", "store.request_stop.after_answer",
    "store.record_late.within", "store.record_late.before_commit", "store.record_late.after_commit", "store.record_late.after_answer",
    "store.end_life.within", "store.end_life.before_commit", "store.end_life.after_commit", "store.end_life.after_answer",
    "store.start.within", "store.start.before_commit", "store.start.after_commit", "store.start.after_answer",
    "store.heartbeat.within", "store.heartbeat.before_commit", "store.heartbeat.after_commit", "store.heartbeat.after_answer",
    "store.expire_due.within", "store.expire_due.before_commit", "store.expire_due.after_commit", "store.expire_due.after_answer",
    "store.take_releases.within", "store.take_releases.before_commit", "store.take_releases.after_commit", "store.take_releases.after_answer",
    "store.end_release.within", "store.end_release.before_commit", "store.end_release.after_commit", "store.end_release.after_answer",
    "store.pause.within", "store.pause.before_commit", "store.pause.after_commit", "store.pause.after_answer",
    "store.resume.within", "store.resume.before_commit", "store.resume.after_commit", "store.resume.after_answer",
    "store.purge.within", "store.purge.before_commit", "store.purge.after_commit", "store.purge.after_answer",
    "store.erase.within", "store.erase.before_commit", "store.erase.after_commit", "store.erase.after_answer",
];
