//! What two sides use with each other.

use std::collections::BTreeMap;

use pap_protocol::extensions::{
    ExtensionDescriptor, ExtensionName, SUPPORTED_EXTENSIONS, lists_operations,
    negotiate_extensions, negotiate_with, operations_endpoint,
};
use proptest::prelude::*;

type Listed = BTreeMap<String, ExtensionDescriptor>;

const ENDPOINT: &str = "https://api.example.com/poppy/operations";

fn listed(entries: &[(&str, &str)]) -> Listed {
    let entry = |(name, version): &(&str, &str)| {
        ((*name).to_owned(), ExtensionDescriptor::new(*version).at(ENDPOINT))
    };
    entries.iter().map(entry).collect()
}

fn negotiated(company: &[(&str, &str)], agent: &[(&str, &str)]) -> Vec<(String, String)> {
    negotiate_extensions(&listed(company), &listed(agent)).into_iter().collect()
}

/// EXT-7, EXT-11
#[test]
fn an_extension_is_used_only_if_both_sides_list_it() {
    let operations = [("operations", "1")];
    assert_eq!(negotiated(&operations, &operations), [("operations".to_owned(), "1".to_owned())]);
    assert!(negotiated(&operations, &[]).is_empty());
    assert!(negotiated(&[], &operations).is_empty());
    assert!(negotiated(&[], &[]).is_empty());
}

/// EXT-8
#[test]
fn an_extension_is_used_only_at_the_same_major_version() {
    for (company, agent) in
        [("1", "2"), ("2", "1"), ("1", "01"), ("1", "1.0"), ("1", " 1"), ("1", "")]
    {
        let company = [("operations", company)];
        assert!(negotiated(&company, &[("operations", agent)]).is_empty(), "{agent:?}");
    }
}

/// EXT-9, EXT-10
#[test]
fn only_operations_version_1_is_supported() {
    assert_eq!(SUPPORTED_EXTENSIONS, [("operations", "1")]);
    for version in ["0", "2", "10", "01", "1.0", "one", ""] {
        let both = [("operations", version)];
        assert!(negotiated(&both, &both).is_empty(), "{version:?}");
    }
}

/// EXT-5
#[test]
fn extensions_that_are_not_known_change_nothing() {
    let company =
        [("operations", "1"), ("example.com/gift-wrap", "2"), ("Gift Wrap!", "1"), ("", "x")];
    let agent = [("operations", "1"), ("example.com/gift-wrap", "2"), ("later", "1")];
    assert_eq!(negotiated(&company, &agent), [("operations".to_owned(), "1".to_owned())]);
}

/// EXT-12
#[test]
fn a_host_can_support_an_extension_of_its_own() {
    let both =
        listed(&[("operations", "01"), ("example.com/gift-wrap", "2"), ("localhost/x", "1")]);
    let supported = [("example.com/gift-wrap", "2"), ("localhost/x", "1"), ("operations", "01")];
    let used = negotiate_with(&both, &both, &supported);
    assert_eq!(used, BTreeMap::from([("example.com/gift-wrap".to_owned(), "2".to_owned())]));
    // the host can speak two versions, and the one that both list is used
    let supported = [("operations", "1"), ("operations", "2")];
    let later = listed(&[("operations", "2")]);
    assert_eq!(negotiate_with(&later, &later, &supported)["operations"], "2");
}

/// EXT-3, EXT-4
#[test]
fn a_name_says_whose_extension_it_is() {
    for plain in ["operations", "gift-wrap", "a", "v2_x", "Operations"] {
        assert_eq!(ExtensionName::of(plain), ExtensionName::Protocol, "{plain}");
    }
    for (name, domain) in [
        ("example.com/gift-wrap", "example.com"),
        ("shop.example.co.uk/gift-wrap/v2.1", "shop.example.co.uk"),
        ("xn--bcher-kva.example/x", "xn--bcher-kva.example"),
    ] {
        assert_eq!(ExtensionName::of(name), ExtensionName::ThirdParty { domain }, "{name}");
    }
    let invalid = [
        "",
        "/",
        "/x",
        "localhost/x",
        "Gift Wrap!",
        "example.com",
        "example.com/",
        "example.com//x",
        "example.com/gift wrap",
        "-a.com/x",
        "a..com/x",
        ".com/x",
        "example.com./x",
        "127.0.0.1/x",
        "https://example.com/x",
        "1x",
        "-x",
        "é",
        "exämple.com/x",
    ];
    for name in invalid {
        assert_eq!(ExtensionName::of(name), ExtensionName::Invalid, "{name}");
    }
}

