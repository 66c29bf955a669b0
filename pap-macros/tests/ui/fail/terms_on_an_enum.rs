//! Terms are a struct.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
enum Cost {
    More,
}

fn main() {}
