//! The functions of an operation, by key in the function form and by name in the impl form.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;

use super::role::Role;
use super::signature::{Signed, signed};
use crate::declaration::{Argument, Call, Placed, Propose, Reconcile};
use crate::parse::given::{Keys, NamedFunction, Value};
use crate::parse::item::{Function, Impl};
use crate::problem::{Code, ErrorSink, Problem};
use crate::spelling::distance;

/// The functions, and the company's own state.
pub(super) struct Functions {
    pub(super) state: Option<TokenStream>,
    pub(super) propose: Option<Propose>,
    pub(super) perform: Call,
    pub(super) reconcile: Reconcile,
    pub(super) stop: Option<Call>,
    pub(super) recheck: Option<Call>,
    pub(super) released: Option<Call>,
}

/// Keys that name functions, or what one takes.
const BY_KEY: [&str; 6] = ["propose", "request", "reconcile", "stop", "recheck", "released"];

/// The effect is in the store's own transaction, so the store knows whether it happened.
const SAME_STORE: &str = "same_store";

/// The function form. On a mistake, the state if it is known.
pub(super) fn of_function(
    keys: &Keys,
    function: &Function,
    sink: &mut ErrorSink,
) -> Result<Functions, Option<TokenStream>> {
    let name = function.name();
    let perform = signed(function, Role::Perform, quote!(#name), sink);
    let propose = named_propose(keys, sink);
    let mut call =
        |role: Role| keys.function(role.name()).map(|function| by_path(role, function, sink));
    let (reconcile, stop) = (call(Role::Reconcile), call(Role::Stop));
    let (recheck, released) = (call(Role::Recheck), call(Role::Released));
    somebody_finds_out(keys, reconcile.is_some(), sink);
    let reconcile = who_finds_out(keys, reconcile);
    let state = perform.state;
    match perform.call {
        Some(perform) => {
            Ok(Functions { state, propose, perform, reconcile, stop, recheck, released })
        }
        None => Err(state),
    }
}

/// `propose = path` and `request = Type` come together: the path's signature is not seen from here.
fn named_propose(keys: &Keys, sink: &mut ErrorSink) -> Option<Propose> {
    let request = keys.find("request");
    let Some(function) = keys.function("propose") else {
        if let Some(request) = request.filter(|_| !keys.tried("propose")) {
            sink.push(
                Problem::new(Code::NeedlessKey, &request.name, "without `propose` the request is the terms")
                    .help("add `propose = …` with the function that works the terms out, or take `request` out"),
            );
        }
        return None;
    };
    let call = by_path(Role::Propose, function, sink);
    let request = match request.map(|request| &request.value) {
        Some(Value::Type(ty)) => Some(ty.to_token_stream()),
        _ => None,
    };
    if request.is_none() && !keys.tried("request") {
        sink.push(
            Problem::new(
                Code::MissingKey,
                &function.path,
                "`request` is missing: what does a caller send to this function",
            )
            .note("the attribute does not see the signature of a function that it names")
            .help("add `request = ExchangeRequest`, or write the impl form"),
        );
    }
    Some(Propose { call, request })
}

/// How a function that is named by path is called: with what its role takes, or with what is listed.
fn by_path(role: Role, function: &NamedFunction, sink: &mut ErrorSink) -> Call {
    let path = function.path.to_token_stream();
    let usual = || role.usual_arguments().iter().map(|argument| placed(*argument, &path)).collect();
    let arguments = function.parameters.as_ref().map_or_else(usual, |listed| {
        let state = std::iter::once(placed(Argument::State, &path));
        state.chain(listed.iter().filter_map(|name| listed_argument(role, name, sink))).collect()
    });
    Call { path, arguments, op: None, confirmed: None, answer: None, outcome: None }
}

fn placed(value: Argument, at: &TokenStream) -> Placed<Argument> {
    Placed { value, at: at.clone() }
}

fn listed_argument(role: Role, name: &Ident, sink: &mut ErrorSink) -> Option<Placed<Argument>> {
    let argument = role.argument(&name.unraw().to_string());
    if argument.is_none() {
        sink.push(
            Problem::new(
                Code::UnknownParameter,
                name,
                format!("`{}` takes no `{name}`", role.name()),
            )
            .note(format!("after the state it takes, by name: {}", role.names())),
        );
    }
    argument.map(|argument| placed(argument, &name.to_token_stream()))
}

/// The impl form. On a mistake, the state if it is known.
pub(super) fn of_block(
    keys: &Keys,
    block: &Impl,
    sink: &mut ErrorSink,
) -> Result<Functions, Option<TokenStream>> {
    written_in_the_block(keys, sink);
    let read = |role: Role, sink: &mut ErrorSink| -> Option<Signed> {
        let found =
            block.functions.iter().find(|function| function.name().unraw() == role.name())?;
        let (of, name) = (&block.of, found.name());
        Some(signed(found, role, quote!(<#of>::#name), sink))
    };
    let perform = read(Role::Perform, sink);
    let propose = read(Role::Propose, sink);
    let (reconcile, stop) = (read(Role::Reconcile, sink), read(Role::Stop, sink));
    let (recheck, released) = (read(Role::Recheck, sink), read(Role::Released, sink));
    let missing = [(Role::Perform, perform.is_none()), (Role::Propose, propose.is_none())];
    let missing: Vec<Role> =
        missing.into_iter().filter(|(_, missing)| *missing).map(|(role, _)| role).collect();
    let near = nearly_functions(block, sink);
    if block.complete {
        for role in missing.iter().filter(|role| !near.contains(&role.name())) {
            sink.push(missing_function(block, *role));
        }
    }
    if !near.contains(&"reconcile") && block.complete {
        somebody_finds_out(keys, reconcile.is_some(), sink);
    }
    let all = [&perform, &propose, &reconcile, &stop, &recheck, &released];
    let state = all.into_iter().flatten().find_map(|signed| signed.state.clone());
    let request = propose.as_ref().and_then(|signed| signed.request.clone());
    let (Some(perform), Some(propose)) =
        (perform.and_then(|signed| signed.call), propose.and_then(|signed| signed.call))
    else {
        return Err(state);
    };
    let call = |signed: Option<Signed>| signed.and_then(|signed| signed.call);
    Ok(Functions {
        state,
        propose: Some(Propose { call: propose, request }),
        perform,
        reconcile: who_finds_out(keys, call(reconcile)),
        stop: call(stop),
        recheck: call(recheck),
        released: call(released),
    })
}

/// In the impl form the functions are in the block, where their signatures are seen.
fn written_in_the_block(keys: &Keys, sink: &mut ErrorSink) {
    for given in BY_KEY.iter().filter_map(|name| keys.find(name)) {
        if matches!(given.value, Value::Word(_)) {
            continue;
        }
        let name = given.key.name;
        let help = match name {
            "request" => "it is the type of the parameter `request` of `propose`".to_owned(),
            _ => format!("write `async fn {name}(…)` in the block"),
        };
        sink.push(
            Problem::new(
                Code::OtherForm,
                &given.name,
                format!("`{name}` is a key of the function form"),
            )
            .note("on an impl block the functions are found by their names")
            .help(help),
        );
    }
}

/// After a crash somebody has to find out whether it happened.
fn somebody_finds_out(keys: &Keys, function: bool, sink: &mut ErrorSink) {
    match keys.word("reconcile") {
        Some(word) if function => {
            let other = if word == SAME_STORE { "the store's own" } else { "left to an operator" };
            sink.push(
                Problem::new(Code::ExcludingKeys, word, format!("`reconcile` is a function and {other}"))
                    .help("keep one of the two"),
            );
        }
        None if !function && !keys.tried("reconcile") => sink.push(
            Problem::new(Code::NoReconcile, &keys.at, "nothing finds out after a crash whether it happened")
                .note("an operation whose outcome is unknown is neither repeated nor called failed (section 6)")
                .help(
                    "write a function `reconcile`, or `reconcile = operator`: a person finds out and settles it, \
                     or `reconcile = same_store`: the effect is written in the store's own transaction",
                ),
        ),
        _ => {}
    }
}

/// After the rules: without a function, whom the word names.
fn who_finds_out(keys: &Keys, function: Option<Call>) -> Reconcile {
    match function {
        Some(call) => Reconcile::Function(call),
        None if keys.word("reconcile").is_some_and(|word| word == SAME_STORE) => {
            Reconcile::SameStore
        }
        None => Reconcile::Operator,
    }
}

fn missing_function(block: &Impl, role: Role) -> Problem {
    let of = block.of.to_token_stream();
    let (message, note, help) = match role {
        Role::Propose => (
            format!("`{of}` has no `propose`, so nothing could be shown for approval"),
            "the User approves terms before anything is performed",
            "add `async fn propose(shop: &Shop, request: ExchangeRequest) -> Result<Proposal<ExchangeTerms>, NotOffered>`, \
             or put `#[operation]` on the function if the terms are what was asked for",
        ),
        Role::Perform | Role::Reconcile | Role::Stop | Role::Recheck | Role::Released => (
            format!("`{of}` has no `perform`, so nothing would happen after a confirmation"),
            "it runs at most once, after the confirmation is durable",
            "add `async fn perform(shop: &Shop, op: Confirmed<ExchangeTerms>) -> Outcome`",
        ),
    };
    Problem::new(Code::MissingFunction, &block.of, message).note(note).help(help)
}

/// A function whose name is one letter or two from one that is missing.
fn nearly_functions(block: &Impl, sink: &mut ErrorSink) -> Vec<&'static str> {
    let has = |name: &str| block.functions.iter().any(|function| function.name().unraw() == name);
    let absent = || Role::ALL.into_iter().map(Role::name).filter(|name| !has(name));
    let (mut near, names) = (Vec::new(), Role::ALL.map(Role::name));
    for function in &block.functions {
        let name = function.name().unraw().to_string();
        let known = names.iter().any(|known| *known == name);
        let meant = absent().find(|absent| !known && (1..=2).contains(&distance(&name, absent)));
        if let Some(meant) = meant {
            near.push(meant);
            sink.push(
                Problem::new(
                    Code::NearlyAFunction,
                    function.name(),
                    format!("nothing calls `{name}`"),
                )
                .note(format!("the functions are found by name: {}", names.join(", ")))
                .help(format!("write `{meant}`")),
            );
        }
    }
    near
}
