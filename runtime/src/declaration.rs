//! What an author declared, as constants: the macros write these, the engine and the catalogue read them.
//!
//! Serialised, they are exactly the format of [`pap_protocol::catalogue`].

use pap_protocol::catalogue::{Reconcile, Role, UserApproval, WithoutExtension};
use serde::{Serialize, Serializer};

/// One declared operation.
#[derive(Debug, Serialize)]
#[expect(clippy::exhaustive_structs, reason = "built as a constant by generated code")]
pub struct OperationDeclaration {
    /// The stable name, such as `orders.exchange`.
    pub action: &'static str,
    /// The first paragraph of the author's doc comment.
    pub doc: &'static str,
    /// Where the author wrote it.
    pub origin: &'static str,
    /// The proposing endpoint, if it has one.
    pub route: Option<Route>,
    /// The name as an MCP tool.
    pub tool: &'static str,
    /// Scopes that proposing and confirming need.
    pub scopes: &'static [&'static str],
    /// Lifetime of a revision, in seconds.
    pub expires_in_s: u64,
    /// How long final operations are kept, in seconds; `None`: until they are removed by hand.
    pub retain_for_s: Option<u64>,
    /// Whether a standing permission may confirm it.
    pub user_approval: UserApproval,
    /// What an agent gets that does not list the extension.
    pub without_extension: WithoutExtension,
    /// What operation ids start with.
    pub id_prefix: &'static str,
    /// Wire names of the request members that identify the action; `None`: all of them.
    pub identity: Option<&'static [&'static str]>,
    /// What the company finds the operation by. Its own affair: no agent can tell.
    #[serde(skip)]
    pub reference: Option<&'static [ReferencePart]>,
    /// How the company finds out after a crash.
    pub reconcile: Reconcile,
    /// Whether there is a `stop` function.
    pub can_stop: bool,
    /// Whether there is a `recheck` function.
    pub rechecks: bool,
    /// Whether there is a `released` function. The company's own affair: no agent can tell.
    #[serde(skip)]
    pub tells_release: bool,
    /// What the User approves.
    pub terms: &'static TermsDeclaration,
    /// What a caller sends.
    pub request: Schema,
    /// `result.data`.
    pub result: Schema,
}

/// Method and path of a proposing endpoint.
#[derive(Debug, Clone, Copy, Serialize)]
#[expect(clippy::exhaustive_structs, reason = "built as a constant by generated code")]
pub struct Route {
    /// Upper case.
    pub method: &'static str,
    /// The template as the author wrote it.
    pub path: &'static str,
    /// The same, cut at each `/`.
    #[serde(skip)]
    pub segments: &'static [Segment],
}

