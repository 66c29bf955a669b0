//! What must hold, and whether it does.

use crate::measure::{Confirms, Proofs, Stored};
use crate::statistics::Spread;

/// One thing that must hold.
#[derive(Debug)]
pub(crate) struct Gate {
    pub(crate) what: String,
    pub(crate) found: f64,
    pub(crate) wanted: Wanted,
}

/// Which side of the figure is good.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Wanted {
    AtLeast(f64),
    AtMost(f64),
}

impl Gate {
    fn new(what: impl Into<String>, found: f64, wanted: Wanted) -> Self {
        Self { what: what.into(), found, wanted }
    }

    /// Whether it holds.
    pub(crate) fn is_met(&self) -> bool {
        match self.wanted {
            Wanted::AtLeast(least) => self.found >= least,
            Wanted::AtMost(most) => self.found <= most,
        }
    }
}

/// A share of the prototype at least, where there are several connections.
pub(crate) const OF_PROTOTYPE: f64 = 0.80;
/// A confirm on the fullest store costs at most so many times one on an empty store.
pub(crate) const OVER_EMPTY: f64 = 1.3;

/// Shares of the bare store, by connections.
const OF_BARE: [(usize, f64); 2] = [(16, 0.50), (64, 0.43)];
/// A share of bare signatures.
const OF_SIGNATURES: f64 = 0.90;
/// Memory at ten times the operations; both stores are larger than every cache.
const MEMORY: f64 = 1.1;

/// What proofs have to hold.
pub(crate) fn of_proofs(proofs: &Proofs) -> Vec<Gate> {
    let wanted = Wanted::AtLeast(OF_SIGNATURES);
    vec![Gate::new("proofs verified, of bare signatures", proofs.ratio().median, wanted)]
}

/// What confirms have to hold.
pub(crate) fn of_confirms(Confirms(rows): &Confirms) -> Vec<Gate> {
    let mut gates = Vec::new();
    for (connections, share) in OF_BARE {
        for row in rows.iter().filter(|row| row.connections == connections) {
            let mut gate = |beside, ratio: Spread, least| {
                let what = format!("confirms at {connections} connections, of {beside}");
                gates.push(Gate::new(what, ratio.median, Wanted::AtLeast(least)));
            };
            gate("the prototype", row.of(&row.prototype), OF_PROTOTYPE);
            // on PostgreSQL the server's own work is in both, and the machine is shared with it
            if row.beside.prototype.is_empty() {
                gate("the bare store", row.of(&row.bare), share);
            } else {
                let single = row.of(&row.beside.prototype);
                gate("the prototype that batches nothing", single, OF_PROTOTYPE);
            }
        }
    }
    gates
}

/// What stored operations have to hold.
pub(crate) fn of_stored(Stored(levels): &Stored) -> Vec<Gate> {
    let [empty, some, full] = levels.as_slice() else { return Vec::new() };
    let cost = full.over(empty).median;
    let memory = full.resident() / some.resident();
    vec![
        Gate::new(
            "CPU of a confirm beside 1,000,000 operations, of one on an empty store",
            cost,
            Wanted::AtMost(OVER_EMPTY),
        ),
        Gate::new(
            "memory beside 1,000,000 operations, of that beside 100,000",
            memory,
            Wanted::AtMost(MEMORY),
        ),
    ]
}
