//! What an armed fail-point does.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::future::poll_fn;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;

use rustix::process::{Signal, getpid, kill_process};

use super::ALL;

/// The variable that [`arm_from_environment`] reads: `name=act@n,…`; `@1` may be left out.
pub const VARIABLE: &str = "PAP_FAILPOINTS";

/// How often a point that hangs looks for its file.
const LOOKS_EVERY: Duration = Duration::from_millis(2);

/// Until when a stop that was sent has stopped every thread, where nothing tells.
const STOPPED_WITHIN: Duration = Duration::from_millis(50);

/// The stop signal among those that wait for a process, as Linux counts them.
const STOP_WAITS: u64 = 1 << (19 - 1);

/// What happens at a fail-point.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Act {
    /// The process is killed (SIGKILL): nothing of it runs any more.
    Kill,
    /// The process is stopped (SIGSTOP), until somebody lets it go on (SIGCONT).
    Stop,
    /// The thread or task panics.
    Panic,
    /// The step fails: points of a store only. Before the commit nothing is written, after it all is, and
    /// in both cases its caller cannot know.
    Error,
    /// It goes on once there is a file of this name.
    HangUntil(PathBuf),
}

impl FromStr for Act {
    type Err = NotArmed;

    fn from_str(text: &str) -> Result<Self, NotArmed> {
        match text {
            "kill" => Ok(Self::Kill),
            "stop" => Ok(Self::Stop),
            "panic" => Ok(Self::Panic),
            "error" => Ok(Self::Error),
            other => match other.strip_prefix("hang:") {
                Some(file) if !file.is_empty() => Ok(Self::HangUntil(file.into())),
                _ => Err(NotArmed(format!(
                    "`{other}` is nothing that a fail-point does: `kill`, `stop`, `panic`, `error` or `hang:/path/of/a/file`"
                ))),
            },
        }
    }
}

/// A fail-point was not armed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NotArmed(String);

struct Armed {
    name: &'static str,
    act: Act,
    /// Passages that are still to come before it acts, that one counted.
    passages_left: u32,
}

static ANY: AtomicBool = AtomicBool::new(false);
static COUNTS: AtomicBool = AtomicBool::new(false);
static ARMED: Mutex<Vec<Armed>> = Mutex::new(Vec::new());
static PASSAGES: Mutex<BTreeMap<&'static str, u64>> = Mutex::new(BTreeMap::new());

thread_local! {
    /// The writes of the transaction that this thread is in.
    static WITHIN: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// Arms a point: it acts once, on the n-th passage from now (from 1).
///
/// # Errors
///
/// [`NotArmed`] if there is no such point, if it cannot do that, or if `passage` is 0.
pub fn arm(name: &str, act: Act, passage: u32) -> Result<(), NotArmed> {
    let Some(name) = ALL.iter().copied().find(|known| *known == name) else {
        return Err(NotArmed(format!(
            "there is no fail-point `{name}`: `pap_runtime::failpoint::ALL` has them all"
        )));
    };
    if act == Act::Error && !can_fail(name) {
        return Err(NotArmed(format!(
            "`{name}` cannot fail: `store.….within`, `before_commit` and `after_commit` can"
        )));
    }
    if passage == 0 {
        return Err(NotArmed(format!("`{name}`: passages are counted from 1")));
    }
    lock(&ARMED).push(Armed { name, act, passages_left: passage });
    ANY.store(true, Ordering::SeqCst);
    Ok(())
}

/// Arms what the variable [`VARIABLE`] says. Only a program that calls this can be armed from outside.
///
/// # Errors
///
/// [`NotArmed`] for the first part that cannot be armed; those before it are.
pub fn arm_from_environment() -> Result<(), NotArmed> {
    let said = std::env::var(VARIABLE).unwrap_or_default();
    for part in said.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (name, act) = part
            .split_once('=')
            .ok_or_else(|| NotArmed(format!("`{part}` in {VARIABLE}: write `name=act@n`")))?;
        let (act, passage) = act.rsplit_once('@').unwrap_or((act, "1"));
        let passage = passage
            .parse()
            .map_err(|error| NotArmed(format!("`{part}` in {VARIABLE}, after `@`: {error}")))?;
        arm(name, act.parse()?, passage)?;
    }
    Ok(())
}

/// Disarms every point.
pub fn disarm() {
    lock(&ARMED).clear();
    ANY.store(COUNTS.load(Ordering::SeqCst), Ordering::SeqCst);
}

/// Counts passages from now on.
pub fn count() {
    COUNTS.store(true, Ordering::SeqCst);
    ANY.store(true, Ordering::SeqCst);
}

/// How often each point was passed since [`count`], by this process.
pub fn passages() -> BTreeMap<&'static str, u64> {
    lock(&PASSAGES).clone()
}

/// Passes a point.
///
/// # Panics
///
/// If there is no such point, or if it was armed to.
pub fn passed(name: &'static str) {
    let failed = fails(name);
    debug_assert!(!failed, "it was not armed if it cannot fail");
}

/// Passes a point that can fail: `true` if it does.
pub(crate) fn fails(name: &'static str) -> bool {
    match act_at(name) {
        None => false,
        Some(Act::HangUntil(file)) => {
            while !file.exists() {
                std::thread::sleep(LOOKS_EVERY);
            }
            false
        }
        Some(act) => {
            let failed = act_now(name, &act);
            if failed && name.ends_with(".within") {
                // this write is taken back, and is not part of the commit
                WITHIN.with_borrow_mut(|within| within.retain(|other| *other != name));
            }
            failed
        }
    }
}