/// EXT-14
#[test]
fn the_operations_endpoint_is_the_companys_if_both_list_operations() {
    let company = listed(&[("operations", "1")]);
    let mut agent = listed(&[("operations", "1")]);
    agent.get_mut("operations").unwrap().endpoint = Some("https://agent.example/".to_owned());
    let endpoint = operations_endpoint(&company, &agent).unwrap();
    assert_eq!((endpoint.endpoint.as_str(), &endpoint.resource), (ENDPOINT, &None));
    let id = "exc_5Rt2".parse().unwrap();
    assert_eq!(endpoint.operation(&id), format!("{ENDPOINT}/exc_5Rt2"));
    assert_eq!(endpoint.confirm(&id), format!("{ENDPOINT}/exc_5Rt2/confirm"));
    assert_eq!(endpoint.cancel(&id), format!("{ENDPOINT}/exc_5Rt2/cancel"));
    assert_eq!(operations_endpoint(&company, &Listed::new()), None);
    assert_eq!(operations_endpoint(&Listed::new(), &agent), None);
    assert_eq!(operations_endpoint(&company, &listed(&[("operations", "2")])), None);
}

/// EXT-14
#[test]
fn without_an_https_endpoint_operations_are_not_used() {
    let agent = listed(&[("operations", "1")]);
    let company = |entry: &str| -> Listed {
        BTreeMap::from([("operations".to_owned(), serde_json::from_str(entry).unwrap())])
    };
    let none = [
        r#"{"version":"1"}"#,
        r#"{"version":"1","endpoint":null}"#,
        r#"{"version":"1","endpoint":7}"#,
        r#"{"version":"1","endpoint":["https://api.example.com"]}"#,
        r#"{"version":"1","endpoint":""}"#,
        r#"{"version":"1","endpoint":"http://api.example.com/poppy"}"#,
        r#"{"version":"1","endpoint":"/poppy"}"#,
        r#"{"version":"1","endpoint":"https://user@api.example.com/poppy"}"#,
        r#"{"version":"1","endpoint":"https://api.example.com/poppy?x=1"}"#,
        r#"{"version":"1","endpoint":"https://api.example.com/poppy#x"}"#,
        r#"{"version":"1","endpoint":"https://api.example.com/poppy","resource":7}"#,
    ];
    for entry in none {
        assert_eq!(operations_endpoint(&company(entry), &agent), None, "{entry}");
    }
    let restricted = r#"{"version":"1","endpoint":"https://api.example.com/poppy/","resource":"https://api.example.com"}"#;
    let endpoint = operations_endpoint(&company(restricted), &agent).unwrap();
    assert_eq!(endpoint.endpoint.as_str(), "https://api.example.com/poppy");
    assert_eq!(endpoint.resource.as_deref(), Some("https://api.example.com"));
}

#[test]
fn a_company_knows_an_agent_that_lists_operations_by_name_and_version() {
    assert!(lists_operations(&listed(&[("later", "9"), ("operations", "1")])));
    assert!(!lists_operations(&listed(&[("operations", "2")])));
    assert!(!lists_operations(&listed(&[("example.com/operations", "1")])));
    assert!(!lists_operations(&Listed::new()));
}

#[test]
fn members_of_other_extensions_are_kept() {
    let text = r#"{"version":"2","endpoint":"https://example.com/","papers":[1.50, "a"],"resource":{"a":1}}"#;
    let entry: ExtensionDescriptor = serde_json::from_str(text).unwrap();
    assert_eq!(entry.others["papers"].get(), r#"[1.50, "a"]"#);
    assert_eq!(entry.resource, None);
    assert_eq!(serde_json::to_string(&entry).unwrap(), text);
    assert_ne!(entry, ExtensionDescriptor::new("2").at("https://example.com/"));
    for bad in [r#"{"version":1}"#, "{}", r#"["1"]"#, "null", "1"] {
        assert!(serde_json::from_str::<ExtensionDescriptor>(bad).is_err(), "{bad}");
    }
}

fn any_listed() -> impl Strategy<Value = Listed> {
    let name = prop_oneof!["operations", "example.com/gift-wrap", "[a-z!/. ]{0,12}"];
    let version = prop_oneof!["1", "2", "[0-9. a-z]{0,3}"];
    let entry = version.prop_map(|version| ExtensionDescriptor::new(version).at(ENDPOINT));
    prop::collection::btree_map(name, entry, 0..4)
}

proptest! {
    /// EXT-11, EXT-13
    #[test]
    fn both_sides_negotiate_the_same_whatever_is_listed(company in any_listed(), agent in any_listed()) {
        let used = negotiate_extensions(&company, &agent);
        prop_assert_eq!(&used, &negotiate_extensions(&agent, &company));
        for (name, version) in &used {
            prop_assert!(SUPPORTED_EXTENSIONS.contains(&(name.as_str(), version.as_str())));
            prop_assert_eq!(&company[name].version, version);
            prop_assert_eq!(&agent[name].version, version);
        }
        let endpoint = operations_endpoint(&company, &agent);
        prop_assert_eq!(endpoint.is_some(), used.contains_key("operations"));
    }

    #[test]
    fn no_name_is_too_strange(name: String) {
        if let ExtensionName::ThirdParty { domain } = ExtensionName::of(&name) {
            let rest = name.strip_prefix(domain).unwrap();
            prop_assert!(rest.starts_with('/'));
        }
    }
}
