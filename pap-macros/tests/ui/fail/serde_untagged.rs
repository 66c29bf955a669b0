//! A reader knows which variant it has.

use pap_runtime::Term;
use serde::{Deserialize, Serialize};

#[derive(Term, Serialize, Deserialize)]
#[serde(untagged)]
enum Cost {
    #[term(summary = "for {amount} more")]
    More { amount: String },
    #[term(say = "at no extra cost")]
    None,
}

fn main() {}
