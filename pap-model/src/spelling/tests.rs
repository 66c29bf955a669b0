use proptest::prelude::*;

use super::*;

#[test]
fn lifetimes_are_whole_seconds() {
    for (text, expected) in [
        ("1s", 1),
        ("90s", 90),
        ("15m", 900),
        ("1h30m", 5400),
        ("2d", 172_800),
        ("365d", MAX_LIFETIME_S),
    ] {
        assert_eq!(lifetime(text), Ok(expected), "{text}");
    }
    for wrong in [
        "",
        "15",
        "m",
        "0s",
        "0m0s",
        "1.5h",
        "15 m",
        "30m1h",
        "1m1m",
        "-1s",
        "366d",
        "1w",
        "99999999999999999999d",
    ] {
        assert!(lifetime(wrong).is_err(), "{wrong} passes");
    }
}

#[test]
fn final_operations_are_kept_for_a_day_at_least_and_not_for_ever() {
    let kept = [("1d", MIN_RETENTION_S), ("24h", MIN_RETENTION_S), ("7300d", MAX_RETENTION_S)];
    for (text, expected) in kept {
        assert_eq!(retention(text), Ok(expected), "{text}");
    }
    for wrong in ["", "90", "90 d", "0d", "23h59m59s", "7300d1s", "99999999999999999999d"] {
        assert!(retention(wrong).is_err(), "{wrong} passes");
    }
}

#[test]
fn a_reference_names_members_of_the_request() {
    let text = |text: &str| ReferencePart::Text(text.to_owned());
    let member = |name: &str| ReferencePart::Member(name.to_owned());
    assert_eq!(reference("{id}"), Ok(vec![member("id")]));
    assert_eq!(reference("order:{order-id}"), Ok(vec![text("order:"), member("order-id")]));
    let parts = vec![text("o/"), member("a"), text("#"), member("b"), text(".x")];
    assert_eq!(reference("o/{a}#{b}.x"), Ok(parts));
    let long = format!("{}{{id}}", "a".repeat(65));
    for wrong in [
        "",
        "order",
        "order:{",
        "order:}",
        "order:{}",
        "order:{0}",
        "{a b}",
        "{a:iso}",
        "{{a}}",
        "{a}\n",
        "order {a}",
        &long,
    ] {
        assert!(reference(wrong).is_err(), "{wrong} passes");
    }
}

#[test]
fn actions_are_lower_case_words() {
    for right in ["exchange", "orders.exchange", "orders.gift_note", "v2.a1"] {
        assert_eq!(action(right), Ok(()), "{right}");
    }
    for wrong in [
        "",
        ".",
        "orders.",
        "Orders.exchange",
        "orders exchange",
        "1a",
        "a-b",
        "é",
        &"a".repeat(65),
    ] {
        assert!(action(wrong).is_err(), "{wrong} passes");
    }
    assert_eq!(tool("orders.gift_note"), "orders_gift_note");
}

#[test]
fn scopes_and_prefixes_keep_their_alphabets() {
    assert!(scope("orders:write").is_ok() && scope("https://api.example.com/a").is_ok());
    assert!(["", "a b", "a\"b", "a\\b", "é"].iter().all(|wrong| scope(wrong).is_err()));
    assert!(id_prefix("exc").is_ok() && id_prefix("o2").is_ok());
    assert!(
        ["", "Exc", "exc_", "2o", &"a".repeat(17)].iter().all(|wrong| id_prefix(wrong).is_err())
    );
}

#[test]
fn a_route_is_cut_at_each_slash() {
    let route = route("POST /orders/{order_id}/gift-note").unwrap();
    assert_eq!(route.method, "POST");
    assert_eq!(route.path, "/orders/{order_id}/gift-note");
    let fixed = |text: &str| Segment::Fixed(text.to_owned());
    let parameter = Segment::Parameter("order_id".to_owned());
    assert_eq!(route.segments, [fixed("orders"), parameter, fixed("gift-note")]);
    assert_eq!(route.parameters().collect::<Vec<_>>(), ["order_id"]);
}

#[test]
fn a_route_that_routers_read_differently_is_refused() {
    for wrong in [
        "",
        "/orders",
        "GET /orders",
        "post /orders",
        "POST orders",
        "POST /",
        "POST /orders/",
        "POST /orders//x",
        "POST /orders/..",
        "POST /orders/{order_id",
        "POST /orders/{}",
        "POST /orders/{*rest}",
        "POST /orders/x{order_id}",
        "POST /a/{b}/{b}",
        "POST /orders?x=1",
        "POST /orders#x",
        "POST /orders/%41",
        "POST  /orders",
    ] {
        assert!(route(wrong).is_err(), "{wrong} passes");
    }
}

#[test]
fn a_near_name_is_found_and_a_far_one_is_not() {
    let keys = ["expires_in", "identity", "action"];
    assert_eq!(nearest("expire_in", keys), Some("expires_in"));
    assert_eq!(nearest("acton", keys), Some("action"));
    assert_eq!(nearest("order", ["order_id", "note"]), Some("order_id"));
    assert_eq!(nearest("colour", keys), None);
    assert_eq!(distance("swap", "sawp"), 1);
}

proptest! {
    #[test]
    fn no_text_stops_the_readers(text in "\\PC*") {
        let _read = (lifetime(&text), retention(&text), reference(&text), action(&text), scope(&text), id_prefix(&text), route(&text));
    }

    #[test]
    fn a_route_keeps_its_path(segments in proptest::collection::vec("[a-z0-9-]{1,6}", 1..5)) {
        let path = format!("/{}", segments.join("/"));
        let route = route(&format!("PUT {path}")).unwrap();
        prop_assert_eq!(route.path, path);
        prop_assert_eq!(route.segments.len(), segments.len());
    }

    #[test]
    fn distance_is_symmetric_and_zero_only_for_the_same(a in "[a-c]{0,6}", b in "[a-c]{0,6}") {
        prop_assert_eq!(distance(&a, &b), distance(&b, &a));
        prop_assert_eq!(distance(&a, &b) == 0, a == b);
    }
}
