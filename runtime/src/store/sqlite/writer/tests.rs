//! Batches, and what becomes of them when a commit fails.

use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;

use tokio::sync::oneshot;

use super::*;
use crate::clock::SystemClock;
use crate::store::sqlite::job::{Answered, Write};
use crate::store::sqlite::transaction::{first, integer};
use crate::store::sqlite::{migrations, open};
use crate::store::{ErrorKind, Key};

type Answer<T> = oneshot::Receiver<Answered<T>>;

/// A writer on a file of its own; opened again, it waits for nothing and fails at will.
struct Bench {
    writer: Writer,
    cannot_open: Arc<AtomicBool>,
    _folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("operations.db");
        let mut connection = open::writing(&path).unwrap();
        migrations::apply(&mut connection).unwrap();
        let cannot_open = Arc::new(AtomicBool::new(false));
        let fails = Arc::clone(&cannot_open);
        let reopen = move || {
            if fails.load(Ordering::SeqCst) {
                return Err(Error::not_written("the device is away"));
            }
            open::writing(&path)
        };
        let behind = Arc::new(AtomicBool::new(false));
        let writer = Writer::new(connection, reopen, Arc::new(SystemClock), behind).unwrap();
        Self { writer, cannot_open, _folder: folder }
    }

    fn fail_commits(&mut self) {
        self.writer.connection.commit_hook(Some(|| true)).unwrap();
    }

    /// Puts proofs on record, with what this selects as their numbers and their times, from numbers up to 300.
    fn put_proofs(&mut self, select: &str) {
        let put = format!(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300), put(i, until) AS ({select})
             INSERT INTO replay SELECT i, unhex(printf('%032x', i)), zeroblob(16), until FROM put"
        );
        self.writer.connection.execute_batch(&put).unwrap();
        self.writer.proofs = Proofs::on_record(&self.writer.connection).unwrap();
    }

    fn number(&self, sql: &str) -> i64 {
        first(&self.writer.connection, sql, (), |row| integer(row, 0)).unwrap().unwrap()
    }
}

/// A job that writes a row under this name.
fn row(name: &'static str) -> (Box<dyn Job>, Answer<usize>) {
    Write::boxed(move |on| on.execute(sql::SET_META, (name, "1")), None, None)
}

/// A job that claims operation `x` under this ticket.
fn claim(ticket: Ticket) -> (Box<dyn Job>, Answer<()>) {
    let key = Key { company: "c".to_owned(), id: "x".parse().unwrap() };
    let write = move |on: &Transaction<'_>| {
        if on.spent.contains(&ticket) {
            return Err(Error::not_written("spent"));
        }
        let now = on.now.as_millis();
        on.connection.execute_batch(PROPOSED).unwrap();
        let key = on.connection.last_insert_rowid();
        on.connection.execute(ISSUED, [key]).unwrap();
        let by = (key, 1, now, ticket.0, "user", "a", "k", "s", None::<&str>, [0_u8; 32]);
        assert!(on.changes(sql::CLAIM, by)?);
        on.execute(sql::INSERT_RUNNING, (key, "c", [1_u8; 16], now)).map(drop)
    };
    Write::boxed(write, Some(Arc::new(Claimed { key, ticket })), None)
}

const PROPOSED: &str =
    "INSERT INTO operations (company, operation_id, action, client, user, session, \
    place, state, revision, expires_at)
    VALUES ('c', 'x', 'a', 'a', 'u', 's', zeroblob(32), 'proposed', 1, 1 << 60)";

const ISSUED: &str = "INSERT INTO revisions VALUES \
    (?1, 1, 1, '{}', '{}', 'Said.', zeroblob(32), 0, '[]', NULL, 1 << 60, 0)";

fn kind<T>(mut answer: Answer<T>) -> Option<ErrorKind> {
    answer.try_recv().unwrap().answer.err().map(|error| error.kind())
}

#[test]
fn what_waits_becomes_one_transaction() {
    let mut bench = Bench::new();
    let commits = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&commits);
    let hook = move || {
        count.fetch_add(1, Ordering::SeqCst);
        false
    };
    bench.writer.connection.commit_hook(Some(hook)).unwrap();
    let (jobs, answers): (Vec<_>, Vec<_>) =
        std::iter::repeat_with(|| row("row")).take(BATCH_MAX).unzip();
    bench.writer.write(Vec::new(), jobs);
    assert_eq!(commits.load(Ordering::SeqCst), 1);
    assert!(answers.into_iter().all(|answer| kind(answer).is_none()));
}

