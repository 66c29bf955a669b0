//! The end of a process that is told to end.

use std::time::Duration;

use super::Company;
use crate::engine::unavailable;
use crate::heart::beating;
use crate::refusal::Refusal;

impl<S: Send + Sync + 'static> Company<S> {
    /// Ends the life of this process cleanly, so that what it leaves in progress can be asked about at
    /// once. Nothing is claimed and nothing is asked any more: a confirm is answered
    /// `temporarily_unavailable`, and questions that are being asked are handed back. Handlers that run go on
    /// until the process ends, and may still record their outcome.
    ///
    /// Call it when the service stops taking requests; afterwards drop every handle and router.
    ///
    /// # Errors
    ///
    /// [`Refusal::Unavailable`] if the store does not answer: then the life is taken for dead later, as
    /// after a crash.
    ///
    /// # Crash safety
    ///
    /// When it returns, the end of the life is durable. A crash before is a crash like any other.
    pub async fn close(&self) -> Result<(), Refusal> {
        failpoint!("close.before", await);
        self.engine.close().await;
        let Some(life) = self.engine.life() else { return Ok(()) };
        let ended = self.engine.store.end_life(life).await;
        failpoint!("close.after", await);
        ended.map_err(|error| unavailable(&error))
    }

    /// [`Company::close`], after the handlers that run have had `within` to end. From its first moment nothing
    /// is claimed: a confirm is answered `temporarily_unavailable` before the claim. Reads go on. Answers how
    /// many handlers still run; what they do not record is asked about, by another process at once.
    ///
    /// Call it from the service's own signal handler: the runtime installs none.
    ///
    /// # Errors
    ///
    /// As [`Company::close`].
    ///
    /// # Crash safety
    ///
    /// As [`Company::close`]; what a handler has recorded stays.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use pap_runtime::{Company, Refusal};
    ///
    /// # struct Shop;
    /// /// Called when the service is told to stop.
    /// async fn stop(company: &Company<Shop>) -> Result<(), Refusal> {
    ///     let running = company.drain(Duration::from_secs(20)).await?;
    ///     if running > 0 {
    ///         eprintln!("{running} handlers go on until the process ends");
    ///     }
    ///     Ok(())
    /// }
    /// ```
    pub async fn drain(&self, within: Duration) -> Result<usize, Refusal> {
        let drained = async {
            self.engine.close().await;
            tracing::info!(
                ?within,
                "drains: no new claims, until the handlers that run have ended"
            );
            self.engine.drained(within).await
        };
        let running = beating(&self.engine, drained).await;
        self.close().await?;
        Ok(running)
    }
}
