//! The catalogue: what is described is what is served.

use pap_runtime::catalogue::{Catalogue, Reconcile, Role, Schema, UserApproval};
use pap_runtime::operations;

use crate::shop::{Exchange, gift_note};

fn described() -> String {
    pap_runtime::describe(&operations![Exchange, gift_note])
}

/// OPS-4.1-3
#[test]
fn the_constants_are_written_in_exactly_the_format_that_the_command_line_reads() {
    let text = described();
    let read: Catalogue = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    assert_eq!(described(), text, "the same every time");
}

#[test]
fn a_catalogue_tells_what_the_author_declared() {
    let read: Catalogue = serde_json::from_str(&described()).unwrap();
    let [exchange, note] = read.operations.as_slice() else { panic!("{read:?}") };
    assert_eq!(exchange.action, "orders.exchange");
    assert_eq!(exchange.tool, "orders_exchange");
    assert_eq!(exchange.doc, "Exchanges one item of a delivered order.");
    assert!(exchange.origin.ends_with("::Exchange"), "{}", exchange.origin);
    let route = exchange.route.as_ref().unwrap();
    assert_eq!(
        (route.method.as_str(), route.path.as_str()),
        ("POST", "/orders/{order_id}/exchanges")
    );
    assert_eq!(exchange.expires_in_s, 900);
    assert_eq!(exchange.user_approval, UserApproval::Optional);
    assert_eq!(exchange.reconcile, Reconcile::Function);
    assert_eq!(exchange.identity.as_deref(), Some(&["order_id".into(), "item_id".into()][..]));
    assert!(exchange.can_stop && exchange.rechecks);
    assert_eq!(note.reconcile, Reconcile::Operator);
    assert_eq!((note.identity.as_ref(), &note.result), (None, &Schema::Nothing));
    assert!(!note.can_stop && !note.rechecks);
}

/// OPS-3-13
#[test]
fn described_terms_hold_what_is_on_the_wire_and_the_role_of_each() {
    let read: Catalogue = serde_json::from_str(&described()).unwrap();
    let members = &read.operations[0].terms.record.members;
    let names: Vec<_> = members.iter().map(|member| member.name.as_str()).collect();
    assert_eq!(names, ["order_id", "item_id", "replacement_sku", "price_difference"]);
    let facts = |at: usize| members[at].term.clone().unwrap();
    assert_eq!(facts(3).role, Some(Role::Charge));
    assert_eq!(facts(1).shown_as.as_deref(), Some("item"));
    assert_eq!(members[3].schema, Schema::Money);
}
