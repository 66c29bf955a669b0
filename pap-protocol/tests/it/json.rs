//! Strict JSON, canonical text, and raw text with members left out.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Formatter;

use pap_protocol::json::{Limits, canonical, project, strict, strict_as};
use proptest::prelude::*;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

#[track_caller]
fn check_refused(text: &[u8], because: &str, at: Option<usize>) {
    let refused = strict(text, Limits::default()).unwrap_err();
    assert!(refused.problem().contains(because), "{refused}");
    assert_eq!(refused.at(), at, "{refused}");
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    check_refused(b"", "ends before", Some(0));
    check_refused(b"{\"a\":\n[1,", "ends before", Some(9));
    check_refused(b"{\"a\":NaN}", "not JSON", Some(5));
    check_refused(b"{\"a\":\n Infinity}", "not JSON", Some(7));
    check_refused(b"{} {}", "not JSON", Some(3));
    check_refused(b"\"\xff\"", "not UTF-8", Some(1));
    check_refused(b"\xef\xbb\xbf{}", "not JSON", Some(0));
    check_refused(b"{\"a\":\"\\ud800\"}", "half of a surrogate pair", Some(5));
    check_refused(b"{\"\\udc00\":1}", "half of a surrogate pair", Some(1));
    check_refused(b"{\"a\":1,\"b\":2,\"a\":3}", "two members", Some(13));
}

#[test]
fn a_name_that_is_there_twice_is_refused_at_any_depth_and_however_it_is_escaped() {
    let refused = [
        r#"{"a":1,"a":1}"#,
        r#"{"a":1,"\u0061":1}"#,
        r#"{"\u0061":1,"\u0061":1}"#,
        r#"{"é":1,"\u00e9":1}"#,
        r#"{"😀":1,"\ud83d\ude00":1}"#,
        r#"{"/":1,"\/":1}"#,
        r#"{"":1,"":1}"#,
        r#"[{"b":[{"a":{},"a":[]}]}]"#,
        r#"{"x":{"a":1},"y":{"a":1,"b":{"a":2},"a":3}}"#,
    ];
    for text in refused {
        let refused = strict(text.as_bytes(), Limits::default()).unwrap_err();
        assert!(refused.problem().contains("two members"), "{text}");
    }
    let accepted = [
        r#"{"a":{"a":{"a":"a"}},"b":[{"a":1},{"a":1}],"A":"a","c":"a","d":["a","a"]}"#,
        // composed and decomposed: other characters, other names
        "{\"\u{e9}\":1,\"e\u{301}\":1}",
        r#"{"a\"":1,"a":"\":","b\\":2,"b":"\\"}"#,
    ];
    for text in accepted {
        assert_eq!(strict(text.as_bytes(), Limits::default()).unwrap(), text);
    }
}

#[test]
fn size_and_depth_are_limited_and_no_nesting_exhausts_the_stack() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(strict(nested(64).as_bytes(), Limits::default()).is_ok());
    let refused = strict(nested(65).as_bytes(), Limits::default()).unwrap_err();
    assert_eq!(refused.to_string(), "it is nested more than 64 deep, noticed at byte 64");
    let objects = format!("{}1{}", "{\"a\":".repeat(65), "}".repeat(65));
    assert!(strict(objects.as_bytes(), Limits::default()).is_err());
    let mut limits = Limits::bytes(16 * 1024 * 1024);
    assert!(strict(nested(1_000_000).as_bytes(), limits).is_err());
    limits.depth_max = usize::MAX;
    assert!(strict(nested(1_000_000).as_bytes(), limits).is_ok());
    assert!(strict(b"[1,2]", Limits::bytes(5)).is_ok());
    let refused = strict(b"[1,2] ", Limits::bytes(5)).unwrap_err();
    assert_eq!(refused.to_string(), "it has more than 5 bytes");
    let big = format!("\"{}\"", "a".repeat(1024 * 1024));
    assert!(strict_as::<String>(big.as_bytes()).is_err());
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "what is read is not looked at, whether it is read is")]
struct Request {
    order_id: String,
    quantity: u8,
    size: Size,
}

#[derive(Debug, Deserialize)]
enum Size {
    M,
}

