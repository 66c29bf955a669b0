//! What was declared, after every rule held: plain data, types as the author's own tokens.

use proc_macro2::{Ident, TokenStream};

pub use crate::spelling::{ReferencePart, Route, Segment};

/// An operation.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Operation {
    /// The type that stands for it, and what is known before any rule is checked.
    pub sketch: Sketch,
    /// The first paragraph of its doc comment.
    pub doc: String,
    /// The stable name.
    pub action: String,
    /// Where it is proposed.
    pub route: Option<Placed<Route>>,
    /// Scopes it needs.
    pub scopes: Vec<String>,
    /// Lifetime of a revision, in seconds.
    pub expires_in_s: u64,
    /// How long final operations are kept, in seconds.
    pub retain_for_s: Option<u64>,
    /// Whether only the User's approval counts.
    pub user_approval_required: bool,
    /// What ids start with.
    pub id_prefix: String,
    /// Members of the request that identify the action.
    pub identity: Option<Vec<Placed<String>>>,
    /// What the company finds the operation by.
    pub reference: Option<Placed<Vec<ReferencePart>>>,
    /// What the User approves.
    pub terms: TermsSource,
    /// The summary, if it is written in the attribute and the terms are not.
    pub summary: Option<Summary>,
    /// The function that works the terms out; without one the request is the terms.
    pub propose: Option<Propose>,
    /// The function that performs.
    pub perform: Call,
    /// Who finds out after a crash whether it happened.
    pub reconcile: Reconcile,
    /// The function that asks to stop.
    pub stop: Option<Call>,
    /// The function that looks again.
    pub recheck: Option<Call>,
    /// The function that lets go of what hung on a revision.
    pub released: Option<Call>,
}

/// Who finds out after a crash whether an action took effect.
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_enums, reason = "these are the three ways to find out")]
pub enum Reconcile {
    /// This function of the company's.
    Function(Call),
    /// A person.
    Operator,
    /// The store: the effect is written in its own transaction.
    SameStore,
}

/// What is known of an operation also when its declaration is wrong: enough for the rest of the crate
/// to be checked as if it were right.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Sketch {
    /// The type that stands for the operation.
    pub marker: TokenStream,
    /// Its last name: the function's or the type's.
    pub name: Ident,
    /// The visibility of a marker that is to be written: the function form.
    pub write_marker: Option<TokenStream>,
    /// The path given by `crate`.
    pub runtime: Option<TokenStream>,
    /// The company's own state, the `T` of the first `&T`.
    pub state: Option<TokenStream>,
    /// A struct of terms that is to be written.
    pub written_terms: Option<Box<InlineTerms>>,
}

/// What is known of a type also when its declaration is wrong.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TypeSketch {
    /// The type.
    pub name: Ident,
    /// The path given by `crate`.
    pub runtime: Option<TokenStream>,
    /// Its generics as written before the trait, after the type, and as bounds.
    pub generics: [TokenStream; 3],
}

/// A value and its place.
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_structs, reason = "a pair with names")]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// The author's tokens.
    pub at: TokenStream,
}

/// Where the terms come from.
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_enums, reason = "these are the three ways to write them")]
pub enum TermsSource {
    /// Their fields are in the attribute: see [`Sketch::written_terms`].
    Written,
    /// A type named by `terms`.
    Named(TokenStream),
    /// The type in `perform`'s `Confirmed<…>`.
    Confirmed,
}

/// A struct that the operation's attribute declares.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct InlineTerms {
    /// The checked terms.
    pub terms: Terms,
    /// The struct's fields as they are to be written, without our attributes.
    pub fields: TokenStream,
    /// Its visibility.
    pub vis: TokenStream,
}

/// The function that works the terms out, and what a caller sends to it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Propose {
    /// How it is called.
    pub call: Call,
    /// The type of the request; nothing if it takes none.
    pub request: Option<TokenStream>,
}

/// How one of the author's functions is called.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Call {
    /// Its path.
    pub path: TokenStream,
    /// What it takes, in order, each with the place of the parameter.
    pub arguments: Vec<Placed<Argument>>,
    /// The type of `op`, where the signature is known.
    pub op: Option<TokenStream>,
    /// The `T` of an `op` that is spelled `Confirmed<T>`.
    pub confirmed: Option<TokenStream>,
    /// The type it returns, where the signature is known.
    pub answer: Option<TokenStream>,
    /// The `T` of an answer that is spelled `Outcome<T>`.
    pub outcome: Option<TokenStream>,
}

