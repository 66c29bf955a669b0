//! What operators did to what is kept, and why: on record with the very thing that was done.
#![expect(clippy::exhaustive_structs, reason = "a store builds and takes apart every row")]
#![expect(clippy::exhaustive_enums, reason = "a store handles every case")]

use pap_protocol::value::Instant;

use super::{Error, PauseOf, random};

/// Whose doing something is that is done in steps, and why. Every step names the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActBy {
    /// Tells this act from every other.
    pub act: ActId,
    /// Who does it.
    pub who: String,
    /// Why.
    pub why: String,
}

impl ActBy {
    /// A new act.
    ///
    /// # Errors
    ///
    /// If the system gives no random bytes.
    pub fn new(who: impl Into<String>, why: impl Into<String>) -> Result<Self, Error> {
        Ok(Self { act: ActId(random::bytes()?), who: who.into(), why: why.into() })
    }
}

/// Tells one act from every other: random, and never shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ActId(pub [u8; 16]);

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActKind {
    /// Something was held back.
    Pause(PauseOf),
    /// It is held back no longer.
    Resume(PauseOf),
    /// Operations were removed.
    Purge,
    /// Operations of an account were blanked.
    Erase,
}

impl ActKind {
    /// The words that stores keep.
    pub const WORDS: [&str; 4] = ["pause", "resume", "purge", "erase"];

    /// The word that stores keep.
    pub fn word(self) -> &'static str {
        let [pause, resume, purge, erase] = Self::WORDS;
        match self {
            Self::Pause(_) => pause,
            Self::Resume(_) => resume,
            Self::Purge => purge,
            Self::Erase => erase,
        }
    }

    /// What was held back, or is no longer.
    pub fn of(self) -> Option<PauseOf> {
        match self {
            Self::Pause(of) | Self::Resume(of) => Some(of),
            Self::Purge | Self::Erase => None,
        }
    }
}

/// Something that an operator did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Act {
    /// Its number in its company, from 1 on and without gaps.
    pub number: u64,
    /// When it was done; of one in steps, when its first operation was removed or blanked.
    pub at: Instant,
    /// What was done.
    pub kind: ActKind,
    /// To which action; `None`: to all of them, or it was an erasure, which keeps no name.
    pub action: Option<String>,
    /// Who did it.
    pub who: String,
    /// Why.
    pub why: String,
    /// How many operations were removed, or blanked.
    pub operations: u32,
}

/// Which acts to read.
#[derive(Debug, Clone)]
pub struct ReadActs {
    /// The company.
    pub company: String,
    /// After the one of this number; 0: from the first.
    pub after: u64,
    /// At most this many.
    pub limit: u32,
}
