//! Generated code names everything by full paths and fires no lint, whatever the author's names hide.
#![deny(warnings, clippy::pedantic)]

use crate::shop::Shop;

/// Every name of the prelude means something else here.
#[expect(
    dead_code,
    non_upper_case_globals,
    unused_macros,
    reason = "the names are there to be in the way"
)]
mod shadowed {
    use ::pap_runtime::{Confirmed, NotOffered, Outcome, Proposal, Shape, Term, Terms, operation};
    use ::serde::{Deserialize, Serialize};

    use super::Shop;

    pub(super) enum Option {}
    pub(super) enum Result {}
    pub(super) enum Vec {}
    pub(super) enum Box {}
    pub(super) enum Send {}
    pub(super) enum Future {}
    pub(super) enum Data {}
    pub(super) enum __Terms {}
    mod core {}
    mod std {}
    mod alloc {}
    mod pap_runtime {}
    mod serde {}
    mod private {}
    fn drop() {}
    #[expect(non_snake_case, reason = "in the way")]
    fn Ok() {}
    #[expect(non_snake_case, reason = "in the way")]
    fn Err() {}
    #[expect(non_snake_case, reason = "in the way")]
    fn Some() {}
    const None: () = ();
    macro_rules! concat {
        () => {};
    }
    macro_rules! module_path {
        () => {};
    }
    macro_rules! panic {
        () => {};
    }
    macro_rules! assert {
        () => {};
    }

    type Text = ::std::string::String;
    type Answer<T> = ::std::result::Result<T, NotOffered>;

    #[derive(Term, Serialize, Deserialize)]
    pub(super) struct OrderId(Text);

    #[derive(Term, Serialize, Deserialize)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    pub(super) enum Cost {
        #[term(summary = "for {amount}")]
        More { amount: u32 },
        #[term(say = "free")]
        None,
    }

    #[derive(Term, Serialize, Deserialize)]
    pub(super) enum Size {
        #[term(say = "medium")]
        Some,
        #[term(say = "large")]
        Ok,
    }

    #[derive(Terms, Serialize, Deserialize)]
    #[terms(summary = "Exchange {self_} in {r} {order_id} {cost} {type}.")]
    pub(super) struct ExchangeTerms {
        order_id: OrderId,
        #[term(if_none = "nothing")]
        self_: ::std::option::Option<Size>,
        #[term(max = 2)]
        r: ::std::vec::Vec<Text>,
        cost: Cost,
        r#type: u8,
    }

    #[derive(Shape, Serialize, Deserialize)]
    pub(super) struct Request {
        order_id: OrderId,
    }

    #[derive(Shape, Serialize)]
    pub(super) struct String {
        out: Text,
    }

    pub(super) enum Exchange {}

    #[operation(action = "orders.exchange", route = "POST /orders/{order_id}/exchange", scopes = [],
                reconcile = operator)]
    impl Exchange {
        async fn propose(_: &Shop, request: Request) -> Answer<Proposal<ExchangeTerms>> {
            let terms = ExchangeTerms {
                order_id: request.order_id,
                self_: ::std::option::Option::None,
                r: ::std::vec::Vec::new(),
                cost: Cost::None,
                r#type: 1,
            };
            ::std::result::Result::Ok(Proposal::new(terms))
        }

        async fn perform(_: &Shop, op: Confirmed<ExchangeTerms>) -> Outcome<String> {
            ::pap_runtime::succeeded("Done.", String { out: op.terms.order_id.0 })
        }
    }

    #[operation(action = "orders.gift_note", scopes = [], reconcile = operator,
                summary = "Put {note} into {order_id}.", terms = { order_id: OrderId, note: Text })]
    pub(super) async fn gift_note(_: &Shop, op: Confirmed<GiftNoteTerms>) -> Outcome {
        ::pap_runtime::succeeded(op.terms.note, ())
    }

    pub(super) fn all() -> ::pap_runtime::Operations<Shop> {
        ::pap_runtime::operations![Exchange, gift_note]
    }
}

#[test]
fn generated_code_minds_no_name_of_the_author() {
    assert_eq!(shadowed::all().declarations().count(), 2);
}
