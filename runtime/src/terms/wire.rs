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
            Some(field)
                if matches!(field.schema, Schema::Optional { .. }) && value.get() == "null" =>
            {
                continue;
            }
            Some(field) => on_the_wire(value.get(), &field.schema)?,
            None => value.get().to_owned(),
        };
        out.push(format!("{}:{value}", serde_json::to_string(name)?));
    }
    Ok(format!("{{{}}}", out.join(",")))
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
