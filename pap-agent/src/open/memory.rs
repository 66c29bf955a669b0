//! Open operations in memory: gone with the process.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pap_protocol::operation::OperationId;

use super::{NotKept, OpenOperation, OpenOperations};

/// Keeps open operations in memory.
///
/// For an agent that never outlives its operations, and for tests: after a restart the agent would not
/// know what it has confirmed.
#[derive(Debug, Default)]
pub struct InMemory {
    open: Mutex<BTreeMap<(String, OperationId), OpenOperation>>,
}

impl InMemory {
    /// Nothing is open.
    pub fn new() -> Self {
        Self::default()
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<(String, OperationId), OpenOperation>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenOperations for InMemory {
    async fn of(&self, company: &str) -> Result<Vec<OpenOperation>, NotKept> {
        Ok(self.open().values().filter(|open| open.company == company).cloned().collect())
    }

    async fn keep(&self, operation: OpenOperation) -> Result<(), NotKept> {
        let key = (operation.company.clone(), operation.operation_id.clone());
        self.open().insert(key, operation);
        Ok(())
    }

    async fn drop_final(&self, company: &str, id: &OperationId) -> Result<(), NotKept> {
        self.open().remove(&(company.to_owned(), id.clone()));
        Ok(())
    }
}
