//! One proof stands for one request, however slow the request and whatever the clocks do (EXT-18).

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::Method;
use pap_runtime::clock::Clock;
use pap_runtime::store::memory::Memory;
use pap_runtime::testing::TestAgent;
use pap_runtime::{Company, operations};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tower::ServiceExt;

use crate::faulty::Faulty;
use crate::shop::{
    Answer, BY_USER, EXCHANGES, JACKET, OPERATIONS, ORIGIN, Shop, Street, clock, gift_note,
};

const STALE: &str = r#"{ "revision": 9, "approved_by": "user" }"#;

/// Enough requests for a store to forget the proofs whose time is over.
async fn others_come(street: &Street, ada: &TestAgent) {
    for _ in 0..150 {
        street.cancel(ada, "exc_unknown").await;
    }
}

/// The street on a port of its own.
async fn served(street: &Street) -> (SocketAddr, JoinHandle<std::io::Result<()>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = listener.local_addr().unwrap();
    let router = street.router.clone();
    (server, tokio::spawn(async move { axum::serve(listener, router).await }))
}

/// Sends the head of a confirm over a connection of its own; its body comes later.
async fn begin(server: SocketAddr, ada: &TestAgent, path: &str, proof: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server).await.unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\nauthorization: DPoP {}\r\ndpop: {proof}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\nexpect: 100-continue\r\n\
         connection: close\r\n\r\n",
        ada.token(),
        STALE.len(),
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // the body is asked for when the proof has been verified
    let mut goes_on = [0; 25];
    stream.read_exact(&mut goes_on).await.unwrap();
    assert!(goes_on.starts_with(b"HTTP/1.1 100"), "{}", String::from_utf8_lossy(&goes_on));
    stream
}

async fn end(mut stream: TcpStream, body: &str) -> String {
    stream.write_all(body.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

/// EXT-18
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_slow_requests_with_one_proof_are_not_both_accepted() {
    for street in [Street::on_sqlite().await, Street::in_memory().await] {
        let ada = street.ada();
        let id = street.propose(&ada).await;
        let path = format!("/poppy/operations/{id}/confirm");
        street.clock.advance(Duration::from_secs(1));
        let proof = ada.proof(&Method::POST, &format!("{ORIGIN}{path}"));
        let (server, serving) = served(&street).await;
        let one = begin(server, &ada, &path, &proof).await;
        let two = begin(server, &ada, &path, &proof).await;
        street.clock.advance(Duration::from_secs(600));
        // nothing is forgotten that was good as long: this is its first use
        let stale = end(one, STALE).await;
        assert!(stale.starts_with("HTTP/1.1 409"), "{stale}");
        others_come(&street, &ada).await;
        let as_long =
            format!("{:width$}", r#"{"revision":1,"approved_by":"user"}"#, width = STALE.len());
        let refused = end(two, &as_long).await;
        assert!(refused.starts_with("HTTP/1.1 401"), "{refused}");
        serving.abort();
        assert_eq!(street.shop.effects(), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_never_comes_is_not_waited_for() {
    let street = Street::in_memory().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    let path = format!("/poppy/operations/{id}/confirm");
    let (server, serving) = served(&street).await;
    let proof = ada.proof(&Method::POST, &format!("{ORIGIN}{path}"));
    let refused = end(begin(server, &ada, &path, &proof).await, "{").await;
    serving.abort();
    assert!(refused.starts_with("HTTP/1.1 400"), "{refused}");
    street.read(&ada, &id).await.state("proposed");
}

/// EXT-18
#[tokio::test]
async fn looking_again_may_take_longer_than_the_proof_is_good() {
    let clock = clock();
    let store = Faulty::around(Arc::new(Memory::on_clock(Arc::new(clock.clone()))));
    let street = Street::around(Shop::new(), store.clone(), clock, None).await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    // its proof is on record by then
    let held = store.hold("claim", true);
    let later = async {
        held.reached.notified().await;
        street.clock.advance(Duration::from_secs(600));
        others_come(&street, &ada).await;
        held.let_go.notify_one();
    };
    let (confirmed, ()) = tokio::join!(street.confirm(&ada, &id), later);
    confirmed.state("succeeded");
}

/// EXT-18
#[tokio::test]
async fn a_clock_that_was_ahead_once_does_not_shut_agents_out() {
    for street in [Street::on_sqlite().await, Street::in_memory().await] {
        let ada = street.ada();
        street.propose(&ada).await;
        street.clock.advance(Duration::from_secs(86_400));
        let id = street.propose(&ada).await;
        // not within the second of the proof that was forgotten
        street.clock.set(clock().now().saturating_add(Duration::from_secs(1)));
        let url = format!("{OPERATIONS}/{id}");
        for (method, url, body, answer) in [
            (Method::GET, url.clone(), BY_USER, 200),
            (Method::POST, format!("{url}/confirm"), STALE, 409),
            (Method::POST, EXCHANGES.to_owned(), JACKET, 202),
        ] {
            let proof = ada.proof(&method, &url);
            let first = ada.request_proved(method.clone(), &url, Some(body), &proof);
            assert_eq!(street.send(first).await.status, answer, "{method} {url}");
            others_come(&street, &ada).await;
            let again = ada.request_proved(method, &url, Some(BY_USER), &proof);
            street.send(again).await.is(401, "invalid_dpop_proof");
        }
        street.confirm(&ada, &id).await.state("succeeded");
    }
}

/// EXT-18. Row B8, Row E13, Row E14
#[tokio::test]
async fn a_proof_is_good_once_also_when_the_clock_is_set_ahead_and_back() {
    for street in [Street::on_sqlite().await, Street::in_memory().await] {
        let ada = street.ada();
        let id = street.propose(&ada).await;
        let url = format!("{OPERATIONS}/{id}/confirm");
        let proof = ada.proof(&Method::POST, &url);
        let first = ada.request_proved(Method::POST, &url, Some(STALE), &proof);
        assert_eq!(street.send(first).await.status, 409);
        // its time is over, and not that of the proposal
        street.clock.advance(Duration::from_secs(600));
        others_come(&street, &ada).await;
        for seconds in [0, 1, 60] {
            street.clock.set(clock().now().saturating_add(Duration::from_secs(seconds)));
            let again = ada.request_proved(Method::POST, &url, Some(BY_USER), &proof);
            street.send(again).await.is(401, "invalid_dpop_proof");
        }
        assert_eq!(street.shop.effects(), 0);
        street.cancel(&ada, &id).await.state("cancelled");
    }
}

/// EXT-18
#[tokio::test]
async fn a_proof_refused_because_its_action_is_gone_is_spent() {
    let street = Street::in_memory().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    let next = Company::builder(street.shop.clone())
        .name("Example Outfitters")
        .origin(ORIGIN)
        .sessions(street.sessions.clone())
        .shared_store(street.store.clone())
        .operations(operations![gift_note]);
    let next = next.start().await.unwrap().in_front_of(Router::new());
    let url = format!("{OPERATIONS}/{id}/confirm");
    let proof = ada.proof(&Method::POST, &url);
    let first = ada.request_proved(Method::POST, &url, Some(BY_USER), &proof);
    let first = Answer::of(next.oneshot(first).await.unwrap()).await;
    first.is(503, "temporarily_unavailable");
    let again = ada.request_proved(Method::POST, &url, Some(BY_USER), &proof);
    street.send(again).await.is(401, "invalid_dpop_proof");
    assert_eq!(street.shop.effects(), 0);
}
