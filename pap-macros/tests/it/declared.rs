//! What the engine and the catalogue read of a declaration.

use pap_runtime::catalogue::{Reconcile, Role, UserApproval, WithoutExtension};
use pap_runtime::declaration::{OperationDeclaration, ReferencePart, Schema, Seen, Segment};
use pap_runtime::private::Declared;

use crate::forms::{count, gift_note, send_back};
use crate::jacket::Exchange;

fn of<O: Declared>() -> &'static OperationDeclaration {
    O::OPERATION
}

#[test]
fn an_operation_is_declared_as_written() {
    let declared = of::<Exchange>();
    assert_eq!(declared.doc, "Exchanges one item of a delivered order.");
    assert_eq!(declared.origin, "it::jacket::Exchange");
    assert_eq!((declared.tool, declared.scopes), ("orders_exchange", &["orders:write"][..]));
    assert_eq!((declared.expires_in_s, declared.id_prefix), (900, "exc"));
    assert_eq!(declared.retain_for_s, None);
    assert_eq!(declared.identity, Some(&["order_id", "item_id"][..]));
    let reference = [ReferencePart::Text("order:"), ReferencePart::Member("order_id")];
    assert_eq!(declared.reference, Some(&reference[..]));
    assert_eq!(declared.user_approval, UserApproval::Required);
    assert_eq!(declared.without_extension, WithoutExtension::Refuse);
    assert_eq!(declared.reconcile, Reconcile::Function);
    assert!(!declared.can_stop && !declared.rechecks && !declared.tells_release);
    let route = declared.route.unwrap();
    assert_eq!((route.method, route.path), ("POST", "/orders/{order_id}/exchanges"));
    let segments =
        [Segment::Fixed("orders"), Segment::Parameter("order_id"), Segment::Fixed("exchanges")];
    assert_eq!(route.segments, segments);
}

#[test]
fn terms_are_declared_with_roles_and_what_is_seen() {
    let terms = of::<Exchange>().terms;
    assert_eq!(terms.version, 1);
    assert_eq!((terms.record.name, terms.record.doc), ("ExchangeTerms", "What the User approves."));
    let seen: Vec<Seen> = terms.record.fields.iter().map(|field| field.seen).collect();
    let (wire, private, shown) = (Seen::OnTheWire, Seen::Private, Seen::InTheSummary);
    assert_eq!(seen, [wire, wire, wire, wire, private, shown, shown]);
    let facts: Vec<_> = terms.record.fields.iter().map(|field| field.term.unwrap()).collect();
    assert_eq!(facts[1].shown_as, Some("item"));
    assert_eq!(facts[3].role, Some(Role::Charge));
    assert!(matches!(terms.record.fields[0].schema, Schema::Named { name: "OrderId", .. }));
}

#[test]
fn the_shortest_form_declares_the_terms_as_request() {
    let declared = of::<gift_note>();
    let Schema::Record(request) = declared.request else { panic!("not a record") };
    assert_eq!(request.name, "GiftNoteTerms");
    let members: Vec<&str> = request.fields.iter().map(|field| field.name).collect();
    assert_eq!(members, ["order_id", "note", "gift_wrap"]);
    assert_eq!(request.fields[1].doc, "What the card says.");
    assert!(matches!(declared.result, Schema::Nothing));
    assert_eq!(declared.reconcile, Reconcile::Operator);
    assert_eq!(of::<count>().reconcile, Reconcile::SameStore);
}

#[test]
fn a_summary_written_elsewhere_is_the_terms_own() {
    let declared = of::<send_back>();
    assert_eq!(declared.terms.summary, "Send order {order_id} back, for {reason}.");
    assert!(declared.can_stop && declared.rechecks && declared.tells_release);
    assert_eq!(declared.retain_for_s, Some(90 * 24 * 60 * 60));
}
