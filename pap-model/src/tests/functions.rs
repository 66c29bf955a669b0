//! Functions and their parameters, in both forms.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::{codes, operation};
use crate::declaration::Argument::{Op, Proposing, Request, Session, State, Terms};
use crate::declaration::{Argument, Call, Reconcile, TermsSource};
use crate::problem::Code;

fn arguments(call: &Call) -> Vec<Argument> {
    call.arguments.iter().map(|argument| argument.value).collect()
}

fn of_function(reconcile: &Reconcile) -> Vec<Argument> {
    let Reconcile::Function(call) = reconcile else { panic!("no function finds out") };
    arguments(call)
}

fn block(functions: &TokenStream) -> Vec<Code> {
    let attribute = quote!(action = "orders.exchange", scopes = [], reconcile = operator);
    codes(
        &crate::operation(attribute, quote!(impl Exchange { #functions }), Span::call_site())
            .problems,
    )
}

fn propose() -> TokenStream {
    quote!(
        async fn propose(shop: &Shop, request: R) -> Result<T, NotOffered> {}
    )
}

fn perform() -> TokenStream {
    quote!(
        async fn perform(shop: &Shop, op: Confirmed<T>) -> Outcome<D> {}
    )
}

#[test]
fn parameters_are_known_by_name_in_any_order() {
    let read = operation(
        quote!(action = "orders.exchange", scopes = []),
        quote!(
            impl Exchange {
                async fn propose(shop: &Shop, _proposing: &P, request: R, session: &S) -> Result<T, N> {}
                async fn perform(Shop { cards, .. }: &Shop, mut op: Confirmed<T>) -> Outcome<D> {}
                async fn reconcile(op: &Confirmed<T>) -> Result<Finding<D>, Retry> {}
                async fn stop(_: &Shop, _op: &Confirmed<T>) -> StopAnswer {}
                async fn recheck(_shop: &Shop, terms: &T, session: &S) -> Result<Recheck<T>, N> {}
                async fn released(_op: &Released<T>) -> Result<(), Retry> {}
                const LIMIT: u8 = { 3 };
                fn helper(&self) -> u8 { 1 }
            }
        ),
    );
    let propose = read.propose.unwrap();
    assert_eq!(arguments(&propose.call), [State, Proposing, Request, Session]);
    assert_eq!(propose.request.unwrap().to_string(), "R");
    assert_eq!(arguments(&read.perform), [State, Op]);
    assert_eq!(of_function(&read.reconcile), [Op]);
    assert_eq!(arguments(&read.stop.unwrap()), [State, Op]);
    assert_eq!(arguments(&read.recheck.unwrap()), [State, Terms, Session]);
    assert_eq!(arguments(&read.released.unwrap()), [Op]);
    assert_eq!(read.sketch.state.unwrap().to_string(), "Shop");
    assert_eq!(read.perform.confirmed.unwrap().to_string(), "T");
    assert_eq!(read.perform.outcome.unwrap().to_string(), "D");
}

#[test]
fn a_named_function_takes_what_is_usual_or_what_is_listed() {
    let read = operation(
        quote!(
            action = "orders.exchange",
            scopes = [],
            propose = quotes::work_out(request, proposing),
            request = R,
            reconcile = find_out,
            stop = halt,
            recheck = still_holds(terms),
            released = holds::let_go
        ),
        quote!(
            async fn exchange(shop: &Shop, op: Confirmed<T>) -> Outcome {}
        ),
    );
    let propose = read.propose.unwrap();
    assert_eq!(propose.call.path.to_string(), "quotes :: work_out");
    assert_eq!(arguments(&propose.call), [State, Request, Proposing]);
    assert_eq!(of_function(&read.reconcile), [State, Op]);
    assert_eq!(arguments(&read.stop.unwrap()), [State, Op]);
    assert_eq!(arguments(&read.recheck.unwrap()), [State, Terms]);
    let released = read.released.unwrap();
    assert_eq!(released.path.to_string(), "holds :: let_go");
    assert_eq!(arguments(&released), [State, Op]);
    assert!(matches!(read.terms, TermsSource::Confirmed));
}

#[test]
fn what_ended_unconfirmed_is_released_and_what_was_confirmed_is_not() {
    let (propose, perform) = (propose(), perform());
    let with = |function: &TokenStream| block(&quote!(#propose #perform #function));
    let swapped = [Code::ParameterForm];
    assert_eq!(
        with(&quote!(
            async fn released(op: &Confirmed<T>) -> R {}
        )),
        swapped
    );
    assert_eq!(
        with(&quote!(
            async fn stop(op: &x::Released<T>) -> R {}
        )),
        swapped
    );
    assert_eq!(
        with(&quote!(
            async fn released(op: &Released<T>) -> R {}
        )),
        []
    );
}

#[test]
fn bodies_are_never_read() {
    let read = operation(
        quote!(action = "orders.exchange", scopes = [], reconcile = operator),
        quote!(
            async fn exchange(shop: &Shop, op: Confirmed<T>) -> Outcome {
                let = ; fn () [..] => ; }
        ),
    );
    assert_eq!(read.sketch.name.to_string(), "exchange");
}

#[test]
fn a_function_that_the_compiler_cannot_read_is_not_called_missing() {
    let (propose, perform) = (propose(), quote!(async fn perform(shop &Shop) {}));
    assert_eq!(block(&quote!(#propose #perform)), []);
}

/// OPS-6-6: exactly one finds out after a crash.
#[test]
fn a_function_an_operator_or_the_store_finds_out() {
    let (propose, perform) = (propose(), perform());
    let written = quote!(
        async fn reconcile(op: &Confirmed<T>) -> F {}
    );
    let told = |word: &TokenStream, function: &TokenStream| {
        let attribute = quote!(action = "a", scopes = [], reconcile = #word);
        let item = quote!(impl Exchange { #propose #perform #function });
        crate::operation(attribute, item, Span::call_site())
    };
    let store = told(&quote!(same_store), &quote!()).declaration.unwrap();
    assert!(matches!(store.reconcile, Reconcile::SameStore));
    let operator = told(&quote!(operator), &quote!()).declaration.unwrap();
    assert!(matches!(operator.reconcile, Reconcile::Operator));
    for word in [quote!(same_store), quote!(operator)] {
        assert_eq!(codes(&told(&word, &written).problems), [Code::ExcludingKeys], "{word}");
    }
}

/// OPS-3-13, OPS-3-14: the handler gets the confirmed terms and nothing else.
#[test]
fn perform_takes_only_the_confirmed_operation() {
    let propose = propose();
    for extra in ["session: &Session", "request: R", "proposing: &Proposing", "terms: &T"] {
        let extra: TokenStream = extra.parse().unwrap();
        let perform = quote!(async fn perform(shop: &Shop, op: Confirmed<T>, #extra) -> Outcome {});
        assert_eq!(block(&quote!(#propose #perform)), [Code::OnlyConfirmedTerms], "{extra}");
    }
}

#[track_caller]
fn check_perform(signature: &str, expected: &[Code]) {
    let (propose, signature): (_, TokenStream) = (propose(), signature.parse().unwrap());
    assert_eq!(block(&quote!(#propose #signature {})), expected, "{signature}");
}

#[test]
fn a_signature_that_generated_code_cannot_call_is_refused() {
    check_perform("fn perform(s: &S, op: Confirmed<T>) -> Outcome", &[Code::NotAsync]);
    check_perform("async fn perform<X>(s: &S, op: Confirmed<T>) -> Outcome", &[Code::Signature]);
    check_perform(
        "async unsafe fn perform(s: &S, op: Confirmed<T>) -> Outcome",
        &[Code::Signature],
    );
    check_perform("async fn perform(&self, op: Confirmed<T>) -> Outcome", &[Code::Signature]);
    check_perform("async fn perform(s: &impl X, op: Confirmed<T>) -> Outcome", &[Code::Signature]);
    check_perform("async fn perform(s: S, op: Confirmed<T>) -> Outcome", &[Code::ParameterForm]);
    check_perform(
        "async fn perform(s: &mut S, op: Confirmed<T>) -> Outcome",
        &[Code::ParameterForm],
    );
    check_perform("async fn perform(s: &S, op: &Confirmed<T>) -> Outcome", &[Code::ParameterForm]);
    check_perform("async fn perform(s: &S, op: T) -> Outcome", &[Code::ParameterForm]);
    check_perform(
        "async fn perform(s: &S, ob: Confirmed<T>) -> Outcome",
        &[Code::UnknownParameter],
    );
    check_perform(
        "async fn perform(s: &S, op: Confirmed<T>, _op: Confirmed<T>) -> Outcome",
        &[Code::UnknownParameter],
    );
    check_perform("async fn perform(s: &S) -> Outcome", &[Code::MissingParameter]);
    check_perform("async fn perform(op: Confirmed<T>) -> Outcome", &[Code::MissingParameter]);
    check_perform("async fn perform(s: &S, op: Confirmed<T>)", &[Code::NoAnswer]);
}

#[test]
fn an_impl_without_a_half_is_refused() {
    let (propose, perform) = (propose(), perform());
    assert_eq!(block(&quote!(#propose)), [Code::MissingFunction]);
    assert_eq!(block(&quote!(#perform)), [Code::MissingFunction]);
    assert_eq!(block(&quote!()), [Code::MissingFunction, Code::MissingFunction]);
}

#[test]
fn a_name_that_is_nearly_one_is_told_as_that() {
    let perform = perform();
    let nearly = quote!(
        async fn propse(shop: &Shop, request: R) -> Result<T, NotOffered> {}
    );
    assert_eq!(block(&quote!(#nearly #perform)), [Code::NearlyAFunction]);
}

#[test]
fn terms_behind_another_name_are_named() {
    let item = quote!(
        async fn exchange(shop: &Shop, op: Op) -> Done {}
    );
    let read = operation(
        quote!(action = "orders.exchange", scopes = [], reconcile = operator, terms = shop::T),
        item,
    );
    assert!(matches!(read.terms, TermsSource::Named(ty) if ty.to_string() == "shop :: T"));
    assert!(read.perform.outcome.is_none());
}

#[test]
fn only_handlers_are_operations() {
    let told =
        |item: TokenStream| codes(&crate::operation(quote!(), item, Span::call_site()).problems);
    assert_eq!(
        told(quote!(
            pub struct X;
        )),
        [Code::NotAnOperation]
    );
    assert_eq!(
        told(quote!(
            mod x {}
        )),
        [Code::NotAnOperation]
    );
    assert!(told(quote!(impl X for Y {})).contains(&Code::NotAnOperation));
    assert!(
        told(quote!(
            impl<T> Y<T> {}
        ))
        .contains(&Code::NotAnOperation)
    );
    assert_eq!(told(quote!(async fn f -> {})), [], "the compiler tells it");
}
