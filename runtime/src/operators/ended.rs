//! How an operator says that an operation ended.

use serde_json::Value;

use super::{OperatorError, Operators, Settled};
use crate::action::Ending;
use crate::outcome::Ended;
use crate::settle::SettledBy;

use pap_protocol::operation::{OperationId, State};

/// How an operation ended, as a person found out: what [`Outcome`](crate::Outcome) is to a handler.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "the ways a confirmed operation can end")]
pub enum HowItEnded {
    /// The action was performed. The summary tells the User every change.
    Succeeded {
        /// For the User.
        summary: String,
        /// `result.data`, if the action has some.
        data: Option<Value>,
    },
    /// It will not be completed.
    Failed {
        /// For the User.
        summary: String,
        /// What was changed, for the User; empty: nothing was.
        changes: Vec<String>,
    },
    /// It was stopped because the User asked.
    Stopped {
        /// For the User.
        summary: String,
        /// What was changed, for the User; empty: nothing was.
        changes: Vec<String>,
    },
}

impl HowItEnded {
    /// The state it leads to.
    pub fn state(&self) -> State {
        match self {
            Self::Succeeded { .. } => State::Succeeded,
            Self::Failed { .. } => State::Failed,
            Self::Stopped { .. } => State::Cancelled,
        }
    }

    fn ending(self) -> Ending {
        match self {
            Self::Succeeded { summary, data } => {
                Ending::Succeeded { summary, data: Ok(data.map(|data| data.to_string())) }
            }
            Self::Failed { summary, changes } => Ending::Not(Ended::Failed { summary, changes }),
            Self::Stopped { summary, changes } => Ending::Not(Ended::Stopped { summary, changes }),
        }
    }
}

impl Operators {
    /// Ends an operation in progress as a person found out: [`Operators::settle`] for whoever has the changes
    /// in a list.
    ///
    /// # Errors
    ///
    /// As [`Operators::settle`].
    ///
    /// # Crash safety
    ///
    /// As [`Operators::settle`].
    pub async fn settle_as(
        &self,
        id: &OperationId,
        ended: HowItEnded,
        by: SettledBy,
    ) -> Result<Settled, OperatorError> {
        self.close(id, ended.ending(), by).await
    }
}
