//! The summary has words for every variant.

use pap_runtime::Term;
use serde::{Deserialize, Serialize};

#[derive(Term, Serialize, Deserialize)]
enum Size {
    #[term(say = "medium")]
    Medium,
    Large,
}

#[derive(Term, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Cost {
    More { amount: String },
    #[term(summary = "none")]
    None,
    #[term(say = "less")]
    Less { amount: String },
}

fn main() {}
