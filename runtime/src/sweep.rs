//! Off the path, all the time: proposals expire, what hung on them is released, and old operations go
//! (sections 3.1 and 3.2).

use crate::engine::Engine;
use crate::store;
use std::sync::Arc;

/// How many rows of a kind are looked at in one transaction.
const AT_ONCE: u32 = 100;

/// Sweeps until there is nothing left to sweep now.
pub(crate) async fn sweep(engine: &Arc<Engine>) -> Result<(), store::Error> {
    expire(engine).await.map(drop)
}

/// Records the expiry of every proposal whose time has passed.
pub(crate) async fn expire(engine: &Arc<Engine>) -> Result<u32, store::Error> {
    let mut expired = 0;
    loop {
        let more = engine.store.keeping().expire_due(&engine.company, AT_ONCE).await?;
        expired += more;
        if more < AT_ONCE || engine.is_closed() {
            return Ok(expired);
        }
    }
}
