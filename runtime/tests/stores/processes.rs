//! Two processes, and a process that is killed.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use pap_protocol::operation::State;
use pap_runtime::store::sqlite::Sqlite;
use pap_runtime::store::{ErrorKind, Store};

use crate::draft::{LIFE, claim, done, key, operation, propose, take, ticket};

const TASK: &str = "STORES_TEST_TASK";
const FILE: &str = "STORES_TEST_FILE";
const SAYS: &str = "process says: ";

/// The same test binary as another process, which does one of the tasks below.
pub fn another_process(task: &str, file: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "processes::the_other_process", "--nocapture"]);
    command.env(TASK, task).env(FILE, file).stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

/// What another process says, line by line.
pub fn lines(stdout: ChildStdout) -> impl Iterator<Item = String> {
    let lines = BufReader::new(stdout).lines().map_while(Result::ok);
    lines.filter_map(|line| line.split_once(SAYS).map(|(_, said)| said.to_owned()))
}

#[expect(clippy::print_stdout, reason = "this is how the processes talk")]
fn say(what: &str) {
    println!("{SAYS}{what}");
}

/// Started by the other tests of this file with a task; without one there is nothing to do.
#[test]
fn the_other_process() {
    let (Ok(task), Ok(file)) = (std::env::var(TASK), std::env::var(FILE)) else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().build().unwrap();
    runtime.block_on(async {
        match task.as_str() {
            "hold" => hold(&file),
            "write" => write(&file).await,
            "fill" => crate::full_disk::fill(&PathBuf::from(file), say).await,
            other => panic!("there is no task `{other}`"),
        }
    });
}

fn hold(file: &str) {
    match Sqlite::open(file) {
        Ok(store) => {
            say("open");
            // until the other side goes away
            std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
            drop(store);
        }
        Err(error) => say(&format!("{:?}: {error}", error.kind()).replace('\n', " / ")),
    }
}

/// Proposes and claims, and says what was answered, until it is killed.
async fn write(file: &str) {
    let store = Sqlite::open(file).unwrap();
    store.begin_life(LIFE).await.unwrap();
    for number in 1.. {
        propose(&store, operation(number, store.clock().now())).await;
        say(&format!("proposed {number}"));
        assert!(done(&store.claim(claim(number, ticket(number))).await.unwrap()));
        say(&format!("claimed {number}"));
    }
}

fn killed(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Row E8
#[test]
fn a_second_process_is_refused_and_told_which_file_is_locked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("operations.db");
    let mut first = another_process("hold", &path).spawn().unwrap();
    let said = lines(first.stdout.take().unwrap()).next();
    assert_eq!(said.as_deref(), Some("open"));

    let error = Sqlite::open(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotWritten);
    let message = error.to_string();
    assert!(message.contains("operations.db` is in use"), "{message}");
    assert!(message.contains("operations.db.lock` is locked"), "{message}");
    #[cfg(unix)]
    {
        let link = folder.path().join("another-name.db");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(Sqlite::open(&link).is_err(), "a link leads to the same lock");
    }
    let mut second = another_process("hold", &path).spawn().unwrap();
    let said = lines(second.stdout.take().unwrap()).next();
    assert!(said.unwrap().starts_with("NotWritten: "), "also between two others");
    second.wait().unwrap();

    killed(first);
    assert!(Sqlite::open(&path).is_ok(), "the lock ends with its process, however it ends");
}

/// OPS-5.2-8: a process that is killed has lost nothing that it had answered.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_answered_is_there_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("operations.db");
    for round in 1..=3 {
        let path = path.with_extension(format!("{round}.db"));
        let mut child = another_process("write", &path).spawn().unwrap();
        let mut said = lines(child.stdout.take().unwrap());
        let mut answered: Vec<_> = said.by_ref().take(31 * round).collect();
        killed(child);
        // what it had said before it was killed and was not read yet
        answered.extend(said);
        let store = Sqlite::open(&path).unwrap();
        let mut claimed = 0;
        for line in &answered {
            let (what, number) = line.split_once(' ').unwrap();
            let number: u32 = number.parse().unwrap();
            let stored = store.read(&key(number)).await.unwrap().expect(line);
            if what == "claimed" {
                assert_eq!(stored.state, State::InProgress, "{line}");
                claimed += 1;
            }
        }
        assert!(claimed >= 15 * round, "it was at work");
        let asked = store.take_askable(take()).await.unwrap();
        assert!(asked.len() >= claimed.min(100), "and what it performed can be asked about");
    }
}
