//! A declared operation with its types put away, so that the engine is compiled once.

use std::any::TypeId;
use std::fmt::Display;
use std::sync::Arc;

use pap_protocol::json;

use crate::confirmed::{Confirmed, Record, Seen};
use crate::declaration::{Facts, OperationDeclaration};
use crate::finding::{Found, Retry, Stop};
use crate::outcome::{Ended, NotSucceeded, Outcome, Succeeded, Success};
use crate::private::{Declared, Pending};
use crate::proposal::{Expires, No, NotOffered, Proposal, Proposing, Recheck};
use crate::reference::reference;
use crate::released::{Lapsed, Released};
use crate::session::Session;
use crate::store::StoredRevision;
use crate::terms::{Reader, Said, Terms, on_the_wire};

/// Longest summary and wire terms together, in bytes: an agent reads an operation of at most 256 KiB.
const WORDS_MAX: usize = 200 * 1024;

/// What the engine asks of a declared operation. JSON texts in, JSON texts out.
pub(crate) trait Action: Send + Sync {
    fn declaration(&self) -> &'static OperationDeclaration;

    /// The request as its type writes it, so that two spellings of one request are one.
    fn normalised(&self, request: &str) -> Result<String, String>;

    /// What the company finds the operation by, from a request as [`Action::normalised`] writes it.
    fn reference(&self, request: &str) -> Option<String>;

    fn propose<'a>(
        &'a self,
        session: &'a Session,
        proposing: &'a Proposing,
        request: &'a str,
    ) -> Pending<'a, Result<Worked, NotOffered>>;

    /// Whether stored terms are of a version and form that this code reads and writes as they are.
    fn knows(&self, schema_version: u32, full: &str) -> bool;

    fn perform(&self, full: &str, seen: Seen, record: Arc<dyn Record>) -> Performed;

    fn reconcile(&self, full: &str, seen: Seen, record: Arc<dyn Record>) -> Finds<Found<Data>>;

    fn stop(&self, full: &str, seen: Seen, record: Arc<dyn Record>) -> Finds<Stop>;

    fn recheck<'a>(
        &'a self,
        session: &'a Session,
        full: &'a str,
    ) -> Pending<'a, Result<Rechecked, NotOffered>>;

    /// Tells the company of a revision that ended without being performed.
    fn released(&self, revision: &StoredRevision, lapsed: Lapsed) -> Finds<()>;
}

/// The future of a handler: it owns all it needs, so that it outlives the request.
pub(crate) type Performed = Pending<'static, Result<Ending, Unreadable>>;

/// The future of a question.
pub(crate) type Finds<T> = Pending<'static, Result<T, Retry>>;

/// `result.data` as JSON, or why it could not be encoded.
pub(crate) type Data = Result<Option<String>, String>;

/// Stored terms that this code does not read: nothing was started.
#[derive(Debug)]
pub(crate) struct Unreadable(pub(crate) String);

/// How a handler ended.
#[derive(Debug)]
pub(crate) enum Ending {
    Succeeded {
        summary: String,
        data: Data,
    },
    Not(Ended),
    /// As was written in the company's own transaction, if that was committed.
    InTransaction,
}

/// A proposal, worked out and checked.
#[derive(Debug)]
pub(crate) struct Worked {
    pub(crate) full: String,
    pub(crate) wire: String,
    pub(crate) summary: String,
    pub(crate) expires: Option<Expires>,
    pub(crate) user_approval_required: bool,
    pub(crate) url: Option<String>,
}

/// What looking again found.
#[derive(Debug)]
pub(crate) enum Rechecked {
    Same,
    Changed(Worked),
    Gone(String),
}

/// A declared operation bound to the company's state.
pub(crate) struct Typed<O: Declared> {
    state: Arc<O::State>,
}

impl<O: Declared> Typed<O> {
    pub(crate) fn new(state: Arc<O::State>) -> Self {
        Self { state }
    }

    /// Whether the request is the terms: what is wrong with them is then the caller's to mend.
    fn asks_in_terms() -> bool {
        TypeId::of::<O::Request>() == TypeId::of::<O::Terms>()
    }

