//! Finding and looking: what is told, and what never is by itself.

use std::sync::Arc;
use std::time::Duration;

use pap_ops::cli::{Exit, Streams, Surroundings, run};
use pap_runtime::store::memory::Memory;
use pap_runtime::store::sqlite::Sqlite;

use crate::shop::{SECRET, Shop, opening};

async fn in_memory() -> Shop {
    let clock = opening();
    Shop::open(Arc::new(Memory::on_clock(Arc::new(clock.clone()))), clock).with_all().await
}

pub const LOOKS: [&str; 13] = [
    "list",
    "list --state in_progress",
    "list --attention",
    "list --older-than 12h --limit 2",
    "list --reference order:ord_lost",
    "list --account acc_nobody",
    "list --action orders.exchange --account acc_ada --limit 1",
    "open-work",
    "metrics",
    "pauses",
    "events",
    "verify",
    "list --state succeeded --json",
];

pub const SHOWS: [&str; 9] = [
    "show @open",
    "show @deferred",
    "show @expired",
    "show @lost",
    "show @deadly",
    "show @workshop",
    "show @done",
    "show @failed",
    "show @declined",
];

async fn screens(shop: &Shop, lines: &[&str]) -> String {
    let mut screens = Vec::new();
    for line in lines {
        screens.push(shop.screen(line).await);
    }
    screens.join("\n")
}

#[tokio::test]
async fn operations_in_every_state_are_found() {
    insta::assert_snapshot!(screens(&in_memory().await, &LOOKS).await);
}

#[tokio::test]
async fn what_happened_is_told_in_plain_sentences() {
    insta::assert_snapshot!(screens(&in_memory().await, &SHOWS).await);
}

#[tokio::test]
async fn both_stores_tell_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let clock = opening();
    let file = folder.path().join("operations.db");
    let store = Sqlite::open_on(file, Arc::new(clock.clone())).unwrap();
    let in_file = Shop::open(Arc::new(store), clock).with_all().await;
    let in_memory = in_memory().await;
    for lines in [&LOOKS[..], &SHOWS] {
        assert_eq!(screens(&in_file, lines).await, screens(&in_memory, lines).await);
    }
}

#[tokio::test]
async fn what_operations_say_is_told_only_if_it_is_asked_for() {
    let shop = in_memory().await;
    for line in LOOKS.iter().chain(&SHOWS) {
        for line in [(*line).to_owned(), format!("{line} --json")] {
            let line = line.replace("--json --json", "--json");
            let said = shop.types(&line).await;
            assert!(!said.out.contains(SECRET) && !said.err.contains(SECRET), "{line}: {said:?}");
        }
    }
    insta::assert_snapshot!(
        screens(&shop, &["show @lost --terms", "show @done --terms --json"]).await
    );
}

#[tokio::test]
async fn pages_go_on_where_the_one_before_ended() {
    let shop = in_memory().await;
    let (mut seen, mut after) = (0, String::new());
    loop {
        let said = shop.types(&format!("list --limit 3 {after}")).await;
        seen += said.out.lines().count() - 1;
        match said.err.split_once("more with ") {
            Some((_, more)) => after = more.trim().to_owned(),
            None => break,
        }
    }
    assert_eq!(seen, shop.ids.len());
}

#[tokio::test]
async fn what_is_not_there_is_said_with_its_exit_code() {
    let shop = in_memory().await;
    let lines = [
        "show exc_nobody",
        "show exc_nobody --json",
        "show no/id",
        "list --state ended",
        "list --older-than soon",
        "events --after nowhere",
    ];
    insta::assert_snapshot!(screens(&shop, &lines).await);
}

/// A reader that takes three lines and goes away.
struct ThreeLines(Vec<u8>);

impl std::io::Write for ThreeLines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0.split(|byte| *byte == b'\n').count() == 4 {
            return Err(std::io::ErrorKind::BrokenPipe.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_reader_that_goes_away_ends_the_command_quietly() {
    let shop = in_memory().await;
    let surroundings = Surroundings::with(|_| None).over(shop.operators());
    let (mut out, mut err) = (ThreeLines(Vec::new()), Vec::new());
    let streams = Streams { input: &mut std::io::empty(), out: &mut out, err: &mut err };
    let arguments = ["pap-ops", "events", "--follow"].map(Into::into);
    // without the reader that goes away it follows for ever
    let ran = run(arguments, &surroundings, streams);
    let exit = tokio::time::timeout(Duration::from_secs(60), ran).await.unwrap();
    assert_eq!((exit, err.as_slice()), (Exit::Done, &b""[..]));
}

#[tokio::test]
async fn events_that_come_later_are_followed() {
    let mut shop = in_memory().await;
    let before = shop.types("events --json").await;
    let last: serde_json::Value = serde_json::from_str(before.out.lines().last().unwrap()).unwrap();
    let cursor = last["cursor"].as_str().unwrap().to_owned();
    shop.propose("new", "is new").await;
    let after = shop.types(&format!("events --after {cursor}")).await;
    assert_eq!(after.out.lines().count(), 1);
    assert!(after.out.contains("exc_new0") && after.out.contains("proposed"), "{after:?}");
}

#[tokio::test]
async fn what_ended_just_now_is_found_among_all_that_ended() {
    let mut shop = in_memory().await;
    shop.clock.advance(Duration::from_secs(24 * 3600));
    shop.confirmed("latest", "fails").await;
    let said = shop.types("list --state failed").await;
    assert!(said.out.contains("exc_failed") && said.out.contains("exc_latest"), "{said:?}");
    // one in each answer: it goes on until there are enough
    for line in ["list --state failed --since 1h", "list --state failed --since 1h --limit 1"] {
        let said = shop.types(line).await;
        assert!(!said.out.contains("exc_failed") && said.out.contains("exc_latest"), "{said:?}");
    }
    let said = shop.types("list --state failed --since 1h --json").await;
    let json: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    let ids: Vec<_> = json["operations"].as_array().unwrap().iter().collect();
    assert_eq!((ids.len(), json.get("next")), (1, None), "{json}");
}

#[tokio::test]
async fn what_came_late_is_found_among_all_events() {
    let shop = in_memory().await;
    for how in ["--succeeded 'It was exchanged.'", "--failed 'It was not exchanged.'"] {
        shop.types(&format!("settle @lost {how} --who ada --why 'ticket 812' --yes")).await;
    }
    let said = shop.types("events --kind late_outcome").await;
    assert_eq!(said.out.lines().count(), 1, "{said:?}");
    assert!(said.out.contains("exc_lost"), "{said:?}");
    let said = shop.types("show @lost").await;
    assert!(
        said.out.contains("(failed): ada settled it after it had ended: ticket 812"),
        "{said:?}"
    );
    let said = shop.types("events --kind late").await;
    assert!(said.exit == Exit::Usage && said.err.contains("late_outcome"), "{said:?}");
}
