//! `kind` is taken.

use pap_runtime::Shape;
use serde::Serialize;

#[derive(Shape, Serialize)]
#[serde(tag = "kind")]
enum Cost {
    More { kind: String },
}

fn main() {}