    fn confirmed(
        full: &str,
        seen: Seen,
        record: Arc<dyn Record>,
    ) -> Result<Confirmed<O::Terms>, String> {
        let terms = serde_json::from_str(full).map_err(|error| unreadable(&error))?;
        Ok(Confirmed { terms, seen, record })
    }
}

/// Says what is wrong with stored JSON without repeating any of it.
fn unreadable(error: &serde_json::Error) -> String {
    format!("the stored terms do not read back (line {}, column {})", error.line(), error.column())
}

impl<O: Declared> Action for Typed<O> {
    fn declaration(&self) -> &'static OperationDeclaration {
        O::OPERATION
    }

    fn normalised(&self, request: &str) -> Result<String, String> {
        // what is refused goes back to its sender, and repeats no value
        let typed: O::Request = json::decode(request).map_err(|refused| refused.to_string())?;
        serde_json::to_string(&typed).map_err(|error| error.to_string())
    }

    fn reference(&self, request: &str) -> Option<String> {
        reference(O::OPERATION.reference?, request)
    }

    fn propose<'a>(
        &'a self,
        session: &'a Session,
        proposing: &'a Proposing,
        request: &'a str,
    ) -> Pending<'a, Result<Worked, NotOffered>> {
        Box::pin(async move {
            let request: O::Request = json::decode(request).map_err(NotOffered::broken)?;
            let proposal = O::propose(&self.state, session, proposing, request).await?;
            worked_out(proposal).map_err(|unfit| match unfit {
                Unfit::Offer(problem) if Self::asks_in_terms() => {
                    NotOffered(No::Unacceptable(problem))
                }
                Unfit::Long => NotOffered(No::TooLong),
                Unfit::Offer(_) | Unfit::Broken(_) => NotOffered::broken(unfit),
            })
        })
    }

    fn knows(&self, schema_version: u32, full: &str) -> bool {
        schema_version == O::Terms::DECLARATION.version && reads_back::<O::Terms>(full)
    }

    fn perform(&self, full: &str, seen: Seen, record: Arc<dyn Record>) -> Performed {
        let (state, full) = (Arc::clone(&self.state), full.to_owned());
        // all of it inside: reading the terms runs the company's code, too
        Box::pin(async move {
            let op = Self::confirmed(&full, seen, record).map_err(Unreadable)?;
            Ok(Ending::of(O::perform(&state, op).await))
        })
    }

    fn reconcile(&self, full: &str, seen: Seen, record: Arc<dyn Record>) -> Finds<Found<Data>> {
        let (state, full) = (Arc::clone(&self.state), full.to_owned());
        Box::pin(async move {
            let op = Self::confirmed(&full, seen, record).map_err(Retry::because)?;
            let finding = O::reconcile(&state, &op).await?;
            Ok(match finding.0 {
                Found::Happened { summary, data } => {
                    Found::Happened { summary, data: encoded(&data) }
                }
                Found::Partly { changes, summary } => Found::Partly { changes, summary },
                Found::DidNotAndCannot(fence) => Found::DidNotAndCannot(fence),
                Found::NotSeenYet => Found::NotSeenYet,
            })
        })
    }

    fn stop(&self, full: &str, seen: Seen, record: Arc<dyn Record>) -> Finds<Stop> {
        let (state, full) = (Arc::clone(&self.state), full.to_owned());
        Box::pin(async move {
            let op = Self::confirmed(&full, seen, record).map_err(Retry::because)?;
            Ok(O::stop(&state, &op).await?.0)
        })
    }

    fn recheck<'a>(
        &'a self,
        session: &'a Session,
        full: &'a str,
    ) -> Pending<'a, Result<Rechecked, NotOffered>> {
        Box::pin(async move {
            let terms: O::Terms = serde_json::from_str(full)
                .map_err(|error| NotOffered::broken(unreadable(&error)))?;
            Ok(match O::recheck(&self.state, session, &terms).await? {
                Recheck::Same => Rechecked::Same,
                Recheck::Changed(proposal) => {
                    Rechecked::Changed(worked_out(proposal).map_err(NotOffered::broken)?)
                }
                Recheck::Gone(reason) => Rechecked::Gone(reason),
            })
        })
    }

    fn released(&self, revision: &StoredRevision, lapsed: Lapsed) -> Finds<()> {
        let (state, full) = (Arc::clone(&self.state), revision.full.clone());
        let revision = revision.number;
        Box::pin(async move {
            let terms =
                serde_json::from_str(&full).map_err(|error| Retry::because(unreadable(&error)))?;
            O::released(&state, &Released { terms, revision, lapsed }).await
        })
    }
}

