//! A file that is put back from a copy has forgotten what was confirmed since: it is noticed, refused, and
//! taken into use only on purpose.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pap_protocol::operation::State;
use pap_runtime::clock::{Clock, SetClock};
use pap_runtime::store::sqlite::Sqlite;
use pap_runtime::store::{
    AskLater, Claim, Cursor, EventKind, FinishBy, NewOperation, Performer, ReadFeed, ReleaseWhy,
    Start, Store, TakeReleases,
};

use crate::draft::{
    COMPANY, LIFE, ask_now, claim, done, finish, key, noon, operation, propose, take, ticket,
};

struct Files {
    folder: tempfile::TempDir,
    clock: SetClock,
}

impl Files {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), clock: noon() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("operations.db")
    }

    fn lock(&self) -> PathBuf {
        self.folder.path().join("operations.db.lock")
    }

    fn open(&self) -> Result<Sqlite, String> {
        Sqlite::open_on(self.path(), Arc::new(self.clock.clone()))
            .map_err(|error| error.to_string())
    }

    async fn opened(&self) -> Sqlite {
        let store = self.open().unwrap();
        let life = rand_life();
        store.begin_life(life).await.unwrap();
        store
    }

    fn restore(&self) -> Sqlite {
        Sqlite::restore_on(self.path(), Arc::new(self.clock.clone())).unwrap()
    }

    /// A copy of the file and its log, as it is now.
    fn copy(&self) -> tempfile::TempDir {
        let copy = tempfile::tempdir().unwrap();
        for name in ["operations.db", "operations.db-wal"] {
            let from = self.folder.path().join(name);
            if from.exists() {
                std::fs::copy(from, copy.path().join(name)).unwrap();
            }
        }
        copy
    }

    /// Puts a copy in the place of the file; the lock file stays.
    fn put_back(&self, copy: &Path) {
        for name in ["operations.db", "operations.db-wal", "operations.db-shm"] {
            let to = self.folder.path().join(name);
            if to.exists() {
                std::fs::remove_file(&to).unwrap();
            }
            if copy.join(name).exists() {
                std::fs::copy(copy.join(name), to).unwrap();
            }
        }
    }

    #[track_caller]
    fn is_refused(&self, because: &str) {
        let error = self.open().unwrap_err();
        assert!(error.contains(because), "{error}");
        assert!(error.contains("operations.db`: this is not the newest state"), "{error}");
        assert!(error.contains("help: put the newest file back"), "{error}");
        assert!(error.contains("`Sqlite::restore(\""), "{error}");
    }
}

fn rand_life() -> pap_runtime::store::Life {
    use std::sync::atomic::{AtomicU8, Ordering};
    static NEXT: AtomicU8 = AtomicU8::new(10);
    pap_runtime::store::Life([NEXT.fetch_add(1, Ordering::SeqCst); 16])
}

/// Row E4.
#[tokio::test(flavor = "multi_thread")]
async fn e4_a_copy_from_before_the_last_opening_is_refused() {
    let files = Files::new();
    let store = files.opened().await;
    propose(&store, operation(1, files.clock.now())).await;
    store.close().await;
    let copy = files.copy();
    // nothing at all was written to it: that it was opened is enough
    files.open().unwrap().close().await;
    let newest = files.copy();
    files.put_back(copy.path());
    files.is_refused("it was opened since this copy of it was made");
    files.is_refused("it was opened since this copy of it was made");
    files.put_back(newest.path());
    files.open().expect("the newest file is no copy").close().await;

    files.put_back(copy.path());
    files.restore().close().await;
    files.open().expect("it was taken into use").close().await;
    files.put_back(newest.path());
    files.is_refused("it was opened since this copy of it was made");
}

/// Each opening is an incarnation of its own, in the file and in the lock file alike.
#[tokio::test(flavor = "multi_thread")]
async fn every_opening_is_an_incarnation_of_its_own() {
    let files = Files::new();
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..3 {
        files.opened().await.close().await;
        let connection = rusqlite::Connection::open(files.path()).unwrap();
        let meta = "SELECT value FROM meta WHERE name = 'incarnation'";
        let incarnation: String = connection.query_row(meta, (), |row| row.get(0)).unwrap();
        let lock = std::fs::read_to_string(files.lock()).unwrap();
        assert!(lock.contains(&format!("incarnation {incarnation} next - ")), "{lock}");
        assert!(seen.insert(incarnation));
    }
}

/// The copy was made and put back within one opening; the process was closed, or killed.
#[tokio::test(flavor = "multi_thread")]
async fn e4_a_copy_from_within_the_last_opening_is_refused() {
    let files = Files::new();
    let store = files.opened().await;
    propose(&store, operation(1, files.clock.now())).await;
    let copy = files.copy();
    assert!(done(&store.claim(claim(1, ticket(1))).await.unwrap()));
    let as_killed = std::fs::read(files.lock()).unwrap();
    store.close().await;
    for lock in [std::fs::read(files.lock()).unwrap(), as_killed] {
        std::fs::write(files.lock(), lock).unwrap();
        files.put_back(copy.path());
        files.is_refused("it has got to event 1, and event 2 was on record");
    }
}

