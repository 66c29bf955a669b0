//! What took effect, by key: counted in one file that only this process writes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use crate::Fault;

/// What came of an effect that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It took effect, and is on the device.
    Done,
    /// Keys are honoured, and this one had taken effect before: nothing was done.
    Seen,
    /// The key is fenced: nothing was done, and nothing will be.
    Refused,
}

/// What came of a fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fenced {
    /// Too late: it had taken effect.
    Happened,
    /// It had not, and from now on it is refused.
    Fenced,
}

/// What is done about something that hangs on a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noted {
    /// It is held.
    Held,
    /// It is let go.
    LetGo,
}

impl Noted {
    /// The word that stands in the file.
    pub fn word(self) -> &'static str {
        match self {
            Self::Held => "hold",
            Self::LetGo => "release",
        }
    }
}

/// How often, by key.
pub type Counts = BTreeMap<String, u32>;

/// How often each key took effect. Every effect is appended and on the device before it is answered.
#[derive(Debug)]
pub struct Ledger {
    file: File,
    effects: BTreeMap<String, u32>,
    fences: BTreeSet<String>,
    honours_keys: bool,
}

impl Ledger {
    /// Opens the ledger in this file, or makes it.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let file = File::options().create(true).append(true).read(true).open(path)?;
        let text = std::fs::read_to_string(path)?;
        let mut fences = BTreeSet::new();
        fences
            .extend(text.lines().filter_map(|line| Some(line.strip_prefix("fence ")?.to_owned())));
        Ok(Self { file, effects: counted(&text, "effect "), fences, honours_keys: false })
    }

    /// Whether a key that took effect is answered without doing it again. Off at first, so that whatever is
    /// done twice is seen twice.
    pub fn honour_keys(&mut self, honours: bool) {
        self.honours_keys = honours;
    }

    /// How often a key took effect.
    pub fn count(&self, key: &str) -> u32 {
        self.effects.get(key).copied().unwrap_or_default()
    }

    /// Lets a key take effect.
    ///
    /// # Errors
    ///
    /// If it cannot be written; then it did not take effect as far as this ledger goes.
    pub fn take_effect(&mut self, key: &str) -> Result<Effect, Fault> {
        if self.fences.contains(key) {
            return Ok(Effect::Refused);
        }
        if self.honours_keys && self.count(key) > 0 {
            return Ok(Effect::Seen);
        }
        self.write("effect", key)?;
        let count = self.effects.entry(key.to_owned()).or_default();
        *count = count.saturating_add(1);
        Ok(Effect::Done)
    }

    /// Refuses a key from now on, unless it took effect.
    ///
    /// # Errors
    ///
    /// If it cannot be written; then nothing is fenced.
    pub fn fence(&mut self, key: &str) -> Result<Fenced, Fault> {
        if self.count(key) > 0 {
            return Ok(Fenced::Happened);
        }
        if !self.fences.contains(key) {
            self.write("fence", key)?;
            self.fences.insert(key.to_owned());
        }
        Ok(Fenced::Fenced)
    }

    /// Takes a hold, or lets one go: both come to the same however often they are asked for, and each time is
    /// counted.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn note(&mut self, what: Noted, key: &str) -> Result<(), Fault> {
        self.write(what.word(), key)
    }

    fn write(&mut self, what: &str, key: &str) -> Result<(), Fault> {
        self.file.write_all(format!("{what} {key}\n").as_bytes())?;
        Ok(self.file.sync_data()?)
    }
}

/// What stands in a ledger's file: how often each key took effect.
///
/// # Errors
///
/// If it cannot be read.
pub fn read(path: &Path) -> Result<Counts, Fault> {
    Ok(counted(&std::fs::read_to_string(path)?, "effect "))
}

/// The same for holds.
///
/// # Errors
///
/// If it cannot be read.
pub fn read_noted(path: &Path, what: Noted) -> Result<Counts, Fault> {
    Ok(counted(&std::fs::read_to_string(path)?, &format!("{} ", what.word())))
}

fn counted(text: &str, what: &str) -> Counts {
    let mut counts = Counts::new();
    for key in text.lines().filter_map(|line| line.strip_prefix(what)) {
        let count: &mut u32 = counts.entry(key.to_owned()).or_default();
        *count = count.saturating_add(1);
    }
    counts
}
