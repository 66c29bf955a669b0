//! What the rules and every target ask about the form of a value.

use pap_protocol::catalogue::{Member, Record, Role, Schema};

/// The form without the question whether the value is there.
pub(crate) fn present(schema: &Schema) -> &Schema {
    if let Schema::Optional { of } = schema { present(of) } else { schema }
}

/// The form that names and options wrap.
pub(crate) fn bare(schema: &Schema) -> &Schema {
    if let Schema::Optional { of } | Schema::Named { of, .. } = schema { bare(of) } else { schema }
}

/// Whether a value of this form may be missing, behind whatever names.
pub(crate) fn may_be_absent(schema: &Schema) -> bool {
    if let Schema::Named { of, .. } = schema {
        return may_be_absent(of);
    }
    matches!(schema, Schema::Nothing | Schema::Optional { .. })
}

/// Whether the form is one value that fits into a path.
pub(crate) fn is_single(schema: &Schema) -> bool {
    if let Schema::Named { of, .. } = schema {
        return is_single(of);
    }
    matches!(
        schema,
        Schema::Text
            | Schema::Boolean
            | Schema::Integer { .. }
            | Schema::Decimal
            | Schema::Date
            | Schema::Instant
            | Schema::LocalTime
            | Schema::Words { .. }
    )
}

/// The request's members; a request of nothing has none.
pub(crate) fn members(request: &Schema) -> &[Member] {
    if let Schema::Record(Record { members, .. }) = request { members } else { &[] }
}

/// The forms directly inside: what is wrapped, listed, or a member.
pub(crate) fn inside(schema: &Schema) -> Vec<&Schema> {
    if let Schema::Optional { of } | Schema::List { of } | Schema::Named { of, .. } = schema {
        return vec![of];
    }
    let members: Vec<&Member> = if let Schema::Choice { variants, .. } = schema {
        variants.iter().flat_map(|variant| &variant.members).collect()
    } else {
        members(schema).iter().collect()
    };
    members.into_iter().map(|member| &member.schema).collect()
}

/// What a machine compares a term as.
pub(crate) fn kind(schema: &Schema) -> &'static str {
    match bare(schema) {
        Schema::Text => "text",
        Schema::Boolean => "boolean",
        Schema::Integer { .. } => "integer",
        Schema::Decimal => "decimal",
        Schema::Money => "money",
        Schema::Date => "date",
        Schema::Instant => "instant",
        Schema::LocalTime => "local_time",
        Schema::Url => "url",
        Schema::List { .. } => "list",
        Schema::Record(_) => "record",
        Schema::Choice { .. } => "choice",
        Schema::Words { .. } => "words",
        Schema::Nothing | Schema::Optional { .. } | Schema::Named { .. } => "nothing",
        _ => "other",
    }
}

/// A role as it is written in terms: `charge`.
pub(crate) fn role(role: Role) -> &'static str {
    match role {
        Role::Charge => "charge",
        Role::Refund => "refund",
        Role::Quantity => "quantity",
        Role::Subject => "subject",
        Role::Recipient => "recipient",
        Role::Date => "date",
        Role::Condition => "condition",
        _ => "other",
    }
}

/// The author's words up to the first full stop.
pub(crate) fn first_sentence(doc: &str) -> &str {
    let end = doc.find(". ").map_or(doc.len(), |at| at + 1);
    doc.get(..end).unwrap_or(doc).trim_end_matches('.')
}
