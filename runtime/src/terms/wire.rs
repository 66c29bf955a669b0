//! From the full stored terms to the terms on the wire: private and shown-only fields are left out.

use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::declaration::{Field, Schema, Seen, Variant};

/// The wire form of a value of this form, its members in the order they were written.
///
/// # Errors
///
/// If the text is not of that form.
pub(crate) fn on_the_wire(full: &str, schema: &Schema) -> Result<String, serde_json::Error> {
    match schema {
        Schema::Record(record) => object(full, |_| Some(record.fields)),
        Schema::Choice { variants, .. } => object(full, |kind| fields_of(variants, kind?)),
        Schema::Optional { of } if full.trim() == "null" => Ok(full.trim().to_owned()),
        Schema::Optional { of } | Schema::Named { of, .. } => on_the_wire(full, of),
        Schema::List { of } => {
            let elements: Vec<&RawValue> = serde_json::from_str(full)?;
            let elements: Result<Vec<_>, _> =
                elements.iter().map(|element| on_the_wire(element.get(), of)).collect();
            Ok(format!("[{}]", elements?.join(",")))
        }
        Schema::Nothing
        | Schema::Text
        | Schema::Boolean
        | Schema::Integer { .. }
        | Schema::Decimal
        | Schema::Money
        | Schema::Date
        | Schema::Instant
        | Schema::LocalTime
        | Schema::Url
        | Schema::Words { .. } => Ok(full.to_owned()),
    }
}

fn fields_of(variants: &'static [Variant], kind: &str) -> Option<&'static [Field]> {
    variants.iter().find(|variant| variant.kind == kind).map(|variant| variant.fields)
}

fn object(
    full: &str,
    fields: impl Fn(Option<&str>) -> Option<&'static [Field]>,
) -> Result<String, serde_json::Error> {
    let members = members(full)?;
    let kind = members.iter().find(|(name, _)| name == "kind");
    let kind: Option<String> = kind.and_then(|(_, value)| serde_json::from_str(value.get()).ok());
    let declared = fields(kind.as_deref()).unwrap_or_default();
    let mut out = Vec::with_capacity(members.len());
    for (name, value) in &members {
        let field = declared.iter().find(|field| field.name == name);
        let value = match field {
            Some(field) if field.seen != Seen::OnTheWire => continue,
            // an absent optional term is absent on the wire too
            Some(field) if may_be_absent(&field.schema) && value.get() == "null" => continue,
            Some(field) => on_the_wire(value.get(), &field.schema)?,
            None => value.get().to_owned(),
        };
        out.push(format!("{}:{value}", serde_json::to_string(name)?));
    }
    Ok(format!("{{{}}}", out.join(",")))
}

/// Whether a value of this form can be absent, also behind a name of the author's.
fn may_be_absent(schema: &Schema) -> bool {
    if let Schema::Named { of, .. } = schema {
        return may_be_absent(of);
    }
    matches!(schema, Schema::Optional { .. })
}

/// The members of an object in the order written, each with its text.
///
/// # Errors
///
/// If the text is not an object.
pub(crate) fn members(object: &str) -> Result<Vec<(String, &RawValue)>, serde_json::Error> {
    serde_json::Deserializer::from_str(object).deserialize_map(Members)
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declaration::{Facts, Record};

    const fn field(name: &'static str, schema: Schema, seen: Seen) -> Field {
        Field { name, doc: "", schema, term: Some(Facts::NONE), seen }
    }

    const INNER: Schema = Schema::Record(Record {
        name: "Inner",
        origin: "",
        doc: "",
        fields: &[
            field("shown", Schema::Text, Seen::OnTheWire),
            field("secret", Schema::Text, Seen::Private),
        ],
    });
    const NICKNAME: Schema = Schema::Named {
        name: "Nickname",
        origin: "",
        doc: "",
        of: &Schema::Optional { of: &Schema::Text },
    };
    const CHOICE: Schema = Schema::Choice {
        name: "Choice",
        origin: "",
        doc: "",
        variants: &[Variant {
            kind: "one",
            doc: "",
            summary: "",
            fields: &[field("hidden", Schema::Text, Seen::InTheSummary)],
        }],
    };
    const TERMS: Schema = Schema::Record(Record {
        name: "Terms",
        origin: "",
        doc: "",
        fields: &[
            field("z", Schema::Integer { minimum: 0, maximum: u64::MAX }, Seen::OnTheWire),
            field("list", Schema::List { of: &INNER }, Seen::OnTheWire),
            field("choice", CHOICE, Seen::OnTheWire),
            field("note", Schema::Optional { of: &Schema::Text }, Seen::OnTheWire),
            field("nickname", NICKNAME, Seen::OnTheWire),
            field("hold", Schema::Text, Seen::Private),
        ],
    });

    /// OPS-3-6
    #[test]
    fn private_and_shown_only_fields_are_left_out_at_every_depth_and_nothing_else_is_touched() {
        let full = r#"{"z":18446744073709551615,"list":[{"shown":"a\u00e9","secret":"s"}],"choice":{"kind":"one","hidden":"h"},"note":null,"nickname":null,"hold":"x"}"#;
        let wire = on_the_wire(full, &TERMS).unwrap();
        assert_eq!(
            wire,
            r#"{"z":18446744073709551615,"list":[{"shown":"a\u00e9"}],"choice":{"kind":"one"}}"#
        );
        let given = full.replace("null", r#""n""#);
        let wire = on_the_wire(&given, &TERMS).unwrap();
        assert!(wire.contains(r#""note":"n","nickname":"n""#) && !wire.contains("secret"));
    }
}
