//! What is blanked or removed is not in the bytes of the file either.

use std::path::Path;
use std::sync::Arc;

use pap_protocol::operation::State;
use pap_runtime::store::sqlite::Sqlite;
use pap_runtime::store::{Erase, Finish, FinishBy, NoteKind, Purge, Store, WriteNote};

use crate::draft::{
    COMPANY, LIFE, SECRET, by, claim, done, finish, key, noon, operation, propose, ticket,
};

/// Operations with words of all lengths, so that some of them fill pages of their own.
async fn fill(store: &dyn Store, numbers: std::ops::Range<u32>) {
    for number in numbers {
        let mut new = operation(number, store.clock().now());
        new.reference = Some(format!("{SECRET} {number}"));
        let long = SECRET.repeat(usize::try_from(number % 40).unwrap() * 20);
        new.revision.summary.push_str(&long);
        new.revision.digest = pap_runtime::store::digest_of(
            &new.revision.summary,
            &new.revision.full,
            &new.revision.wire,
        );
        let digest = new.revision.digest;
        propose(store, new).await;
        let mut claim = claim(number, ticket(number));
        claim.by.digest = digest;
        assert!(done(&store.claim(claim).await.unwrap()));
        let text = format!("Charged the {SECRET}");
        let value = format!("\"{SECRET}\"");
        for note in [
            NoteKind::Change(text.clone()),
            NoteKind::Checkpoint { name: "payment".to_owned(), value },
        ] {
            let note = WriteNote { key: key(number), ticket: ticket(number), note };
            assert!(done(&store.write_note(note).await.unwrap()));
        }
        let end = finish(number, FinishBy::Performer(ticket(number)), State::Succeeded);
        let end = Finish { changes_seen: 1, carried: vec![text], ..end };
        assert!(done(&store.finish(end).await.unwrap()));
    }
}

/// How often the words are in the files of a store.
fn words(folder: &Path) -> usize {
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        for word in [SECRET, "acct", "thumbprint"] {
            count += bytes.windows(word.len()).filter(|window| *window == word.as_bytes()).count();
        }
    }
    count
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_erased_is_not_in_the_bytes_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("operations.db");
    let store = Sqlite::open_on(&path, Arc::new(noon())).unwrap();
    store.begin_life(LIFE).await.unwrap();
    fill(&store, 1..200).await;
    store.close().await;
    assert!(words(folder.path()) > 1_000, "the words are there before");
    let store = Sqlite::open_on(&path, Arc::new(noon())).unwrap();
    let (company, account) = (COMPANY.to_owned(), "acct".to_owned());
    let erase = Erase { company, account, limit: 1_000, by: by() };
    assert_eq!(store.keeping().erase(erase).await.unwrap().erased, 199);
    store.close().await;
    assert_eq!(words(folder.path()), 0, "and not after");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_purged_is_not_in_the_bytes_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("operations.db");
    let clock = noon();
    let store = Sqlite::open_on(&path, Arc::new(clock.clone())).unwrap();
    store.begin_life(LIFE).await.unwrap();
    fill(&store, 1..200).await;
    clock.advance(std::time::Duration::from_secs(1));
    let ended_before = store.clock().now();
    let (company, action) = (COMPANY.to_owned(), "orders.exchange".to_owned());
    let purge = Purge { company, action, ended_before, after: None, limit: 1_000, by: None };
    assert_eq!(store.keeping().purge(purge).await.unwrap().removed, 199);
    store.close().await;
    assert_eq!(words(folder.path()), 0);
}