/// Without the lock file nobody can tell; with another store's, or one that cannot be read, as it is.
#[tokio::test(flavor = "multi_thread")]
async fn e4_without_the_lock_file_a_copy_is_not_noticed() {
    let files = Files::new();
    let store = files.opened().await;
    propose(&store, operation(1, files.clock.now())).await;
    let copy = files.copy();
    assert!(done(&store.claim(claim(1, ticket(1))).await.unwrap()));
    store.close().await;
    let lock = std::fs::read(files.lock()).unwrap();
    for unreadable in [None, Some(Vec::new()), Some(b"something else".to_vec())] {
        files.put_back(copy.path());
        match unreadable {
            None => std::fs::remove_file(files.lock()).unwrap(),
            Some(bytes) => std::fs::write(files.lock(), bytes).unwrap(),
        }
        let store = files.open().expect("nobody saw how far it had got");
        assert_eq!(store.read(&key(1)).await.unwrap().unwrap().state, State::Proposed);
        store.close().await;
    }
    let other = Files::new();
    other.opened().await.close().await;
    std::fs::write(other.lock(), lock).unwrap();
    other.is_refused("another store's");
    std::fs::remove_file(other.path()).unwrap();
    other.open().expect("a new file has nothing to forget").close().await;
}

async fn make_copy(files: &Files) -> (tempfile::TempDir, Cursor) {
    let store = files.opened().await;
    store.begin_life(LIFE).await.unwrap();
    let now = files.clock.now();
    let telling = NewOperation { tells_release: true, ..operation(1, now) };
    propose(&store, telling).await;
    for number in 2..=6 {
        propose(&store, operation(number, now)).await;
    }
    for number in [2, 4, 5] {
        assert!(done(&store.claim(claim(number, ticket(number))).await.unwrap()));
    }
    let deferred = Claim { performer: None, ..claim(3, ticket(3)) };
    assert!(done(&store.claim(deferred).await.unwrap()));
    let later = now.saturating_add(Duration::from_secs(1_000_000));
    let later = AskLater { ask_after: later, ..ask_now(4, ticket(4), now) };
    assert!(done(&store.ask_later(later).await.unwrap()));
    let end = finish(5, FinishBy::Performer(ticket(5)), State::Succeeded);
    assert!(done(&store.finish(end).await.unwrap()));
    let copy = files.copy();
    // what the copy does not know
    assert!(done(&store.claim(claim(1, ticket(1))).await.unwrap()));
    let performer = Performer { ticket: ticket(3), life: LIFE };
    assert!(done(&store.start(Start { key: key(3), performer }).await.unwrap()));
    let read = ReadFeed { company: COMPANY.to_owned(), after: Cursor::START, limit: 1_000 };
    let seen = store.keeping().feed(read).await.unwrap().next;
    store.close().await;
    (copy, seen)
}

/// What a copy has proposed cannot be confirmed again, and nobody starts what it has waiting: each may have
/// been performed since. All that it has in progress is asked about.
#[tokio::test(flavor = "multi_thread")]
async fn e4_a_copy_that_is_taken_into_use_performs_nothing_again() {
    let files = Files::new();
    let (copy, seen) = make_copy(&files).await;
    files.put_back(copy.path());
    files.is_refused("event");
    let store = files.restore();
    store.begin_life(rand_life()).await.unwrap();
    let state = async |number| store.read(&key(number)).await.unwrap().unwrap();
    for number in [1, 6] {
        let expired = state(number).await;
        assert_eq!(expired.state, State::Expired);
        let summary = expired.result.unwrap().summary;
        assert!(!summary.contains("Nothing was done"), "nobody knows that: {summary}");
        assert!(!done(&store.claim(claim(number, ticket(90 + number))).await.unwrap()));
    }
    let performer = Performer { ticket: ticket(93), life: LIFE };
    assert!(
        !done(&store.start(Start { key: key(3), performer }).await.unwrap()),
        "nobody starts it"
    );
    assert_eq!(state(5).await.state, State::Succeeded, "what was final is as it was");

    let mut taken: Vec<_> = store.take_askable(take()).await.unwrap();
    taken.sort_by_key(|asked| asked.stored.key.id.to_string());
    let asked: Vec<_> = taken.iter().map(|asked| asked.stored.key.clone()).collect();
    assert_eq!(asked, [2, 3, 4].map(key), "everything in progress is asked about at once");
    let fence = Some("payment".to_owned());
    let behind = finish(2, FinishBy::Asker { epoch: 1, fence }, State::Failed);
    assert!(!done(&store.finish(behind).await.unwrap()), "a missing checkpoint shows nothing");
    let in_part = finish(2, FinishBy::AskerInPart { epoch: 1 }, State::Failed);
    assert!(!done(&store.finish(in_part).await.unwrap()), "nor that no more was done");
    let found = finish(2, FinishBy::Asker { epoch: 1, fence: None }, State::Succeeded);
    assert!(done(&store.finish(found).await.unwrap()), "what was found out counts");

    let releases = TakeReleases {
        company: COMPANY.to_owned(),
        limit: 9,
        lease: Duration::from_secs(30),
        known: take().known,
    };
    let told = store.keeping().take_releases(releases).await.unwrap().releases;
    let told: Vec<_> = told.iter().map(|told| (told.stored.key.clone(), told.why)).collect();
    assert_eq!(told, [(key(1), ReleaseWhy::Expired)], "what hung on it ends");
    let read = ReadFeed { company: COMPANY.to_owned(), after: seen, limit: 1_000 };
    let feed = store.keeping().feed(read).await.unwrap().events;
    let ended = feed.iter().filter(|event| event.kind == EventKind::Ended).count();
    assert_eq!(ended, 3, "whoever had read what was lost gets everything that comes after");
    assert!(store.keeping().verify(COMPANY).await.unwrap().is_empty());
    store.close().await;
    files.open().expect("from now on it is the newest").close().await;
}

/// Another copy of the same file is another past: it is refused like the first.
#[tokio::test(flavor = "multi_thread")]
async fn e4_after_a_copy_was_taken_into_use_it_is_refused_the_second_time() {
    let files = Files::new();
    let (copy, _) = make_copy(&files).await;
    files.put_back(copy.path());
    files.restore().close().await;
    files.put_back(copy.path());
    files.is_refused("it was opened since");
}
