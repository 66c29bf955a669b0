//! The stored form of terms in a few letters, so that a change of it can be seen.

use sha2::{Digest, Sha256};

use crate::declaration::{Field, Record, Schema};

/// The fingerprint of a stored form, in 16 letters. It changes with what decides whether stored bytes read back:
/// names, types and order of all fields. Names of types, roles, documentation and who sees a field decide
/// nothing.
pub(crate) fn shape_of(record: &Record) -> String {
    let digest = Sha256::digest(fields(record.fields).as_bytes());
    let first = digest.first_chunk().copied().unwrap_or_default();
    // enough for a change that nobody makes on purpose
    format!("{:016x}", u64::from_be_bytes(first))
}

fn fields(fields: &[Field]) -> String {
    let each = fields.iter().map(|field| format!("{}:{}", quoted(field.name), form(&field.schema)));
    format!("{{{}}}", each.collect::<Vec<_>>().join(","))
}

fn form(schema: &Schema) -> String {
    let plain = match schema {
        Schema::Nothing => "nothing",
        Schema::Text => "text",
        Schema::Boolean => "boolean",
        Schema::Decimal => "decimal",
        Schema::Money => "money",
        Schema::Date => "date",
        Schema::Instant => "instant",
        Schema::LocalTime => "local time",
        Schema::Url => "url",
        Schema::Integer { minimum, maximum } => return format!("{minimum}..{maximum}"),
        Schema::Optional { of } => return format!("?{}", form(of)),
        Schema::List { of } => return format!("*{}", form(of)),
        Schema::Named { of, .. } => return form(of),
        Schema::Record(record) => return fields(record.fields),
        Schema::Choice { variants, .. } => {
            return one_of(
                variants
                    .iter()
                    .map(|variant| format!("{}{}", quoted(variant.kind), fields(variant.fields))),
            );
        }
        Schema::Words { words, .. } => {
            return one_of(words.iter().map(|word| quoted(word.word)));
        }
    };
    plain.to_owned()
}

/// In no order: which of them comes first is stored nowhere.
fn one_of(each: impl Iterator<Item = String>) -> String {
    let mut each: Vec<String> = each.collect();
    each.sort_unstable();
    format!("({})", each.join("|"))
}

/// As JSON, so that no name can be taken for two, whatever the compiler's version.
fn quoted(name: &str) -> String {
    serde_json::Value::from(name).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declaration::{Seen, Variant, Word};

    fn field(name: &'static str, schema: Schema) -> Field {
        Field { name, doc: "", schema, term: None, seen: Seen::OnTheWire }
    }

    fn kept<T, const N: usize>(all: [T; N]) -> &'static [T] {
        Box::leak(Box::new(all))
    }

    fn record<const N: usize>(fields: [Field; N]) -> Record {
        Record { name: "Terms", origin: "", doc: "", fields: kept(fields) }
    }

    fn words<const N: usize>(words: [&'static str; N]) -> Schema {
        let words = kept(words.map(|word| Word { word, say: "", doc: "" }));
        Schema::Words { name: "Size", origin: "", doc: "", words }
    }

    fn choice<const N: usize>(kinds: [&'static str; N]) -> Schema {
        let variants = kept(kinds.map(|kind| Variant {
            kind,
            doc: "",
            summary: "",
            fields: kept([field("amount", Schema::Money)]),
        }));
        Schema::Choice { name: "Cost", origin: "", doc: "", variants }
    }

    const NUMBER: Schema = Schema::Integer { minimum: 0, maximum: 255 };

    #[test]
    fn what_decides_whether_stored_terms_read_back_changes_the_shape() {
        let all = [
            record([field("a", Schema::Text), field("b", NUMBER)]),
            record([field("b", NUMBER), field("a", Schema::Text)]),
            record([field("a", Schema::Text)]),
            record([field("c", Schema::Text)]),
            record([field("a", Schema::Url)]),
            record([field("a", NUMBER)]),
            record([field("a", Schema::Integer { minimum: 0, maximum: 65535 })]),
            record([field("a", Schema::Optional { of: &Schema::Text })]),
            record([field("a", Schema::List { of: &Schema::Text })]),
            record([field("a", words(["s"]))]),
            record([field("a", words(["s", "m"]))]),
            record([field("a", choice(["s", "m"]))]),
            record([field("a", choice(["s"]))]),
        ];
        let mut shapes: Vec<String> = all.iter().map(shape_of).collect();
        assert!(shapes.iter().all(|shape| shape.len() == 16));
        shapes.sort_unstable();
        shapes.dedup();
        assert_eq!(shapes.len(), all.len());
    }

    #[test]
    fn what_decides_nothing_changes_nothing() {
        let plain = shape_of(&record([field("a", Schema::Text)]));
        let private =
            Field { seen: Seen::Private, doc: "Now private.", ..field("a", Schema::Text) };
        assert_eq!(plain, shape_of(&Record { name: "Other", doc: "x", ..record([private]) }));
        let named = Schema::Named { name: "OrderId", origin: "", doc: "", of: &Schema::Text };
        assert_eq!(plain, shape_of(&record([field("a", named)])));
        let sizes = |schema| shape_of(&record([field("a", schema)]));
        assert_eq!(sizes(words(["s", "m"])), sizes(words(["m", "s"])));
        assert_eq!(sizes(choice(["s", "m"])), sizes(choice(["m", "s"])));
    }

    /// A shape is committed: another spelling of it would refuse every company's build.
    #[test]
    fn a_shape_stays_what_it_is() {
        let terms = record([
            field("order_id", Schema::Text),
            field("price", choice(["more"])),
            field("notes", Schema::List { of: &Schema::Optional { of: &Schema::Text } }),
        ]);
        assert_eq!(shape_of(&terms), "ec88be5c616d40b0");
    }
}
