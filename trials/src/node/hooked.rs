//! Operations that something else hangs on: a hold downstream, rows in the store's own database, and how
//! long they are kept.

use std::time::Duration;

use pap_runtime::{
    Confirmed, Finding, NotOffered, Operations, OrSay, Outcome, Proposal, Proposing, Released,
    Retry, failed_unchanged, failpoint, operation, operations, succeeded, unknown,
};

use super::World;
use super::operations::{Op, Request, TrialTerms, fence, holding, key, proposal, step, told};
use super::own::Own;
use crate::downstream::ledger::Noted;

pub(super) fn operations() -> Operations<World> {
    operations![Held, SameStore, Kept]
}

pub(crate) enum Held {}

/// One effect that uses what its proposal holds downstream.
#[operation(action = "trial.held", route = "POST /held", scopes = ["trials:write"], identity(item))]
impl Held {
    async fn propose(
        world: &World,
        request: Request,
        proposing: &Proposing,
    ) -> Result<Proposal<TrialTerms>, NotOffered> {
        // each revision has a hold of its own, also one that says what an earlier one said
        let number = getrandom::u64().map_err(NotOffered::broken)?;
        let hold = format!("{}:{number:016x}", proposing.id());
        world.downstream.note(Noted::Held, &hold).await?;
        Ok(holding(request, Some(hold)))
    }

    async fn perform(world: &World, op: Confirmed<TrialTerms>) -> Outcome {
        step(world, &op, "effect").await
    }

    async fn reconcile(world: &World, op: &Confirmed<TrialTerms>) -> Result<Finding, Retry> {
        fence(world, op).await
    }

    async fn released(world: &World, op: &Released<TrialTerms>) -> Result<(), Retry> {
        let hold = op.terms.hold.as_deref().unwrap_or("no hold at all");
        Ok(world.downstream.note(Noted::LetGo, hold).await?)
    }
}

/// One effect that is a row in the database that operations are kept in.
#[operation(action = "trial.same_store", route = "POST /same-store", scopes = ["trials:write"], identity(item),
            reconcile = same_store)]
impl SameStore {
    async fn propose(_: &World, request: Request) -> Result<Proposal<TrialTerms>, NotOffered> {
        Ok(proposal(request))
    }

    async fn perform(world: &World, op: Confirmed<TrialTerms>) -> Outcome {
        failpoint::passed_waiting("handler.before_effect").await;
        match op.terms.how.as_str() {
            "declined" => return failed_unchanged("It was declined"),
            "never sent" => return unknown("nothing was written"),
            _ => {}
        }
        let before = Duration::from_millis(op.terms.before_ms.into());
        tokio::time::sleep(before).await;
        let written = match &world.own {
            Own::File(store) => in_file(store, &op).await,
            Own::Server(server) => in_server(server, &op).await,
        };
        failpoint::passed_waiting("handler.after_effect").await;
        match op.terms.how.as_str() {
            "lost" => unknown("the answer was lost"),
            #[expect(clippy::panic, reason = "a handler of the trials can be told to")]
            "panicking" => panic!("as it was told to"),
            _ => written,
        }
    }
}

pub(crate) enum SameStore {}

async fn in_file(store: &pap_runtime::store::sqlite::Sqlite, op: &Op) -> Outcome {
    let key = key(op, "effect");
    let ended = succeeded(told("effect"), ());
    let settled = op.settle_with(store, ended, move |file| {
        super::own::write(file, &key)?;
        failpoint::passed("handler.committing");
        Ok(())
    });
    settled.await?.committed()
}

async fn in_server(server: &super::own::Server, op: &Op) -> Outcome {
    let mut connection = server.connect().await.or_unknown("database")?;
    let mut transaction = connection.transaction().await.or_unknown("database")?;
    server.write(&transaction, &key(op, "effect")).await.or_unknown("database")?;
    let settled = op.settle_in(&mut transaction, succeeded(told("effect"), ())).await?;
    // others write and commit meanwhile
    tokio::time::sleep(Duration::from_millis(op.terms.after_ms.into())).await;
    let mut commit = std::pin::pin!(transaction.commit());
    let committed = tokio::select! {
        biased;
        committed = &mut commit => committed,
        () = std::future::ready(()) => {
            // on its way to the server, and not answered
            failpoint::passed_waiting("handler.committing").await;
            commit.await
        }
    };
    committed.or_unknown("database")?;
    settled.committed()
}

pub(crate) enum Kept {}

/// One effect that an operator removes and blanks.
#[operation(action = "trial.kept", route = "POST /kept", scopes = ["trials:write"], identity(item),
            retain_for = "1d")]
impl Kept {
    async fn propose(_: &World, request: Request) -> Result<Proposal<TrialTerms>, NotOffered> {
        Ok(proposal(request))
    }

    async fn perform(world: &World, op: Confirmed<TrialTerms>) -> Outcome {
        step(world, &op, "effect").await
    }

    async fn reconcile(world: &World, op: &Confirmed<TrialTerms>) -> Result<Finding, Retry> {
        fence(world, op).await
    }
}
