//! What the macros write, compiled and run against the runtime.
#![expect(missing_docs, reason = "declarations of tests")]

mod jacket;