/// Passes a point of asynchronous code: where it hangs, it keeps no thread.
///
/// # Panics
///
/// As [`passed`].
pub async fn passed_waiting(name: &'static str) {
    let failed = fails_waiting(name).await;
    debug_assert!(!failed, "it was not armed if it cannot fail");
}

/// Passes a point of asynchronous code that can fail: `true` if it does.
pub(crate) async fn fails_waiting(name: &'static str) -> bool {
    match act_at(name) {
        None => false,
        Some(Act::HangUntil(file)) => {
            until_there(&file).await;
            false
        }
        Some(act) => act_now(name, &act),
    }
}

/// Begins it, and answers if it ends at once.
pub(crate) async fn polled_once<F: Future + ?Sized>(mut work: Pin<&mut F>) -> Option<F::Output> {
    poll_fn(|cx| {
        Poll::Ready(match work.as_mut().poll(cx) {
            Poll::Ready(answer) => Some(answer),
            Poll::Pending => None,
        })
    })
    .await
}

/// Passes the points of this moment for every write of the transaction that this thread is in.
pub(crate) fn committing(moment: &str) -> bool {
    let writes = WITHIN.with_borrow(Clone::clone);
    let mut failed = false;
    for name in writes.iter().filter_map(|write| point_of(write, moment)) {
        failed |= fails(name);
    }
    failed
}

/// The same, once nothing can fail any more; the transaction is over.
pub(crate) fn committed(moment: &str) {
    let failed = committing(moment);
    debug_assert!(!failed, "nothing fails after the answer");
    undone();
}

/// What the transaction of this thread had written was undone, or it is over.
pub(crate) fn undone() {
    WITHIN.with_borrow_mut(Vec::clear);
}

fn act_at(name: &'static str) -> Option<Act> {
    if !ANY.load(Ordering::Relaxed) {
        return None;
    }
    assert!(ALL.contains(&name), "the fail-point `{name}` is not on the list `ALL`");
    if COUNTS.load(Ordering::SeqCst) {
        *lock(&PASSAGES).entry(name).or_default() += 1;
    }
    if name.starts_with("store.") && name.ends_with(".within") {
        WITHIN.with_borrow_mut(|within| within.push(name));
    }
    let mut armed = lock(&ARMED);
    for point in armed.iter_mut().filter(|point| point.name == name) {
        point.passages_left = point.passages_left.saturating_sub(1);
    }
    let due = armed.iter().position(|point| point.name == name && point.passages_left == 0)?;
    let act = armed.remove(due).act;
    tracing::warn!("{VARIABLE}: {name}");
    Some(act)
}

#[expect(clippy::panic, reason = "it was armed to")]
fn act_now(name: &'static str, act: &Act) -> bool {
    match act {
        Act::Kill => signal(Signal::KILL),
        Act::Stop => {
            signal(Signal::STOP);
            // unlike a kill, a stop lets the thread that sent it run on until another one has taken it
            let waits = || stop_waits(&std::fs::read_to_string("/proc/self/status").ok()?);
            match waits() {
                None => std::thread::sleep(STOPPED_WITHIN),
                Some(_) => {
                    while waits() == Some(true) {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                }
            }
        }
        Act::Panic => panic!("the fail-point `{name}` was armed to panic"),
        Act::Error => return true,
        Act::HangUntil(_) => {}
    }
    false
}

/// Whether a stop was sent to this process and no thread has taken it; once one has, every other stops before its
/// next step.
fn stop_waits(status: &str) -> Option<bool> {
    let waits = status.lines().find_map(|line| line.strip_prefix("ShdPnd:"))?;
    Some(u64::from_str_radix(waits.trim(), 16).ok()? & STOP_WAITS != 0)
}

fn signal(signal: Signal) {
    let sent = kill_process(getpid(), signal);
    debug_assert!(sent.is_ok(), "a process may send signals to itself");
}

async fn until_there(file: &Path) {
    while !file.exists() {
        tokio::time::sleep(LOOKS_EVERY).await;
    }
}

fn can_fail(name: &str) -> bool {
    name.starts_with("store.") && !name.ends_with(".after_answer")
}

/// The point of another moment of the same write.
fn point_of(within: &str, moment: &str) -> Option<&'static str> {
    let write = within.strip_suffix("within")?;
    ALL.iter().copied().find(|name| name.strip_prefix(write) == Some(moment))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_armed_is_refused_in_words() {
        let no_such = arm("claim.befor", Act::Kill, 1).unwrap_err().to_string();
        assert!(no_such.contains("no fail-point `claim.befor`"), "{no_such}");
        assert!(arm("claim.before", Act::Error, 1).is_err(), "nobody there to tell it to");
        assert!(arm("claim.before", Act::Kill, 0).is_err());
        assert!("hang:".parse::<Act>().is_err() && "kil".parse::<Act>().is_err());
        assert_eq!("hang:/x".parse::<Act>().unwrap(), Act::HangUntil("/x".into()));
    }

    #[test]
    fn no_name_stands_on_the_list_twice() {
        let names: std::collections::BTreeSet<_> = ALL.iter().collect();
        assert_eq!(names.len(), ALL.len());
    }
}
