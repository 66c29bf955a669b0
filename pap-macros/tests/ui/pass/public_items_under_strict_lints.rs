//! Public declarations of a crate that forbids what it can: generated code fires none of its lints.
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    unreachable_pub,
    unused_qualifications,
    unused_results,
    single_use_lifetimes,
    trivial_casts,
    elided_lifetimes_in_paths,
    let_underscore_drop,
    non_ascii_idents,
    unit_bindings
)]
#![forbid(unsafe_code)]

use pap_runtime::{Confirmed, Operations, Outcome, Terms, operation, operations, succeeded};
use serde::{Deserialize, Serialize};

/// The company.
#[derive(Debug)]
pub struct Shop;

/// What is returned.
#[derive(Debug, Terms, Serialize, Deserialize)]
#[terms(summary = "Return the parcel {parcel} ({weight} g).")]
pub struct ReturnTerms {
    parcel: String,
    #[term(quantity)]
    weight: u32,
}

/// Returns a parcel.
#[operation(action = "parcels.return", route = "POST /parcels/{parcel}/return", scopes = [], reconcile = operator)]
pub async fn return_parcel(_shop: &Shop, op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded(format!("Returned {}.", op.terms.parcel), ())
}

/// Keeps a parcel.
#[operation(action = "parcels.keep", scopes = [], reconcile = operator,
            summary = "Keep the parcel {parcel}.", terms = { parcel: String })]
pub async fn keep_parcel(_shop: &Shop, op: Confirmed<KeepParcelTerms>) -> Outcome {
    succeeded(op.terms.parcel, ())
}

fn main() {
    let list: Operations<Shop> = operations![return_parcel, keep_parcel];
    assert_eq!(list.declarations().count(), 2);
}
