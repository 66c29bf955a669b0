//! What the OpenAPI document promises to a caller.

use std::collections::BTreeSet;

use openapiv3::OpenAPI;
use pap_codegen::Exit;
use serde_json::{Value, json};

use crate::project::{CONFIG, Project, gallery};
use crate::{schema, structure};

const METHODS: [&str; 5] = ["get", "put", "post", "delete", "patch"];

fn document_of(project: &Project) -> Value {
    project.done(&["generate", "openapi"]);
    project.json("generated/openapi.json")
}

fn document() -> Value {
    document_of(&Project::gallery())
}

/// Method, path and description of every endpoint.
fn endpoints(document: &Value) -> Vec<(String, String, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    paths
        .flat_map(|(path, item)| METHODS.map(|method| (method, path, &item[method])))
        .filter(|(_, _, endpoint)| !endpoint.is_null())
        .map(|(method, path, endpoint)| (method.to_owned(), path.clone(), endpoint))
        .collect()
}

/// A response of an endpoint, wherever it is written.
fn response<'a>(document: &'a Value, endpoint: &'a Value, status: &str) -> &'a Value {
    let response = &endpoint["responses"][status];
    match response["$ref"].as_str() {
        Some(pointer) => document.pointer(pointer.trim_start_matches('#')).unwrap(),
        None => response,
    }
}

fn body_schema(answer: &Value) -> &str {
    let pointer = &answer["content"]["application/json"]["schema"]["$ref"];
    pointer.as_str().unwrap().rsplit('/').next().unwrap()
}

#[test]
fn the_document_reads_back_as_openapi_and_nothing_is_lost() {
    let document = document();
    let read: OpenAPI = serde_json::from_value(document.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), document);
    assert_eq!(read.openapi, "3.0.3");
}

#[test]
fn every_reference_resolves_and_every_form_has_a_name() {
    assert_eq!(structure::faults(&document()), Vec::<String>::new());
}

/// OPS-1-4
#[test]
fn only_declared_operations_and_the_operations_endpoint_are_described() {
    let catalogue = gallery();
    let mut expected: BTreeSet<(String, String)> = catalogue["operations"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|entry| !entry["route"].is_null())
        .map(|entry| {
            let method = entry["route"]["method"].as_str().unwrap().to_lowercase();
            (method, entry["route"]["path"].as_str().unwrap().to_owned())
        })
        .collect();
    for (method, path) in [("get", ""), ("post", "/confirm"), ("post", "/cancel")] {
        expected.insert((method.into(), format!("/poppy/operations/{{operation_id}}{path}")));
    }
    let document = document();
    let found = endpoints(&document).into_iter().map(|(method, path, _)| (method, path));
    assert_eq!(found.collect::<BTreeSet<_>>(), expected);
}

/// OPS-4.1-3
#[test]
fn a_proposing_endpoint_answers_202_with_the_operation_and_no_other_does() {
    let document = document();
    for (method, path, endpoint) in endpoints(&document) {
        let good: Vec<&String> = endpoint["responses"]
            .as_object()
            .unwrap()
            .keys()
            .filter(|key| key.starts_with('2'))
            .collect();
        if endpoint["x-pap-operation"].is_null() {
            assert_eq!(good, ["200"], "{method} {path}");
            assert_eq!(body_schema(&endpoint["responses"]["200"]), "Operation");
            continue;
        }
        assert_eq!(good, ["202"], "{method} {path}");
        let proposed = body_schema(&endpoint["responses"]["202"]);
        let schema = &document["components"]["schemas"][proposed];
        assert_eq!(schema["required"], json!(["operation"]));
        let operation = schema["properties"]["operation"]["$ref"].as_str().unwrap();
        assert!(operation.ends_with("Operation"), "{operation}");
        assert!(endpoint.to_string().contains("operation"), "{method} {path}");
    }
}

