//! Rules that every OpenAPI document of ours keeps, stricter than the standard's own.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// Everything that breaks a rule, with its place.
pub(crate) fn faults(document: &Value) -> Vec<String> {
    let mut faults = Faults { document, found: Vec::new() };
    faults.references(document, "");
    faults.operations();
    for (name, schema) in members(&document["components"]["schemas"]) {
        let allowed = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        if !name.chars().all(allowed) {
            faults.add(format!("schema {name}: not a name of OpenAPI"));
        }
        faults.schema(schema, name, true);
    }
    for part in ["responses", "headers"] {
        for (name, value) in members(&document["components"][part]) {
            faults.contents(value, &format!("{part} {name}"));
        }
    }
    faults.found
}

struct Faults<'a> {
    document: &'a Value,
    found: Vec<String>,
}

impl Faults<'_> {
    fn add(&mut self, fault: String) {
        self.found.push(fault);
    }

    /// Every reference resolves and stands alone, in `$ref`, in a discriminator and in our extension.
    fn references(&mut self, value: &Value, at: &str) {
        if let Some(items) = value.as_array() {
            for item in items {
                self.references(item, at);
            }
        }
        for (name, member) in members(value) {
            let at = format!("{at}/{name}");
            if let Some(pointer) = member.as_str().filter(|text| text.starts_with("#/")) {
                if self.document.pointer(pointer.trim_start_matches('#')).is_none() {
                    self.add(format!("{at}: {pointer} is nowhere"));
                }
                if name == "$ref" && members(value).count() > 1 {
                    self.add(format!("{at}: a reference with siblings"));
                }
            }
            self.references(member, &at);
        }
    }

    fn operations(&mut self) {
        let mut ids = BTreeSet::new();
        let mut shapes = BTreeSet::new();
        for (path, item) in members(&self.document["paths"]) {
            let named = parameters(path);
            if !shapes.insert(named.iter().fold(path.clone(), |path, name| path.replace(name, "")))
            {
                self.add(format!("{path}: the same path twice"));
            }
            for method in ["get", "put", "post", "delete", "patch"] {
                let operation = &item[method];
                if operation.is_null() {
                    continue;
                }
                let at = format!("{method} {path}");
                match operation["operationId"].as_str() {
                    Some(id) if ids.insert(id.to_owned()) => {}
                    id => self.add(format!("{at}: operationId {id:?}")),
                }
                let declared: BTreeSet<String> = [&item["parameters"], &operation["parameters"]]
                    .into_iter()
                    .flat_map(|list| list.as_array().into_iter().flatten())
                    .filter(|parameter| parameter["in"] == "path" && parameter["required"] == true)
                    .map(|parameter| parameter["name"].as_str().unwrap().to_owned())
                    .collect();
                if declared != named.iter().map(|name| (*name).to_owned()).collect() {
                    self.add(format!("{at}: declares {declared:?}"));
                }
                self.contents(operation, &at);
            }
        }
    }

    /// Bodies are JSON of a named schema.
    fn contents(&mut self, value: &Value, at: &str) {
        for (name, member) in members(value) {
            let at = format!("{at}/{name}");
            match name.as_str() {
                "content" => {
                    let schema = &member["application/json"]["schema"];
                    if !schema["$ref"].is_string() {
                        self.add(format!("{at}: a body without a name"));
                    }
                }
                "schema" => self.schema(member, &at, false),
                _ => self.contents(member, &at),
            }
        }
        for item in value.as_array().into_iter().flatten() {
            self.contents(item, at);
        }
    }

    /// The common subset of 3.0 and 3.1; what a generator would have to invent a name for has one.
    fn schema(&mut self, schema: &Value, at: &str, is_named: bool) {
        if schema["$ref"].is_string() {
            return;
        }
        let has_members = schema["properties"].is_object();
        let has_words = schema["enum"].as_array().is_some_and(|words| words.len() > 1);
        if !is_named && (has_members || has_words || schema["oneOf"].is_array()) {
            self.add(format!("{at}: a form without a name"));
        }
        if !schema["type"].is_null() && !schema["type"].is_string() {
            self.add(format!("{at}: several types"));
        }
        if schema["nullable"] == true && !schema["type"].is_string() {
            self.add(format!("{at}: nullable without a type beside it"));
        }
        for name in schema["required"].as_array().into_iter().flatten() {
            if schema["properties"].get(name.as_str().unwrap()).is_none() {
                self.add(format!("{at}: requires {name}, which it does not have"));
            }
        }
        if schema["oneOf"].is_array() && schema["discriminator"]["propertyName"] != "kind" {
            self.add(format!("{at}: a choice without `kind`"));
        }
        for (name, property) in members(&schema["properties"]) {
            self.schema(property, &format!("{at}.{name}"), false);
        }
        for part in ["allOf", "oneOf"] {
            for inner in schema[part].as_array().into_iter().flatten() {
                self.schema(inner, at, false);
            }
        }
        if !schema["items"].is_null() {
            self.schema(&schema["items"], &format!("{at}[]"), false);
        }
    }
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

fn parameters(path: &str) -> Vec<&str> {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).collect()
}
