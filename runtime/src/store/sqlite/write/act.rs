//! What operators did is put on record, in the transaction that does it.

use super::super::sql;
use super::super::transaction::Transaction;
use crate::store::{ActBy, ActId, ActKind, Error, PauseOf};

/// Who and why.
type By<'a> = (&'a str, &'a str);

impl Transaction<'_> {
    /// Puts on record what was done at once.
    pub(super) fn acted(
        &self,
        company: &str,
        what: (ActKind, Option<&str>),
        by: By<'_>,
    ) -> Result<(), Error> {
        self.insert_act(company, what, by, None)
    }

    /// Puts on record a step of what is done in steps, unless it did nothing.
    pub(super) fn acted_on(
        &self,
        company: &str,
        what: (ActKind, Option<&str>),
        by: &ActBy,
        operations: u32,
    ) -> Result<(), Error> {
        if operations == 0 || self.changes(sql::ADD_TO_ACT, (company, by.act.0, operations))? {
            return Ok(());
        }
        self.insert_act(company, what, (&by.who, &by.why), Some((by.act, operations)))
    }

    fn insert_act(
        &self,
        company: &str,
        (kind, action): (ActKind, Option<&str>),
        (who, why): By<'_>,
        step: Option<(ActId, u32)>,
    ) -> Result<(), Error> {
        let (id, operations) = step.map_or((None, 0), |(id, many)| (Some(id.0), many));
        let (of, at) = (kind.of().map(PauseOf::word), self.now.as_millis());
        let params = (company, id, at, kind.word(), of, action, who, why, operations);
        self.execute(sql::INSERT_ACT, params).map(drop)
    }
}
