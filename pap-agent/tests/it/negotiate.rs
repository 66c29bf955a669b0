//! Operations are used only where both sides list them.

use pap_agent::{Agent, Company, NotNegotiated};
use serde_json::{Value, json};

use crate::host::discovery;

fn negotiate(document: &Value) -> Result<Company, NotNegotiated> {
    Company::negotiate("example.com", document.to_string().as_bytes(), &Agent::extensions())
}

fn with_operations(entry: Value) -> Value {
    let mut document = discovery();
    document["extensions"]["operations"] = entry;
    document
}

/// OPS-2-4, EXT-2
#[test]
fn the_agent_lists_operations_1_in_its_client_metadata() {
    let listed = serde_json::to_value(Agent::extensions()).unwrap();
    assert_eq!(listed, json!({ "operations": { "version": "1" } }));
}

/// OPS-1-6, EXT-14
#[test]
fn the_endpoint_is_the_one_of_the_negotiated_entry() {
    let company = negotiate(&discovery()).unwrap();
    assert_eq!(company.endpoint(), "https://api.example.com/poppy/operations");
    assert_eq!((company.name(), company.domain()), ("Example Outfitters", "example.com"));
    assert_eq!(company.resource(), None);
}

/// EXT-14
#[test]
fn without_a_usable_entry_operations_are_not_used() {
    let endpoint = "https://api.example.com/poppy/operations";
    for entry in [
        json!(null),
        json!("1"),
        json!({ "version": "1" }),
        json!({ "version": "2", "endpoint": endpoint }),
        json!({ "version": 1, "endpoint": endpoint }),
        json!({ "version": "1", "endpoint": 7 }),
        json!({ "version": "1", "endpoint": "http://api.example.com/poppy/operations" }),
        json!({ "version": "1", "endpoint": "http://127.0.0.1:8080/poppy/operations" }),
        json!({ "version": "1", "endpoint": "https://user@api.example.com/poppy/operations" }),
        json!({ "version": "1", "endpoint": endpoint, "resource": 7 }),
    ] {
        let refused = negotiate(&with_operations(entry.clone()));
        assert!(matches!(refused, Err(NotNegotiated::NoOperations)), "{entry}: {refused:?}");
    }
}

/// EXT-5, EXT-6
#[test]
fn unknown_extensions_and_members_change_nothing() {
    let mut document = discovery();
    let plain = negotiate(&document).unwrap();
    document["extensions"]["example.com/gift-wrap"] = json!({ "version": "2" });
    document["extensions"]["no name at all!"] = json!([1, { "version": "1.2.3" }]);
    document["extensions"]["operations"]["from"] = json!("the future");
    document["organization"]["motto"] = json!({ "deep": [1, 2, 3] });
    document["colour"] = json!("green");
    assert_eq!(negotiate(&document).unwrap(), plain);
}

/// EXT-15
#[test]
fn no_extension_changes_who_issues_tokens() {
    let company = negotiate(&with_operations(json!({
        "version": "1",
        "endpoint": "https://operations.elsewhere.example/poppy/operations",
        "issuer": "https://evil.example",
        "auth": { "issuer": "https://evil.example" }
    })));
    assert_eq!(company.unwrap().issuer(), Some("https://api.example.com"));
}

#[test]
fn a_document_of_another_domain_or_version_or_with_doubtful_json_is_refused() {
    let document = discovery().to_string();
    let other = Company::negotiate("example.org", document.as_bytes(), &Agent::extensions());
    assert!(matches!(other, Err(NotNegotiated::OtherDomain { .. })));

    let mut later = discovery();
    later["protocol_version"] = json!("0.3");
    assert!(matches!(negotiate(&later), Err(NotNegotiated::Version)));

    let twice = document.replacen("\"organization\"", "\"organization\":{},\"organization\"", 1);
    let twice = Company::negotiate("example.com", twice.as_bytes(), &Agent::extensions());
    assert!(matches!(twice, Err(NotNegotiated::Document(_))));
}
