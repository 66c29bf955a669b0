//! `#[operation]`: the marker, its terms if they are to be written, and its declaration.

use pap_model::declaration::{
    Argument, Call, Operation, Placed, Segment, Sketch, Summary, TermsSource,
};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::field::{named_pieces, optional_texts};
use super::{at, hidden, option, origin, terms, written_struct};

/// Everything beside the item.
pub(crate) fn operation(operation: &Operation, runtime: &TokenStream) -> TokenStream {
    let sketch = &operation.sketch;
    let marker = marker(sketch, &operation.doc);
    let written = sketch.written_terms.as_deref().map(|written| {
        let item = written_struct(written, &sketch.name.to_string(), runtime);
        let impls = terms(&written.terms, runtime);
        quote!(#item #impls)
    });
    let summary = operation.summary.as_ref().map(|summary| summary_of(operation, summary));
    let (declared, checks) = (declared(operation), checks(operation));
    let items = hidden(runtime, &quote!(#summary #declared #checks));
    quote!(#marker #written #items)
}

/// The type that stands for an operation in the function form.
pub(crate) fn marker(sketch: &Sketch, doc: &str) -> Option<TokenStream> {
    let vis = sketch.write_marker.as_ref()?;
    let name = &sketch.name;
    let doc = if doc.is_empty() { format!("The operation `{name}`.") } else { doc.to_owned() };
    Some(quote! {
        #[doc = #doc]
        #[allow(non_camel_case_types, clippy::exhaustive_enums, missing_debug_implementations)]
        #vis enum #name {}
    })
}

fn declared(operation: &Operation) -> TokenStream {
    let Operation { sketch, propose, perform, .. } = operation;
    let (marker, state) = (&sketch.marker, &sketch.state);
    let terms = terms_type(operation);
    let answer = &perform.answer;
    let result = quote_spanned!(at(answer)=> <#answer as __pap::Performs>::Data);
    let request = match propose {
        None => quote!(Self::Terms),
        Some(propose) => propose.request.clone().unwrap_or_else(|| quote!(__pap::NoRequest)),
    };
    let constant = constant(operation);
    let (propose, perform) = (propose_fn(operation), perform_fn(perform));
    let reconcile = operation.reconcile.as_ref().map(reconcile_fn);
    let stop = operation.stop.as_ref().map(stop_fn);
    let recheck = operation.recheck.as_ref().map(recheck_fn);
    quote! {
        #[automatically_derived]
        impl __pap::Declared for #marker {
            type State = #state;
            type Request = #request;
            type Terms = #terms;
            type Result = #result;
            const OPERATION: &'static __pap::OperationDeclaration = &#constant;
            #propose
            #perform
            #reconcile
            #stop
            #recheck
        }
    }
}

/// The terms are what `op` has confirmed, and what `terms` says if it says something.
fn terms_type(operation: &Operation) -> TokenStream {
    let op = &operation.perform.op;
    let given = match &operation.terms {
        TermsSource::Named(ty) => Some(ty.clone()),
        TermsSource::Written => {
            let written = operation.sketch.written_terms.as_ref();
            written.map(|written| {
                let name = &written.terms.named.name;
                quote!(#name)
            })
        }
        TermsSource::Confirmed => None,
    };
    if let Some(given) = given {
        return quote_spanned!(at(op)=> <#op as __pap::IsConfirmedOf<#given>>::Terms);
    }
    quote_spanned!(at(op)=> <#op as __pap::IsConfirmed>::Terms)
}

fn constant(operation: &Operation) -> TokenStream {
    let Operation { doc, action, scopes, expires_in_s, id_prefix, .. } = operation;
    let origin = origin(&operation.sketch.name);
    let tool = pap_model::spelling::tool(action);
    let route = option(operation.route.as_ref().map(|route| {
        let (method, path) = (&route.value.method, &route.value.path);
        let segments = route.value.segments.iter().map(|segment| match segment {
            Segment::Fixed(text) => quote!(__pap::Segment::Fixed(#text)),
            Segment::Parameter(name) => quote!(__pap::Segment::Parameter(#name)),
        });
        quote!(__pap::Route { method: #method, path: #path, segments: &[#(#segments),*] })
    }));
    let user_approval =
        if operation.user_approval_required { quote!(Required) } else { quote!(Optional) };
    let identity = operation.identity.as_ref();
    let identity =
        optional_texts(identity.map(|names| names.iter().map(|name| &name.value).collect()));
    let reconcile = if operation.reconcile.is_some() { quote!(Function) } else { quote!(Operator) };
    let (can_stop, rechecks) = (operation.stop.is_some(), operation.recheck.is_some());
    quote! {
        __pap::OperationDeclaration {
            action: #action, doc: #doc, origin: #origin, route: #route, tool: #tool,
            scopes: &[#(#scopes),*], expires_in_s: #expires_in_s,
            user_approval: __pap::UserApproval::#user_approval,
            without_extension: __pap::WithoutExtension::Refuse,
            id_prefix: #id_prefix, identity: #identity, reconcile: __pap::Reconcile::#reconcile,
            can_stop: #can_stop, rechecks: #rechecks,
            terms: <Self::Terms as __pap::Terms>::DECLARATION,
            request: <Self::Request as __pap::Shape>::SCHEMA,
            result: <Self::Result as __pap::Shape>::SCHEMA
        }
    }
}

fn propose_fn(operation: &Operation) -> TokenStream {
    let body = match &operation.propose {
        None => quote!(async move { __pap::propose_as_asked(__request) }),
        Some(propose) => called(&propose.call, &quote!(Proposes<Self::Terms>), &quote!(proposed)),
    };
    quote! {
        fn propose<'a>(
            __state: &'a Self::State,
            __session: &'a __pap::Session,
            __proposing: &'a __pap::Proposing,
            __request: Self::Request,
        ) -> __pap::Pending<'a, __pap::Proposed<Self::Terms>> {
            __pap::pending(#body)
        }
    }
}

fn perform_fn(call: &Call) -> TokenStream {
    let body = called(call, &quote!(Performs), &quote!(performed));
    let pending = pending(call, &body);
    quote! {
        fn perform(
            __state: &Self::State,
            __op: __pap::Confirmed<Self::Terms>,
        ) -> __pap::Pending<'_, __pap::Performed<Self::Result>> {
            #pending
        }
    }
}

fn reconcile_fn(call: &Call) -> TokenStream {
    let body = called(call, &quote!(Reconciles<Self::Result>), &quote!(reconciled));
    let pending = pending(call, &body);
    quote! {
        fn reconcile<'a>(
            __state: &'a Self::State,
            __op: &'a __pap::Confirmed<Self::Terms>,
        ) -> __pap::Pending<'a, __pap::Found<Self::Result>> {
            #pending
        }
    }
}

fn stop_fn(call: &Call) -> TokenStream {
    let body = called(call, &quote!(Stops), &quote!(stopped));
    let pending = pending(call, &body);
    quote! {
        fn stop<'a>(
            __state: &'a Self::State,
            __op: &'a __pap::Confirmed<Self::Terms>,
        ) -> __pap::Pending<'a, __pap::Stopped> {
            #pending
        }
    }
}

fn recheck_fn(call: &Call) -> TokenStream {
    let body = called(call, &quote!(Rechecks<Self::Terms>), &quote!(rechecked));
    let pending = pending(call, &body);
    quote! {
        fn recheck<'a>(
            __state: &'a Self::State,
            __session: &'a __pap::Session,
            __terms: &'a Self::Terms,
        ) -> __pap::Pending<'a, __pap::Rechecked<Self::Terms>> {
            #pending
        }
    }
}

/// The boxed future: that it can be sent between threads is checked at the function's name.
fn pending(call: &Call, body: &TokenStream) -> TokenStream {
    let place = call.path.clone().into_iter().last();
    quote_spanned!(at(&place)=> __pap::pending(#body))
}

/// One call of the author's function, its answer checked at the author's return type.
fn called(call: &Call, answers: &TokenStream, method: &TokenStream) -> TokenStream {
    let Call { path, arguments, answer, .. } = call;
    let arguments = arguments.iter().map(argument);
    let call = quote_spanned!(at(path)=> #path(#(#arguments),*).await);
    if let Some(answer) = answer {
        let checked = quote_spanned!(at(answer)=> <#answer as __pap::#answers>::#method);
        return quote!(async move { #checked(#call) });
    }
    let checked = quote_spanned!(at(path)=> __pap::#answers);
    quote!(async move { <_ as #checked>::#method(#call) })
}

fn argument(argument: &Placed<Argument>) -> TokenStream {
    let place = argument.at.clone().into_iter().next();
    let place = place.map_or_else(proc_macro2::Span::call_site, |token| token.span());
    // the name as it is declared, shown at the author's parameter
    let span = proc_macro2::Span::call_site().located_at(place);
    match argument.value {
        Argument::State => quote_spanned!(span=> __state),
        Argument::Session => quote_spanned!(span=> __session),
        Argument::Request => quote_spanned!(span=> __request),
        Argument::Proposing => quote_spanned!(span=> __proposing),
        Argument::Op => quote_spanned!(span=> __op),
        Argument::Terms => quote_spanned!(span=> __terms),
    }
}

/// The summary of terms that are declared elsewhere.
fn summary_of(operation: &Operation, summary: &Summary) -> TokenStream {
    let terms = terms_type(operation);
    let (text, count, pieces) = (&summary.text, summary.pieces.len(), named_pieces(summary));
    let placed = quote_spanned!(at(&summary.at)=> __pap::placed::<#terms, #count>);
    let states_all = quote_spanned! {at(&summary.at)=>
        const _: () = __pap::states_all::<#terms>(<#terms as __pap::HasOneSummary>::SUMMARY.pieces);
    };
    quote! {
        #[automatically_derived]
        impl __pap::HasOneSummary for #terms {
            const SUMMARY: __pap::Summary = __pap::Summary { text: #text, pieces: &#placed(#pieces) };
        }
        #states_all
    }
}

/// The rules between the attribute and types that are declared elsewhere.
fn checks(operation: &Operation) -> TokenStream {
    let marker = &operation.sketch.marker;
    let of = quote!(<#marker as __pap::Declared>::OPERATION);
    let parameters = operation.route.iter().flat_map(|route| {
        let of = &of;
        route.value.parameters().map(move |name| {
            quote_spanned!(at(&route.at)=> const _: () = __pap::path_names_member(#of, #name);)
        })
    });
    let identity = operation.identity.iter().flatten().map(|name| {
        let value = &name.value;
        quote_spanned!(at(&name.at)=> const _: () = __pap::names_member(#of, #value);)
    });
    let op = at(&operation.perform.op);
    let sentence = quote_spanned!(op=> const _: () = __pap::is_sentence(#of););
    let request = match &operation.propose {
        None => quote_spanned!(op=> const _: () = __pap::agent_may_send(#of);),
        Some(propose) => {
            let place = at(&propose.request);
            quote_spanned!(place=> const _: () = __pap::request_is_an_object(#of);)
        }
    };
    quote!(#(#parameters)* #(#identity)* #sentence #request)
}
