//! Members have names.

use pap_runtime::Term;
use serde::{Deserialize, Serialize};

#[derive(Term, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Cost {
    #[term(say = "nothing")]
    None,
    More(String),
}

fn main() {}
