//! The agent: what it asked for, what it was answered, and what it must never be answered.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pap_runtime::{ApprovedBy, ExtensionDescriptor};
use pap_runtime::{Company, ConfirmRequest, Operation, OperationId, Refusal, Revision, Session};

use super::orders::{Order, OrderRequest, OrderTerms, Shop};

/// The agent of one User, and the books it keeps.
#[derive(Debug)]
pub(super) struct Agent {
    session: Session,
    books: Mutex<Books>,
}

#[derive(Debug, Default)]
struct Books {
    /// The order that an item's requests are about: the latest that the agent was told of.
    orders: BTreeMap<u64, (OperationId, Revision)>,
    /// Every order it was told of, with its item, in the order of the answers: ids are another in each run.
    all: Vec<(OperationId, u64)>,
    confirmed: BTreeMap<OperationId, BTreeSet<Revision>>,
    ended: BTreeMap<OperationId, String>,
    wrong: Option<String>,
}

impl Books {
    fn item(&self, id: &OperationId) -> Option<u64> {
        self.all.iter().find(|(of, _)| of == id).map(|(_, item)| *item)
    }
}

impl Agent {
    pub(super) fn new() -> Arc<Self> {
        let session = Session::new("ses_1", "https://juniper.example/agent.json", "ada")
            .signed_in("acc_ada", ["orders:write"])
            .with_extensions([("operations".to_owned(), ExtensionDescriptor::new("1"))].into());
        Arc::new(Self { session, books: Mutex::default() })
    }

    pub(super) async fn ask(&self, company: Company<Shop>, item: u64, size: u64) {
        let known = self.known();
        let request = OrderRequest::new(item, size);
        let answer = company.propose::<Order>(&self.session, request).await;
        if let Ok(operation) = &answer {
            let mut books = self.books();
            if books.item(&operation.operation_id).is_none() {
                books.all.push((operation.operation_id.clone(), item));
            }
            books.orders.insert(item, (operation.operation_id.clone(), operation.revision));
        }
        self.look(&known, answer);
    }

    pub(super) async fn revise(&self, company: Company<Shop>, item: u64, size: u64) {
        let Some((id, _)) = self.order(item) else { return };
        let known = self.known();
        if let Ok(operation) = company.revise::<Order>(&id, OrderTerms { item, size }).await {
            self.look(&known, Ok(operation));
        }
    }

    pub(super) async fn confirm(&self, company: Company<Shop>, item: u64, old: bool) {
        let Some((id, latest)) = self.order(item) else { return };
        let revision = if old { Revision::FIRST } else { latest };
        self.books().confirmed.entry(id.clone()).or_default().insert(revision);
        let known = self.known();
        let request = ConfirmRequest::new(revision, ApprovedBy::User);
        let answer = company.confirm(&self.session, id.as_str(), request).await;
        self.look(&known, answer);
    }

    pub(super) async fn cancel(&self, company: Company<Shop>, id: OperationId) {
        let known = self.known();
        let answer = company.cancel(&self.session, id.as_str()).await;
        self.look(&known, answer);
    }

    pub(super) async fn read(&self, company: Company<Shop>, id: OperationId) {
        let known = self.known();
        let answer = company.read(&self.session, id.as_str()).await;
        self.look(&known, answer);
    }

    /// The order that an item's requests are about.
    pub(super) fn order(&self, item: u64) -> Option<(OperationId, Revision)> {
        self.books().orders.get(&item).cloned()
    }

    /// Every order with its item.
    pub(super) fn orders(&self) -> Vec<(OperationId, u64)> {
        self.books().all.clone()
    }

    /// Whether it asked to confirm this revision.
    pub(super) fn has_confirmed(&self, id: &OperationId, revision: Revision) -> bool {
        self.books().confirmed.get(id).is_some_and(|asked| asked.contains(&revision))
    }

    /// The first thing it was answered that it must not be.
    pub(super) fn wrong(&self) -> Option<String> {
        self.books().wrong.clone()
    }

    /// The final answers that it has by now: what is asked from now on must agree.
    pub(super) fn known(&self) -> BTreeMap<OperationId, String> {
        self.books().ended.clone()
    }

    /// Who knows of a final state when it asks is never answered another; all who see one see the same.
    pub(super) fn look(
        &self,
        known: &BTreeMap<OperationId, String>,
        answer: Result<Operation, Refusal>,
    ) {
        let operation = match answer {
            Ok(operation) => operation,
            Err(Refusal::TermsChanged(operation)) => *operation,
            Err(_) => return,
        };
        let id = operation.operation_id.clone();
        let answered = in_words(&operation);
        let mut books = self.books();
        if let Some((of, latest)) = books.item(&id).and_then(|item| books.orders.get_mut(&item))
            && *of == id
        {
            *latest = (*latest).max(operation.revision);
        }
        let ended = operation.state.is_final();
        let before = match known.get(&id) {
            Some(known) => Some(known.clone()),
            None if ended => Some(books.ended.entry(id).or_insert(answered.clone()).clone()),
            None => None,
        };
        if let Some(before) = before.filter(|before| *before != answered) {
            let wrong = format!("first told \"{before}\", then \"{answered}\"");
            books.wrong.get_or_insert(wrong);
        }
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn in_words(operation: &Operation) -> String {
    let result = operation.result.as_ref().map(|result| result.summary.as_str());
    format!("{}: {}", operation.state, result.unwrap_or("no result"))
}
