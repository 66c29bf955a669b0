//! A file that cannot grow any more: nothing is half written, and what was answered stays.

use std::path::Path;

use pap_protocol::operation::State;
use pap_runtime::store::Store;
use pap_runtime::store::sqlite::Sqlite;

use crate::draft::{LIFE, SECRET, claim, key, operation, take, ticket};

/// Writes until the file cannot grow, says what was answered, and then tries to claim and to read.
pub async fn fill(file: &Path, say: fn(&str)) {
    let store = Sqlite::open(file).unwrap();
    store.begin_life(LIFE).await.unwrap();
    let mut number = 0;
    let error = loop {
        number += 1;
        let mut new = operation(number, store.clock().now());
        new.revision.scopes = vec!["x".repeat(10_000)];
        match store.propose(new).await {
            Ok(_) => say(&format!("proposed {number}")),
            Err(error) => break error,
        }
    };
    say(&format!("failed {:?}", error.kind()));
    assert!(!error.to_string().contains(SECRET));
    for attempt in 1..=3 {
        let claimed = store.claim(claim(1, ticket(attempt))).await;
        let answer =
            claimed.map_or_else(|error| format!("{:?}", error.kind()), |w| format!("{w:?}"));
        say(&format!("claim {answer}"));
    }
    let stored = store.read(&key(1)).await.unwrap().unwrap();
    say(&format!("read {}", stored.key.id));
}

/// A full disk refuses what cannot be kept; what was answered can be read, then and later.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_cannot_grow_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("operations.db");
    let child = crate::processes::another_process("fill", &path);
    // the limit stands for the full disk: no file may grow beyond it, and no signal tells so
    let mut limited = std::process::Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 3000; exec \"$0\" \"$@\""]);
    limited.arg(child.get_program()).args(child.get_args());
    limited.envs(child.get_envs().filter_map(|(name, value)| Some((name, value?))));
    limited.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::piped());
    let mut running = limited.spawn().unwrap();
    let said: Vec<_> = crate::processes::lines(running.stdout.take().unwrap()).collect();
    assert!(running.wait().unwrap().success(), "{said:?}");

    let with =
        |what: &str| said.iter().filter_map(|line| line.strip_prefix(what)).collect::<Vec<_>>();
    let (proposed, failed) = (with("proposed "), with("failed "));
    assert!(proposed.len() > 10, "it was at work: {said:?}");
    assert!(["Unknown", "NotWritten"].contains(&failed[0]), "{said:?}");
    assert_eq!(with("read "), ["exc_1"], "what was answered can be read on a full disk");

    let store = Sqlite::open(&path).unwrap();
    for number in proposed {
        let stored = store.read(&key(number.parse().unwrap())).await.unwrap();
        assert!(stored.is_some(), "{number}");
    }
    // a claim that was answered stays; one that was refused is there or not, and never half
    let first = store.read(&key(1)).await.unwrap().unwrap();
    let claims = with("claim ");
    if claims.iter().any(|claim| claim.starts_with("Done")) {
        assert_eq!(first.state, State::InProgress, "{claims:?}");
    }
    let asked = store.take_askable(take()).await.unwrap();
    assert_eq!(first.state == State::InProgress, !asked.is_empty());
}
