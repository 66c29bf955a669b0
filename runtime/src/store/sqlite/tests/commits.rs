//! A store whose commits fail, as its callers see it.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pap_protocol::operation::{ApprovedBy, Revision, State};
use pap_protocol::value::Instant;

use crate::clock::SystemClock;
use crate::store::sqlite::open::Copied;
use crate::store::sqlite::{Sqlite, open};
use crate::store::{
    Claim, Confirming, Error, ErrorKind, Key, Known, Life, NewOperation, OpenAction, Owner,
    Performer, Proposed, Store, StoredRevision, TakeAskable, Ticket, Written, digest_of,
};

fn open_failing(path: &Path, failing: &Arc<AtomicBool>) -> Sqlite {
    let failing = Arc::clone(failing);
    let writing = move |path: &Path| {
        let mut connection = open::writing(path)?;
        let failing = Arc::clone(&failing);
        connection
            .commit_hook(Some(move || failing.load(Ordering::SeqCst)))
            .map_err(|error| Error::not_written("no hook").from_source(error))?;
        Ok(connection)
    };
    open::open_with(path, Arc::new(SystemClock), Copied::Refuse, writing).unwrap()
}

fn operation(number: u8) -> NewOperation {
    let moment = Instant::from_millis(4_000_000_000_000);
    NewOperation {
        key: Key { company: "c".to_owned(), id: format!("op_{number}").parse().unwrap() },
        owner: Owner {
            client: "a".to_owned(),
            user: "u".to_owned(),
            account: None,
            session: "s".to_owned(),
        },
        open: OpenAction {
            company: "c".to_owned(),
            owners: vec!["s:u s".to_owned()],
            action: "x".to_owned(),
            identity: [number; 32],
        },
        request: [number; 32],
        revision: StoredRevision {
            number: Revision::FIRST,
            schema_version: 1,
            full: "{}".to_owned(),
            wire: "{}".to_owned(),
            summary: "Do it.".to_owned(),
            digest: digest_of("Do it.", "{}", "{}"),
            user_approval_required: false,
            scopes: Vec::new(),
            url: None,
            expires_at: moment,
            issued_at: moment,
        },
        reference: None,
        tells_release: false,
    }
}

fn claim(number: u8, ticket: u8) -> Claim {
    Claim {
        key: operation(number).key,
        revision: Revision::FIRST,
        approved_by: ApprovedBy::User,
        by: Confirming {
            client: "a".to_owned(),
            key_thumbprint: "k".to_owned(),
            session: "s".to_owned(),
            account: None,
            digest: operation(number).revision.digest,
        },
        performer: Some(Performer { ticket: Ticket([ticket; 16]), life: Life([1; 16]) }),
        proof: None,
    }
}

fn kind<T>(answer: Result<T, Error>) -> Option<ErrorKind> {
    answer.err().map(|error| error.kind())
}

/// OPS-6-4: whether a claim was written is unknown, so nobody performs from its ticket; the store goes on
/// when it can write again.
#[tokio::test(flavor = "multi_thread")]
async fn after_a_failing_commit_no_ticket_of_it_performs_and_the_store_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let failing = Arc::new(AtomicBool::new(false));
    let store = open_failing(&folder.path().join("operations.db"), &failing);
    store.begin_life(Life([1; 16])).await.unwrap();
    for number in 1..=8 {
        assert_eq!(store.propose(operation(number)).await.unwrap(), Proposed::New);
    }
    failing.store(true, Ordering::SeqCst);
    let claims: tokio::task::JoinSet<_> = (1..=8)
        .map(|number| {
            let store = store.clone();
            async move { (number, kind(store.claim(claim(number, number)).await)) }
        })
        .collect();
    let answers = claims.join_all().await;
    let unknown = answers.iter().any(|(_, answer)| *answer == Some(ErrorKind::Unknown));
    assert!(unknown, "the first batch is unknown");
    assert!(answers.iter().all(|(_, answer)| answer.is_some()), "nobody was told to perform");
    let stored = store.read(&operation(1).key).await.unwrap().unwrap();
    assert_eq!(stored.state, State::Proposed, "reading goes on");
    let known = vec![Known { action: "x".to_owned(), versions: vec![1] }];
    let lease = Duration::from_secs(1);
    let take = TakeAskable { company: "c".to_owned(), limit: 9, lease, known };
    assert_eq!(kind(store.take_askable(take.clone()).await), Some(ErrorKind::NotWritten));

    failing.store(false, Ordering::SeqCst);
    assert!(store.take_askable(take).await.unwrap().is_empty(), "no claim of them is on record");
    for (number, answer) in answers {
        let again = store.claim(claim(number, number)).await;
        if answer == Some(ErrorKind::Unknown) {
            assert_eq!(kind(again), Some(ErrorKind::NotWritten), "a ticket of it never performs");
            let fresh = store.claim(claim(number, number + 100)).await.unwrap();
            assert!(matches!(fresh, Written::Done(_)), "another ticket does");
        } else {
            assert!(matches!(again.unwrap(), Written::Done(_)), "nothing was tried with this one");
        }
    }
}