#[test]
fn what_does_not_fit_a_type_is_said_without_its_value() {
    let secret = "sat_secret, expected nothing at line 9";
    let bodies = [
        format!(r#"{{"order_id":"o","quantity":"{secret}","size":"M"}}"#),
        format!(r#"{{"order_id":"o","quantity":1,"size":"{secret}"}}"#),
        format!(r#"{{"order_id":["{secret}"],"quantity":1,"size":"M"}}"#),
        format!(r#"{{"order_id":"{secret}","size":"M"}}"#),
        r#"{"order_id":"o","quantity":271828,"size":"M"}"#.to_owned(),
        r#"{"order_id":"o","quantity":1e999,"size":"M"}"#.to_owned(),
    ];
    let said: Vec<String> = bodies
        .iter()
        .map(|body| strict_as::<Request>(body.as_bytes()).unwrap_err().problem().to_owned())
        .collect();
    let expected = [
        "expected u8",
        "expected `M`",
        "expected a string",
        "missing member `quantity`",
        "expected u8",
        "a number or the nesting is out of range",
    ];
    assert_eq!(said, expected);
    let good = br#"{"order_id":"o","quantity":1,"size":"M","later":{}}"#;
    assert!(strict_as::<Request>(good).is_ok());
}

#[test]
fn canonical_text_depends_on_nothing_that_says_nothing() {
    let one = " { \"b\" : [ 1 , { \"z\" : null , \"y\" : \"\\u0041\\/\\n\" } , null ] ,\n \"a\" : 1.50 } ";
    let other = r#"{"a":1.50,"n":null,"b":[1,{"y":"A/\n"},null]}"#;
    assert_eq!(canonical(one), r#"{"a":1.50,"b":[1,{"y":"A/\n"},null]}"#);
    assert_eq!(canonical(other), canonical(one));
    for same in [
        "1",
        "-0",
        "1e400",
        "123456789012345678901234567890.10",
        "true",
        "null",
        r#""""#,
        "[]",
        "{}",
    ] {
        assert_eq!(canonical(same), same);
    }
    assert_eq!(canonical(r#"{"a\u0062":1,"ab":null}"#), "{}");
    assert_eq!(canonical(r#"{"\u0062":1,"a":2}"#), r#"{"a":2,"b":1}"#);
    assert_ne!(canonical("1"), canonical("1.0"));
    assert_eq!(canonical("{not json"), "{not json");
}

#[test]
fn a_projection_keeps_every_other_byte() {
    let raw = "{\n  \"a\": 1.50,\n  \"b\" : { \"a\": [ 1, 2 ] } ,\n  \"c\": \"}\"\n}";
    assert_eq!(project(raw, &|_| true), raw);
    assert_eq!(
        project(raw, &|name| name != "a"),
        "{\n  \"b\" : { \"a\": [ 1, 2 ] } ,\n  \"c\": \"}\"\n}"
    );
    assert_eq!(project(raw, &|name| name != "b"), "{\n  \"a\": 1.50,\n  \"c\": \"}\"\n}");
    assert_eq!(project(raw, &|name| name == "a"), "{\n  \"a\": 1.50}");
    assert_eq!(project(raw, &|_| false), "{}");
    assert_eq!(project(r#"{"\u0061":1,"b":2}"#, &|name| name != "a"), r#"{"b":2}"#);
    for other in ["[1]", "1", "{}", "{ }", "not json"] {
        assert_eq!(project(other, &|_| false), other);
    }
}

/// Reads a value the plain way, and fails where an object has a name twice.
struct EachNameOnce;

impl<'de> DeserializeSeed<'de> for EachNameOnce {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for EachNameOnce {
    type Value = ();

    fn expecting(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(Self)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let mut names = HashSet::new();
        while let Some(name) = object.next_key::<String>()? {
            object.next_value_seed(Self)?;
            if !names.insert(name) {
                return Err(A::Error::custom("twice"));
            }
        }
        Ok(())
    }
}

/// Whether `serde_json` reads it; `None` if it is the range of a number that stops it.
fn plainly(text: &str) -> Option<bool> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = EachNameOnce.deserialize(&mut deserializer).and_then(|()| deserializer.end());
    match read {
        Err(error) if error.to_string().contains("number out of range") => None,
        read => Some(read.is_ok()),
    }
}

/// Texts that look like JSON and often are.
fn almost_json() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(
        [
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"a\":",
            "\"b\":",
            "\"\\u0061\":",
            "\"a\"",
            "\"\\\"\"",
            "1",
            "-0.5e3",
            "01",
            "null",
            "true",
            " ",
            "\n",
            "\\",
            "\"",
            "\"\\ud83d\\ude00\"",
            "\"\\ud83d\"",
            "é",
            "\u{1}",
            "{\"a\":1}",
            "[1,2]",
            "{\"a\":1,\"b\":[]}",
        ]
        .as_slice(),
    );
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<i32>().prop_map(|eighths| Value::from(f64::from(eighths) / 8.0)),
        any::<String>().prop_map(Value::from),
        "[a-c\\\\\"/]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        let name = prop_oneof!["[a-c]{0,2}", any::<String>()];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(name, inner, 0..5)
                .prop_map(|members: BTreeMap<String, Value>| Value::from_iter(members)),
        ]
    })
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => members
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name, without_nulls(value)))
            .collect(),
        Value::Array(values) => values.into_iter().map(without_nulls).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value,
    }
}

proptest! {
    #[test]
    fn no_bytes_are_too_strange(bytes: Vec<u8>) {
        if let Ok(text) = strict(&bytes, Limits::default()) {
            prop_assert!(plainly(text).unwrap_or(true));
        }
    }

    #[test]
    fn what_is_accepted_is_what_serde_json_reads_with_each_name_once(text in almost_json()) {
        let accepted = strict(text.as_bytes(), Limits::default()).is_ok();
        prop_assert_eq!(accepted, plainly(&text).unwrap_or(accepted), "{}", text);
        // and nothing that takes text panics on it
        let again = canonical(&text);
        prop_assert_eq!(canonical(&again), again);
        drop(project(&text, &|name| name == "a"));
    }

    #[test]
    fn every_value_is_strict_and_has_one_canonical_text(value in value()) {
        let compact = value.to_string();
        let spacious = serde_json::to_string_pretty(&value).unwrap();
        prop_assert_eq!(strict(spacious.as_bytes(), Limits::default()).unwrap(), &spacious);
        let text = canonical(&compact);
        prop_assert_eq!(&canonical(&spacious), &text);
        prop_assert_eq!(&canonical(&text), &text);
        prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), without_nulls(value));
    }

    #[test]
    fn a_projection_is_the_object_without_the_members(
        members in prop::collection::btree_map("[a-d]", value(), 0..4), keep in "[a-d]{0,3}",
    ) {
        let raw = serde_json::to_string_pretty(&members).unwrap();
        let projected: BTreeMap<String, Value> =
            serde_json::from_str(&project(&raw, &|name| keep.contains(name))).unwrap();
        let kept = members.into_iter().filter(|(name, _)| keep.contains(name.as_str()));
        prop_assert_eq!(projected, kept.collect::<BTreeMap<_, _>>());
    }
}