#[test]
fn a_write_that_is_refused_leaves_the_others_of_its_batch_alone() {
    let mut bench = Bench::new();
    let (before, first) = row("before");
    let (refused, second) = Write::boxed(
        |on| {
            on.execute(sql::SET_META, ("half", "1"))?;
            // no such operation: the foreign key refuses it
            on.execute(sql::INSERT_EVENT, (77, 0, "proposed", "{}"))?;
            on.execute(sql::SET_META, ("whole", "1"))
        },
        None,
        None,
    );
    let (wrong, third) =
        Write::boxed(|on| on.execute("INSERT INTO meta VALUES (NULL, NULL)", ()), None, None);
    let (after, fourth) = row("after");
    bench.writer.write(Vec::new(), vec![before, refused, wrong, after]);
    assert_eq!(kind(first), None);
    assert_eq!(kind(third), Some(ErrorKind::NotWritten));
    assert_eq!(kind(fourth), None);
    assert_eq!(kind(second), Some(ErrorKind::NotWritten));
    let names = "SELECT count(*) FROM meta WHERE name IN ('before', 'after')";
    assert_eq!(bench.number(names), 2);
    assert_eq!(bench.number("SELECT count(*) FROM meta WHERE name IN ('half', 'whole')"), 0);
}

#[test]
fn a_failing_commit_is_unknown_for_its_whole_batch_and_the_store_recovers() {
    let mut bench = Bench::new();
    bench.fail_commits();
    let ticket = Ticket([3; 16]);
    let (one, first) = row("one");
    let (claiming, second) = claim(ticket);
    let (other, third) = row("other");
    bench.writer.write(Vec::new(), vec![one, claiming, other]);
    assert_eq!(kind(first), Some(ErrorKind::Unknown));
    assert_eq!(kind(second), Some(ErrorKind::Unknown));
    assert_eq!(kind(third), Some(ErrorKind::Unknown));

    let (again, answer) = claim(ticket);
    let (next, done) = row("next");
    bench.writer.write(Vec::new(), vec![again, next]);
    assert_eq!(kind(answer), Some(ErrorKind::NotWritten), "its ticket never performs in this life");
    assert_eq!(kind(done), None, "the connection was opened again");
    assert_eq!(bench.number("SELECT count(*) FROM operations"), 0);
}

#[test]
fn a_claim_that_was_written_after_all_is_performed_by_nobody_and_can_be_asked_about() {
    let mut bench = Bench::new();
    let ticket = Ticket([3; 16]);
    let (claiming, answer) = claim(ticket);
    bench.writer.write(Vec::new(), vec![claiming]);
    assert_eq!(kind(answer), None);
    assert_eq!(bench.number("SELECT performing FROM running"), 1);
    // the same batch as it looks when its commit was done and its acknowledgement failed
    let (claiming, _) = claim(ticket);
    bench.writer.break_off(&[claiming]);
    bench.writer.mend().unwrap();
    assert_eq!(bench.number("SELECT performing FROM running"), 0);
    assert!(bench.writer.spent.contains(&ticket));
}

#[test]
fn a_claim_that_nobody_waits_for_is_disowned_when_that_can_be_written() {
    let mut bench = Bench::new();
    let ticket = Ticket([3; 16]);
    let (claiming, _) = claim(ticket);
    let claimed = Arc::clone(claiming.claim().unwrap());
    bench.writer.write(Vec::new(), vec![claiming]);
    bench.cannot_open.store(true, Ordering::SeqCst);
    bench.fail_commits();
    bench.writer.disowned.push(claimed);
    bench.writer.write(Vec::new(), Vec::new());
    assert!(bench.writer.behind.load(Ordering::SeqCst), "it is not forgotten");
    bench.cannot_open.store(false, Ordering::SeqCst);
    bench.writer.write(Vec::new(), Vec::new());
    assert_eq!(bench.number("SELECT performing FROM running"), 0);
    assert!(!bench.writer.behind.load(Ordering::SeqCst));
}

