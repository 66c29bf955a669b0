//! Lines of actions, versions and forms, and what may not become of them.

use pap_protocol::shapes::{Drift, Shapes};

use super::super::Input;
use crate::codes::Code;
use crate::diagnostic::Problem;

/// The forms as they are declared now.
pub(super) fn shapes(input: &Input<'_>) -> Shapes {
    Shapes::of(input.operations)
}

/// Every form that changed without a new version.
pub(super) fn drifted(before: &str, after: &str) -> Vec<Problem> {
    let drift = Shapes::recorded(after).drift(&Shapes::recorded(before));
    drift.into_iter().map(problem).collect()
}

fn problem(drift: Drift) -> Problem {
    Problem::new(Code::ShapeChanged, drift.message).note(drift.note).help(drift.help)
}
