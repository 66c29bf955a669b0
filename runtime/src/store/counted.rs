//! What a purge or an erasure would touch, counted without touching it.
#![expect(clippy::exhaustive_structs, reason = "a store builds and takes apart every row")]
#![expect(clippy::exhaustive_enums, reason = "a store handles every case")]

use pap_protocol::value::Instant;

/// What to count.
#[derive(Debug, Clone)]
pub struct Count {
    /// The company.
    pub company: String,
    /// Of what.
    pub of: CountOf,
}

/// What would be done to what is counted.
#[derive(Debug, Clone)]
pub enum CountOf {
    /// A [`Purge`](super::Purge) would remove it.
    Purge {
        /// Of this action.
        action: String,
        /// That ended before this moment.
        ended_before: Instant,
    },
    /// An [`Erase`](super::Erase) would blank it.
    Erase {
        /// Of this account.
        account: String,
    },
}

/// What was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counted {
    /// How many operations would be removed, or blanked.
    pub would: u32,
    /// How many of the action, or of the account, are not final or have a release that was not told, and stay as
    /// they are.
    pub open: u32,
}
