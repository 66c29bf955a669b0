//! The catalogue: what a company declared, as data that the command line reads.
//!
//! A company's own binary prints it (`pap_runtime::describe_if_asked`), so what is described is what
//! is served. The format is versioned by [`FORMAT`]; a reader refuses a format it does not know.

use serde::{Deserialize, Serialize};

/// The format this crate reads and writes.
pub const FORMAT: u32 = 1;

/// Everything a company declared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Catalogue {
    /// Always [`FORMAT`] when written by this version.
    pub format: u32,
    /// In the order of the company's `operations![…]` list.
    pub operations: Vec<Entry>,
}

/// One declared operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Entry {
    /// The stable name, such as `orders.exchange`: a standing permission names it.
    pub action: String,
    /// The first paragraph of the author's doc comment; may be empty.
    pub doc: String,
    /// Where in the author's sources it was declared, `module::path::Item`.
    pub origin: String,
    /// The proposing endpoint; an operation may have none and be proposed from code only.
    pub route: Option<Route>,
    /// The name as an MCP tool: the action with `_` for `.`.
    pub tool: String,
    /// Scopes that proposing and confirming need.
    pub scopes: Vec<String>,
    /// How long a revision can be confirmed unless the proposal says otherwise, in seconds.
    pub expires_in_s: u64,
    /// How long an operation is kept once it is final, in seconds; absent: until the company removes it.
    pub retain_for_s: Option<u64>,
    /// Whether a standing permission may confirm it.
    pub user_approval: UserApproval,
    /// What an agent gets that does not list the extension.
    pub without_extension: WithoutExtension,
    /// What operation ids start with, before `_`.
    pub id_prefix: String,
    /// Fields of the request that make two requests the same action; absent: all of them.
    pub identity: Option<Vec<String>>,
    /// How the company finds out after a crash.
    pub reconcile: Reconcile,
    /// Whether the company can try to stop it once confirmed.
    pub can_stop: bool,
    /// Whether the company looks again before the confirmation takes effect.
    pub rechecks: bool,
    /// What the User approves.
    pub terms: TermsEntry,
    /// What a caller sends; path parameters are members of it. A record, or nothing.
    pub request: Schema,
    /// `result.data` of an operation that succeeded; [`Schema::Nothing`] if it has none.
    pub result: Schema,
}

/// Method and path template of a proposing endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Route {
    /// `POST`, `PUT`, `PATCH` or `DELETE`.
    pub method: String,
    /// Such as `/orders/{order_id}/exchanges`.
    pub path: String,
}

/// Which approvals an operation accepts (section 5.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum UserApproval {
    /// Only the User's approval of the exact revision.
    Required,
    /// Also a standing permission, unless a proposal raises it.
    Optional,
}

/// What an agent gets that does not list the operations extension (section 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WithoutExtension {
    /// `extension_required`.
    Refuse,
}

/// How the company finds out whether an action took effect after a crash (section 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Reconcile {
    /// A function of the company's asks its own systems.
    Function,
    /// A person finds out and settles it.
    Operator,
    /// The effect and the final state are written in one transaction of the company's store: if there is no
    /// final state, it did not happen.
    SameStore,
}

/// The terms of an operation: what the User approves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TermsEntry {
    /// Version of the shape, stored with every revision.
    pub version: u32,
    /// The template the summary is rendered from.
    pub summary: String,
    /// The terms on the wire: private and shown-only members are not in it.
    pub record: Record,
}

/// The form of a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Schema {
    /// No value at all.
    Nothing,
    /// A string.
    Text,
    /// `true` or `false`.
    Boolean,
    /// A whole number within the bounds, both inclusive.
    Integer {
        /// Smallest value.
        minimum: i64,
        /// Largest value.
        maximum: u64,
    },
    /// A decimal number as a string, such as `"12.50"`.
    Decimal,
    /// `{ "amount": "70.00", "currency": "USD" }`.
    Money,
    /// A calendar day, `2026-10-08`.
    Date,
    /// A moment, RFC 3339.
    Instant,
    /// A moment in a place, RFC 3339 with the place's offset.
    LocalTime,
    /// An absolute `https` address.
    Url,
    /// A value that may be absent.
    Optional {
        /// What is there when it is there.
        of: Box<Self>,
    },
    /// A list.
    List {
        /// Form of each element.
        of: Box<Self>,
    },
    /// A named value of another form, such as `OrderId`.
    Named {
        /// Name in generated schemas.
        name: String,
        /// Where the author wrote it.
        origin: String,
        /// The author's doc comment, first paragraph.
        doc: String,
        /// The form it wraps.
        of: Box<Self>,
    },
    /// An object.
    Record(Record),
    /// One of several objects, told apart by `kind`.
    Choice {
        /// Name in generated schemas.
        name: String,
        /// Where the author wrote it.
        origin: String,
        /// The author's doc comment, first paragraph.
        doc: String,
        /// The objects.
        variants: Vec<Variant>,
    },
    /// One of several words.
    Words {
        /// Name in generated schemas.
        name: String,
        /// Where the author wrote it.
        origin: String,
        /// The author's doc comment, first paragraph.
        doc: String,
        /// The words as on the wire, with how each is said.
        words: Vec<Word>,
    },
}

/// An object with named members.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Record {
    /// Name in generated schemas.
    pub name: String,
    /// Where the author wrote it.
    pub origin: String,
    /// The author's doc comment, first paragraph.
    pub doc: String,
    /// Members in the order written.
    pub members: Vec<Member>,
}

/// One member of an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Member {
    /// Name on the wire.
    pub name: String,
    /// The author's doc comment, first paragraph.
    pub doc: String,
    /// Form of the value.
    pub schema: Schema,
    /// What the term does, when this is a member of terms.
    pub term: Option<TermFacts>,
}

/// What a machine needs to judge a term.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TermFacts {
    /// What the term does to the User.
    pub role: Option<Role>,
    /// The name of the shown-only text that says this term in the summary.
    pub shown_as: Option<String>,
    /// Why the summary does not say it.
    pub unstated: Option<String>,
    /// Most elements a list of this term may have.
    pub max: Option<u32>,
}

/// What a term does to the User.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Role {
    /// Money the User pays; never negative.
    Charge,
    /// Money the User gets back; never negative.
    Refund,
    /// How many.
    Quantity,
    /// What the action is about.
    Subject,
    /// Who gets something.
    Recipient,
    /// When.
    Date,
    /// Under which condition.
    Condition,
}

/// One form of a [`Schema::Choice`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Variant {
    /// The value of `kind`.
    pub kind: String,
    /// The author's doc comment, first paragraph.
    pub doc: String,
    /// The template its part of the summary is rendered from; empty outside terms.
    pub summary: String,
    /// Members beside `kind`.
    pub members: Vec<Member>,
}

/// One word of a [`Schema::Words`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Word {
    /// As on the wire.
    pub word: String,
    /// As said in a summary; empty outside terms.
    pub say: String,
    /// The author's doc comment, first paragraph.
    pub doc: String,
}
