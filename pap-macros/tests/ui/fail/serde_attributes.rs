//! serde changes the wire only where it can be told.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {a}, {b}, {c}, {d}, {e}, {f}.")]
struct ExchangeTerms {
    #[serde(default)]
    a: String,
    #[serde(with = "text")]
    b: String,
    #[serde(alias = "other")]
    c: String,
    #[serde(rename(serialize = "x", deserialize = "y"))]
    d: String,
    #[serde(rename = "g")]
    e: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    f: String,
}

mod text {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(text: &str, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(text)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
        String::deserialize(from)
    }
}

fn main() {}
