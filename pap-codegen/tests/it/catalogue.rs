//! Catalogues that are refused, and why.

use pap_codegen::Exit;
use serde_json::{Value, json};

use crate::project::{CONFIG, Project, gallery};

#[track_caller]
fn refused(change: impl FnOnce(&mut Value), words: &[&str]) {
    let mut catalogue = gallery();
    change(&mut catalogue);
    let project = Project::of(CONFIG, &catalogue);
    project.run(&["check"]).says(Exit::Declarations, words);
}

#[test]
fn a_file_that_is_no_catalogue_is_refused() {
    let project = Project::gallery();
    for (text, words) in [
        ("", "is no catalogue: EOF"),
        ("{\"format\":1}", "missing field `operations`"),
        ("{\"format\":1,\"operations\":[],\"more\":1}", "unknown field `more`"),
    ] {
        project.write("catalogue.json", text);
        project.run(&["check"]).says(Exit::Declarations, &["error[PAP0113]", words]);
    }
    let ran = project.run(&["check", "--catalogue", "nowhere.json"]);
    ran.says(Exit::Io, &["error[PAP0133]", "`nowhere.json` could not be read"]);
}

#[test]
fn a_later_format_is_refused_even_if_it_looks_different() {
    let project = Project::gallery();
    project.write("catalogue.json", "{\"format\":2,\"actions\":{}}");
    let ran = project.run(&["check"]);
    ran.says(Exit::Declarations, &["error[PAP0114]", "has format 2, this version reads 1"]);
}

#[test]
fn a_catalogue_of_nothing_is_refused() {
    refused(|catalogue| catalogue["operations"] = json!([]), &["error[PAP0115]", "no operation"]);
}

#[test]
fn two_operations_do_not_share_an_action_a_tool_or_a_route() {
    refused(
        |catalogue| catalogue["operations"][1]["action"] = json!("orders.exchange"),
        &[
            "error[PAP0116]",
            "`shop::exchange::Exchange` and `shop::gift_note::gift_note` both have \
                             the action `orders.exchange`",
        ],
    );
    refused(
        |catalogue| catalogue["operations"][1]["tool"] = json!("orders_exchange"),
        &["both have the tool name `orders_exchange`"],
    );
    refused(
        |catalogue| {
            catalogue["operations"][1]["route"] =
                json!({ "method": "POST", "path": "/orders/{note}/exchanges" });
        },
        &["both have the route `POST /orders/{}/exchanges`"],
    );
    refused(
        |catalogue| {
            catalogue["operations"][2]["route"] =
                json!({ "method": "DELETE", "path": "/orders/{id}/gift-note" });
            catalogue["operations"][2]["request"]["members"][0]["name"] = json!("id");
        },
        &["name the parameters of one path differently"],
    );
}

#[test]
fn what_cannot_be_described_is_refused_with_its_operation() {
    let text = json!({ "type": "text" });
    let exchange = |path: &'static str, value: Value, words: &str| {
        let words = ["error[PAP0117]", "`orders.exchange` cannot be described", words];
        refused(
            |catalogue| *catalogue.pointer_mut(&format!("/operations/0/{path}")).unwrap() = value,
            &words,
        );
    };
    exchange("request", text.clone(), "its request is neither an object nor nothing");
    exchange("route/method", json!("GET"), "its method is not POST, PUT, PATCH or DELETE");
    exchange("route/path", json!("/orders/{id}"), "its route has `{id}`, its request does not");
    exchange("expires_in_s", json!(0), "it expires at once");
    exchange("tool", json!("a b"), "its tool name has other signs");
    exchange(
        "request/members/0/schema",
        json!({ "type": "optional", "of": text }),
        "`order_id` is in its route and is no single value",
    );
    exchange("terms/record/members/0/name", json!("item_id"), "two members `item_id`");
    exchange("terms/record/members/0/schema", json!({ "type": "nothing" }), "has no value");
    exchange(
        "terms/record/members/0/schema",
        json!({ "type": "list", "of": { "type": "optional", "of": text } }),
        "elements that may be absent",
    );
    let choice = |variants: Value| json!({ "type": "choice", "name": "C", "origin": "o", "doc": "", "variants": variants });
    let variant =
        |members: Value| json!({ "kind": "k", "doc": "", "summary": "", "members": members });
    let kind = json!({ "name": "kind", "doc": "", "schema": text, "term": null });
    exchange("result", choice(json!([])), "its result is one of nothing");
    exchange("result", choice(json!([variant(json!([])), variant(json!([]))])), "`k` twice");
    exchange("result", choice(json!([variant(json!([kind]))])), "has a member `kind`");
    for action in ["Orders", "orders.", "1.x", "orders exchange", "../x", ""] {
        let mut catalogue = gallery();
        catalogue["operations"][0]["action"] = json!(action);
        let ran = Project::of(CONFIG, &catalogue).run(&["check"]);
        ran.says(Exit::Declarations, &["its action is not words of small letters"]);
    }
}

#[test]
fn independent_mistakes_are_reported_together() {
    let mut catalogue = gallery();
    catalogue["operations"][0]["expires_in_s"] = json!(0);
    catalogue["operations"][3]["route"]["method"] = json!("GET");
    let ran = Project::of(CONFIG, &catalogue).run(&["check"]);
    assert_eq!(ran.err.matches("error[PAP0117]").count(), 2, "{}", ran.err);
}
