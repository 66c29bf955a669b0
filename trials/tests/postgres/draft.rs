//! What the tests put into a store, by the machine's clock.

use std::time::Duration;

use pap_runtime::clock::{Clock as _, SystemClock};
pub use pap_runtime::store::conformance::draft::*;
use pap_runtime::store::postgres::Postgres;
use pap_runtime::store::{Claim, ProofUse, Store as _};
use pap_runtime::value::Instant;

/// This moment.
pub fn now() -> Instant {
    SystemClock::default().now()
}

/// Begins a life and proposes operations `1..=many`, some at a time.
pub async fn proposed(store: &Postgres, many: u32) {
    store.begin_life(LIFE).await.unwrap();
    let mut next = 1..=many;
    loop {
        let some: Vec<_> = next.by_ref().take(64).collect();
        if some.is_empty() {
            return;
        }
        let proposals: tokio::task::JoinSet<()> = some
            .into_iter()
            .map(|number| {
                let store = store.clone();
                async move { propose(&store, operation(number, now())).await }
            })
            .collect();
        proposals.join_all().await;
    }
}

/// A claim of operation `number` by somebody whom nobody else is.
pub fn claim_of(number: u32, who: u32) -> Claim {
    let with = ticket(number * 1_000 + who);
    let proof = ProofUse {
        thumbprint: "thumbprint".to_owned(),
        jti: format!("{number} by {who}"),
        until: now().saturating_add(Duration::from_secs(600)),
        ticket: with,
    };
    Claim { proof: Some(proof), ..claim(number, with) }
}
