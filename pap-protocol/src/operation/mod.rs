//! The operation and its parts, with the names and order of section 3.

mod approved_by;
mod confirm_request;
mod operation_id;
mod record;
mod revision;
mod state;

pub use approved_by::ApprovedBy;
pub use confirm_request::{ConfirmRequest, ConfirmRevision};
pub use operation_id::OperationId;
pub use record::{Confirmation, Operation, OperationResult, Proposed};
pub use revision::Revision;
pub use state::State;