#[test]
fn while_the_file_cannot_be_opened_again_nothing_is_tried() {
    let mut bench = Bench::new();
    bench.fail_commits();
    bench.cannot_open.store(true, Ordering::SeqCst);
    let (one, first) = row("one");
    bench.writer.write(Vec::new(), vec![one]);
    assert_eq!(kind(first), Some(ErrorKind::Unknown));
    for _ in 0..3 {
        let tried = Arc::new(Mutex::new(false));
        let seen = Arc::clone(&tried);
        let (job, answer) = Write::boxed(
            move |_| {
                *seen.lock().unwrap() = true;
                Ok(())
            },
            None,
            None,
        );
        bench.writer.write(Vec::new(), vec![job]);
        assert_eq!(kind(answer), Some(ErrorKind::NotWritten), "it is certain by then");
        assert!(!*tried.lock().unwrap());
    }
    bench.cannot_open.store(false, Ordering::SeqCst);
    let (next, done) = row("next");
    bench.writer.write(Vec::new(), vec![next]);
    assert_eq!(kind(done), None);
}

/// A job that puts a proof on record, and then fails or not.
fn use_proof(digest: u8, until: i64, fails: bool) -> (Box<dyn Job>, Answer<bool>) {
    let write = move |on: &Transaction<'_>| {
        let added = on.proofs.add(on.connection, [digest; 16], Ticket([1; 16]), until)?;
        if fails { Err(Error::not_written("refused")) } else { Ok(added) }
    };
    Write::boxed(write, None, None)
}

const FAR: i64 = 1 << 60;

#[test]
fn a_proof_of_a_write_that_was_undone_is_new_again_and_others_are_not() {
    let mut bench = Bench::new();
    let (kept, first) = use_proof(1, FAR, false);
    let (refused, second) = use_proof(2, FAR, true);
    bench.writer.write(Vec::new(), vec![kept, refused]);
    assert_eq!((kind(first), kind(second)), (None, Some(ErrorKind::NotWritten)));
    for (digest, new) in [(1, false), (2, true)] {
        let (again, mut answer) = use_proof(digest, FAR, false);
        bench.writer.write(Vec::new(), vec![again]);
        assert_eq!(answer.try_recv().unwrap().answer.unwrap(), new);
    }
    assert_eq!(bench.number("SELECT count(*) FROM replay"), 2);
}

#[test]
fn a_proof_of_a_commit_that_failed_is_known_as_it_is_on_record() {
    let mut bench = Bench::new();
    bench.writer.write(Vec::new(), vec![use_proof(1, FAR, false).0]);
    bench.fail_commits();
    bench.writer.write(Vec::new(), vec![use_proof(2, FAR, false).0]);
    for (digest, new) in [(1, false), (2, true), (2, false)] {
        let (again, mut answer) = use_proof(digest, FAR, false);
        bench.writer.write(Vec::new(), vec![again]);
        assert_eq!(answer.try_recv().unwrap().answer.unwrap(), new, "{digest}");
    }
}

#[test]
fn proofs_are_forgotten_after_their_time_in_bounded_steps() {
    let mut bench = Bench::new();
    bench.put_proofs("SELECT i, i FROM n UNION ALL SELECT 301, (strftime('%s') + 60) * 1000");
    let step = i64::from(FORGET_MAX);
    for left in [301 - step, 301 - 2 * step, 1, 1] {
        bench.writer.write(Vec::new(), vec![row("row").0]);
        assert_eq!(bench.number("SELECT count(*) FROM replay"), left);
    }
    let last = "UPDATE replay SET proof = zeroblob(16)";
    bench.writer.connection.execute_batch(last).unwrap();
    bench.writer.proofs = Proofs::on_record(&bench.writer.connection).unwrap();
    let (again, mut answer) = use_proof(0, FAR, false);
    bench.writer.write(Vec::new(), vec![again]);
    assert!(
        !answer.try_recv().unwrap().answer.unwrap(),
        "one whose time is not over is remembered"
    );
}

