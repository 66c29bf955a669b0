//! A record with a summary is terms.

use pap_runtime::Term;
use serde::{Deserialize, Serialize};

#[derive(Term, Serialize, Deserialize)]
struct Address {
    street: String,
}

fn main() {}
