//! The router behind a company's own sign-in, asked over real HTTP by the command and by others.

use std::sync::Arc;

use axum::Router;
use http::StatusCode;
use http::header::AUTHORIZATION;
use http::request::Parts;
use pap_ops::Operator;
use pap_ops::cli::{Exit, Surroundings};
use pap_runtime::State;
use pap_runtime::store::memory::Memory;

use crate::looking::{LOOKS, SHOWS};
use crate::shop::{SECRET, Shop, opening};
use crate::terminal::{Said, runs, words};

/// A shop whose back office is served.
struct Office {
    shop: Shop,
    address: String,
}

fn staff(request: &Parts) -> Result<Operator, StatusCode> {
    let token = request.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    match token {
        Some("Bearer token-of-ada") => Ok(Operator::named("ada")),
        Some("Bearer token-of-bob") => Ok(Operator::named("bob").who_only_reads()),
        Some("Bearer nameless") => Ok(Operator::named(" ")),
        // a guard that refuses by a success
        Some("Bearer confused") => Err(StatusCode::OK),
        _ => Err(StatusCode::UNAUTHORIZED),
    }
}

impl Office {
    async fn open() -> Self {
        let clock = opening();
        let store = Memory::on_clock(Arc::new(clock.clone()));
        let shop = Shop::open(Arc::new(store), clock).with_all().await;
        let admin = pap_ops::router(shop.operators(), staff);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/admin", listener.local_addr().unwrap());
        let router = Router::new().nest("/admin", admin);
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { shop, address }
    }

    async fn types(&self, token: &'static str, line: &str) -> Said {
        self.at(&self.address, token, line).await
    }

    async fn at(&self, address: &str, token: &'static str, line: &str) -> Said {
        let surroundings = Surroundings::with(move |name| {
            (name == "OPS_TOKEN" && !token.is_empty()).then(|| token.to_owned())
        });
        let line = format!("--admin {address} --token-env OPS_TOKEN {line}");
        let words = words(&line).map(|word| match word.strip_prefix('@') {
            Some(name) => self.shop.id(name).to_string(),
            None => word,
        });
        let said = runs(words, &surroundings, "").await;
        Said { exit: said.exit, out: self.shop.named(&said.out), err: self.shop.named(&said.err) }
    }

    async fn post(&self, path: &str, body: &'static str) -> reqwest::Response {
        let request = reqwest::Client::new().post(format!("{}{path}", self.address));
        let request = request.header(AUTHORIZATION, "Bearer token-of-ada");
        request.header("content-type", "application/json").body(body).send().await.unwrap()
    }
}

#[tokio::test]
async fn every_command_says_over_http_what_it_says_over_the_store() {
    let office = Office::open().await;
    for line in LOOKS.iter().chain(&SHOWS).chain(&["export acc_ada", "show @lost --terms"]) {
        let (here, there) =
            (office.shop.types(line).await, office.types("token-of-ada", line).await);
        assert_eq!((here.exit, here.out, here.err), (there.exit, there.out, there.err), "{line}");
    }
}

