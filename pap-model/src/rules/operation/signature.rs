//! The signature of one function: parameters are known by their names, never by a type's spelling.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::{FnArg, Pat, PatType, ReturnType, Signature, Type, TypeReference};

use super::role::{NAMES, Role};
use crate::declaration::{Argument, Call, Placed};
use crate::parse::item::Function;
use crate::parse::spelled::{confirmed_inside, mentions, outcome_inside, spelled};
use crate::problem::{Code, ErrorSink, Problem};
use crate::spelling::nearest;

/// What was found out about one function.
pub(super) struct Signed {
    /// How it is called, if its signature has no mistake.
    pub(super) call: Option<Call>,
    pub(super) state: Option<TokenStream>,
    pub(super) request: Option<TokenStream>,
}

/// Reads the signature of a function in this role, which is called by `path`.
pub(super) fn signed(
    function: &Function,
    role: Role,
    path: TokenStream,
    sink: &mut ErrorSink,
) -> Signed {
    let mut own = ErrorSink::new();
    let signature = &function.signature;
    is_async(signature, role, &mut own);
    is_plain(signature, role, &mut own);
    let parameters = Parameters::of(signature, role, &mut own);
    has_what_it_needs(&parameters, signature, role, &mut own);
    let answer = answer(signature, role, &mut own);
    let outcome = answer.and_then(outcome_inside);
    let answer = answer.map(ToTokens::to_token_stream);
    let sound = own.is_empty();
    sink.extend(own.into_problems());
    let Parameters { arguments, state, request, op } = parameters;
    let confirmed = op.as_ref().and_then(confirmed_inside).map(ToTokens::to_token_stream);
    let op = op.map(ToTokens::into_token_stream);
    let call = Call { path, arguments, op, confirmed, answer, outcome };
    // a function that was refused may name types that mean nothing outside it
    let state = state.filter(|_| signature.generics.params.is_empty());
    Signed { call: sound.then_some(call), state, request }
}

fn is_async(signature: &Signature, role: Role, sink: &mut ErrorSink) {
    if signature.asyncness.is_none() {
        let (role, name) = (role.name(), &signature.ident);
        sink.push(
            Problem::new(Code::NotAsync, &signature.fn_token, format!("`{name}` is not async"))
                .note(format!("`{role}` runs in a task of its own, never in the request"))
                .help(format!("write `async fn {name}`")),
        );
    }
}

/// Generated code calls the function by its name and nothing else.
fn is_plain(signature: &Signature, role: Role, sink: &mut ErrorSink) {
    let generic = signature.generics.params.first().map(|_| signature.generics.to_token_stream());
    let safety = signature.safety.to_token_stream();
    let not_safe = (!safety.is_empty()).then_some((safety, "unsafe"));
    let abi = signature.abi.as_ref().map(|abi| (abi.to_token_stream(), "of a foreign ABI"));
    let constant = signature.constness.map(|token| (token.to_token_stream(), "const"));
    let generic = generic.map(|generics| (generics, "generic"));
    for (at, what) in [generic, not_safe, abi, constant].into_iter().flatten() {
        sink.push(
            Problem::new(Code::Signature, &at, format!("`{}` can't be {what}", role.name())).note(
                "generated code calls it with the company's state and this operation's types",
            ),
        );
    }
}

/// The parameters by name.
#[derive(Default)]
struct Parameters {
    arguments: Vec<Placed<Argument>>,
    state: Option<TokenStream>,
    request: Option<TokenStream>,
    op: Option<Type>,
}

impl Parameters {
    fn of(signature: &Signature, role: Role, sink: &mut ErrorSink) -> Self {
        let mut parameters = Self::default();
        for (index, input) in signature.inputs.iter().enumerate() {
            match input {
                FnArg::Receiver(receiver) => sink.push(
                    Problem::new(
                        Code::Signature,
                        receiver,
                        format!("`{}` can't take `self`", role.name()),
                    )
                    .note("the type of an operation has no values: it stands for the action")
                    .help(format!(
                        "write the company's state: `{}`",
                        role.spelled(Argument::State)
                    )),
                ),
                FnArg::Typed(typed) => parameters.take(typed, index == 0, role, sink),
            }
        }
        parameters
    }

