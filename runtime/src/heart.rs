//! Off the path: this process says that it lives, so that others leave alone what it performs.
//!
//! No right rests on it. A process that was taken for dead keeps finishing what it performs; what it claims
//! from then on stands under a new life.

use std::sync::Arc;

use crate::engine::{Engine, random};
use crate::store::{Beat, Life};

/// Says once that this process lives; takes a new life if the store took it for dead. Answers whether it is on
/// record how long this life may be silent: until then others judge it by their own word.
pub(crate) async fn beat(engine: &Arc<Engine>) -> bool {
    let Some(life) = engine.life() else {
        begin_again(engine).await;
        return false;
    };
    let beat = Beat { life, dead_after: engine.settings.dead_after };
    failpoint!("heartbeat.before", await);
    let lives = engine.store.heartbeat(beat).await;
    failpoint!("heartbeat.after", await);
    match lives {
        Ok(true) => return true,
        Ok(false) => {
            tracing::warn!("the store took this process for dead: it goes on under a new life");
            engine.lose_life(life);
            begin_again(engine).await;
        }
        Err(error) => tracing::warn!(%error, "the store did not take that this process lives"),
    }
    false
}

/// Does something while this process says that it lives, though nothing is claimed here any more: what still
/// runs is nobody else's to ask about.
pub(crate) async fn beating<T>(engine: &Arc<Engine>, work: impl Future<Output = T>) -> T {
    let mut work = std::pin::pin!(work);
    loop {
        let beats = async {
            beat(engine).await;
            tokio::time::sleep(engine.settings.beat_every).await;
        };
        tokio::select! {
            biased;
            done = &mut work => return done,
            () = beats => {}
        }
    }
}

/// Until the store has taken the new life, nothing is claimed here.
async fn begin_again(engine: &Arc<Engine>) {
    if engine.is_closed() {
        return;
    }
    let Ok(life) = random().map(Life) else { return };
    match engine.store.begin_life(life).await {
        Ok(()) => engine.take_life(life),
        Err(error) => {
            tracing::warn!(%error, "the store did not take a new life: nothing is claimed");
        }
    }
}