/// OPS-4.1-2
#[test]
fn a_request_is_what_it_is_without_the_extension() {
    let document = document();
    let exchange = &document["paths"]["/orders/{order_id}/exchanges"]["post"];
    let body = &document["components"]["schemas"][body_schema(&exchange["requestBody"])];
    let sent: Vec<&String> = body["properties"].as_object().unwrap().keys().collect();
    assert_eq!(sent, ["item_id", "replacement_sku"]);
    assert_eq!(exchange["parameters"].as_array().unwrap().len(), 1);
    assert_eq!(exchange["parameters"][0]["name"], "order_id");
    // a request is not terms: nothing in it is judged, and unknown members are ignored
    assert!(!body.to_string().contains("x-pap-term"));
    assert!(body["additionalProperties"].is_null());
}

/// OPS-9-1
#[test]
fn every_refusal_is_json_with_an_error_member() {
    let document = document();
    for (method, path, endpoint) in endpoints(&document) {
        for status in endpoint["responses"].as_object().unwrap().keys() {
            if status.starts_with('2') {
                continue;
            }
            let schema = body_schema(response(&document, endpoint, status)).to_owned();
            let required = &document["components"]["schemas"][&schema]["required"];
            let has_error = required.as_array().unwrap().contains(&json!("error"));
            assert!(has_error, "{method} {path} {status}");
        }
    }
}

/// OPS-9-2, OPS-9-3, OPS-9-6, OPS-9-7
#[test]
fn every_error_is_under_its_status_with_its_headers() {
    let document = document();
    for (method, path, endpoint) in endpoints(&document) {
        let at = format!("{method} {path}");
        let says = |status: &str, code: &str| {
            let answer = response(&document, endpoint, status);
            let description = answer["description"].as_str().unwrap_or_default();
            assert!(description.contains(&format!("`{code}`")), "{at} {status}: no {code}");
            answer
        };
        for code in ["invalid_token", "invalid_dpop_proof", "use_dpop_nonce"] {
            let answer = says("401", code);
            assert!(answer["headers"]["WWW-Authenticate"].is_object(), "{at}");
            assert!(answer["headers"]["DPoP-Nonce"].is_object(), "{at}");
        }
        for code in ["sign_in_required", "insufficient_scope", "extension_required"] {
            assert!(says("403", code)["headers"]["WWW-Authenticate"].is_object(), "{at}");
        }
        assert!(says("429", "rate_limited")["headers"]["Retry-After"].is_object(), "{at}");
        if endpoint["x-pap-operation"].is_null() {
            says("404", "operation_not_found");
            assert!(endpoint["responses"]["200"]["headers"]["Retry-After"].is_object(), "{at}");
        } else {
            assert!(endpoint["responses"]["404"].is_null(), "{at}");
            assert!(endpoint["responses"]["4XX"].is_object(), "{at}");
        }
        if path.ends_with("/confirm") {
            says("403", "user_approval_required");
            says("409", "terms_changed");
        }
    }
}

/// OPS-9-4
#[test]
fn terms_changed_carries_the_current_operation() {
    let document = document();
    let confirm = &document["paths"]["/poppy/operations/{operation_id}/confirm"]["post"];
    let schema = body_schema(response(&document, confirm, "409")).to_owned();
    let refusal = json!({ "error": "terms_changed", "operation": proposed() });
    assert_eq!(schema::faults(&document, &schema, &refusal), Vec::<String>::new());
    let bare = json!({ "error": "terms_changed" });
    assert_eq!(schema::faults(&document, &schema, &bare).len(), 1);
}

