//! The agent against a Company that follows a script: each module is about one promise.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what the tests share must hold in every one of them"
)]

mod answers;
mod approve;
mod ask;
mod cancel;
mod clock;
mod company;
mod confirm;
mod follow;
mod host;
mod negotiate;
mod recover;
mod restart;
mod secrets;
mod standing;
mod tokens;
