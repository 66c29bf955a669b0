//! Plays a history and compares what was reported with what happened.

use std::fmt::{Display, Formatter};
use std::time::Duration;

use pap_runtime::store::{EventKind, Key, NoteKind, Store as _};
use pap_runtime::{OperationId, State};
use serde_json::Value;

use super::downstream::Order;
use super::orders::SENT;
use super::steps::{Act, Fence, History, Way};
use super::store::Broken;
use super::town::{NAME, Town, settle};

/// How often, and with what pause between at most, it is looked whether everything has ended by itself.
const LOOKS: u32 = 40;
const BETWEEN_LOOKS: Duration = Duration::from_secs(20);
/// Longer than a claim or a request of the agent's takes.
const ANSWERED: Duration = Duration::from_secs(5);
/// Longer than a request is on its way and a handler is late.
const NOTHING_COMES: Duration = Duration::from_secs(140);

/// What a history came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "added up and compared")]
pub struct Played {
    /// Operations proposed.
    pub operations: usize,
    /// Calls of `perform`.
    pub performed: usize,
    /// Operations that ended as succeeded.
    pub succeeded: usize,
    /// Operations that ended as failed.
    pub failed: usize,
    /// Operations that were cancelled or had expired.
    pub not_done: usize,
    /// Operations that waited in the store for a process with room.
    pub deferred: usize,
    /// Revisions whose item was let go.
    pub let_go: usize,
    /// Operations that only a person could end.
    pub settled: usize,
    /// Every call of the store in order, where it was wanted.
    pub trace: String,
}

/// A promise that was not kept.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "shown and compared")]
pub struct Failed {
    /// Which.
    pub promise: &'static str,
    /// How.
    pub how: String,
    /// Every call of the store in order, where it was wanted.
    pub trace: String,
}

impl Display for Failed {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "broken: {} ({})", self.promise, self.how)
    }
}

/// Plays it.
///
/// # Errors
///
/// The first promise that was not kept.
pub fn play(history: &History, broken: Broken) -> Result<Played, Box<Failed>> {
    run(history, broken, false)
}

/// The same, and tells every call of the store.
///
/// # Errors
///
/// The first promise that was not kept.
pub fn traced(history: &History, broken: Broken) -> Result<Played, Box<Failed>> {
    run(history, broken, true)
}

fn run(history: &History, broken: Broken, wanted: bool) -> Result<Played, Box<Failed>> {
    let mut paused = tokio::runtime::Builder::new_current_thread();
    let runtime = paused.enable_time().start_paused(true).build();
    let Ok(runtime) = runtime else { return Err(failed("there is a runtime", "none".to_owned())) };
    runtime.block_on(async {
        let town = Town::begin(history, broken, wanted).await;
        let Some(mut town) = town else {
            return Err(failed("a company starts", "it did not".to_owned()));
        };
        let played = through(&mut town, history).await;
        let trace = town.trace.text();
        match played {
            Ok(played) => Ok(Played { trace, ..played }),
            Err(failed) => Err(Box::new(Failed { trace, ..*failed })),
        }
    })
}

#[expect(clippy::unnecessary_box_returns, reason = "it is the large half of a `Result`")]
fn failed(promise: &'static str, how: String) -> Box<Failed> {
    Box::new(Failed { promise, how, trace: String::new() })
}

async fn through(town: &mut Town, history: &History) -> Result<Played, Box<Failed>> {
    for step in &history.steps {
        town.take(*step)
            .await
            .ok_or_else(|| failed("a company starts again", "it did not".to_owned()))?;
        heard(town)?;
    }
    town.heal().await.ok_or_else(|| failed("a company starts again", "it did not".to_owned()))?;
    // requests that are still on their way
    tokio::time::sleep(ANSWERED).await;
    read_all(town).await;
    heard(town)?;
    let mut played = Played { settled: until_ended(town).await?, ..Played::default() };
    // nothing comes after the end
    if town.agent.orders().into_iter().any(|order| may_still_come(town, order)) {
        tokio::time::sleep(NOTHING_COMES).await;
    }
    read_all(town).await;
    heard(town)?;
    until_let_go(town).await?;
    fits_together(town).await?;
    for (id, _) in town.agent.orders() {
        checked(town, &id, &mut played).await?;
    }
    Ok(played)
}