/// The specification's own example (section 3).
fn proposed() -> Value {
    json!({
        "operation_id": "exc_5Rt2",
        "revision": 1,
        "state": "proposed",
        "summary": "Exchange the Stormline Jacket (M) on order ord_7Hk2 for the Stormline Insulated \
                    Jacket (M), for $70.00 more, charged to the card used for the order.",
        "terms": {
            "order_id": "ord_7Hk2",
            "item_id": "itm_4Qa",
            "replacement_sku": "stormline-insulated-m",
            "price_difference": { "amount": "70.00", "currency": "USD" }
        },
        "expires_at": "2026-10-08T12:20:00-07:00",
        "user_approval_required": false,
        "url": "https://example.com/orders/ord_7Hk2/exchanges/exc_5Rt2",
        "confirmation": null,
        "result": null
    })
}

#[test]
fn the_operations_of_the_specification_fit_their_schemas() {
    let document = document();
    let fits = |name: &str, value: &Value| schema::faults(&document, name, value);
    let proposed = proposed();
    assert_eq!(fits("OrdersExchangeOperation", &proposed), Vec::<String>::new());
    assert_eq!(fits("Operation", &proposed), Vec::<String>::new());
    let mut succeeded = proposed;
    succeeded["state"] = json!("succeeded");
    succeeded["confirmation"] = json!({
        "revision": 1, "approved_by": "user", "confirmed_at": "2026-10-08T12:04:31-07:00"
    });
    succeeded["result"] = json!({
        "summary": "Exchange placed.",
        "data": { "exchange_id": "exc_5Rt2", "return_id": "rtn_8Lp3" }
    });
    assert_eq!(fits("OrdersExchangeOperation", &succeeded), Vec::<String>::new());
    succeeded.as_object_mut().unwrap().remove("result");
    assert_eq!(fits("OrdersExchangeOperation", &succeeded).len(), 1);
}

#[test]
fn terms_are_closed_so_that_an_unknown_term_is_noticed() {
    let document = document();
    let mut operation = proposed();
    operation["terms"]["insurance"] = json!("yes");
    let faults = schema::faults(&document, "OrdersExchangeOperation", &operation);
    assert_eq!(faults, ["OrdersExchangeOperation.terms: `insurance` is unknown"]);
    for name in ["EverythingTerms", "Address", "PriceChangeCharged", "Money"] {
        let closed = &document["components"]["schemas"][name]["additionalProperties"];
        assert_eq!(closed, &json!(false), "{name}");
    }
}

#[test]
fn an_agent_finds_what_a_standing_permission_needs() {
    let document = document();
    let facts = &document["paths"]["/orders/{order_id}/exchanges"]["post"]["x-pap-operation"];
    assert_eq!(
        *facts,
        json!({
            "version": "1",
            "action": "orders.exchange",
            "terms": "#/components/schemas/ExchangeTerms",
            "terms_version": 1,
            "summary": "Exchange the {item} on order {order_id} for the {replacement}, for \
                        {price_difference} more, charged to the card used for the order.",
            "scopes": ["orders:write"],
            "expires_in": "PT15M",
            "user_approval": "optional",
            "without_extension": "refuse"
        })
    );
    let terms = &document["components"]["schemas"]["ExchangeTerms"]["properties"];
    for (term, facts) in [
        ("item_id", json!({ "kind": "text", "role": "subject", "shown_as": "item" })),
        ("price_difference", json!({ "kind": "money", "role": "charge" })),
    ] {
        assert_eq!(terms[term]["x-pap-term"], facts, "{term}");
    }
    let everything = &document["components"]["schemas"]["EverythingTerms"]["properties"];
    for (term, property) in everything.as_object().unwrap() {
        assert!(property["x-pap-term"]["kind"].is_string(), "{term}");
    }
}

#[test]
fn values_keep_their_bounds() {
    let document = document();
    let terms = &document["components"]["schemas"]["EverythingTerms"]["properties"];
    assert_eq!((&terms["small"]["minimum"], &terms["small"]["maximum"]), (&json!(0), &json!(255)));
    assert_eq!(terms["signed"]["minimum"], json!(-2_147_483_649_i64));
    assert_eq!(terms["huge"]["format"], "uint64");
    assert_eq!(terms["items"]["maxItems"], 5);
    let many = json!({ "items": ["a", "b", "c", "d", "e", "f"] });
    let faults = schema::faults(&document, "EverythingTerms", &many);
    assert!(faults.contains(&"EverythingTerms.items: more than 5".to_owned()), "{faults:?}");
}

