//! Terms are a struct with named fields.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
struct OrderId(String);

fn main() {}
