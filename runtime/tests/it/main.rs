//! The company side, driven as its users drive it: HTTP in, HTTP out, or by the bench.

mod shop;

mod access;
mod at_most_once;
mod bad_input;
mod bench;
mod cancelling;
mod confirming;
mod edge;
mod proposing;
mod recovery;
mod revisions;
