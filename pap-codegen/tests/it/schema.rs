//! A small strict reader of OpenAPI 3.0 schemas: does this value have this form?

use serde_json::Value;

/// Why the value does not fit the named schema; nothing if it fits.
pub(crate) fn faults(document: &Value, name: &str, value: &Value) -> Vec<String> {
    let schema = &document["components"]["schemas"][name];
    assert!(schema.is_object(), "no schema {name}");
    let mut found = Vec::new();
    check(document, schema, value, name, &mut found);
    found
}

fn check(document: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = document.pointer(reference.trim_start_matches('#')).expect("resolves");
        return check(document, target, value, at, found);
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        check(document, part, value, at, found);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let fits = |choice: &&Value| {
            let mut faults = Vec::new();
            check(document, choice, value, at, &mut faults);
            faults.is_empty()
        };
        if choices.iter().filter(fits).count() != 1 {
            found.push(format!("{at}: not exactly one form"));
        }
    }
    // in 3.0.3 null is a value only where `nullable` stands beside `type`
    if value.is_null() && schema["nullable"] == true && schema["type"].is_string() {
        return;
    }
    match schema["type"].as_str() {
        Some("object") => object(document, schema, value, at, found),
        Some("array") => match value.as_array() {
            None => found.push(format!("{at}: no array")),
            Some(items) => {
                let most = schema["maxItems"].as_u64().unwrap_or(u64::MAX);
                if u64::try_from(items.len()).unwrap() > most {
                    found.push(format!("{at}: more than {most}"));
                }
                for item in items {
                    check(document, &schema["items"], item, at, found);
                }
            }
        },
        Some("string") if !value.is_string() => found.push(format!("{at}: no string")),
        Some("integer") if !value.is_i64() && !value.is_u64() => {
            found.push(format!("{at}: no integer"));
        }
        Some("boolean") if !value.is_boolean() => found.push(format!("{at}: no boolean")),
        _ => {}
    }
    if let Some(words) = schema["enum"].as_array()
        && !words.contains(value)
    {
        found.push(format!("{at}: {value} is none of the words"));
    }
}

fn object(document: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    let Some(members) = value.as_object() else { return found.push(format!("{at}: no object")) };
    for name in schema["required"].as_array().into_iter().flatten() {
        let name = name.as_str().unwrap();
        if !members.contains_key(name) {
            found.push(format!("{at}: `{name}` is missing"));
        }
    }
    for (name, member) in members {
        match schema["properties"].get(name) {
            Some(property) => check(document, property, member, &format!("{at}.{name}"), found),
            None if schema["additionalProperties"] == false => {
                found.push(format!("{at}: `{name}` is unknown"));
            }
            None => {}
        }
    }
}
