//! What happened when, told with the same names in every run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use pap_runtime::store::Key;

use super::steps::Call;

/// Everything that the store was asked, in order; empty unless it is wanted.
#[derive(Debug)]
pub(super) struct Trace {
    begun: tokio::time::Instant,
    told: Option<Mutex<Told>>,
}

#[derive(Debug, Default)]
struct Told {
    text: String,
    names: BTreeMap<String, usize>,
    /// What each node read last of each operation: looking again and again is told once.
    read: BTreeMap<(u64, Option<usize>), String>,
}

impl Trace {
    pub(super) fn begin(wanted: bool) -> Self {
        Self { begun: tokio::time::Instant::now(), told: wanted.then(Mutex::default) }
    }

    /// One call and what it came to.
    pub(super) fn note(
        &self,
        node: u64,
        call: Call,
        about: Option<&Key>,
        came_to: impl FnOnce() -> String,
    ) {
        let Some(told) = &self.told else { return };
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        let named = about.map(|key| {
            let next = told.names.len() + 1;
            *told.names.entry(key.id.as_str().to_owned()).or_insert(next)
        });
        let came_to = came_to();
        if call == Call::Read {
            let before = told.read.insert((node, named), came_to.clone());
            if before.is_some_and(|before| before == came_to) {
                return;
            }
        }
        let about = named.map_or(String::new(), |name| format!(" of operation {name}"));
        let at = self.begun.elapsed().as_millis();
        let line = writeln!(told.text, "      {at:>7} ms  node {node}: {call:?}{about}: {came_to}");
        debug_assert!(line.is_ok(), "a text takes everything");
    }

    /// The whole text.
    pub(super) fn text(&self) -> String {
        let told = self.told.as_ref();
        told.map_or(String::new(), |told| {
            told.lock().unwrap_or_else(PoisonError::into_inner).text.clone()
        })
    }
}
