//! What the people on call type, on a real server and beside the company's processes.

use std::io::Cursor;

use pap_ops::cli::{Exit, Streams, Surroundings, run};
use pap_runtime::State;
use pap_runtime::store::postgres::Postgres;
use pap_runtime::store::{Claim, ErrorKind, FinishBy, Life, Performer, Start, Store as _};

use crate::draft::{
    COMPANY, LIFE, SECRET, claim, done, finish, key, now, operation, propose, ticket,
};
use crate::server::{fresh, schema, shared};

/// What a run said.
#[derive(Debug)]
pub struct Said {
    pub exit: Exit,
    pub out: String,
    pub err: String,
}

async fn types(schema: &str, arguments: &[&str]) -> Said {
    types_at(shared().url(), schema, arguments).await
}

/// The same, at this address.
pub async fn types_at(url: String, schema: &str, arguments: &[&str]) -> Said {
    let schema = schema.to_owned();
    let surroundings = Surroundings::with(move |name| match name {
        "PAP_STORE" => Some(url.clone()),
        "PAP_SCHEMA" => Some(schema.clone()),
        "PAP_COMPANY" => Some(COMPANY.to_owned()),
        _ => None,
    });
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let streams = Streams { input: &mut Cursor::new(""), out: &mut out, err: &mut err };
    let arguments = ["pap-ops"].iter().chain(arguments).map(Into::into);
    let exit = run(arguments, &surroundings, streams).await;
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Said { exit, out: text(out), err: text(err) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn tables_are_compared_printed_and_made() {
    let name = schema();
    let said = types(&name, &["migrate", "--check"]).await;
    assert_eq!(said.exit, Exit::Failed, "{said:?}");
    // an address with a slip in it is no store of an older version
    assert!(said.err.contains("has no tables of a store: if it is the right one"), "{said:?}");
    let said = types(&name, &["list"]).await;
    assert_eq!(said.exit, Exit::Unreached, "a command makes no tables unasked: {said:?}");
    assert!(said.err.starts_with("error: "), "{said:?}");
    assert!(said.err.contains("run `pap-ops migrate --apply`"), "{said:?}");
    let said = types(&name, &["migrate", "--print"]).await;
    assert!(said.exit == Exit::Done && said.out.contains("CREATE TABLE"), "{said:?}");
    assert_eq!(types(&name, &["migrate", "--apply"]).await.exit, Exit::Done);
    assert_eq!(types(&name, &["migrate", "--check"]).await.exit, Exit::Done);
    assert_eq!(types(&name, &["list"]).await.exit, Exit::Done);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_operation_is_found_shown_and_settled_beside_its_company() {
    let name = schema();
    let store = Postgres::connect(fresh().schema(&name)).await.unwrap();
    store.begin_life(LIFE).await.unwrap();
    propose(&store, operation(1, now())).await;
    assert!(done(&store.claim(claim(1, ticket(1))).await.unwrap()));
    let said = types(&name, &["list", "--state", "in_progress"]).await;
    assert!(said.exit == Exit::Done && said.out.contains("exc_1"), "{said:?}");
    let said = types(&name, &["show", "exc_1"]).await;
    assert!(said.out.contains("was confirmed by agent"), "{said:?}");
    assert!(!said.out.contains(SECRET), "{said:?}");
    let because = ["--who", "ada", "--why", "ticket 812"];
    let settle = ["settle", "exc_1", "--succeeded", "It was exchanged.", "--yes"];
    let said = types(&name, &[&settle[..], &because].concat()).await;
    assert_eq!(said.exit, Exit::Done, "{said:?}");
    assert_eq!(store.read(&key(1)).await.unwrap().unwrap().state, State::Succeeded);

    let pause = ["pause", "orders.exchange", "--claims"];
    assert_eq!(types(&name, &[&pause[..], &because].concat()).await.exit, Exit::Done);
    for arguments in [&["pauses"][..], &["events"], &["open-work"], &["metrics"], &["verify"]] {
        let said = types(&name, arguments).await;
        assert_eq!(said.exit, Exit::Done, "{arguments:?}: {said:?}");
    }
    let said = types(&name, &[&["erase", "acct", "--yes"][..], &because].concat()).await;
    assert_eq!(said.exit, Exit::Done, "{said:?}");
    let said = types(&name, &["events", "--after", "nowhere"]).await;
    assert_eq!(said.exit, Exit::Usage, "{said:?}");
    let said = types(
        &name,
        &[&["purge", "orders.exchange", "--older-than", "0s", "--yes"][..], &because].concat(),
    )
    .await;
    assert!(said.out.starts_with("1 operation"), "{said:?}");
}

/// Nobody told an operator's tool what keeps a commit, so it promises nothing and can perform nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_tool_looks_and_settles_without_a_promise_and_can_claim_nothing() {
    let config = fresh();
    let store = Postgres::connect(config.clone()).await.unwrap();
    store.begin_life(LIFE).await.unwrap();
    propose(&store, operation(1, now())).await;
    propose(&store, operation(2, now())).await;
    assert!(done(&store.claim(claim(1, ticket(1))).await.unwrap()));
    let deferred = Claim { performer: None, ..claim(2, ticket(2)) };
    assert!(done(&store.claim(deferred).await.unwrap()));

    let tool = Postgres::connect(config.performs_nothing()).await.expect("no promise is asked for");
    propose(&store, operation(3, now())).await;
    let performer = Performer { ticket: ticket(2), life: LIFE };
    let start = Start { key: key(2), performer };
    for refused in [
        tool.claim(claim(3, ticket(3))).await.map(drop),
        tool.start(start.clone()).await.map(drop),
        tool.begin_life(Life([9; 16])).await,
    ] {
        let error = refused.expect_err("it could lead to performing");
        assert_eq!(error.kind(), ErrorKind::NotWritten);
    }
    assert_eq!(tool.read(&key(3)).await.unwrap().unwrap().state, State::Proposed);
    let by = FinishBy::Settler { who: "ada".to_owned(), why: "ticket 812".to_owned() };
    assert!(done(&tool.finish(finish(1, by, State::Succeeded)).await.unwrap()));
    assert!(done(&store.start(start).await.unwrap()), "whoever performs still can");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_that_is_not_there_is_said_without_its_password() {
    let surroundings = Surroundings::with(|_| None);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let streams = Streams { input: &mut Cursor::new(""), out: &mut out, err: &mut err };
    let free = pap_trials::port::Port::take().unwrap();
    let url = format!("postgres://ada:hunter2@127.0.0.1:{}/shop", free.number());
    let arguments = ["pap-ops", "--store", &url, "--company", COMPANY, "list"].map(Into::into);
    assert_eq!(run(arguments, &surroundings, streams).await, Exit::Unreached);
    let said = String::from_utf8(err).unwrap();
    assert!(!said.is_empty() && !said.contains("hunter2"), "{said}");
}
