//! What is held back: looked at by every proposal and every claim, inside its own write.

use super::super::sql;
use super::super::transaction::Transaction;
use super::Work;
use crate::store::{ActKind, Pause, Resume};

/// Holds an action back, or all of them.
pub(in super::super) fn pause(pause: Pause) -> impl Work<()> {
    move |transaction: &Transaction<'_>| {
        let Pause { company, action, of, who, why } = &pause;
        // also if this is undone: it is looked at again after the next commit
        transaction.paused.set(true);
        let now = transaction.now.as_millis();
        let params = (company, of.word(), action.as_deref().unwrap_or(""), now, who, why);
        if transaction.changes(sql::PAUSE, params)? {
            let what = (ActKind::Pause(*of), action.as_deref());
            transaction.acted(company, what, (who, why))?;
        }
        failpoint!("store.pause.within", or return Err(crate::store::Error::not_written("a fail-point")));
        Ok(())
    }
}

/// Ends a pause; `false` if there was none.
pub(in super::super) fn resume(resume: Resume) -> impl Work<bool> {
    move |transaction: &Transaction<'_>| {
        let Resume { company, action, of, who, why } = &resume;
        let params = (company, of.word(), action.as_deref().unwrap_or(""));
        let ended = transaction.changes(sql::RESUME, params)?;
        if ended {
            let what = (ActKind::Resume(*of), action.as_deref());
            transaction.acted(company, what, (who, why))?;
        }
        failpoint!("store.resume.within", or return Err(crate::store::Error::not_written("a fail-point")));
        Ok(ended)
    }
}
