//! The JSON of the admin router, and of the command's `--json`.
//!
//! Members are added, never renamed or taken away while `version` is 1. Moments are RFC 3339 in UTC. A member
//! without a value is left out.
#![expect(clippy::exhaustive_structs, reason = "this is the form: version 1 has these members")]

mod act;
mod asked;
mod event;
mod line;
mod shown;

pub use act::{Act, ActLine, Acts, ReadActs};
pub use asked::{
    AskNow, Asking, Ended, EraseAccount, Erased, Events, ExportAccount, Exported, Fault, Find,
    HoldBack, Outcome, PurgeAction, Purged, Restored, Resumed, Settle, Settled, What,
};
pub use event::{EventLine, Feed, FeedLine};
#[cfg(feature = "cli")]
pub(crate) use line::PUT_ASIDE;
pub use line::{
    Listing, OpenLine, OpenWork, OperationLine, PauseLine, Pauses, Unsettled, Verified,
};
pub use shown::{RevisionLine, Shown, Words};

/// The version of this form.
pub const VERSION: u32 = 1;
