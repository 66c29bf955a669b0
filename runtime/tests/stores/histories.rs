//! Random histories: whatever is asked in whatever order, each store answers like the model.

use std::sync::Arc;
use std::time::Duration;

use pap_protocol::operation::{OperationId, State};
use pap_runtime::clock::{Clock, SetClock};
use pap_runtime::store::memory::Memory;
use pap_runtime::store::sqlite::Sqlite;
use pap_runtime::store::{
    AskLater, AskLaterBy, Claim, CloseProposed, Closing, Error, ErrorKind, Finish, FinishBy,
    History, Life, NoteKind, Pause, PauseOf, Performer, ProofUse, Proposed, RequestStop, Resume,
    Revise, Start, Store, TakeAskable, Waiting, WriteNote, Written,
};
use pap_runtime::value::Instant;
use proptest::prelude::*;

use crate::draft::{COMPANY, claim, finish, key, noon, operation_in, revision, take, ticket};
use crate::model::{Answer, By, Command, Known, LEASE, LIFETIME, Model};

const OPERATIONS: u32 = 4;

fn proof() -> impl Strategy<Value = Option<(u32, u32)>> {
    prop_oneof![3 => Just(None), 1 => (0..3_u32, 0..3_u32).prop_map(Some)]
}

fn by() -> impl Strategy<Value = By> {
    prop_oneof![
        3 => (1..4_u32).prop_map(By::Performer),
        3 => (0..4_u32, proptest::option::of(0..2_u32))
            .prop_map(|(epoch, fence)| By::Asker { epoch, fence }),
        1 => Just(By::NotStarted),
        1 => Just(By::Settler),
        1 => Just(By::Operator),
    ]
}

fn command() -> impl Strategy<Value = Command> {
    let operation = 0..OPERATIONS;
    let state = proptest::sample::select(State::ALL.to_vec());
    let wait = prop_oneof![0..3_u32, Just(LEASE), Just(LIFETIME), Just(LIFETIME + 1)];
    prop_oneof![
        4 => (operation.clone(), 0..2_u32)
            .prop_map(|(operation, place)| Command::Propose { operation, place }),
        2 => (operation.clone(), 1..5_u32)
            .prop_map(|(operation, number)| Command::Revise { operation, number }),
        6 => (operation.clone(), 1..3_u32, proptest::option::weighted(0.7, (1..4_u32, 1..3_u8)), proof())
            .prop_map(|(operation, revision, performer, proof)| {
                Command::Claim { operation, revision, performer, proof }
            }),
        3 => (operation.clone(), 1..4_u32, 1..3_u8)
            .prop_map(|(operation, ticket, life)| Command::Start { operation, ticket, life }),
        1 => any::<bool>().prop_map(|claims| Command::Pause { claims }),
        2 => any::<bool>().prop_map(|claims| Command::Resume { claims }),
        1 => prop_oneof![Just(0_u32), Just(100)].prop_map(|limit| Command::ExpireDue { limit }),
        1 => Just(Command::Waiting),
        1 => (operation.clone(), any::<bool>(), proof())
            .prop_map(|(operation, expired, proof)| Command::Close { operation, expired, proof }),
        2 => (operation.clone(), proof())
            .prop_map(|(operation, proof)| Command::Stop { operation, proof }),
        3 => (operation.clone(), 1..4_u32)
            .prop_map(|(operation, ticket)| Command::Change { operation, ticket }),
        3 => (operation.clone(), 1..4_u32, 0..2_u32)
            .prop_map(|(operation, ticket, name)| Command::Checkpoint { operation, ticket, name }),
        3 => (operation.clone(), by(), state, 0..3_usize, 0..2_usize).prop_map(
            |(operation, by, state, seen, carried)| {
                Command::Finish { operation, by, state, seen, carried }
            }
        ),
        3 => (operation, by(), 0..40_u32)
            .prop_map(|(operation, by, after)| Command::AskLater { operation, by, after }),
        3 => (0..4_usize).prop_map(|limit| Command::Take { limit }),
        1 => (1..3_u8).prop_map(|life| Command::EndLife { life }),
        1 => (0..3_u32, 0..3_u32).prop_map(|proof| Command::Proof { proof }),
        2 => wait.prop_map(|seconds| Command::Wait { seconds }),
    ]
}

