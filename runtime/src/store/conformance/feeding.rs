//! The feed: every event once, in the order of its operation, and none passed over while others write.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pap_protocol::operation::{OperationId, State};
use pap_protocol::value::Instant;

use super::Opens;
use super::bench::{Bench, COMPANY, SECRET, assert_done, at_once, change, kept, ticket_of};
use crate::store::{
    AskLaterBy, Claim, Closing, Cursor, ErrorKind, EventKind, FeedEvent, FinishBy, Key,
    NewOperation, Proposed, ReadFeed, Store, Written,
};

/// How often, and how far apart, it is looked whether the feed has come so far.
const LOOKS: u32 = 3_000;
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Everything after a cursor, in pieces of this size, and where it ends.
async fn read_on(
    store: &dyn Store,
    company: &str,
    mut after: Cursor,
    limit: u32,
) -> (Vec<FeedEvent>, Cursor) {
    let mut all = Vec::new();
    loop {
        let read = ReadFeed { company: company.to_owned(), after: after.clone(), limit };
        let feed = kept(store.keeping().feed(read).await);
        assert!(feed.events.len() <= usize::try_from(limit).unwrap_or(usize::MAX));
        if feed.next == after {
            assert!(feed.events.is_empty(), "the cursor goes on with its events");
            return (all, after);
        }
        all.extend(feed.events);
        after = feed.next;
    }
}

