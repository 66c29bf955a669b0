//! `#[operation]`: one declaration from either form.

mod functions;
mod request;
mod role;
mod signature;
mod values;

use heck::ToUpperCamelCase as _;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt as _;
use syn::{Type, TypePath};

use self::functions::{Functions, of_block, of_function};
use self::values::Values;
use super::stated::elsewhere;
use super::terms::inline_terms;
use crate::declaration::{Call, InlineTerms, Operation, Sketch, Summary, TermsSource};
use crate::keys;
use crate::parse::given::{Keys, Value};
use crate::parse::item::{Function, Impl, Item};
use crate::parse::spelled::spelled;
use crate::problem::{Code, ErrorSink, Problem};

/// What came of an attribute: the declaration if every rule held, the sketch if the item could be read.
pub(crate) struct Read {
    pub(crate) operation: Option<Operation>,
    pub(crate) sketch: Option<Sketch>,
}

/// Reads the attribute's tokens over the item's. `at` is the attribute's own place.
pub(crate) fn operation(
    attribute: TokenStream,
    item: TokenStream,
    at: &TokenStream,
    sink: &mut ErrorSink,
) -> Read {
    let keys = Keys::parse(&keys::OPERATION, attribute, at, sink);
    match Item::parse(item.clone()) {
        Item::Function(function) => read_function(&keys, &function, sink),
        Item::Impl(block) => read_block(&keys, &block, sink),
        Item::Other => {
            if let Some(problem) = not_an_operation(item) {
                sink.push(problem);
            }
            Read { operation: None, sketch: None }
        }
    }
}

fn read_function(keys: &Keys, function: &Function, sink: &mut ErrorSink) -> Read {
    let values = Values::of(keys, sink);
    let functions = of_function(keys, function, sink);
    let name = function.name().clone();
    let vis = function.vis.to_token_stream();
    let written = written_terms(keys, &name, &function.doc, vis.clone(), sink);
    let sketch = Sketch {
        marker: name.to_token_stream(),
        name,
        write_marker: Some(vis),
        runtime: runtime(keys),
        state: state(&functions),
        written_terms: written.map(Box::new),
    };
    let operation = declared(keys, &sketch, (values, functions.ok()), &function.doc, sink);
    Read { operation, sketch: Some(sketch) }
}

fn read_block(keys: &Keys, block: &Impl, sink: &mut ErrorSink) -> Read {
    let name = last_name(&block.of);
    let Some(name) = name.filter(|_| !block.of_trait && block.generics.params.is_empty()) else {
        sink.push(not_one_type(block));
        return Read { operation: None, sketch: None };
    };
    let values = Values::of(keys, sink);
    let functions = of_block(keys, block, sink);
    // an impl block has no visibility; what belongs to an operation is as visible as the operation
    let written = written_terms(keys, &name, &block.doc, quote!(pub), sink);
    let sketch = Sketch {
        marker: block.of.to_token_stream(),
        name,
        write_marker: None,
        runtime: runtime(keys),
        state: state(&functions),
        written_terms: written.map(Box::new),
    };
    let operation = declared(keys, &sketch, (values, functions.ok()), &block.doc, sink);
    Read { operation, sketch: Some(sketch) }
}

fn runtime(keys: &Keys) -> Option<TokenStream> {
    keys.path("crate").map(ToTokens::to_token_stream)
}

fn state(functions: &Result<Functions, Option<TokenStream>>) -> Option<TokenStream> {
    match functions {
        Ok(functions) => functions.state.clone(),
        Err(state) => state.clone(),
    }
}

/// The declaration, if nothing in it is wrong.
fn declared(
    keys: &Keys,
    sketch: &Sketch,
    (values, functions): (Option<Values>, Option<Functions>),
    doc: &str,
    sink: &mut ErrorSink,
) -> Option<Operation> {
    let written = sketch.written_terms.as_deref();
    let summary = summary_of_other_terms(keys, written, sink);
    if let Some(functions) = &functions {
        request::check(keys, functions, written, values.as_ref(), sink);
    }
    let terms = match keys.find("terms").map(|given| &given.value) {
        Some(Value::Type(ty)) => TermsSource::Named(ty.to_token_stream()),
        Some(_) => TermsSource::Written,
        None => TermsSource::Confirmed,
    };
    if let (TermsSource::Confirmed, Some(functions)) = (&terms, &functions) {
        sink.extend(terms_not_seen(&functions.perform));
    }
    let (values, functions) = (values?, functions?);
    sink.is_empty().then(|| Operation {
        sketch: sketch.clone(),
        doc: doc.to_owned(),
        action: values.action,
        route: values.route,
        scopes: values.scopes,
        expires_in_s: values.expires_in_s,
        retain_for_s: values.retain_for_s,
        user_approval_required: values.user_approval_required,
        id_prefix: values.id_prefix,
        identity: values.identity,
        reference: values.reference,
        terms,
        summary,
        propose: functions.propose,
        perform: functions.perform,
        reconcile: functions.reconcile,
        stop: functions.stop,
        recheck: functions.recheck,
        released: functions.released,
    })
}

