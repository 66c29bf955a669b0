//! `#[operation]`: the marker, its terms if they are to be written, and its declaration.

use pap_model::declaration::{
    Argument, Call, Operation, Placed, Propose, Reconcile, ReferencePart, Segment, Sketch, Summary,
    TermsSource,
};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::field::{named_pieces, optional_texts};
use super::{at, hidden, option, origin, terms, written_struct};

/// Everything beside the item.
pub(crate) fn operation(operation: &Operation, runtime: &TokenStream) -> TokenStream {
    let sketch = &operation.sketch;
    let marker = marker(sketch, &operation.doc);
    let written = sketch
        .written_terms
        .as_deref()
        .map(|written| written_struct(written, &sketch.name.to_string(), runtime));
    let terms = sketch.written_terms.as_deref().map(|written| terms::impls(&written.terms));
    let summary = operation.summary.as_ref().map(|summary| summary_of(operation, summary));
    let declared = declared(operation);
    let items = hidden(runtime, &quote!(#terms #summary #declared));
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
    let place = Place::of(&perform.answer);
    let result = perform.outcome.clone();
    let result = result.unwrap_or_else(|| place.data(perform.answer.as_ref()));
    let request = match propose {
        None => quote!(Self::Terms),
        Some(propose) => propose.request.clone().unwrap_or_else(|| quote!(__pap::NoRequest)),
    };
    let (constant, checks) = (constant(operation), checks(operation));
    let (propose, perform) = (propose_fn(operation), perform_fn(operation, &place));
    let reconcile = match &operation.reconcile {
        Reconcile::Function(call) => Some(reconcile_fn(call, &place)),
        Reconcile::Operator | Reconcile::SameStore => None,
    };
    let stop = operation.stop.as_ref().map(stop_fn);
    let recheck = operation.recheck.as_ref().map(recheck_fn);
    let released = operation.released.as_ref().map(released_fn);
    quote! {
        #[automatically_derived]
        impl __pap::Declared for #marker {
            type State = #state;
            type Request = #request;
            type Terms = #terms;
            type Result = #result;
            const ATTRIBUTE: __pap::Attribute = #constant;
            const CHECKED: () = { #checks };
            #propose
            #perform
            #reconcile
            #stop
            #recheck
            #released
        }
    }
}

/// The terms are what `terms` says, or what `op` spells.
fn terms_type(operation: &Operation) -> TokenStream {
    match &operation.terms {
        TermsSource::Named(ty) => ty.clone(),
        TermsSource::Written => {
            let written = operation.sketch.written_terms.as_ref();
            written.map(|written| written.terms.named.name.to_token_stream()).unwrap_or_default()
        }
        TermsSource::Confirmed => operation.perform.confirmed.clone().unwrap_or_default(),
    }
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
    let reconcile = match operation.reconcile {
        Reconcile::Function(_) => quote!(Function),
        Reconcile::Operator => quote!(Operator),
        Reconcile::SameStore => quote!(SameStore),
    };
    let (can_stop, rechecks) = (operation.stop.is_some(), operation.recheck.is_some());
    let reference = option(operation.reference.as_ref().map(|reference| {
        let parts = reference.value.iter().map(|part| match part {
            ReferencePart::Text(text) => quote!(__pap::ReferencePart::Text(#text)),
            ReferencePart::Member(name) => quote!(__pap::ReferencePart::Member(#name)),
        });
        quote!(&[#(#parts),*])
    }));
    let tells_release = operation.released.is_some();
    let retain_for_s = option(operation.retain_for_s);
    quote! {
        __pap::Attribute {
            action: #action, doc: #doc, origin: #origin, route: #route, tool: #tool,
            scopes: &[#(#scopes),*], expires_in_s: #expires_in_s, retain_for_s: #retain_for_s,
            user_approval: __pap::UserApproval::#user_approval,
            without_extension: __pap::WithoutExtension::Refuse,
            id_prefix: #id_prefix, identity: #identity, reference: #reference, reconcile: __pap::Reconcile::#reconcile,
            can_stop: #can_stop, rechecks: #rechecks, tells_release: #tells_release
        }
    }
}

fn propose_fn(operation: &Operation) -> TokenStream {
    let body = match &operation.propose {
        None => quote!(__pap::pending(async move { __pap::propose_as_asked(__request) })),
        Some(Propose { call, .. }) => {
            pending(call, &called(call, &quote!(Proposes<Self::Terms>), "proposed"))
        }
    };
    quote! {
        fn propose<'a>(
            __state: &'a Self::State,
            __session: &'a __pap::Session,
            __proposing: &'a __pap::Proposing,
            __request: Self::Request,
        ) -> __pap::Pending<'a, __pap::Proposed<Self::Terms>> {
            #body
        }
    }
}

fn perform_fn(operation: &Operation, place: &Place) -> TokenStream {
    let call = &operation.perform;
    let spelled = call.confirmed.as_ref().map(ToString::to_string);
    let differently = spelled != Some(terms_type(operation).to_string());
    let taken = differently.then(|| {
        let (op, of) = (&call.op, at(&call.op));
        let taken = quote_spanned!(of=> <#op as __pap::IsConfirmedOf<Self::Terms>>::taken);
        quote!(let __op = #taken(__op);)
    });
    let body = match call.outcome {
        Some(_) => {
            let call = awaited(call);
            quote!(async move { #call })
        }
        None => called(call, &quote!(Performs), "performed"),
    };
    let body = pending(call, &body);
    let (start, answer) = (place.start, place.pending(&quote!('_), "Performed"));
    let header = quote_spanned! {start=>
        fn perform(__state: &Self::State, __op: __pap::Confirmed<Self::Terms>) -> #answer
    };
    let body = place.closed(Delimiter::Brace, quote!(#taken #body));
    quote!(#header #body)
}

fn reconcile_fn(call: &Call, place: &Place) -> TokenStream {
    let result = place.result();
    let body = pending(call, &called(call, &quote!(Reconciles<#result>), "reconciled"));
    let (start, answer) = (place.start, place.pending(&quote!('a), "Found"));
    let header = quote_spanned! {start=>
        fn reconcile<'a>(
            __state: &'a Self::State,
            __op: &'a __pap::Confirmed<Self::Terms>,
        ) -> #answer
    };
    let body = place.closed(Delimiter::Brace, body);
    quote!(#header #body)
}

fn stop_fn(call: &Call) -> TokenStream {
    let body = pending(call, &called(call, &quote!(Stops), "stopped"));
    quote! {
        fn stop<'a>(
            __state: &'a Self::State,
            __op: &'a __pap::Confirmed<Self::Terms>,
        ) -> __pap::Pending<'a, __pap::Stopped> {
            #body
        }
    }
}

fn recheck_fn(call: &Call) -> TokenStream {
    let body = pending(call, &called(call, &quote!(Rechecks<Self::Terms>), "rechecked"));
    quote! {
        fn recheck<'a>(
            __state: &'a Self::State,
            __session: &'a __pap::Session,
            __terms: &'a Self::Terms,
        ) -> __pap::Pending<'a, __pap::Rechecked<Self::Terms>> {
            #body
        }
    }
}

fn released_fn(call: &Call) -> TokenStream {
    let body = pending(call, &called(call, &quote!(Releases), "released"));
    quote! {
        fn released<'a>(
            __state: &'a Self::State,
            __op: &'a __pap::Released<Self::Terms>,
        ) -> __pap::Pending<'a, __pap::Told> {
            #body
        }
    }
}

/// Where the author wrote the type that `perform` returns. If it is wrong, the compiler says so for
/// everything that depends on it; shown at one and the same place, it says so once.
struct Place {
    start: Span,
    end: Span,
}

impl Place {
    fn of(tokens: &impl ToTokens) -> Self {
        let mut spans = tokens.to_token_stream().into_iter().map(|token| token.span());
        let start = spans.next().unwrap_or_else(Span::call_site);
        Self { start, end: spans.last().unwrap_or(start) }
    }

    /// The data of an answer whose spelling does not tell.
    fn data(&self, answer: Option<&TokenStream>) -> TokenStream {
        let (start, data) = (self.start, Ident::new("Data", self.end));
        quote_spanned!(start=> <#answer as __pap::Performs>::#data)
    }

    fn result(&self) -> TokenStream {
        let (start, result) = (self.start, Ident::new("Result", self.end));
        quote_spanned!(start=> Self::#result)
    }

    /// The boxed future of something about the result.
    fn pending(&self, lifetime: &TokenStream, of: &str) -> TokenStream {
        let (start, end, result) = (self.start, self.end, self.result());
        let (of, close) = (Ident::new(of, start), quote_spanned!(end=> >));
        let of = quote_spanned!(start=> __pap::#of<#result #close);
        quote_spanned!(start=> __pap::Pending<#lifetime, #of #close)
    }

    /// Tokens between delimiters, which end where the author's type ends.
    fn closed(&self, delimiter: Delimiter, tokens: TokenStream) -> Group {
        let mut group = Group::new(delimiter, tokens);
        group.set_span(self.end);
        group
    }

    /// A call of a trait's method for a type of the author's.
    fn checked(
        &self,
        answer: &TokenStream,
        answers: &TokenStream,
        method: &str,
        call: TokenStream,
    ) -> TokenStream {
        let (start, method) = (self.start, Ident::new(method, self.start));
        let arguments = self.closed(Delimiter::Parenthesis, call);
        quote_spanned!(start=> <#answer as __pap::#answers>::#method #arguments)
    }
}

/// The boxed future: that it can be sent between threads is checked at the function's name.
fn pending(call: &Call, body: &TokenStream) -> TokenStream {
    let place = call.path.clone().into_iter().last();
    quote_spanned!(at(&place)=> __pap::pending(#body))
}

/// One call of the author's function, its answer checked at the author's return type.
fn called(call: &Call, answers: &TokenStream, method: &str) -> TokenStream {
    let (path, answer, call) = (&call.path, &call.answer, awaited(call));
    let place = Place::of(answer.as_ref().unwrap_or(path));
    let inferred = quote_spanned!(place.start=> _);
    let checked = place.checked(answer.as_ref().unwrap_or(&inferred), answers, method, call);
    let body = place.closed(Delimiter::Brace, checked);
    quote_spanned!(place.start=> async move #body)
}

/// The author's function, called with what it takes.
fn awaited(call: &Call) -> TokenStream {
    let Call { path, arguments, .. } = call;
    let arguments = arguments.iter().map(argument);
    quote_spanned!(at(path)=> #path(#(#arguments),*).await)
}

fn argument(argument: &Placed<Argument>) -> TokenStream {
    let place = argument.at.clone().into_iter().next();
    let place = place.map_or_else(Span::call_site, |token| token.span());
    // the name as it is declared, shown at the author's parameter
    let span = Span::call_site().located_at(place);
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
    quote! {
        #[automatically_derived]
        impl __pap::HasOneSummary for #terms {
            const SUMMARY: __pap::Summary = __pap::Summary { text: #text, pieces: &#placed(#pieces) };
        }
    }
}

/// The rules between the attribute and types that are declared elsewhere.
fn checks(operation: &Operation) -> TokenStream {
    let of = quote!(Self::OPERATION);
    let parameters = operation.route.iter().flat_map(|route| {
        let of = &of;
        route
            .value
            .parameters()
            .map(move |name| quote_spanned!(at(&route.at)=> __pap::path_names_member(#of, #name);))
    });
    let identity = operation.identity.iter().flatten().map(|name| {
        let value = &name.value;
        quote_spanned!(at(&name.at)=> __pap::names_member(#of, #value);)
    });
    let reference = operation.reference.iter().flat_map(|reference| {
        let of = &of;
        reference.value.iter().filter_map(move |part| match part {
            ReferencePart::Text(_) => None,
            ReferencePart::Member(name) => {
                Some(quote_spanned!(at(&reference.at)=> __pap::reference_names_member(#of, #name);))
            }
        })
    });
    let op = at(&operation.perform.op);
    let sentence = quote_spanned!(op=> __pap::is_sentence(#of););
    let request = match &operation.propose {
        None => quote_spanned!(op=> __pap::agent_may_send(#of);),
        Some(propose) => {
            let place = at(&propose.request);
            quote_spanned!(place=> __pap::request_is_an_object(#of);)
        }
    };
    quote!(#(#parameters)* #(#identity)* #(#reference)* #sentence #request)
}
