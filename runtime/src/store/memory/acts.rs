//! What operators did.

use pap_protocol::value::Instant;

use super::state::State;
use crate::store::{Act, ActBy, ActId, ActKind, ReadActs};

/// An act, and how its steps find it.
pub(super) struct Acted {
    company: String,
    id: Option<ActId>,
    act: Act,
}

impl State {
    /// Puts on record what was done at once, by whom and why.
    pub(super) fn acted(
        &mut self,
        company: &str,
        (kind, action): (ActKind, Option<&String>),
        (who, why): (&str, &str),
        at: Instant,
    ) {
        let number = self.acts.iter().filter(|acted| acted.company == company).count() + 1;
        let act = Act {
            number: u64::try_from(number).unwrap_or(u64::MAX),
            at,
            kind,
            action: action.cloned(),
            who: who.to_owned(),
            why: why.to_owned(),
            operations: 0,
        };
        self.acts.push(Acted { company: company.to_owned(), id: None, act });
    }

    /// Puts on record a step of what is done in steps, unless it did nothing.
    pub(super) fn acted_on(
        &mut self,
        company: &str,
        what: (ActKind, Option<&String>),
        (by, operations): (&ActBy, u32),
        at: Instant,
    ) {
        if operations == 0 {
            return;
        }
        let is_this = |acted: &&mut Acted| acted.company == company && acted.id == Some(by.act);
        if self.acts.iter_mut().find(is_this).is_none() {
            self.acted(company, what, (&by.who, &by.why), at);
            if let Some(new) = self.acts.last_mut() {
                new.id = Some(by.act);
            }
        }
        if let Some(acted) = self.acts.iter_mut().find(is_this) {
            acted.act.operations = acted.act.operations.saturating_add(operations);
        }
    }

    pub(super) fn acts_of(&self, read: &ReadActs) -> Vec<Act> {
        let ours = self.acts.iter().filter(|acted| acted.company == read.company);
        let after = ours.map(|acted| &acted.act).filter(|act| act.number > read.after);
        after.take(usize::try_from(read.limit).unwrap_or(usize::MAX)).cloned().collect()
    }
}
