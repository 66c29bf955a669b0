//! Callers that were there before keep what they have.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::shop::{Agent, Answer, EXCHANGES, Street, http};

async fn visit(address: &str, method: Method, path: &str, cookie: &str) -> Answer {
    let request = http().request(method.clone(), format!("{address}{path}"));
    let request = request.header("cookie", cookie);
    let same_price = json!({ "item_id": "itm_9Bo", "replacement_sku": "ridgeline-43" });
    let request = if method == Method::POST { request.json(&same_price) } else { request };
    Answer::of(request.send().await.unwrap()).await
}

/// OPS-1-5 OPS-4.1-2
#[tokio::test]
async fn a_visitor_with_a_cookie_is_answered_as_without_the_toolkit() {
    let street = Street::open(None).await;
    // the same website, without a Company in front of it
    let folder = tempfile::tempdir().unwrap();
    let bare = jacket_exchange::website(jacket_exchange::Shop::open(folder.path()).unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let bare_address = format!("http://{}", listener.local_addr().unwrap());
    let bare = tokio::spawn(async move { axum::serve(listener, bare).await });

    for (method, path, cookie) in [
        (Method::POST, EXCHANGES, "theme=dark; web_session=web_ada"),
        (Method::POST, EXCHANGES, "web_session=web_ada"), // a second time: the item is gone
        (Method::POST, EXCHANGES, "web_session=nobody"),
        (Method::GET, "/orders/ord_7Hk2", "web_session=web_ada"),
        (Method::GET, EXCHANGES, "web_session=web_ada"),
        (Method::GET, "/nowhere", ""),
    ] {
        let with = visit(&street.serving.address, method.clone(), path, cookie).await;
        let without = visit(&bare_address, method.clone(), path, cookie).await;
        assert_eq!(with, without, "{method} {path}");
    }
    assert_eq!(street.times("parcel sent", "itm_9Bo").await, 1);
    bare.abort();
}

#[tokio::test]
async fn an_agent_without_the_extension_gets_no_operation() {
    let street = Street::open(None).await;
    for listed in [None, Some("2")] {
        let agent = Agent::sign_in(&street.shop, Some("acc_ada"), listed).await;
        let body = json!({ "item_id": "itm_4Qa", "replacement_sku": "stormline-insulated-m" });
        let answer = street.send(&agent, Method::POST, EXCHANGES, &body).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN);
        assert_eq!(
            answer.json,
            json!({ "error": "extension_required", "extension": "operations" })
        );
    }
}

#[tokio::test]
async fn the_discovery_document_leads_to_the_operations() {
    let street = Street::open(None).await;
    let answer = visit(&street.serving.address, Method::GET, "/.well-known/poppy.json", "").await;
    let generated = include_str!("../../generated/poppy-extension.json");
    let generated: Value = serde_json::from_str(generated).unwrap();
    assert_eq!(answer.json["extensions"], generated["extensions"]);
}

#[tokio::test]
async fn what_the_website_did_meanwhile_withdraws_the_proposal() {
    let street = Street::open(None).await;
    let boots = json!({ "item_id": "itm_9Bo", "replacement_sku": "ridgeline-winter-42" });
    let id = street.propose(EXCHANGES, boots).await;
    visit(&street.serving.address, Method::POST, EXCHANGES, "web_session=web_ada").await;

    let answer = street.confirm(&id, "user").await;
    assert_eq!(
        answer.ended("cancelled"),
        "The item was exchanged or returned meanwhile. Nothing was changed."
    );
    assert_eq!(street.times("card charged", "itm_9Bo").await, 0);
    assert_eq!(street.times("parcel sent", "itm_9Bo").await, 1);
}
