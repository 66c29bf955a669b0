//! `kind` is taken.

use pap_runtime::Shape;

#[derive(Shape)]
#[serde(tag = "kind")]
enum Cost {
    More { kind: String },
}

fn main() {}