/// A request is on its way, or a handler may be about to send one.
fn may_still_come(town: &Town, (id, item): (OperationId, u64)) -> bool {
    let order = town.downstream.order(id.as_str());
    let late = town.downstream.way(item).is_some_and(|way| way.act == Act::Late);
    order.on_the_way > 0 || late && order.started > 0 && order.effects == 0
}

/// What the agent was answered, and what was held back.
fn heard(town: &Town) -> Result<(), Box<Failed>> {
    if town.held.slipped() {
        return Err(failed("what is held back is not claimed", "it was".to_owned()));
    }
    let wrong = town.agent.wrong();
    wrong.map_or(Ok(()), |how| Err(failed("a final state never changes", how)))
}

/// Waits until nothing is in progress that can end by itself; the rest a person ends. Answers how many.
async fn until_ended(town: &Town) -> Result<usize, Box<Failed>> {
    for look in 0..LOOKS {
        let waiting = in_progress(town).await;
        if waiting.is_empty() {
            return Ok(0);
        }
        // a handler that waits to be stopped
        if look % 4 == 3
            && let Some(company) = town.company()
        {
            for (id, _) in waiting.iter().filter(|(_, way)| way.act == Act::Wait) {
                town.agent.cancel(company.clone(), id.clone()).await;
            }
        }
        let doubling = Duration::from_secs(1 << look.min(5));
        tokio::time::sleep(doubling.min(BETWEEN_LOOKS)).await;
    }
    let left = in_progress(town).await;
    for (id, way) in &left {
        if !needs_a_person(town, id, *way).await {
            let how = format!("{way:?} is in progress, and nobody asks");
            return Err(failed("nothing is left behind", how));
        }
        if let Some(company) = town.company() {
            settle(&town.agent, &town.downstream, company, id.clone(), true).await;
        }
    }
    Ok(left.len())
}

async fn in_progress(town: &Town) -> Vec<(OperationId, Way)> {
    let mut found = Vec::new();
    for (id, item) in town.agent.orders() {
        let stored = town.memory.read(&key(&id)).await.ok().flatten();
        let waits = stored.is_some_and(|stored| stored.state == State::InProgress);
        if let Some(way) = town.downstream.way(item).filter(|_| waits) {
            found.push((id, way));
        }
    }
    found
}

fn key(id: &OperationId) -> Key {
    Key { company: NAME.to_owned(), id: id.clone() }
}

/// Nothing was seen and nothing bars it, or processes died asking about it.
async fn needs_a_person(town: &Town, id: &OperationId, way: Way) -> bool {
    let Ok(Some(history)) = town.memory.history(&key(id)).await else { return false };
    let put_aside = history.stored.running.is_some_and(|running| running.died_asking >= 3);
    let Order { effects, .. } = town.downstream.order(id.as_str());
    let unfenced = match way.fence {
        Fence::None => true,
        Fence::Checkpoint => !history.notes.is_empty(),
        Fence::Downstream => false,
    };
    put_aside || effects == 0 && unfenced
}

/// What hangs on a revision that is not performed is let go, and nothing else.
async fn until_let_go(town: &Town) -> Result<(), Box<Failed>> {
    for look in 0..=LOOKS {
        let mut held = Vec::new();
        for (id, _) in town.agent.orders() {
            let Ok(Some(history)) = town.memory.history(&key(&id)).await else { continue };
            let (stored, let_go) = (&history.stored, town.downstream.order(id.as_str()).let_go);
            let open = !stored.state.is_final() || stored.confirmed.is_some();
            let stands = open.then_some(stored.latest.number.get());
            let lapsed = history.revisions.iter().map(|issued| issued.number.get());
            held.extend(
                lapsed.filter(|number| Some(*number) != stands && !let_go.contains(number)),
            );
            if stands.is_some_and(|stands| let_go.contains(&stands)) {
                let how = format!("revision {stands:?} of one that is {}", stored.state);
                return Err(failed("what stands is not let go", how));
            }
        }
        if held.is_empty() {
            return Ok(());
        }
        if look < LOOKS {
            tokio::time::sleep(Duration::from_secs(1 << look.min(5))).await;
        }
    }
    Err(failed("what hung on a proposal is let go", "it was not".to_owned()))
}

/// What is on record fits together.
async fn fits_together(town: &Town) -> Result<(), Box<Failed>> {
    let broken = town.memory.keeping().verify(NAME).await.unwrap_or_default();
    match broken.first() {
        None => Ok(()),
        Some(first) => Err(failed("what is on record fits together", first.clone())),
    }
}

