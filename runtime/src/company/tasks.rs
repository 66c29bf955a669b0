//! What a company does by itself, for as long as it is there.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::Notify;

use super::path::start_waiting;
use crate::engine::Engine;
use crate::heart::beat;
use crate::recover::keep_asking;
use crate::sweep::{sweep, tell_releases};

/// All of it: ends when the last handle of the company is dropped, or when it is closed.
pub(super) async fn run(company: Weak<Engine>) {
    let Some(engine) = company.upgrade() else { return };
    let (ask_soon, start_soon) = (Arc::clone(&engine.ask_soon), Arc::clone(&engine.start_soon));
    let tell_soon = Arc::clone(&engine.tell_soon);
    let performs = engine.settings.role.performs();
    drop(engine);
    let asks = async {
        if performs {
            keep_asking(Weak::clone(&company), ask_soon).await;
        }
    };
    let starts = async {
        if performs {
            keep_starting(Weak::clone(&company), start_soon).await;
        }
    };
    tokio::join!(
        asks,
        starts,
        keep_beating(Weak::clone(&company)),
        keep_sweeping(Weak::clone(&company)),
        keep_telling(Weak::clone(&company), tell_soon)
    );
}

/// Says again and again that this process lives.
async fn keep_beating(company: Weak<Engine>) {
    while let Some(engine) = company.upgrade().filter(|engine| !engine.is_closed()) {
        // a life that was lost is to be had again soon, and to say for itself when it is to be taken for dead
        let wait = if beat(&engine).await {
            engine.settings.beat_every
        } else {
            engine.settings.look_again().min(engine.settings.beat_every)
        };
        rest(engine, wait).await;
    }
}

/// Starts what waits, when there is room and when it may have come from another process.
async fn keep_starting(company: Weak<Engine>, soon: Arc<Notify>) {
    while let Some(engine) = company.upgrade().filter(|engine| !engine.is_closed()) {
        match start_waiting(&engine).await {
            Ok(started) if started > 0 => continue,
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "the store did not say what waits to be started"),
        }
        let wait = engine.settings.look_again();
        tokio::select! {
            biased;
            () = soon.notified() => {}
            () = rest(engine, wait) => {}
        }
    }
}

/// Sweeps again and again.
async fn keep_sweeping(company: Weak<Engine>) {
    while let Some(engine) = company.upgrade().filter(|engine| !engine.is_closed()) {
        if let Err(error) = sweep(&engine).await {
            tracing::warn!(%error, "the store was not swept");
        }
        let wait = engine.settings.sweep_every;
        rest(engine, wait).await;
    }
}

/// Tells the company, a few at a time, of what will not be performed: beside the sweeping, which must not wait
/// for what does not answer.
async fn keep_telling(company: Weak<Engine>, soon: Arc<Notify>) {
    while let Some(engine) = company.upgrade().filter(|engine| !engine.is_closed()) {
        match tell_releases(&engine).await {
            Ok(true) => continue,
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "the store did not say what is to be released"),
        }
        let wait = engine.settings.sweep_every;
        tokio::select! {
            biased;
            () = soon.notified() => {}
            () = rest(engine, wait) => {}
        }
    }
}

/// Waits without keeping the company, and no longer than it is open.
async fn rest(engine: Arc<Engine>, wait: Duration) {
    let mut closed = engine.hears_end();
    drop(engine);
    // an error says that the company is gone
    drop(tokio::time::timeout(wait, closed.changed()).await);
}
