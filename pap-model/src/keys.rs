//! The one table of keys: the parser, its messages, did-you-mean and the documentation read it.

/// A key of one of the attributes.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Key {
    /// As the author writes it.
    pub name: &'static str,
    /// What stands behind it.
    pub form: Form,
    /// Ready to paste.
    pub example: &'static str,
    /// What holds without it; empty if the key is required or only switches something on.
    pub default: &'static str,
    /// What it is for, one sentence.
    pub doc: &'static str,
}

/// What stands behind a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// Nothing: the key alone.
    Flag,
    /// `= "text"`.
    Text,
    /// `= ["text", …]`.
    Texts,
    /// `= 3`.
    Number,
    /// `= name`.
    Name,
    /// `(name, …)`.
    Names,
    /// `= word`, one of these.
    Word(&'static [Word]),
    /// `= path::to::function`, or one of these words.
    Function(&'static [Word]),
    /// `= Type`.
    Type,
    /// `= Type` or `= { field: Type, … }`.
    TypeOrFields,
    /// `= ::path::to::crate`.
    Path,
}

/// A word that a key takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Word {
    /// As the author writes it.
    pub word: &'static str,
    /// Whether this version takes it; a later one will.
    pub now: bool,
}

const fn word(word: &'static str) -> Word {
    Word { word, now: true }
}

const fn later(word: &'static str) -> Word {
    Word { word, now: false }
}

/// An attribute and its keys.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Attribute {
    /// As the author writes it, without `#[…]`.
    pub name: &'static str,
    /// Its keys, in the order of the documentation.
    pub keys: &'static [Key],
}

impl Attribute {
    /// The key of this name.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// All names, for a message.
    pub fn names(&self) -> String {
        let names: Vec<&str> = self.keys.iter().map(|key| key.name).collect();
        names.join(", ")
    }
}

macro_rules! keys {
    ($($name:literal $form:expr, $example:literal, $default:literal, $doc:literal;)*) => {
        &[$(Key { name: $name, form: $form, example: $example, default: $default, doc: $doc },)*]
    };
}

const CRATE: &str = "crate";

/// The attribute of an operation.
pub const OPERATION: Attribute = Attribute {
    name: "operation",
    keys: keys! {
        "action" Form::Text, r#"action = "orders.exchange""#, "",
            "The stable name of the action: standing permissions name it.";
        "route" Form::Text, r#"route = "POST /orders/{order_id}/exchanges""#, "not mounted; proposed from code only",
            "Method and path of the proposing endpoint; path parameters are members of the request.";
        "scopes" Form::Texts, r#"scopes = ["orders:write"]"#, "",
            "What the token needs to propose and to confirm; may be empty.";
        "summary" Form::Text, r#"summary = "Put the note “{note}” into order {order_id}.""#, "the terms' own",
            "The terms in plain language.";
        "terms" Form::TypeOrFields, "terms = { order_id: OrderId, note: String }", "from `Confirmed<…>`",
            "What the User approves: a type, or the fields of one to write.";
        "propose" Form::Function(&[]), "propose = exchange_terms", "the request is the terms",
            "The function that works the terms out.";
        "request" Form::Type, "request = ExchangeRequest", "the terms",
            "What a caller sends to the function named by `propose`.";
        "reconcile" Form::Function(&[word("operator"), word("same_store")]), "reconcile = operator", "",
            "The function that finds out after a crash whether it happened; `operator`: a person will; `same_store`: it happened if the store says so.";
        "stop" Form::Function(&[]), "stop = stop_exchange", "it can't be stopped",
            "The function that asks the systems behind to stop.";
        "recheck" Form::Function(&[]), "recheck = exchange_still_holds", "no second look",
            "The function that looks again before a confirmation takes effect.";
        "released" Form::Function(&[]), "released = release_hold", "nothing hangs on a proposal",
            "The function that lets go of what hung on a revision that ends without being performed.";
        "identity" Form::Names, "identity(order_id, item_id)", "the whole request",
            "Members of the request that make two requests the same action.";
        "reference" Form::Text, r#"reference = "order:{order_id}""#, "none",
            "What the company finds the operation by: a text, with members of the request that identify the action.";
        "expires_in" Form::Text, r#"expires_in = "15m""#, "15m",
            "How long a revision can be confirmed.";
        "retain_for" Form::Text, r#"retain_for = "90d""#, "until they are removed by hand",
            "How long final operations are kept: from a day to 20 years.";
        "user_approval" Form::Word(&[word("required"), word("optional")]), "user_approval = required", "optional",
            "Whether only the User's approval of the exact revision counts.";
        "without_extension" Form::Word(&[word("refuse"), later("perform")]), "without_extension = refuse", "refuse",
            "What an agent gets that does not list the operations extension.";
        "id_prefix" Form::Text, r#"id_prefix = "exc""#, "op",
            "What operation ids start with.";
        "crate" Form::Path, "crate = ::pap_runtime", "found in Cargo.toml",
            "Where the generated code finds the runtime.";
    },
};