async fn read_all(town: &Town) {
    let Some(company) = town.company() else { return };
    for (id, _) in town.agent.orders() {
        town.agent.read(company.clone(), id).await;
    }
}

/// What is on record against the ledger of the system behind.
async fn checked(town: &Town, id: &OperationId, played: &mut Played) -> Result<(), Box<Failed>> {
    let order = town.downstream.order(id.as_str());
    let Ok(Some(history)) = town.memory.history(&key(id)).await else {
        return Err(failed("nothing acknowledged is lost", format!("{id} is not on record")));
    };
    let (stored, started, effects) = (&history.stored, order.started, order.effects);
    let state = stored.state;
    if started > 1 || effects > 1 {
        let how = format!("performed {started} times, {effects} effects");
        return Err(failed("performed at most once", how));
    }
    if state == State::Succeeded && effects == 0 {
        return Err(failed("succeeded means it happened", "no effect".to_owned()));
    }
    let told = stored.result.as_ref().is_some_and(|result| result.summary.contains(SENT));
    if state != State::Succeeded && effects > 0 && !told {
        let how = format!("{state}, and it was sent");
        return Err(failed("what is no success has no untold effect", how));
    }
    let noted = history.notes.iter().any(|note| matches!(note.note, NoteKind::Change(_)));
    if state.is_final() && !told && (noted || must_be_told(&order)) {
        let how = format!("{state}, and the change that was noted is not told");
        return Err(failed("a final result tells every change", how));
    }
    let kinds: Vec<EventKind> = history.events.iter().map(|event| event.kind).collect();
    let at = |kind| kinds.iter().position(|of| *of == kind);
    let started_at = at(EventKind::Started);
    if started_at.is_some()
        && at(EventKind::StopRequested).is_some_and(|stop| Some(stop) < started_at)
    {
        let how = "it was started after the stop was on record".to_owned();
        return Err(failed("a stop keeps what waits from being started", how));
    }
    played.deferred += usize::from(started_at.is_some());
    played.let_go += order.let_go.len();
    if revised_late(&history) {
        return Err(failed("only a proposal in time is revised", format!("it is {state}")));
    }
    if let Some(confirmed) = &stored.confirmed {
        let revision = confirmed.confirmation.revision;
        let issued = history.revisions.iter().find(|issued| issued.number == revision);
        let size = issued.and_then(|issued| size_of(&issued.full));
        let approved = town.agent.has_confirmed(id, revision);
        if !approved || order.size.is_some_and(|sent| Some(sent) != size) {
            let how = format!("revision {revision} in size {size:?}, sent in {:?}", order.size);
            return Err(failed("what is performed is what was approved", how));
        }
        let in_time =
            issued.is_some_and(|issued| issued.expires_at >= confirmed.confirmation.confirmed_at);
        if !in_time || history.revisions.last().map(|last| last.number) != Some(revision) {
            let how = format!("revision {revision} of {}", history.revisions.len());
            return Err(failed("only the latest revision is claimed, in time", how));
        }
    } else if started > 0 {
        return Err(failed("only what was confirmed is performed", format!("it is {state}")));
    }
    played.operations += 1;
    played.performed += usize::try_from(started).unwrap_or(0);
    match state {
        State::Succeeded => played.succeeded += 1,
        State::Failed => played.failed += 1,
        State::Cancelled | State::Expired => played.not_done += 1,
        State::Proposed | State::InProgress => {}
    }
    if state == State::InProgress {
        return Err(failed("nothing is left behind", "in progress after all".to_owned()));
    }
    Ok(())
}

/// Whether its handler noted its change in a process that was left alone, and nobody else ended it.
fn must_be_told(order: &Order) -> bool {
    let noted = order.noted_by.as_ref();
    noted.is_some_and(|process| !process.was_disturbed()) && !order.settled
}

/// A revision was issued after the one before had expired.
fn revised_late(history: &pap_runtime::store::History) -> bool {
    let revised = history.events.iter().filter(|event| event.kind == EventKind::Revised);
    history.revisions.iter().zip(revised).any(|(before, event)| before.expires_at < event.at)
}

fn size_of(terms: &str) -> Option<u64> {
    serde_json::from_str::<Value>(terms).ok()?.get("size")?.as_u64()
}