/// What a clock that was ahead leaves behind stays, holds up nothing that comes after it, and is known again
/// after what forgot others was undone.
#[test]
fn proofs_of_a_time_when_the_clock_was_ahead_hold_up_no_others() {
    let mut bench = Bench::new();
    bench.put_proofs("SELECT i, 1 << 60 FROM n UNION ALL SELECT i + 300, i FROM n");
    while bench.number("SELECT count(*) FROM replay") > 300 {
        let before = bench.number("SELECT count(*) FROM replay");
        bench.writer.forget_next = 0;
        // the oldest are passed over first, a bounded number at a time
        for _ in 0..3 {
            bench.writer.write(Vec::new(), vec![row("row").0]);
        }
        assert!(bench.number("SELECT count(*) FROM replay") < before);
    }
    assert_eq!(bench.number("SELECT count(*) FROM replay WHERE until = 1 << 60"), 300);
    bench.writer.write(Vec::new(), vec![use_proof(201, 301, false).0]);
    bench.writer.forget_next = 0;
    bench.writer.write(Vec::new(), vec![row("row").0]);
    assert_eq!(bench.number("SELECT count(*) FROM replay"), 300, "one that comes after them");
}

#[test]
fn what_was_forgotten_in_vain_is_not_taken_for_forgotten() {
    let mut bench = Bench::new();
    bench.put_proofs("SELECT i, i FROM n WHERE i <= 9");
    bench.fail_commits();
    bench.writer.write(Vec::new(), vec![row("row").0]);
    assert_eq!(bench.number("SELECT count(*) FROM replay"), 9);
    let (new, mut answer) = use_proof(201, 9, false);
    bench.writer.write(Vec::new(), vec![new]);
    assert!(answer.try_recv().unwrap().answer.unwrap(), "nothing was forgotten so far");
    bench.writer.forget_next = 0;
    bench.writer.write(Vec::new(), vec![row("row").0]);
    let (like_one, mut answer) = use_proof(202, 9, false);
    bench.writer.write(Vec::new(), vec![like_one]);
    assert!(!answer.try_recv().unwrap().answer.unwrap(), "one that was good as long is forgotten");
    let (newer, mut answer) = use_proof(203, 10, false);
    bench.writer.write(Vec::new(), vec![newer]);
    assert!(answer.try_recv().unwrap().answer.unwrap());
}

#[test]
fn a_read_sees_what_was_committed_and_nothing_of_its_own_batch() {
    let mut bench = Bench::new();
    for before in [0, 1] {
        let (tell, told) = std::sync::mpsc::channel();
        let read: Read = Box::new(move |connection| {
            let count = "SELECT count(*) FROM meta WHERE name = 'row'";
            let read =
                connection.map(|connection| first(connection, count, (), |row| integer(row, 0)));
            tell.send(read.unwrap().unwrap().unwrap()).unwrap();
        });
        bench.writer.write(vec![read], vec![row("row").0]);
        assert_eq!(told.recv().unwrap(), before);
    }
}

#[test]
fn places_of_final_operations_are_cleared_in_bounded_steps_and_open_ones_stay() {
    let mut bench = Bench::new();
    bench
        .writer
        .connection
        .execute_batch(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
         INSERT INTO operations (key, company, operation_id, action, client, user, session, place,
             state, revision, expires_at, result_summary, ended_at)
         SELECT i, 'c', 'x' || i, 'a', 'a', 'u', 's', iif(i % 10 = 0, unhex(printf('%064x', i)), NULL),
             iif(i % 10 = 0, 'proposed', 'expired'), 1, 9,
             iif(i % 10 = 0, NULL, 'x'), iif(i % 10 = 0, NULL, 1) FROM n;
         INSERT INTO open_actions SELECT unhex(printf('%064x', key)), key, zeroblob(32) FROM operations;
         -- one that names no operation
         INSERT INTO open_actions VALUES (zeroblob(32), 1000, zeroblob(32));",
        )
        .unwrap();
    let some = i64::from(super::super::places::TOGETHER);
    for left in [101 - some + (some - 1) / 10, 10, 10] {
        bench.writer.write(Vec::new(), vec![row("row").0]);
        assert_eq!(bench.number("SELECT count(*) FROM open_actions"), left);
    }
    let open = "SELECT count(*) FROM open_actions JOIN operations ON key = operation
        WHERE ended_at IS NULL";
    assert_eq!(bench.number(open), 10);
}