/// The attribute of a struct with `derive(Terms)`.
pub const TERMS: Attribute = Attribute {
    name: "terms",
    keys: keys! {
        "summary" Form::Text, r#"summary = "Exchange the {item} on order {order_id}.""#, "the operation's own",
            "The terms in plain language; every term is in it.";
        "version" Form::Number, "version = 2", "1",
            "The version of the shape, stored with every revision.";
        "crate" Form::Path, "crate = ::pap_runtime", "found in Cargo.toml",
            "Where the generated code finds the runtime.";
    },
};

/// The roles that a term can have, in the order of the documentation.
pub const ROLES: [&str; 7] =
    ["charge", "refund", "quantity", "subject", "recipient", "date", "condition"];

/// The attribute of a field of terms, of a variant, and of a type with `derive(Term)`.
pub const TERM: Attribute = Attribute {
    name: "term",
    keys: keys! {
        "shown_as" Form::Name, "shown_as = item", "",
            "The shown-only field that says this term in the summary.";
        "unstated" Form::Text, r#"unstated = "the warehouse picks it; the User gets the same""#, "",
            "In `terms`, not in the summary, and why that is right.";
        "private" Form::Text, r#"private = "which stock hold to use; the User decides nothing by it""#, "",
            "Stored, never on the wire, and why that is right.";
        "shown_only" Form::Flag, "shown_only", "",
            "In the summary, not in `terms`; the handler can't read it.";
        "charge" Form::Flag, "charge", "", "Money the User pays.";
        "refund" Form::Flag, "refund", "", "Money the User gets back.";
        "quantity" Form::Flag, "quantity", "", "How many.";
        "subject" Form::Flag, "subject", "", "What the action is about.";
        "recipient" Form::Flag, "recipient", "", "Who gets something.";
        "date" Form::Flag, "date", "", "When.";
        "condition" Form::Flag, "condition", "", "Under which condition.";
        "if_none" Form::Text, r#"if_none = "no note""#, "",
            "What the summary says when the term is absent.";
        "max" Form::Number, "max = 20", "",
            "The most values of a list; more are refused.";
        "say" Form::Text, r#"say = "in store credit""#, "",
            "What the summary says for a variant without fields.";
        "summary" Form::Text, r#"summary = "for {amount} more, charged to the card used for the order""#, "",
            "What the summary says for a variant with fields.";
        "crate" Form::Path, "crate = ::pap_runtime", "found in Cargo.toml",
            "Where the generated code finds the runtime.";
    },
};

/// The attribute of a type with `derive(Shape)`.
pub const SHAPE: Attribute = Attribute {
    name: "shape",
    keys: keys! {
        "crate" Form::Path, "crate = ::pap_runtime", "found in Cargo.toml",
            "Where the generated code finds the runtime.";
    },
};

/// All attributes.
pub const ATTRIBUTES: [Attribute; 4] = [OPERATION, TERMS, TERM, SHAPE];

/// Keys that may stand on a field of terms.
pub const TERM_FIELD_KEYS: [&str; 13] = [
    "shown_as",
    "unstated",
    "private",
    "shown_only",
    "charge",
    "refund",
    "quantity",
    "subject",
    "recipient",
    "date",
    "condition",
    "if_none",
    "max",
];

/// Keys that may stand on a variant.
pub const TERM_VARIANT_KEYS: [&str; 2] = ["say", "summary"];

/// Keys that may stand on the type itself.
pub const TYPE_KEYS: [&str; 1] = [CRATE];
