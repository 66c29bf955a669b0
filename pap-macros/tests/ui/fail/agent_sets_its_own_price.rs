//! OPS-4.1-2: the request is the caller's, the price is not.

mod shop;
use shop::*;

#[operation(action = "orders.pay", scopes = [], reconcile = operator, summary = "Pay {price} for {item}, {hold_text}.",
            terms = { #[term(charge)] price: Money, item: String, #[term(private = "which stock hold to use")] hold: String,
                      #[term(shown_only)] hold_text: Shown })]
async fn pay(_shop: &Shop, _op: Confirmed<PayTerms>) -> Outcome {
    succeeded("Paid.", ())
}

fn main() {}
