//! Schemas in few words.

use openapiv3::{
    AdditionalProperties, IntegerType, ObjectType, ReferenceOr, Schema, SchemaData, SchemaKind,
    StringFormat, StringType, Type, VariantOrUnknownOrEmpty,
};
use serde_json::Value;

use super::super::names;

/// An object that is being put together.
pub(super) struct Object {
    data: SchemaData,
    object: ObjectType,
}

impl Object {
    pub(super) fn new(description: &str) -> Self {
        Self { data: described(description), object: ObjectType::default() }
    }

    pub(super) fn required(mut self, name: &str, value: ReferenceOr<Schema>) -> Self {
        self.object.required.push(name.to_owned());
        self.optional(name, value)
    }

    pub(super) fn optional(mut self, name: &str, value: ReferenceOr<Schema>) -> Self {
        self.object.properties.insert(name.to_owned(), boxed(value));
        self
    }

    /// Nothing but the members: whoever reads terms must know every one of them.
    pub(super) fn closed(mut self) -> Self {
        self.object.additional_properties = Some(AdditionalProperties::Any(false));
        self
    }

    /// Any members beside the named ones.
    pub(super) fn open(mut self) -> Self {
        self.object.additional_properties = Some(AdditionalProperties::Any(true));
        self
    }

    /// The object, or null. In 3.0 this must stand where `type` stands: a reference cannot add it.
    pub(super) fn or_null(mut self) -> Self {
        self.data.nullable = true;
        self
    }

    pub(super) fn extension(mut self, name: &str, value: Value) -> Self {
        self.data.extensions.insert(name.to_owned(), value);
        self
    }

    pub(super) fn build(self) -> Schema {
        schema(self.data, SchemaKind::Type(Type::Object(self.object)))
    }
}

pub(super) fn schema(schema_data: SchemaData, schema_kind: SchemaKind) -> Schema {
    Schema { schema_data, schema_kind }
}

pub(super) fn described(description: &str) -> SchemaData {
    let description = Some(description.to_owned()).filter(|text| !text.is_empty());
    SchemaData { description, ..SchemaData::default() }
}

/// Text of a form.
pub(super) fn text(description: &str, form: StringType) -> Schema {
    schema(described(description), SchemaKind::Type(Type::String(form)))
}

/// Text without a form.
pub(super) fn plain(description: &str) -> ReferenceOr<Schema> {
    ReferenceOr::Item(text(description, StringType::default()))
}

/// Text of a form that OpenAPI has a word for.
pub(super) fn format(format: &str) -> StringType {
    let format = match format {
        "date" => VariantOrUnknownOrEmpty::Item(StringFormat::Date),
        "date-time" => VariantOrUnknownOrEmpty::Item(StringFormat::DateTime),
        other => VariantOrUnknownOrEmpty::Unknown(other.to_owned()),
    };
    StringType { format, ..StringType::default() }
}

/// Text that matches.
pub(super) fn pattern(pattern: &str) -> StringType {
    StringType { pattern: Some(pattern.to_owned()), ..StringType::default() }
}

/// One of these words.
pub(super) fn words<'a>(words: impl IntoIterator<Item = &'a str>) -> StringType {
    let enumeration = words.into_iter().map(|word| Some(word.to_owned())).collect();
    StringType { enumeration, ..StringType::default() }
}

/// A whole number from `minimum` on.
pub(super) fn at_least(minimum: i64, description: &str) -> ReferenceOr<Schema> {
    let number = IntegerType { minimum: Some(minimum), ..IntegerType::default() };
    ReferenceOr::Item(schema(described(description), SchemaKind::Type(Type::Integer(number))))
}

/// The named schema.
pub(super) fn named(name: &str) -> ReferenceOr<Schema> {
    ReferenceOr::Reference { reference: names::schema_path(name) }
}

/// The same value with more said about it. A reference has no siblings in 3.0, so it moves inside.
pub(super) fn with(value: ReferenceOr<Schema>, data: SchemaData) -> ReferenceOr<Schema> {
    if data == SchemaData::default() {
        return value;
    }
    ReferenceOr::Item(match value {
        ReferenceOr::Item(item) => schema(data, item.schema_kind),
        reference @ ReferenceOr::Reference { .. } => {
            schema(data, SchemaKind::AllOf { all_of: vec![reference] })
        }
    })
}

pub(super) fn boxed(value: ReferenceOr<Schema>) -> ReferenceOr<Box<Schema>> {
    match value {
        ReferenceOr::Item(item) => ReferenceOr::boxed_item(item),
        ReferenceOr::Reference { reference } => ReferenceOr::Reference { reference },
    }
}
