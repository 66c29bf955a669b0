//! Off the path, all the time: proposals expire, what hung on them is released, and old operations go
//! (sections 3.1 and 3.2).

use std::sync::Arc;
use std::time::Duration;

use tracing::Instrument as _;

use crate::caught::answered;
use crate::engine::Engine;
use crate::meter::names;
use crate::released::Lapsed;
use crate::store::{self, EndRelease, OVERDUE, Place, Purge, Release, Search, TakeReleases};

/// How many rows of a kind are looked at in one transaction.
const AT_ONCE: u32 = 100;

/// How many releases are told at a time.
const TOLD_AT_ONCE: u32 = 16;

/// Sweeps until there is nothing left to sweep now. Nothing here waits for the company's own code: what it is
/// told is told by [`tell_releases`].
pub(crate) async fn sweep(engine: &Arc<Engine>) -> Result<(), store::Error> {
    if expire(engine).await? > 0 {
        engine.tell_soon.notify_one();
    }
    call_for_overdue(engine).await?;
    purge(engine).await.map(drop)
}

/// Calls a person to what nobody asks about: no process knows its action, or its version of terms, any more.
async fn call_for_overdue(engine: &Arc<Engine>) -> Result<(), store::Error> {
    let search = Search {
        company: engine.company.clone(),
        attention_before: Some(engine.clock.now().saturating_sub(OVERDUE)),
        limit: AT_ONCE,
        ..Search::default()
    };
    for stored in engine.store.keeping().search(search).await?.operations {
        let Some(running) = stored.running.as_ref().filter(|running| !running.attention) else {
            continue;
        };
        if engine.is_first_call(&stored.key.id) {
            let why =
                "its time to be asked about, or started, has long come, and no process does it";
            tracing::error!(operation = %stored.key.id, why, "a person has to look");
            engine.call(&stored, running.asks, why);
        }
    }
    Ok(())
}

/// Records the expiry of every proposal whose time has passed.
pub(crate) async fn expire(engine: &Arc<Engine>) -> Result<u32, store::Error> {
    let mut expired = 0;
    loop {
        failpoint!("expire_due.before", await);
        let more = engine.store.keeping().expire_due(&engine.company, AT_ONCE).await?;
        failpoint!("expire_due.after", await);
        expired += more;
        if more < AT_ONCE || engine.is_closed() {
            return Ok(expired);
        }
    }
}

/// Tells the company of a few revisions that will not be performed; `true`: there may be more to tell of now.
/// No longer than the company has to answer for one of them, as they are told at the same time.
pub(crate) async fn tell_releases(engine: &Arc<Engine>) -> Result<bool, store::Error> {
    let take = TakeReleases {
        company: engine.company.clone(),
        limit: TOLD_AT_ONCE,
        // longer than the wait for the answer, and for the store to take it
        lease: engine.settings.release_within.saturating_mul(2),
        known: engine.known(),
    };
    failpoint!("take_releases.before", await);
    let taken = engine.store.keeping().take_releases(take).await?;
    if taken.releases.is_empty() {
        return Ok(taken.more);
    }
    failpoint!("take_releases.after", await);
    let mut telling = tokio::task::JoinSet::new();
    for release in taken.releases {
        let span = tracing::info_span!("release", operation = %release.stored.key.id);
        telling.spawn(tell(Arc::clone(engine), release).instrument(span));
    }
    telling.join_all().await;
    Ok(taken.more)
}

/// Tells of one.
async fn tell(engine: Arc<Engine>, release: Release) {
    failpoint!("released.before", await);
    let told = told(&engine, &release).await;
    failpoint!("released.after", await);
    let again_after = match told {
        Ok(()) => None,
        Err(why) => {
            let again = engine.settings.ask_again(release.tries, engine.clock.now());
            tracing::warn!(%why, tries = release.tries, "what hung on a proposal was not released: trying again later");
            Some(again)
        }
    };
    if again_after.is_none() {
        engine.count(names::RELEASED, &release.stored.action);
    }
    let end = EndRelease {
        key: release.stored.key.clone(),
        revision: release.revision.number,
        again_after,
    };
    failpoint!("end_release.before", await);
    if let Err(error) = engine.store.keeping().end_release(end).await {
        tracing::warn!(%error, "the store did not take that it was released: it is told again");
    }
    failpoint!("end_release.after", await);
}

/// What the company says.
async fn told(engine: &Engine, release: &Release) -> Result<(), String> {
    let Some(action) = engine.action(&release.stored.action) else {
        return Err("this code does not declare the action".to_owned());
    };
    let lapsed = Lapsed {
        id: release.stored.key.id.clone(),
        account: release.stored.owner.account.clone(),
        why: release.why,
    };
    let telling = action.released(&release.revision, lapsed);
    answered(engine.settings.release_within, telling).await.map_err(|retry| retry.0)
}

/// Removes final operations that their action keeps no longer.
pub(crate) async fn purge(engine: &Arc<Engine>) -> Result<u32, store::Error> {
    let mut removed = 0;
    for action in engine.actions.values() {
        let declaration = action.declaration();
        let Some(kept_for) = declaration.retain_for_s.map(Duration::from_secs) else { continue };
        removed += purge_action(engine, declaration.action, kept_for).await?;
    }
    Ok(removed)
}

async fn purge_action(
    engine: &Engine,
    action: &str,
    kept_for: Duration,
) -> Result<u32, store::Error> {
    let ended_before = engine.clock.now().saturating_sub(kept_for);
    let (mut removed, mut after): (u32, Option<Place>) = (0, None);
    loop {
        let (company, action) = (engine.company.clone(), action.to_owned());
        let purge = Purge { company, action, ended_before, after, limit: AT_ONCE, by: None };
        failpoint!("purge.before", await);
        let purged = engine.store.keeping().purge(purge).await?;
        failpoint!("purge.after", await);
        removed += purged.removed;
        after = purged.next;
        if after.is_none() || engine.is_closed() {
            return Ok(removed);
        }
    }
}