/// Waits until the feed tells what was written before. A store may keep it back for as long as anything runs that was
/// begun earlier, also somebody else's, and tells in that order: what a mark is told behind has been told.
async fn caught_up(bench: &Bench) {
    let mut mark = bench.operation();
    "mark".clone_into(&mut mark.key.company);
    "mark".clone_into(&mut mark.open.company);
    assert_eq!(kept(bench.store.propose(mark.clone()).await), Proposed::New);
    for _ in 0..LOOKS {
        let (marks, _) = read_on(&*bench.store, "mark", Cursor::START, 100).await;
        if marks.iter().any(|event| event.id == mark.key.id) {
            return;
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
    panic!("the feed does not get to what was written");
}

fn of<'e>(events: &'e [FeedEvent], key: &Key) -> Vec<(EventKind, Instant)> {
    let ours = events.iter().filter(|event| event.id == key.id);
    ours.map(|event: &'e FeedEvent| (event.kind, event.at)).collect()
}

/// Events without their places: a store may come to the same event by another one.
fn told(events: &[FeedEvent]) -> Vec<(&OperationId, EventKind, Instant)> {
    events.iter().map(|event| (&event.id, event.kind, event.at)).collect()
}

/// What the feed tells is what is on record: every event, with kind and moment, and no word of any terms.
pub async fn the_feed_tells_what_is_on_record(open: impl Opens) {
    let bench = Bench::open(open).await;
    let start = read_on(&*bench.store, COMPANY, Cursor::START, 10).await;
    assert!(start.0.is_empty(), "nothing has happened");
    let mut keys = vec![bench.left().await, bench.deferred().await.key];
    for state in [State::Succeeded, State::Expired] {
        keys.push(bench.ended(state).await.0.key);
        bench.clock.advance(Duration::from_secs(1));
    }
    let (key, ticket) = bench.claimed().await;
    assert!(matches!(bench.note(&key, ticket, change("Charged")).await, Written::Done(_)));
    keys.push(key);
    caught_up(&bench).await;
    let (whole, _) = read_on(&*bench.store, COMPANY, Cursor::START, 1_000).await;
    for key in &keys {
        let events = bench.events(key).await;
        let recorded: Vec<_> = events.iter().map(|event| (event.kind, event.at)).collect();
        assert_eq!(of(&whole, key), recorded, "of each operation, in order");
        assert!(recorded.len() > 1);
    }
    let mut count = 0;
    for key in &keys {
        count += bench.events(key).await.len();
    }
    assert_eq!(whole.len(), count, "and nothing else");
    assert!(!format!("{whole:?}").contains(SECRET));
    for limit in [1, 2, 3, 7] {
        let (pieces, _) = read_on(&*bench.store, COMPANY, Cursor::START, limit).await;
        assert_eq!(told(&pieces), told(&whole), "in pieces of {limit} the same");
    }
}

/// Whoever goes on after any event gets exactly what follows, also by the cursor's text.
pub async fn reading_goes_on_after_any_event(open: impl Opens) {
    let bench = Bench::open(open).await;
    for _ in 0..4 {
        bench.ended(State::Succeeded).await;
    }
    caught_up(&bench).await;
    let (whole, end) = read_on(&*bench.store, COMPANY, Cursor::START, 100).await;
    assert!(whole.len() >= 12, "it is all there");
    for (at, event) in whole.iter().enumerate() {
        let Ok(cursor) = event.cursor.to_string().parse::<Cursor>();
        let (rest, _) = read_on(&*bench.store, COMPANY, cursor, 3).await;
        let follows = whole.get(at + 1..).unwrap_or_default();
        assert_eq!(told(&rest), told(follows), "after event {at}");
    }
    let (none, still) = read_on(&*bench.store, COMPANY, end.clone(), 9).await;
    assert!(none.is_empty() && still == end, "at the end nothing comes");
    let new = bench.proposed().await;
    caught_up(&bench).await;
    let (next, _) = read_on(&*bench.store, COMPANY, end, 9).await;
    assert_eq!(next.iter().map(|event| &event.id).collect::<Vec<_>>(), [&new.key.id]);
}

/// A cursor that is none is refused.
pub async fn a_cursor_that_is_none_is_refused(open: impl Opens) {
    let bench = Bench::open(open).await;
    let company = COMPANY.to_owned();
    let read = ReadFeed { company, after: Cursor::at("yesterday"), limit: 9 };
    let kind = bench.keeping().feed(read).await.err().map(|error| error.kind());
    assert_eq!(kind, Some(ErrorKind::NotWritten));
}

/// A company reads its own feed alone, and gets through however much another one writes.
pub async fn a_company_reads_its_own_feed_alone(open: impl Opens) {
    let bench = Bench::open(open).await;
    let mine = bench.proposed().await;
    let theirs = bench.of_another(&bench.operation());
    assert_eq!(kept(bench.store.propose(theirs.clone()).await), Proposed::New);
    for _ in 0..20 {
        bench.ended(State::Failed).await;
    }
    caught_up(&bench).await;
    let (of_theirs, _) = read_on(&*bench.store, "another", Cursor::START, 2).await;
    assert_eq!(of_theirs.iter().map(|event| &event.id).collect::<Vec<_>>(), [&theirs.key.id]);
    let (of_mine, _) = read_on(&*bench.store, COMPANY, Cursor::START, 2).await;
    assert_eq!(of_mine.first().map(|event| &event.id), Some(&mine.key.id));
    assert!(of_mine.iter().all(|event| event.id != theirs.key.id));
    let (nothing, _) = read_on(&*bench.store, "nobody", Cursor::START, 2).await;
    assert!(nothing.is_empty());
}

/// A whole path of one operation, as fast as it goes.
async fn write_one(store: Arc<dyn Store>, new: NewOperation, claim: Claim, ends: [FeedWrite; 2]) {
    assert_eq!(kept(store.propose(new).await), Proposed::New);
    let ticket = ticket_of(&claim);
    assert_done(store.claim(claim).await, "it is claimed");
    let [FeedWrite::Later(mut later), FeedWrite::Finish(mut finish)] = ends else { return };
    later.by = AskLaterBy::Performer(ticket);
    assert_done(store.ask_later(*later).await, "its performer does not know");
    finish.by = FinishBy::Performer(ticket);
    assert_done(store.finish(*finish).await, "and then does");
}

enum FeedWrite {
    Later(Box<crate::store::AskLater>),
    Finish(Box<crate::store::Finish>),
}

/// While many write at the same time, readers that go on from cursor to cursor get every event once and
/// each operation's in order: what they got in the end is what is on record.
pub async fn the_feed_passes_nothing_over_while_many_write(open: impl Opens) {
    let bench = Bench::open(open).await;
    let over = Arc::new(AtomicBool::new(false));
    let readers: Vec<_> = [1, 3, 50].map(|limit| tokio::spawn(follow(&bench, limit, &over))).into();
    let mut keys = Vec::new();
    for _ in 0..6 {
        let mut writers = tokio::task::JoinSet::new();
        for _ in 0..16 {
            let new = bench.operation();
            let claim = bench.claim_of(&new);
            let by = AskLaterBy::Asker { epoch: 0 };
            let later = bench.later(&new.key, by, Duration::ZERO);
            let by = FinishBy::NotStarted;
            let finish = bench.finish(&new.key, by, State::Succeeded);
            keys.push(new.key.clone());
            let ends = [FeedWrite::Later(Box::new(later)), FeedWrite::Finish(Box::new(finish))];
            writers.spawn(write_one(Arc::clone(&bench.store), new, claim, ends));
        }
        writers.join_all().await;
    }
    caught_up(&bench).await;
    over.store(true, Ordering::SeqCst);
    let mut recorded = HashMap::new();
    for key in &keys {
        let events = bench.events(key).await;
        let events: Vec<_> = events.iter().map(|event| (event.kind, event.at)).collect();
        assert_eq!(events.len(), 4, "proposed, confirmed, unsettled, ended");
        recorded.insert(key.id.clone(), events);
    }
    for reader in readers {
        let Ok(read) = reader.await else { panic!("a reader of the feed reads to the end") };
        let mut got: HashMap<_, Vec<_>> = HashMap::new();
        for event in &read {
            got.entry(event.id.clone()).or_default().push((event.kind, event.at));
        }
        assert_eq!(got, recorded, "every event once, and in order");
    }
}

/// Reads on and on until the writers are done, and then to the end.
fn follow(
    bench: &Bench,
    limit: u32,
    over: &Arc<AtomicBool>,
) -> impl Future<Output = Vec<FeedEvent>> + Send + use<> {
    let (store, over) = (Arc::clone(&bench.store), Arc::clone(over));
    async move {
        let (mut all, mut after) = (Vec::new(), Cursor::START);
        loop {
            let last = over.load(Ordering::SeqCst);
            let (events, next) = read_on(&*store, COMPANY, after, limit).await;
            all.extend(events);
            after = next;
            if last {
                return all;
            }
            tokio::task::yield_now().await;
        }
    }
}

/// What was removed is gone from the feed, and a reader that had not got there goes on behind it: the place
/// of an event is never given to another.
pub async fn the_place_of_an_event_is_never_given_again(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (first, _) = bench.ended(State::Succeeded).await;
    caught_up(&bench).await;
    let (_, before_last) = read_on(&*bench.store, COMPANY, Cursor::START, 9).await;
    let (last, _) = bench.ended(State::Failed).await;
    caught_up(&bench).await;
    let (_, end) = read_on(&*bench.store, COMPANY, Cursor::START, 9).await;
    bench.clock.advance(Duration::from_secs(1));
    assert_eq!(bench.purge_all().await, 2, "both are removed");
    for after in [Cursor::START, before_last.clone(), end.clone()] {
        let (events, _) = read_on(&*bench.store, COMPANY, after, 9).await;
        assert!(events.is_empty(), "what was removed is not told any more");
    }
    let new = bench.proposed().await;
    assert_done(bench.close(&new.key, Closing::Cancelled).await, "it is declined");
    caught_up(&bench).await;
    for after in [Cursor::START, before_last, end] {
        let (events, _) = read_on(&*bench.store, COMPANY, after, 9).await;
        let kinds: Vec<_> = events.iter().map(|event| event.kind).collect();
        assert_eq!(kinds, [EventKind::Proposed, EventKind::Ended], "what comes after it is told");
    }
    for key in [first.key, last.key] {
        assert!(kept(bench.store.history(&key).await).is_none());
    }
}

/// Readers of one feed at the same time do not disturb each other.
pub async fn many_read_one_feed(open: impl Opens) {
    let bench = Bench::open(open).await;
    for _ in 0..5 {
        bench.ended(State::Succeeded).await;
    }
    caught_up(&bench).await;
    let (whole, _) = read_on(&*bench.store, COMPANY, Cursor::START, 100).await;
    let answers = at_once((1..=16).map(|limit| {
        let store = Arc::clone(&bench.store);
        async move { read_on(&*store, COMPANY, Cursor::START, limit).await.0 }
    }));
    assert!(answers.await.iter().all(|read| *read == whole));
}