    fn take(&mut self, typed: &PatType, first: bool, role: Role, sink: &mut ErrorSink) {
        if let Some(generic) = mentions(&typed.ty, &["impl"]) {
            sink.push(
                Problem::new(
                    Code::Signature,
                    &generic,
                    format!("`{}` can't be generic", role.name()),
                )
                .note(
                    "generated code calls it with the company's state and this operation's types",
                ),
            );
        }
        let name = name(typed);
        let known = NAMES.iter().find(|(known, _)| *known == name);
        let Some((_, argument)) = known else {
            sink.ok(self.take_state(typed, first, role));
            return;
        };
        if !role.takes().contains(argument) {
            sink.push(does_not_belong(typed, &name, role));
            return;
        }
        if self.arguments.iter().any(|taken| taken.value == *argument) {
            sink.push(
                Problem::new(
                    Code::UnknownParameter,
                    &typed.pat,
                    format!("`{name}` is taken twice"),
                )
                .help("keep one"),
            );
        }
        let by_reference = matches!(&*typed.ty, Type::Reference(_));
        let wanted = role.spelled(*argument);
        if by_reference != wanted.contains('&') || is_mutable(&typed.ty) {
            let how = if wanted.contains('&') { "by reference" } else { "by value" };
            sink.push(
                Problem::new(
                    Code::ParameterForm,
                    &typed.ty,
                    format!("`{}` takes `{name}` {how}", role.name()),
                )
                .help(format!("write `{}`", in_form(typed, &name, wanted.contains('&')))),
            );
        }
        if *argument == Argument::Op {
            sink.extend(op_of_another_role(typed, &name, role));
        }
        let ty = typed.ty.to_token_stream();
        if *argument == Argument::Request {
            self.request = Some(ty.clone());
        } else if *argument == Argument::Op {
            self.op = Some((*typed.ty).clone());
        }
        self.arguments.push(Placed { value: *argument, at: ty });
    }

    /// A parameter that has none of the names is the state, or nothing.
    fn take_state(&mut self, typed: &PatType, first: bool, role: Role) -> Result<(), Problem> {
        let name = name(typed);
        let state =
            if let Type::Reference(reference) = &*typed.ty { Some(reference) } else { None };
        let generic = mentions(&typed.ty, &["impl"]).is_some();
        let state = state.filter(|_| first && !generic && !is_mutable(&typed.ty));
        if generic {
            // told already
            return Ok(());
        }
        if let Some(state) = state {
            let at = typed.ty.to_token_stream();
            self.state = Some(state.elem.to_token_stream());
            self.arguments.push(Placed { value: Argument::State, at });
            return Ok(());
        }
        if !first || nearest(&name, role.takes_names()).is_some() {
            return Err(unknown(typed, &name, role));
        }
        let message = "the first parameter is the company's state, shared";
        Err(Problem::new(Code::ParameterForm, &typed.ty, message)
            .note("every task of the company has the same state")
            .help(format!("write `{}`", role.spelled(Argument::State))))
    }
}

/// The parameter's name, without the underscore of one that is not used.
fn name(typed: &PatType) -> String {
    let Pat::Ident(pat) = &*typed.pat else { return String::new() };
    pat.ident.unraw().to_string().trim_start_matches('_').to_owned()
}

/// The parameter as it is to be written, with the author's own type.
fn in_form(typed: &PatType, name: &str, by_reference: bool) -> String {
    let ty = if let Type::Reference(reference) = &*typed.ty { &reference.elem } else { &typed.ty };
    let reference = if by_reference { "&" } else { "" };
    format!("{name}: {reference}{}", spelled(ty))
}

