//! A variant states its own fields.

use pap_runtime::Term;
use serde::{Deserialize, Serialize};

#[derive(Term, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Cost {
    #[term(summary = "for more money")]
    More { amount: String },
}

fn main() {}
