//! Random histories of the engine, and what is caught by them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use pap_simulation::history::{Broken, Failed, History, Played, play, shrunk, traced};

/// How many are played; `PAP_SIM_HISTORIES` says otherwise.
const HISTORIES: u64 = 10_000;

fn from_environment(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    match text.parse() {
        Ok(number) => Some(number),
        Err(error) => panic!("{name}={text}: {error}"),
    }
}

/// Everything that somebody needs who is to find out why.
fn told(history: &History, broken: Broken, failed: &Failed) -> String {
    let short = shrunk(history, broken);
    let trace = traced(&short, broken).err().map(|failed| format!("{failed}\n{}", failed.trace));
    format!(
        "seed {}: {failed}\n  PAP_SIM_SEED={} cargo test -p pap-simulation histories -- --nocapture\n\
         shrunk from {} steps to {}:\n{short}what the store was asked in it: {}",
        history.seed,
        history.seed,
        history.steps.len(),
        short.steps.len(),
        trace.unwrap_or_default(),
    )
}

fn added(one: &Played, other: &Played) -> Played {
    Played {
        operations: one.operations + other.operations,
        performed: one.performed + other.performed,
        succeeded: one.succeeded + other.succeeded,
        failed: one.failed + other.failed,
        not_done: one.not_done + other.not_done,
        settled: one.settled + other.settled,
        deferred: one.deferred + other.deferred,
        let_go: one.let_go + other.let_go,
        trace: String::new(),
    }
}

/// OPS-6-4 OPS-3-23 OPS-6-6 OPS-6-7 OPS-6-10 OPS-5.2-4 OPS-1-1
#[test]
fn whatever_the_history_every_promise_is_kept() {
    if let Some(seed) = from_environment("PAP_SIM_SEED") {
        let history = History::of(seed);
        println!("seed {seed}:\n{history}");
        match traced(&history, Broken::Not) {
            Ok(played) => println!("{}{played:?}", played.trace),
            Err(failed) => panic!("{}", told(&history, Broken::Not, &failed)),
        }
        return;
    }
    let many = from_environment("PAP_SIM_HISTORIES").unwrap_or(HISTORIES);
    let begun = Instant::now();
    let next = AtomicU64::new(0);
    let all = Mutex::new(Played::default());
    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= many {
                        break;
                    }
                    let history = History::of(seed);
                    match play(&history, Broken::Not) {
                        Ok(played) => {
                            let mut all = all.lock().unwrap();
                            *all = added(&all, &played);
                        }
                        Err(failed) => panic!("{}", told(&history, Broken::Not, &failed)),
                    }
                }
            });
        }
    });
    let all = all.into_inner().unwrap();
    println!("{many} histories in {:.1} s: {all:?}", begun.elapsed().as_secs_f32());
    for (what, count) in [
        ("performed", all.performed),
        ("succeeded", all.succeeded),
        ("failed", all.failed),
        ("not done", all.not_done),
        ("settled", all.settled),
        ("deferred", all.deferred),
        ("let go", all.let_go),
    ] {
        assert!(count * 100 > all.operations.min(1_000), "hardly any is {what}: {all:?}");
    }
}

/// The first history in which a broken store breaks this promise, made short.
fn caught(broken: Broken, promise: &str) -> History {
    let found = (0..2_000).map(History::of).find_map(|history| {
        let failed = play(&history, broken).err().filter(|failed| failed.promise == promise)?;
        Some((failed, history))
    });
    let Some((failed, history)) = found else { panic!("{broken:?} is not caught") };
    println!("{broken:?}: {}", told(&history, broken, &failed));
    let short = shrunk(&history, broken);
    assert!(play(&short, broken).is_err_and(|failed| failed.promise == promise));
    assert!(play(&short, Broken::Not).is_ok(), "it is the store: {short}");
    short
}

/// OPS-6-4
#[test]
fn a_store_that_claims_twice_is_caught() {
    let short = caught(Broken::ClaimsTwice, "performed at most once");
    assert!(short.steps.len() <= 3, "ask, confirm, confirm: {short}");
}

/// OPS-3-23
#[test]
fn a_store_that_forgets_an_acknowledged_finish_is_caught() {
    let short = caught(Broken::ForgetsFinish, "a final state never changes");
    assert!(short.steps.len() <= 3, "ask, confirm: {short}");
}

/// OPS-6-6
#[test]
fn a_store_that_lets_a_checkpoint_pass_after_recovery_began_is_caught() {
    let promise = "what is no success has no untold effect";
    let short = caught(Broken::LateCheckpoint, promise);
    assert!(short.steps.len() <= 3, "ask, confirm: {short}");
}

/// OPS-6-4
#[test]
fn a_store_that_starts_twice_is_caught() {
    let short = caught(Broken::StartsTwice, "performed at most once");
    assert!(short.steps.len() <= 6, "asks and confirms: {short}");
}

#[test]
fn a_store_that_releases_nothing_is_caught() {
    let short = caught(Broken::KeepsReleases, "what hung on a proposal is let go");
    assert!(short.steps.len() <= 2, "ask, cancel: {short}");
}

/// OPS-1-1
#[test]
fn a_store_that_claims_another_revision_is_caught() {
    let short = caught(Broken::ClaimsLatest, "what is performed is what was approved");
    assert!(short.steps.len() <= 4, "ask, confirm, revise: {short}");
}

#[test]
fn the_same_seed_is_the_same_history_call_by_call() {
    for seed in 0..400 {
        let history = History::of(seed);
        assert_eq!(history, History::of(seed));
        let (one, other) = (traced(&history, Broken::Not), traced(&history, Broken::Not));
        let trace = |played: &Result<Played, Box<Failed>>| match played {
            Ok(played) => played.trace.clone(),
            Err(failed) => failed.trace.clone(),
        };
        assert!(!trace(&one).is_empty());
        let differs = trace(&one).lines().zip(trace(&other).lines()).enumerate().find_map(
            |(at, (one, other))| (one != other).then(|| format!("line {at}:\n{one}\n{other}")),
        );
        assert_eq!(differs, None, "seed {seed}");
        assert_eq!(one, other, "seed {seed}");
    }
}
