//! A key where it means nothing.

use pap_runtime::Term;
use serde::{Deserialize, Serialize};

#[derive(Term, Serialize, Deserialize)]
#[term(charge)]
enum Size {
    #[term(say = "medium", max = 3)]
    Medium,
}

#[derive(pap_runtime::Terms, Serialize, Deserialize)]
#[terms(summary = "Send {size}.", say = "x")]
struct T {
    #[term(say = "big", flag)]
    size: Size,
}

fn main() {}