#[test]
fn a_choice_is_told_apart_by_its_kind() {
    let document = document();
    let charged = json!({ "kind": "charged", "amount": { "amount": "7.00", "currency": "USD" } });
    assert_eq!(schema::faults(&document, "PriceChange", &charged), Vec::<String>::new());
    let free = json!({ "kind": "no_cost" });
    assert_eq!(schema::faults(&document, "PriceChange", &free), Vec::<String>::new());
    for wrong in [json!({ "kind": "charged" }), json!({ "kind": "gift" }), json!({})] {
        assert_eq!(schema::faults(&document, "PriceChange", &wrong).len(), 1, "{wrong}");
    }
}

#[test]
fn two_types_with_one_name_are_refused_with_both_places() {
    let mut catalogue = gallery();
    catalogue["operations"][1]["terms"]["record"]["members"][0]["schema"]["origin"] =
        json!("shop::legacy::OrderId");
    let project = Project::of(CONFIG, &catalogue);
    let ran = project.run(&["generate"]);
    ran.says(
        Exit::Declarations,
        &[
            "error[PAP0121]",
            "`OrderId` is the name of two schemas",
            "shop::values::OrderId",
            "shop::legacy::OrderId",
        ],
    );
    assert!(!project.has("generated"));
}

#[test]
fn the_protocols_own_names_are_taken() {
    let mut catalogue = gallery();
    catalogue["operations"][5]["terms"]["record"]["name"] = json!("Operation");
    let ran = Project::of(CONFIG, &catalogue).run(&["generate"]);
    ran.says(
        Exit::Declarations,
        &[
            "`Operation` is the name of two schemas",
            "one is of the Personal Agent Protocol, the other of shop::operations::CloseTerms",
        ],
    );
    let mut catalogue = gallery();
    catalogue["operations"][5]["action"] = json!("confirm.operation");
    catalogue["operations"][5]["tool"] = json!("confirm_operation");
    let ran = Project::of(CONFIG, &catalogue).run(&["generate"]);
    ran.says(Exit::Declarations, &["`confirm_operation` is the `operationId` of two endpoints"]);
}

#[test]
fn a_name_that_openapi_does_not_allow_is_refused() {
    let mut catalogue = gallery();
    catalogue["operations"][5]["terms"]["record"]["name"] = json!("Größe");
    let ran = Project::of(CONFIG, &catalogue).run(&["generate"]);
    ran.says(Exit::Declarations, &["error[PAP0122]", "`Größe` cannot name a schema in OpenAPI"]);
}

#[test]
fn a_route_inside_the_operations_endpoint_is_refused() {
    let mut catalogue = gallery();
    catalogue["operations"][1]["route"]["path"] = json!("/poppy/operations/{order_id}/cancel");
    let ran = Project::of(CONFIG, &catalogue).run(&["generate"]);
    ran.says(
        Exit::Declarations,
        &["error[PAP0123]", "`orders.gift_note` is inside the operations"],
    );
}

#[test]
fn a_body_with_delete_is_described_and_warned_about() {
    let mut catalogue = gallery();
    catalogue["operations"][1]["route"]["method"] = json!("DELETE");
    catalogue["operations"][2]["route"] = Value::Null;
    let project = Project::of(CONFIG, &catalogue);
    project.run(&["generate"]).says(Exit::Done, &["warning[PAP0124]", "with DELETE"]);
    let document = project.json("generated/openapi.json");
    let remove = &document["paths"]["/orders/{order_id}/gift-note"]["delete"];
    assert_eq!(body_schema(&remove["requestBody"]), "OrdersGiftNoteBody");
}