#[tokio::test]
async fn who_settles_is_whom_the_company_signed_in_and_nobody_else() {
    let office = Office::open().await;
    let settle = "settle @lost --succeeded 'It was exchanged.' --why 'ticket 812' --yes";
    let said = office.types("token-of-ada", &format!("{settle} --who carol")).await;
    assert_eq!(said.exit, Exit::Usage, "{said:?}");
    let path = format!("/operations/{}/settle", office.shop.id("lost"));
    let body = r#"{"outcome":"succeeded","summary":"Done.","why":"ticket 812","who":"carol"}"#;
    let refused = office.post(&path, body).await;
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text().await.unwrap().contains("unknown field `who`"));

    let said = office.types("token-of-ada", settle).await;
    assert_eq!(said.exit, Exit::Done, "{said:?}");
    let history = office.shop.operators().history(office.shop.id("lost")).await.unwrap();
    assert_eq!(history.stored.state, State::Succeeded);
    let last = &history.events.last().unwrap().detail;
    assert!(last.contains(r#""who":"ada""#) && !last.contains("carol"), "{last}");
}

#[tokio::test]
async fn nobody_is_let_in_whom_the_guard_does_not_name() {
    let office = Office::open().await;
    for (token, status) in [("", 401), ("wrong", 401), ("confused", 403), ("nameless", 403)] {
        let mut request = reqwest::Client::new().get(format!("{}/pauses", office.address));
        if !token.is_empty() {
            request = request.bearer_auth(token);
        }
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), status, "{token}");
        assert_eq!(answer.headers()["cache-control"], "no-store");
    }
    // not even whether an operation, or a path, is there
    for path in ["operations/exc_nobody", "nowhere/at/all"] {
        let answer = reqwest::get(format!("{}/{path}", office.address)).await.unwrap();
        let expected = if path.starts_with("nowhere") { 404 } else { 401 };
        assert_eq!(answer.status(), expected, "{path}");
    }
    let said = office.types("", "list").await;
    assert_eq!(said.exit, Exit::Failed);
    insta::assert_snapshot!(said.err);
}

#[tokio::test]
async fn one_who_only_reads_neither_changes_anything_nor_reads_what_operations_say() {
    let office = Office::open().await;
    for line in LOOKS.iter().chain(&SHOWS) {
        let said = office.types("token-of-bob", line).await;
        assert_eq!(said.exit, Exit::Done, "{line}: {said:?}");
    }
    for line in [
        "show @lost --terms",
        "export acc_ada",
        "settle @lost --succeeded 'Done.' --why 'ticket 812' --yes",
        "ask-now @lost --why 'ticket 812'",
        "pause orders.exchange --claims --why 'ticket 812'",
        "resume orders.exchange --claims --why 'ticket 812'",
        "purge orders.exchange --older-than 1s --why 'ticket 812' --yes",
        "erase acc_ada --why 'ticket 812' --yes",
    ] {
        let said = office.types("token-of-bob", line).await;
        assert_eq!(said.exit, Exit::Failed, "{line}: {said:?}");
        assert!(
            !said.out.contains(SECRET) && said.err.contains("bob may look"),
            "{line}: {said:?}"
        );
    }
}

#[tokio::test]
async fn a_form_that_a_page_of_another_site_can_send_is_refused() {
    let office = Office::open().await;
    let pause = r#"{"what":"claims","why":"ticket 812"}"#;
    for kind in ["text/plain", "application/x-www-form-urlencoded"] {
        let request = reqwest::Client::new().post(format!("{}/pause", office.address));
        let request = request.bearer_auth("token-of-ada").header("content-type", kind);
        let answer = request.body(pause).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE, "{kind}");
    }
    assert!(office.shop.operators().pauses().await.unwrap().is_empty());
    assert_eq!(office.post("/pause", pause).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn where_there_is_no_admin_router_the_command_says_so() {
    let office = Office::open().await;
    let elsewhere = office.address.replace("/admin", "/elsewhere");
    let said = office.at(&elsewhere, "token-of-ada", "list").await;
    assert_eq!(said.exit, Exit::Unreached);
    insta::assert_snapshot!(said.err);
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let said = office.at(&format!("http://{free}"), "token-of-ada", "list").await;
    assert_eq!(said.exit, Exit::Unreached);
    assert!(said.err.contains("did not answer"), "{said:?}");
}

#[tokio::test]
async fn a_token_is_not_sent_in_the_open() {
    let office = Office::open().await;
    for address in ["http://back-office.example.com", "ftp://127.0.0.1", "back-office"] {
        let said = office.at(address, "token-of-ada", "list").await;
        assert_eq!(said.exit, Exit::Usage, "{said:?}");
        assert!(!said.err.contains("token-of-ada"));
    }
}
