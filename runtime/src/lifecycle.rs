//! The whole table of moves, pure: no clock, no store (section 3).

use pap_protocol::operation::State;

/// What can happen to an operation that moves its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Move {
    /// The Personal Agent confirmed the latest revision.
    Confirm,
    /// It was performed, as its performer, `reconcile` or an operator says.
    Succeed,
    /// It was not completed.
    Fail,
    /// It was declined before confirmation, or stopped after it.
    Cancel,
    /// It was not confirmed in time.
    Expire,
}

impl Move {
    /// Every move, in the order of the table.
    pub const ALL: [Self; 5] =
        [Self::Confirm, Self::Succeed, Self::Fail, Self::Cancel, Self::Expire];
}

/// Where a move leads from a state; `None` where it is not allowed.
///
/// Nothing leaves a final state, and only `proposed` can be confirmed or expire.
pub fn after(state: State, event: Move) -> Option<State> {
    match (state, event) {
        (State::Proposed, Move::Confirm) => Some(State::InProgress),
        (State::Proposed | State::InProgress, Move::Cancel) => Some(State::Cancelled),
        (State::Proposed, Move::Expire) => Some(State::Expired),
        (State::InProgress, Move::Succeed) => Some(State::Succeeded),
        (State::InProgress, Move::Fail) => Some(State::Failed),
        (State::Proposed, Move::Succeed | Move::Fail)
        | (State::InProgress, Move::Confirm | Move::Expire)
        | (State::Succeeded | State::Failed | State::Cancelled | State::Expired, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// OPS-3-17 OPS-3-18 OPS-3-19 OPS-3-20 OPS-3-21 OPS-3-22 OPS-3-23
    #[test]
    fn every_pair_of_state_and_move_is_in_the_table() {
        let row = |state: State, event: Move| {
            let to = after(state, event).map_or("-".to_owned(), |to| to.to_string());
            format!("{state} + {event:?} = {to}")
        };
        let rows =
            State::ALL.into_iter().flat_map(|state| Move::ALL.map(|event| row(state, event)));
        insta::assert_snapshot!(rows.collect::<Vec<_>>().join("\n"));
    }

    /// OPS-3-23
    #[test]
    fn nothing_leaves_a_final_state() {
        for state in State::ALL.into_iter().filter(|state| state.is_final()) {
            assert!(Move::ALL.into_iter().all(|event| after(state, event).is_none()), "{state}");
        }
    }
}