/// Why worked-out terms are not proposed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unfit {
    /// They must not be offered to a User.
    #[error("the terms must not be offered: {0}")]
    Offer(String),
    /// An agent could not read them.
    #[error("summary and terms are longer than {WORDS_MAX} bytes together")]
    Long,
    /// They are not what could be kept and shown.
    #[error("{0}")]
    Broken(String),
}

/// Terms into what is stored and shown; refused here, before anything is stored, if they must not be
/// offered or would not read back.
pub(crate) fn worked_out<T: Terms>(proposal: Proposal<T>) -> Result<Worked, Unfit> {
    let broken = |error: &dyn Display| Unfit::Broken(error.to_string());
    let Proposal { terms, expires, user_approval_required, url } = proposal;
    if let Some(problem) = Said::problem(&terms, &Facts::NONE) {
        return Err(Unfit::Offer(problem));
    }
    let full = serde_json::to_string(&terms).map_err(|error| broken(&error))?;
    if !reads_back::<T>(&full) {
        return Err(broken(
            &"the terms do not read back as they were written: a value is lost or changed \
                between `Serialize` and `Deserialize`",
        ));
    }
    let schema = crate::declaration::Schema::Record(T::DECLARATION.record);
    let wire = on_the_wire(&full, &schema).map_err(|error| broken(&unreadable(&error)))?;
    let summary = terms.summary(&Reader::default()).trim().to_owned();
    if summary.is_empty() {
        return Err(broken(&"the summary is empty"));
    }
    // as they are sent: a quotation mark takes two bytes
    let shown = serde_json::to_string(&summary).map_err(|error| broken(&error))?;
    if shown.len() + wire.len() > WORDS_MAX {
        return Err(Unfit::Long);
    }
    if let Some(url) = &url
        && let Err(error) = url.parse::<pap_protocol::value::Url>()
    {
        return Err(broken(&format!("the operation's page is not an https address: {error}")));
    }
    Ok(Worked { full, wire, summary, expires, user_approval_required, url })
}

fn reads_back<T: Terms>(full: &str) -> bool {
    serde_json::from_str::<T>(full)
        .and_then(|terms| serde_json::to_string(&terms))
        .is_ok_and(|again| again == full)
}

impl Ending {
    /// The outcome with its data encoded.
    pub(crate) fn of<T: serde::Serialize>(outcome: Outcome<T>) -> Self {
        match outcome {
            Ok(Succeeded(Success::Now { summary, data })) => {
                Self::Succeeded { summary, data: encoded(&data) }
            }
            Ok(Succeeded(Success::InTransaction)) | Err(NotSucceeded(Ended::InTransaction)) => {
                Self::InTransaction
            }
            Err(not) => Self::Not(not.0),
        }
    }
}

/// The data of a result; `()` has none.
fn encoded<T: serde::Serialize>(data: &T) -> Data {
    match serde_json::to_string(data) {
        Ok(text) if text == "null" => Ok(None),
        Ok(text) => Ok(Some(text)),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::outcome::{
        Settled, failed_unchanged, handed_over, stopped_after, succeeded, unknown,
    };

    /// What is in the company's own transaction is not recorded a second time, and a unit test of the
    /// handler sees what it was.
    #[test]
    fn an_outcome_in_the_companys_transaction_is_recorded_by_nothing_else() {
        let ends: [Outcome<u8>; 3] =
            [succeeded("Done.", 1), failed_unchanged("No."), stopped_after(["Half."], "No.")];
        for outcome in ends {
            let committed = Settled::of(&outcome).unwrap().committed();
            assert_eq!(committed.is_ok(), outcome.is_ok());
            assert!(Settled::of(&committed).is_none(), "it is written once");
            assert!(matches!(Ending::of(committed), Ending::InTransaction), "{outcome:?}");
        }
        let open: [Outcome<u8>; 2] = [unknown("?"), handed_over("a person", Duration::ZERO)];
        assert!(open.iter().all(|outcome| Settled::of(outcome).is_none()));
    }
}