/// What a function is called with: a parameter is known by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the names are the grammar")]
pub enum Argument {
    /// The company's own state: the first `&T`.
    State,
    /// Who asks.
    Session,
    /// What was asked for.
    Request,
    /// The proposal being worked out.
    Proposing,
    /// The confirmed operation, or the revision that was not performed.
    Op,
    /// The terms to look at again.
    Terms,
}

/// Terms: a struct with named fields.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Terms {
    /// Name, doc comment and runtime path.
    pub named: NamedItem,
    /// Version of the shape.
    pub version: u32,
    /// All fields in the order written.
    pub fields: Vec<Field>,
    /// Its summary; without one, an operation's attribute writes it.
    pub summary: Option<Summary>,
}

/// A value that terms, requests and results can hold.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Value {
    /// Name, doc comment and runtime path.
    pub named: NamedItem,
    /// Its form.
    pub form: ValueForm,
}

/// What every declared type has.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct NamedItem {
    /// The type.
    pub name: Ident,
    /// Its name in generated schemas.
    pub schema_name: String,
    /// The first paragraph of its doc comment.
    pub doc: String,
    /// The path given by `crate`.
    pub runtime: Option<TokenStream>,
}

/// The form of a declared value.
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_enums, reason = "these are the forms of the catalogue")]
pub enum ValueForm {
    /// A named value of another form.
    Newtype(TokenStream),
    /// An object.
    Record(Vec<Field>),
    /// One of several words.
    Words(Vec<Word>),
    /// One of several objects, told apart by `kind`.
    Choice(Vec<Variant>),
}

/// One field.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Field {
    /// As the code names it.
    pub name: Ident,
    /// As the wire names it.
    pub wire: String,
    /// The first paragraph of its doc comment.
    pub doc: String,
    /// Its type.
    pub ty: TokenStream,
    /// What the author said about it as a term.
    pub term: Term,
}

/// What the author said about a term.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Term {
    /// Who gets to see it.
    pub seen: Seen,
    /// What it does to the User, as in [`crate::keys::ROLES`].
    pub role: Option<&'static str>,
    /// The wire name of the shown-only field that says it.
    pub shown_as: Option<String>,
    /// Why the summary does not say it.
    pub unstated: Option<String>,
    /// Said when it is absent.
    pub if_none: Option<String>,
    /// Most values of a list.
    pub max: Option<u32>,
    /// Whether the summary says it by its own name.
    pub stated: bool,
}

/// Who gets to see a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_enums, reason = "these are the three")]
pub enum Seen {
    /// It is in `terms` on the wire.
    #[default]
    OnTheWire,
    /// Stored, never on the wire.
    Private,
    /// In the summary only.
    InTheSummary,
}

/// A summary or a part of one.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Summary {
    /// As the author wrote it.
    pub text: String,
    /// The author's literal.
    pub at: TokenStream,
    /// Its parts.
    pub pieces: Vec<Piece>,
}

/// One part of a summary.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a template has these two parts and no others")]
pub enum Piece {
    /// This text.
    Text(String),
    /// What a field says.
    Field {
        /// Its place among the fields; nothing if they are not known here.
        index: Option<usize>,
        /// Its name.
        name: String,
        /// A named format of its type; empty: the usual one.
        format: String,
    },
}

/// One word of an enum without data.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Word {
    /// The variant.
    pub name: Ident,
    /// As on the wire.
    pub wire: String,
    /// As said in a summary.
    pub say: String,
    /// The first paragraph of its doc comment.
    pub doc: String,
}

/// One variant of an enum with data.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Variant {
    /// The variant.
    pub name: Ident,
    /// The value of `kind`.
    pub wire: String,
    /// The first paragraph of its doc comment.
    pub doc: String,
    /// Members beside `kind`.
    pub fields: Vec<Field>,
    /// Its part of the summary; nothing outside terms.
    pub summary: Option<Summary>,
}