/// What was confirmed is performed and asked about; what ended before that is released.
fn op_of_another_role(typed: &PatType, name: &str, role: Role) -> Option<Problem> {
    let (other, own) = match role {
        Role::Released => ("Confirmed", "Released"),
        Role::Reconcile | Role::Stop => ("Released", "Confirmed"),
        // `perform` is told where the terms are looked for; the others take no operation
        Role::Perform | Role::Propose | Role::Recheck => return None,
    };
    let at = mentions(&typed.ty, &[other])?;
    let message = format!("`{}` takes `{own}<…>`, not `{other}<…>`", role.name());
    let wanted = in_form(typed, name, true).replacen(other, own, 1);
    Some(
        Problem::new(Code::ParameterForm, &at, message)
            .note("a revision that is released ended without a confirmation")
            .help(format!("write `{wanted}`")),
    )
}

fn is_mutable(ty: &Type) -> bool {
    matches!(ty, Type::Reference(TypeReference { mutability: Some(_), .. }))
}

fn unknown(typed: &PatType, name: &str, role: Role) -> Problem {
    let near = nearest(name, role.takes_names());
    let is_op = role.takes_names().any(|name| name == "op")
        && mentions(&typed.ty, &["Confirmed", "Released"]).is_some();
    let help = match near {
        Some(near) => Some(format!("a similar name exists: `{near}`")),
        None if is_op => Some(format!("write `op: {}`", spelled(&typed.ty))),
        None => None,
    };
    let pat = &typed.pat;
    let message = match name {
        "" => format!("`{}` can't tell what this parameter is", role.name()),
        _ => format!("`{}` can't tell what `{name}` is", role.name()),
    };
    Problem::new(Code::UnknownParameter, pat, message)
        .note(format!(
            "parameters are known by name: first the company's state, then {}",
            role.names()
        ))
        .maybe_help(help)
}

fn does_not_belong(typed: &PatType, name: &str, role: Role) -> Problem {
    let message = format!("`{}` takes no `{name}`", role.name());
    let (code, note, help) = match role {
        Role::Perform => (
            Code::OnlyConfirmedTerms,
            "it sees what the User approved and nothing else (section 3): what is asked for now is not it",
            "make it a term, or look it up by one",
        ),
        Role::Propose => {
            (Code::UnknownParameter, "nothing is confirmed yet when it runs", "take it out")
        }
        Role::Reconcile | Role::Stop | Role::Recheck | Role::Released => {
            (Code::UnknownParameter, "it may run without a request, on any node", "take it out")
        }
    };
    Problem::new(code, &typed.pat, message).note(note).help(help)
}

fn has_what_it_needs(found: &Parameters, signature: &Signature, role: Role, sink: &mut ErrorSink) {
    // a parameter that was refused is told already
    if !sink.is_empty() {
        return;
    }
    let needs: &[Argument] = match role {
        Role::Perform => &[Argument::State, Argument::Op],
        Role::Reconcile | Role::Stop | Role::Released => &[Argument::Op],
        Role::Propose | Role::Recheck => &[],
    };
    let taken = |need: &Argument| found.arguments.iter().any(|taken| taken.value == *need);
    for need in needs.iter().filter(|need| !taken(need)) {
        let what = if *need == Argument::State {
            "the company's state"
        } else if role == Role::Released {
            "the revision that ended"
        } else {
            "the confirmed operation"
        };
        sink.push(
            Problem::new(
                Code::MissingParameter,
                &signature.ident,
                format!("`{}` does not take {what}", role.name()),
            )
            .help(format!("add `{}`", role.spelled(*need))),
        );
    }
}

fn answer<'a>(signature: &'a Signature, role: Role, sink: &mut ErrorSink) -> Option<&'a Type> {
    if let ReturnType::Type(_, ty) = &signature.output {
        return Some(ty);
    }
    let name = &signature.ident;
    let note = if role == Role::Perform {
        "a handler says whether it happened; not knowing is an answer too"
    } else {
        "the operation goes on by what it says"
    };
    sink.push(
        Problem::new(Code::NoAnswer, name, format!("`{name}` says nothing"))
            .note(note)
            .help(format!("write `-> {}`", role.answers())),
    );
    None
}
