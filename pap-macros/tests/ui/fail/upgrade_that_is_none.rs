//! Upgrades go from old versions to new ones.

mod shop;
use shop::*;

#[derive(Terms, Serialize, Deserialize)]
#[terms(upgrades = [ReturnTerms], summary = "Return {a}.")]
struct First {
    a: String,
}

#[derive(Terms, Serialize, Deserialize)]
#[terms(version = 2, upgrades = [], summary = "Return {a}.")]
struct Nothing {
    a: String,
}

#[derive(Terms, Serialize, Deserialize)]
#[terms(version = 2, upgrades = ReturnTerms, summary = "Return {a}.")]
struct NoList {
    a: String,
}

#[derive(Terms, Serialize, Deserialize)]
#[terms(version = 2, summary = "Return {a}.")]
struct Second {
    a: String,
}

#[derive(Terms, Serialize, Deserialize)]
#[terms(version = 3, summary = "Return {a}.")]
struct Third {
    a: String,
}

#[derive(Terms, Serialize, Deserialize)]
#[terms(version = 2, upgrades = [Second], summary = "Return {a}.")]
struct NotRaised {
    a: String,
}

impl From<Second> for NotRaised {
    fn from(older: Second) -> Self {
        Self { a: older.a }
    }
}

#[derive(Terms, Serialize, Deserialize)]
#[terms(version = 4, upgrades = [Third, Second, Second], summary = "Return {a}.")]
struct Unsorted {
    a: String,
}

impl From<Second> for Unsorted {
    fn from(older: Second) -> Self {
        Self { a: older.a }
    }
}

impl From<Third> for Unsorted {
    fn from(older: Third) -> Self {
        Self { a: older.a }
    }
}

fn main() {}
