//! Whether terms changed without a new version.

use pap_protocol::catalogue::Catalogue;
use pap_protocol::shapes::{Drift, Shapes};

use crate::operations::Operations;

/// Fails if the stored form of an action's terms is not the recorded one of its version.
///
/// The text is committed, and says which version of which action's terms has which form, one line each. The
/// target `shapes` of `pap-codegen` writes it; without `pap-codegen`, begin with an empty file, and copy what
/// this says. A version that is new has to be recorded too, or the next change of it would not be seen.
///
/// # Panics
///
/// If it fails, with what to type.
///
/// # Examples
///
/// ```
/// use pap_runtime::testing::assert_shapes;
/// use pap_runtime::{Confirmed, Operations, Outcome, operation, operations, succeeded};
///
/// struct Shop;
///
/// /// Adds a gift note to an order before it ships.
/// #[operation(action = "orders.gift_note", scopes = ["orders:write"],
///             summary = "Put the note “{note}” into order {order_id}.", terms = { order_id: String, note: String },
///             reconcile = operator)]
/// async fn gift_note(_shop: &Shop, op: Confirmed<GiftNoteTerms>) -> Outcome {
///     succeeded("The note is in the parcel.", ())
/// }
///
/// fn all() -> Operations<Shop> {
///     operations![gift_note]
/// }
///
/// // in a test: include_str!("../generated/terms.shapes")
/// let recorded = "orders.gift_note 1 6dc96fbc1cf0bc05";
/// assert_shapes(&all(), recorded);
/// ```
#[track_caller]
#[expect(clippy::panic, reason = "it is what a test calls to fail")]
pub fn assert_shapes<S: Send + Sync + 'static>(operations: &Operations<S>, recorded: &str) {
    let catalogue = serde_json::from_str::<Catalogue>(&crate::describe::catalogue(operations));
    let Ok(catalogue) = catalogue else { panic!("the catalogue does not read back") };
    let (now, recorded) = (Shapes::of(&catalogue.operations), Shapes::recorded(recorded));
    let drift: Vec<String> = now.drift(&recorded).iter().map(told).collect();
    assert!(drift.is_empty(), "{}", drift.join("\n\n"));
    let all = now.are_in(&recorded);
    assert!(all, "versions of terms are not recorded\nhelp: record them:\n\n{now}");
}

fn told(Drift { message, note, help, .. }: &Drift) -> String {
    format!("{message}\nnote: {note}\nhelp: {help}")
}