fn performer(with: u32, by: u8) -> Performer {
    Performer { ticket: ticket(with), life: life(by) }
}

fn life(number: u8) -> Life {
    Life([number; 16])
}

/// A store, asked in the words of the contract.
struct Asked {
    store: Arc<dyn Store>,
    clock: SetClock,
    begun: Instant,
}

impl Asked {
    async fn begin(store: Arc<dyn Store>, clock: SetClock) -> Self {
        for number in 1..3 {
            store.begin_life(life(number)).await.unwrap();
        }
        let begun = clock.now();
        Self { store, clock, begun }
    }

    fn use_of(&self, proof: Option<(u32, u32)>) -> Option<ProofUse> {
        proof.map(|(jti, with)| ProofUse {
            thumbprint: "thumbprint".to_owned(),
            jti: jti.to_string(),
            until: self.clock.now().saturating_add(Duration::from_secs(1_000_000)),
            ticket: ticket(with),
        })
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each command")]
    async fn answer(&self, command: &Command) -> Answer {
        let store = &self.store;
        let now = self.clock.now();
        match command.clone() {
            Command::Propose { operation, place } => {
                match store.propose(operation_in(operation, place, now)).await {
                    Ok(Proposed::New) => Answer::Opened,
                    Ok(Proposed::Open(id)) => Answer::OpenAlready(number_of(&id)),
                    Ok(Proposed::Paused) => Answer::Paused,
                    Err(error) => refused(&error),
                }
            }
            Command::Revise { operation, number } => {
                let revision = revision(number, now);
                written(store.revise(Revise { key: key(operation), revision, request: None }).await)
            }
            Command::Claim { operation, revision, performer: by, proof } => {
                let confirmed = crate::draft::revision(revision, now);
                let mut claim = Claim {
                    revision: confirmed.number,
                    performer: by.map(|(with, by)| performer(with, by)),
                    proof: self.use_of(proof),
                    ..claim(operation, ticket(0))
                };
                claim.by.digest = confirmed.digest;
                written(store.claim(claim).await)
            }
            Command::Start { operation, ticket: with, life: by } => {
                let start = Start { key: key(operation), performer: performer(with, by) };
                written(store.start(start).await)
            }
            Command::Close { operation, expired, proof } => {
                let closing = if expired { Closing::Expired } else { Closing::Cancelled };
                let (key, proof) = (key(operation), self.use_of(proof));
                let close = CloseProposed { key, closing, summary: "Nothing.".to_owned(), proof };
                written(store.close_proposed(close).await)
            }
            Command::Stop { operation, proof } => {
                let (key, proof) = (key(operation), self.use_of(proof));
                written(store.request_stop(RequestStop { key, proof }).await)
            }
            Command::Change { operation, ticket: with } => {
                self.note(operation, with, NoteKind::Change("Charged".to_owned())).await
            }
            Command::Checkpoint { operation, ticket: with, name } => {
                let (name, value) = (name.to_string(), "1".to_owned());
                self.note(operation, with, NoteKind::Checkpoint { name, value }).await
            }
            Command::Finish { operation, by, state, seen, carried } => {
                let carried = (0..carried).map(|_| "Refunded".to_owned()).collect();
                let end = finish(operation, finished_by(by), state);
                written(
                    store
                        .finish(Finish { changes_seen: seen.try_into().unwrap(), carried, ..end })
                        .await,
                )
            }
            Command::AskLater { operation, by, after } => {
                self.ask_later(operation, by, after).await
            }
            Command::Take { limit } => self.take(limit).await,
            Command::EndLife { life: number } => {
                store.end_life(life(number)).await.unwrap();
                Answer::Done
            }
            Command::Proof { proof } => {
                written(store.record_proof(self.use_of(Some(proof)).unwrap()).await)
            }
            Command::Pause { .. } | Command::Resume { .. } | Command::ExpireDue { .. } => {
                self.keep(command).await
            }
            Command::Waiting => {
                let known = take().known;
                let which = Waiting { company: COMPANY.to_owned(), limit: 100, known };
                let waiting = self.store.waiting(which).await.unwrap();
                Answer::Taken(waiting.iter().map(|stored| number_of(&stored.key.id)).collect())
            }
            Command::Wait { seconds } => {
                self.clock.advance(Duration::from_secs(seconds.into()));
                Answer::Done
            }
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not named is not kept")]
    async fn keep(&self, command: &Command) -> Answer {
        let keeping = self.store.keeping();
        let of = |claims| if claims { PauseOf::Claims } else { PauseOf::Proposals };
        let company = COMPANY.to_owned();
        match *command {
            Command::Pause { claims } => {
                let (who, why) = ("operator".to_owned(), "a flood".to_owned());
                let pause = Pause { company, action: None, of: of(claims), who, why };
                keeping.pause(pause).await.unwrap();
                Answer::Done
            }
            Command::Resume { claims } => {
                let (who, why) = ("operator".to_owned(), "it is dry".to_owned());
                let resume = Resume { company, action: None, of: of(claims), who, why };
                if keeping.resume(resume).await.unwrap() { Answer::Done } else { Answer::NotNow }
            }
            Command::ExpireDue { limit } => {
                Answer::Expired(keeping.expire_due(COMPANY, limit).await.unwrap())
            }
            _ => unreachable!("nothing else is kept"),
        }
    }

    async fn take(&self, limit: usize) -> Answer {
        let (limit, lease) = (limit.try_into().unwrap(), Duration::from_secs(LEASE.into()));
        let take = TakeAskable { limit, lease, ..take() };
        let taken = self.store.take_askable(take).await.unwrap();
        Answer::Taken(taken.iter().map(|asked| number_of(&asked.stored.key.id)).collect())
    }

    async fn note(&self, operation: u32, with: u32, note: NoteKind) -> Answer {
        let write = WriteNote { key: key(operation), ticket: ticket(with), note };
        written(self.store.write_note(write).await)
    }

    async fn ask_later(&self, operation: u32, by: By, after: u32) -> Answer {
        let by = match by {
            By::Performer(with) => AskLaterBy::Performer(ticket(with)),
            By::Asker { epoch, .. } => AskLaterBy::Asker { epoch },
            By::Operator => AskLaterBy::Operator { who: "operator".to_owned() },
            By::NotStarted | By::Settler => {
                unreachable!("only who performs or asks says when to ask")
            }
        };
        let ask_after = self.clock.now().saturating_add(Duration::from_secs(after.into()));
        let (key, why) = (key(operation), "nobody knows".to_owned());
        let later = AskLater { key, by, ask_after, due: None, attention: false, why };
        written(self.store.ask_later(later).await)
    }

    /// Seconds since the history began.
    fn seconds(&self, moment: Instant) -> u32 {
        u32::try_from((moment.as_millis() - self.begun.as_millis()) / 1_000).unwrap()
    }
}

fn number_of(id: &OperationId) -> u32 {
    id.as_str().split_once('_').unwrap().1.parse().unwrap()
}

fn finished_by(by: By) -> FinishBy {
    match by {
        By::Performer(with) => FinishBy::Performer(ticket(with)),
        By::Asker { epoch, fence } => {
            FinishBy::Asker { epoch, fence: fence.map(|name| name.to_string()) }
        }
        By::NotStarted => FinishBy::NotStarted,
        By::Operator => unreachable!("an operator settles"),
        By::Settler => FinishBy::Settler { who: "operator".to_owned(), why: "call".to_owned() },
    }
}

fn written(written: Result<Written, Error>) -> Answer {
    match written {
        Ok(Written::Done(_)) => Answer::Done,
        Ok(Written::NotNow) => Answer::NotNow,
        Ok(Written::Replayed) => Answer::Replayed,
        Err(error) => refused(&error),
    }
}

fn refused(error: &Error) -> Answer {
    assert_eq!(error.kind(), ErrorKind::NotWritten, "{error}");
    Answer::Refused
}

/// What is on record is what the model knows, and a final state is the last.
fn check(asked: &Asked, history: &History, known: &Known) {
    let stored = &history.stored;
    assert_eq!(stored.state, known.state);
    assert_eq!(stored.latest.number.get(), known.revision);
    assert_eq!(u32::try_from(history.revisions.len()).unwrap(), known.revision);
    assert_eq!(asked.seconds(stored.latest.expires_at), known.expires);
    assert_eq!(stored.confirmed.is_some(), known.confirmed);
    assert_eq!(stored.result.is_some(), known.state.is_final());
    assert_eq!(history.events.len(), known.events);
    let changes = history.notes.iter().filter(|note| matches!(note.note, NoteKind::Change(_)));
    assert_eq!(changes.count(), known.changes);
    assert_eq!(history.notes.len(), known.changes + known.checkpoints.len());
    let running = stored.running.as_ref();
    assert_eq!(running.is_some(), known.state == State::InProgress);
    if let Some(running) = running {
        assert_eq!(running.life, known.life.map(life));
        assert_eq!(running.performing, known.performing);
        assert_eq!((running.epoch, running.died_asking), (known.epoch, known.died));
        assert_eq!(asked.seconds(running.ask_after), known.ask_after);
        assert_eq!(running.stop_requested.map(|stop| asked.seconds(stop)), known.stop);
    }
}

async fn follows_the_model(asked: &Asked, commands: &[Command]) {
    let mut model = Model::default();
    for command in commands {
        let expected = model.answer(command);
        assert_eq!(asked.answer(command).await, expected, "{command:?}");
        for (number, known) in &model.operations {
            let history = asked.store.history(&key(*number)).await.unwrap().unwrap();
            check(asked, &history, known);
        }
    }
    assert_eq!(asked.seconds(asked.clock.now()), model.now);
}

fn histories(most: usize) -> impl Strategy<Value = Vec<Command>> {
    let sensible = command().prop_filter("only who performs or asks says when to ask", |command| {
        !matches!(
            command,
            Command::AskLater {
                by: By::NotStarted | By::Settler | By::Asker { fence: Some(_), .. },
                ..
            } | Command::Finish { by: By::Operator, .. }
        )
    });
    proptest::collection::vec(sensible, 1..most)
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    /// OPS-3-23 OPS-6-4
    #[test]
    fn the_store_in_memory_follows_the_model(commands in histories(60)) {
        let clock = noon();
        let memory = Memory::on_clock(Arc::new(clock.clone()));
        runtime().block_on(async {
            let asked = Asked::begin(Arc::new(memory), clock).await;
            follows_the_model(&asked, &commands).await;
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// OPS-3-23 OPS-6-4
    #[test]
    fn the_store_in_a_file_follows_the_model(commands in histories(50)) {
        let folder = tempfile::tempdir().unwrap();
        let clock = noon();
        runtime().block_on(async {
            let path = folder.path().join("operations.db");
            let sqlite = Sqlite::open_on(path, Arc::new(clock.clone())).unwrap();
            let asked = Asked::begin(Arc::new(sqlite.clone()), clock).await;
            follows_the_model(&asked, &commands).await;
            drop(asked);
            sqlite.close().await;
        });
    }
}
