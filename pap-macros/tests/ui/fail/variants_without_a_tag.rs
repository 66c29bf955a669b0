//! The member `kind` tells variants apart.

use pap_runtime::Term;
use serde::{Deserialize, Serialize};

#[derive(Term, Serialize, Deserialize)]
enum Cost {
    #[term(summary = "for {amount} more")]
    More { amount: String },
}

#[derive(Term, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Way {
    #[term(summary = "by {carrier}")]
    Ship { carrier: String },
}

fn main() {}
