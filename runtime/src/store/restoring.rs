//! Taking a copy of a store into use: what that would do, what it came to, and for whom.
#![expect(clippy::exhaustive_structs, reason = "a store builds every one of them")]

/// Who takes a copy into use, and what that rests on: both are kept on the record of every operation that it
/// changes.
#[derive(Debug, Clone)]
pub struct RestoredBy {
    /// Who.
    pub who: String,
    /// Why.
    pub why: String,
}

/// What taking a store into use as a copy would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WouldRestore {
    /// How it is seen to be a copy. `None` does not say that it is none: not every copy is seen.
    pub seen: Option<String>,
    /// How many operations are proposed and would expire, of all companies.
    pub proposed: u64,
    /// How many are in progress and would be asked about, of all companies.
    pub in_progress: u64,
    /// How many processes use it: they have not been silent for longer than each says that it may be, or
    /// [`ALIVE`](super::ALIVE) where it has not said. Always 0 where a lock tells that.
    pub alive: u64,
}

/// What taking a copy into use came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Restored {
    /// How many proposals expired, of all companies.
    pub expired: u64,
    /// How many operations in progress are asked about, of all companies.
    pub asked: u64,
}

/// A process that said so long ago that it lives may still do so: as long as
/// [`heartbeat`](crate::company::Builder::heartbeat) waits if nothing is said.
pub const ALIVE: std::time::Duration = std::time::Duration::from_secs(30);