/// The struct that `terms = { … }` declares.
fn written_terms(
    keys: &Keys,
    name: &Ident,
    doc: &str,
    vis: TokenStream,
    sink: &mut ErrorSink,
) -> Option<InlineTerms> {
    let given = keys.find("terms")?;
    let Value::Fields(fields) = &given.value else { return None };
    let literal = keys.text("summary");
    if !keys.tried("summary") {
        sink.push(
            Problem::new(
                Code::NoSummary,
                &given.name,
                "nothing says these terms in plain language",
            )
            .note("the User decides from the summary alone (section 3)")
            .help("write `summary = \"…\"` with each field in it, such as `{order_id}`"),
        );
    }
    let struct_name = format_ident!(
        "{}Terms",
        name.unraw().to_string().to_upper_camel_case(),
        span = name.span()
    );
    let mut terms = inline_terms(struct_name, doc.to_owned(), literal, fields.clone(), sink);
    terms.terms.named.runtime = runtime(keys);
    terms.vis = vis;
    Some(terms)
}

/// Without `terms` they are what `op` spells.
fn terms_not_seen(perform: &Call) -> Option<Problem> {
    let op = perform.op.as_ref().filter(|_| perform.confirmed.is_none())?;
    let spelled = spelled(op);
    let message = format!("`perform` takes `Confirmed<…>`, not `{spelled}`");
    Some(
        Problem::new(Code::ParameterForm, op, message)
            .note("a handler gets the terms that the User approved, from the runtime and from nowhere else (section 5.2)")
            .help(format!("write `op: Confirmed<{spelled}>`, or, if this is another name for that, add `terms = …`")),
    )
}

/// A summary in the attribute whose terms are declared elsewhere.
fn summary_of_other_terms(
    keys: &Keys,
    written: Option<&InlineTerms>,
    sink: &mut ErrorSink,
) -> Option<Summary> {
    let literal = keys.text("summary").filter(|_| written.is_none())?;
    elsewhere(literal, sink)
}

fn last_name(ty: &Type) -> Option<Ident> {
    if let Type::Group(group) = ty {
        return last_name(&group.elem);
    }
    let Type::Path(TypePath { qself: None, path, .. }) = ty else { return None };
    let last = path.segments.last()?;
    last.arguments.is_none().then(|| last.ident.clone())
}

fn not_one_type(block: &Impl) -> Problem {
    let what = if block.of_trait { "a trait impl" } else { "an impl for more than one type" };
    Problem::new(Code::NotAnOperation, &block.of, format!("`#[operation]` can't read {what}"))
        .note("an operation is one type that stands for one action")
        .help("write `pub enum Exchange {}` and put the attribute on `impl Exchange { … }`")
}

/// The problem with an item that is neither form; none if the compiler itself can't read the item.
fn not_an_operation(item: TokenStream) -> Option<Problem> {
    const OTHERS: [&str; 10] = [
        "struct",
        "enum",
        "union",
        "mod",
        "trait",
        "type",
        "const",
        "static",
        "use",
        "macro_rules",
    ];
    let keyword = item.into_iter().find_map(|token| {
        let TokenTree::Ident(ident) = token else { return None };
        let reads_on = ident == "pub" || ident == "unsafe" || ident == "extern";
        (!reads_on).then_some(ident)
    });
    let keyword = keyword.filter(|keyword| OTHERS.iter().any(|other| keyword == other))?;
    let message = format!("`#[operation]` can't read a `{keyword}`");
    Some(
        Problem::new(Code::NotAnOperation, &keyword, message)
            .note("the attribute is for what performs the action")
            .help("put it on an `async fn`, or on an impl block with `propose` and `perform`"),
    )
}
