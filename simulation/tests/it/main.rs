//! Every order of events, and random histories of the engine.

#![expect(
    clippy::panic,
    clippy::print_stdout,
    reason = "what is broken ends the test, with all that is needed to repeat it"
)]

mod histories;
mod model;
