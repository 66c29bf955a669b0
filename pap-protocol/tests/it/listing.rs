//! Where each side lists its extensions: the discovery document and the client metadata.

use pap_protocol::client_metadata::ClientMetadata;
use pap_protocol::discovery::{Discovery, operations_entry};
use pap_protocol::extensions::{lists_operations, negotiate_extensions, operations_endpoint};
use serde_json::{Value, json};

fn document() -> Value {
    json!({
        "protocol_version": "0.2",
        "organization": { "name": "Example Outfitters", "domain": "example.com", "later": 1 },
        "auth": { "issuer": "https://api.example.com", "direct": { "scopes": ["orders:write"] } },
        "apis": [{ "type": "openapi", "url": "https://api.example.com/openapi.json", "description": "Orders" }],
        "extensions": {
            "operations": {
                "version": "1", "endpoint": "https://api.example.com/poppy/operations", "later": [],
            },
        },
        "later": { "a": null },
    })
}

fn metadata() -> Value {
    json!({
        "client_id": "https://agent.example/client.json",
        "client_name": "Juniper",
        "jwks_uri": "https://agent.example/jwks.json",
        "extensions": { "operations": { "version": "1", "later": 1 }, "later": null },
    })
}

fn discovered(document: &Value) -> Option<Discovery> {
    Discovery::from_json(document.to_string().as_bytes()).ok()
}

/// OPS-2-1, EXT-1, EXT-6
#[test]
fn a_company_is_read_from_its_discovery_document() {
    let discovery = discovered(&document()).unwrap();
    assert_eq!(discovery.protocol_version, "0.2");
    assert_eq!(discovery.organization.name, "Example Outfitters");
    assert_eq!(discovery.organization.domain, "example.com");
    assert_eq!(discovery.auth.unwrap().issuer, "https://api.example.com");
    let entry = &discovery.extensions["operations"];
    assert_eq!(entry.version, "1");
    assert_eq!(entry.endpoint.as_deref(), Some("https://api.example.com/poppy/operations"));
}

/// OPS-2-4, EXT-2, EXT-6
#[test]
fn an_agent_is_read_from_its_client_metadata() {
    let agent = ClientMetadata::from_json(metadata().to_string().as_bytes()).unwrap();
    assert_eq!(agent.client_id.as_str(), "https://agent.example/client.json");
    assert_eq!(agent.client_name, "Juniper");
    assert!(lists_operations(&agent.extensions));
    assert_eq!(agent.extensions.len(), 1, "an entry that is none is left out");
}

/// EXT-5
#[test]
fn entries_of_any_shape_are_ignored_and_reject_nothing() {
    for shape in [json!(null), json!(7), json!("1"), json!([]), json!({}), json!({ "version": 1 })]
    {
        let mut document = document();
        document["extensions"]["example.com/gift-wrap"] = shape.clone();
        let discovery = discovered(&document).unwrap();
        assert_eq!(discovery.extensions.len(), 1, "{shape}");
        document["extensions"] = shape.clone();
        assert!(discovered(&document).unwrap().extensions.is_empty(), "{shape}");
    }
    let mut absent = document();
    absent.as_object_mut().unwrap().remove("extensions");
    assert!(discovered(&absent).unwrap().extensions.is_empty());
}

/// EXT-15
#[test]
fn an_extension_cannot_name_another_issuer() {
    let mut document = document();
    let entry = &mut document["extensions"]["operations"];
    entry["issuer"] = json!("https://evil.example");
    entry["auth"] = json!({ "issuer": "https://evil.example" });
    entry["endpoint"] = json!("https://evil.example/operations");
    let discovery = discovered(&document).unwrap();
    assert_eq!(discovery.auth.unwrap().issuer, "https://api.example.com");
    assert_eq!(discovery.organization.domain, "example.com");
}

/// EXT-20
#[test]
fn the_wire_says_nothing_about_who_implements_it() {
    let company = discovered(&document()).unwrap();
    let agent = ClientMetadata::from_json(metadata().to_string().as_bytes()).unwrap();
    let used = negotiate_extensions(&company.extensions, &agent.extensions);
    // another implementation of either side lists the same and gets the same
    let mut other = document();
    other["software"] = json!("another");
    let other = discovered(&other).unwrap();
    assert_eq!(negotiate_extensions(&other.extensions, &agent.extensions), used);
    assert_eq!(other, company);
}

#[test]
fn a_document_that_does_not_say_who_it_is_about_is_refused() {
    for (member, value) in [
        ("organization", json!(null)),
        ("organization", json!(["Example Outfitters", "example.com"])),
        ("organization", json!({ "name": "", "domain": "example.com" })),
        ("organization", json!({ "domain": "example.com" })),
        ("auth", json!(null)),
        ("auth", json!({ "issuer": 7 })),
        ("protocol_version", json!(0.2)),
    ] {
        let mut document = document();
        document[member] = value.clone();
        assert!(discovered(&document).is_none(), "{member} {value}");
    }
    for (member, value) in [
        ("client_id", json!("http://agent.example/client.json")),
        ("client_id", json!("https://agent.example/client.json#x")),
        ("client_name", json!(" ")),
    ] {
        let mut metadata = metadata();
        metadata[member] = value.clone();
        let read = ClientMetadata::from_json(metadata.to_string().as_bytes());
        assert!(read.is_err(), "{member} {value}");
    }
    let twice =
        document().to_string().replacen('{', r#"{"auth":{"issuer":"https://evil.example"},"#, 1);
    assert!(Discovery::from_json(twice.as_bytes()).is_err());
    let long = format!("{}{}", document(), " ".repeat(Discovery::BYTES_MAX));
    assert!(Discovery::from_json(long.as_bytes()).is_err());
}

/// OPS-2-3
#[test]
fn an_entry_with_a_resource_says_so() {
    let endpoint = "https://api.example.com/poppy/operations".parse().unwrap();
    let entry = operations_entry(&endpoint, Some("https://api.example.com/poppy"));
    let written = serde_json::to_string(&entry).unwrap();
    assert_eq!(
        written,
        r#"{"version":"1","endpoint":"https://api.example.com/poppy/operations","resource":"https://api.example.com/poppy"}"#,
    );
    let mut document = document();
    document["extensions"]["operations"] = serde_json::from_str(&written).unwrap();
    let company = discovered(&document).unwrap();
    let agent = ClientMetadata::from_json(metadata().to_string().as_bytes()).unwrap();
    let endpoint = operations_endpoint(&company.extensions, &agent.extensions).unwrap();
    assert_eq!(endpoint.resource.as_deref(), Some("https://api.example.com/poppy"));
}