/// One part of a path template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "built as a constant by generated code")]
pub enum Segment {
    /// This text.
    Fixed(&'static str),
    /// Any one non-empty segment: the request's member of this name.
    Parameter(&'static str),
}

/// One part of a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "built as a constant by generated code")]
pub enum ReferencePart {
    /// This text.
    Text(&'static str),
    /// The value of the request's member of this name.
    Member(&'static str),
}

/// The terms of an operation.
#[derive(Debug, Serialize)]
#[expect(clippy::exhaustive_structs, reason = "built as a constant by generated code")]
pub struct TermsDeclaration {
    /// Version of the shape.
    pub version: u32,
    /// The template as the author wrote it.
    pub summary: &'static str,
    /// All fields, private and shown-only ones included.
    pub record: Record,
}

/// The form of a value.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "built as a constant by generated code")]
#[expect(missing_docs, reason = "each is explained at `pap_protocol::catalogue::Schema`")]
pub enum Schema {
    Nothing,
    Text,
    Boolean,
    Integer {
        minimum: i64,
        maximum: u64,
    },
    Decimal,
    Money,
    Date,
    Instant,
    LocalTime,
    Url,
    Optional {
        of: &'static Self,
    },
    List {
        of: &'static Self,
    },
    Named {
        name: &'static str,
        origin: &'static str,
        doc: &'static str,
        of: &'static Self,
    },
    Record(Record),
    Choice {
        name: &'static str,
        origin: &'static str,
        doc: &'static str,
        variants: &'static [Variant],
    },
    Words {
        name: &'static str,
        origin: &'static str,
        doc: &'static str,
        words: &'static [Word],
    },
}

/// An object with named members.
#[derive(Debug, Clone, Copy, Serialize)]
#[expect(clippy::exhaustive_structs, reason = "built as a constant by generated code")]
pub struct Record {
    /// Name in generated schemas.
    pub name: &'static str,
    /// Where the author wrote it.
    pub origin: &'static str,
    /// The first paragraph of the author's doc comment.
    pub doc: &'static str,
    /// All fields, in the order written.
    #[serde(rename = "members", serialize_with = "only_wire_members")]
    pub fields: &'static [Field],
}

/// One field of an object.
#[derive(Debug, Clone, Copy, Serialize)]
#[expect(clippy::exhaustive_structs, reason = "built as a constant by generated code")]
pub struct Field {
    /// Name on the wire.
    pub name: &'static str,
    /// The first paragraph of the author's doc comment.
    pub doc: &'static str,
    /// Form of the value.
    pub schema: Schema,
    /// What the term does; `None` outside terms.
    pub term: Option<Facts>,
    /// Who gets to see it.
    #[serde(skip)]
    pub seen: Seen,
}

/// Who gets to see a field of terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "built as a constant by generated code")]
pub enum Seen {
    /// It is in `terms` on the wire.
    OnTheWire,
    /// Stored and digested, never on the wire, a page or in a schema.
    Private,
    /// In the summary only; the handler cannot read it.
    InTheSummary,
}

/// What a machine needs to judge a term.
#[derive(Debug, Clone, Copy, Serialize)]
#[expect(clippy::exhaustive_structs, reason = "built as a constant by generated code")]
pub struct Facts {
    /// What the term does to the User.
    pub role: Option<Role>,
    /// The shown-only field that says this term in the summary.
    pub shown_as: Option<&'static str>,
    /// Why the summary does not say it.
    pub unstated: Option<&'static str>,
    /// Most elements of a list.
    pub max: Option<u32>,
}

impl Facts {
    /// A term without a role or a limit, stated in the summary by its own name.
    pub const NONE: Self = Self { role: None, shown_as: None, unstated: None, max: None };
}

/// One form of a [`Schema::Choice`].
#[derive(Debug, Clone, Copy, Serialize)]
#[expect(clippy::exhaustive_structs, reason = "built as a constant by generated code")]
pub struct Variant {
    /// The value of `kind`.
    pub kind: &'static str,
    /// The first paragraph of the author's doc comment.
    pub doc: &'static str,
    /// The template of its part of the summary; empty outside terms.
    pub summary: &'static str,
    /// Members beside `kind`.
    #[serde(rename = "members", serialize_with = "only_wire_members")]
    pub fields: &'static [Field],
}

/// One word of a [`Schema::Words`].
#[derive(Debug, Clone, Copy, Serialize)]
#[expect(clippy::exhaustive_structs, reason = "built as a constant by generated code")]
pub struct Word {
    /// As on the wire.
    pub word: &'static str,
    /// As said in a summary.
    pub say: &'static str,
    /// The first paragraph of the author's doc comment.
    pub doc: &'static str,
}

/// One part of a summary template.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_enums, reason = "built as a constant by generated code")]
pub enum Piece {
    /// This text.
    Text(&'static str),
    /// What a field says.
    Field {
        /// Index into the fields, in the order written.
        index: usize,
        /// A named format of the field's type; empty: its usual one.
        format: &'static str,
        /// Said instead when the field is absent.
        if_none: &'static str,
    },
}

fn only_wire_members<S: Serializer>(fields: &&[Field], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(fields.iter().filter(|field| field.seen == Seen::OnTheWire))
}
