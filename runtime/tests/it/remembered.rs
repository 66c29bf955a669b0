//! A process remembers what it read while that was proposed: it saves a read, and decides nothing.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use pap_runtime::company::ReviseError;
use pap_runtime::store::memory::Memory;
use pap_runtime::store::{Pause, PauseOf};
use pap_runtime::{
    ApprovedBy, ConfirmRequest, ExtensionDescriptor, Operation, OperationId, Refusal, Revision,
    Session, State,
};

use crate::faulty::Faulty;
use crate::fleet::{Fleet, Node, Rent, RentTerms};
use crate::shop::clock;

async fn revise(node: &Node, id: &OperationId, days: u32) -> Operation {
    let revised: Result<_, ReviseError> =
        node.revise::<Rent>(id, RentTerms { car: "a".into(), days }).await;
    revised.unwrap()
}

async fn confirm(
    node: &Node,
    session: &Session,
    id: &OperationId,
    revision: Revision,
) -> Result<Operation, Refusal> {
    let request = ConfirmRequest::new(revision, ApprovedBy::User);
    node.confirm(session, id.as_str(), request).await
}

#[tokio::test(start_paused = true)]
async fn confirming_what_was_read_here_asks_the_store_to_claim_and_to_finish_and_nothing_else() {
    let clock = clock();
    let faulty = Faulty::around(Arc::new(Memory::on_clock(Arc::new(clock.clone()))));
    let fleet = Fleet::on(Arc::<Faulty>::clone(&faulty), clock);
    let node = fleet.node(|builder| builder).await;
    let id = fleet.propose(&node, "a", 1).await.operation_id;
    let before = faulty.calls().len();
    assert_eq!(fleet.confirm(&node, &id).await.unwrap().state, State::Succeeded);
    assert_eq!(faulty.calls()[before..], ["claim", "finish"]);
    // once only: a repeated confirm answers what is on record
    let before = faulty.calls().len();
    assert_eq!(fleet.confirm(&node, &id).await.unwrap().state, State::Succeeded);
    assert_eq!(faulty.calls()[before..], ["read"]);
    assert_eq!(fleet.yard.effects(), 1);
}

/// OPS-5.2-4
#[tokio::test(start_paused = true)]
async fn terms_that_another_process_revised_are_not_confirmed_by_what_this_one_remembers() {
    let fleet = Fleet::new();
    let (here, there) = (fleet.node(|builder| builder).await, fleet.node(|builder| builder).await);
    let id = fleet.propose(&here, "a", 1).await.operation_id;
    let second = revise(&there, &id, 2).await;
    let refused = confirm(&here, &fleet.ada, &id, Revision::FIRST).await;
    let Err(Refusal::TermsChanged(now)) = refused else {
        panic!("revision 1 is over: {refused:?}")
    };
    assert_eq!(*now, second, "the agent is shown what there is to approve now");
    assert_eq!(fleet.yard.effects(), 0);
}

/// OPS-5.2-4
#[tokio::test(start_paused = true)]
async fn a_revision_that_this_process_has_never_read_is_confirmed_all_the_same() {
    let fleet = Fleet::new();
    let (here, there) = (fleet.node(|builder| builder).await, fleet.node(|builder| builder).await);
    let id = fleet.propose(&here, "a", 1).await.operation_id;
    let second = revise(&there, &id, 2).await;
    let done = confirm(&here, &fleet.ada, &id, second.revision).await.unwrap();
    assert_eq!((done.state, done.summary), (State::Succeeded, second.summary));
    assert_eq!(done.confirmation.unwrap().revision, second.revision);
}

/// OPS-5.2-6
#[tokio::test(start_paused = true)]
async fn what_ended_elsewhere_is_answered_as_it_is() {
    let fleet = Fleet::new();
    let (here, there) = (fleet.node(|builder| builder).await, fleet.node(|builder| builder).await);
    let cancelled = fleet.propose(&here, "a", 1).await.operation_id;
    there.cancel(&fleet.ada, cancelled.as_str()).await.unwrap();
    assert_eq!(fleet.confirm(&here, &cancelled).await.unwrap().state, State::Cancelled);
    let performed = fleet.propose(&here, "b", 1).await.operation_id;
    assert_eq!(fleet.confirm(&there, &performed).await.unwrap().state, State::Succeeded);
    assert_eq!(fleet.confirm(&here, &performed).await.unwrap().state, State::Succeeded);
    let late = fleet.propose(&here, "c", 1).await.operation_id;
    fleet.clock.advance(std::time::Duration::from_secs(16 * 60));
    assert_eq!(fleet.confirm(&here, &late).await.unwrap().state, State::Expired);
    assert_eq!(fleet.yard.effects.load(Ordering::SeqCst), 1);
}

/// OPS-3.2-1 OPS-3.2-4
#[tokio::test(start_paused = true)]
async fn a_stranger_learns_nothing_from_what_is_remembered() {
    let fleet = Fleet::new();
    let node = fleet.node(|builder| builder).await;
    let id = fleet.propose(&node, "a", 1).await.operation_id;
    let eve = Session::new("ses_2", "https://juniper.example/agent.json", "eve")
        .signed_in("acc_eve", ["rent"])
        .with_extensions([("operations".to_owned(), ExtensionDescriptor::new("1"))].into());
    let refused = confirm(&node, &eve, &id, Revision::FIRST).await;
    assert!(matches!(refused, Err(Refusal::OperationNotFound)), "{refused:?}");
    assert_eq!(fleet.confirm(&node, &id).await.unwrap().state, State::Succeeded);
}

/// A pause holds for what is remembered, too.
#[tokio::test(start_paused = true)]
async fn what_is_held_back_is_not_claimed_by_heart() {
    let fleet = Fleet::new();
    let node = fleet.node(|builder| builder).await;
    let id = fleet.propose(&node, "a", 1).await.operation_id;
    let pause = Pause {
        company: "Fleet".into(),
        action: None,
        of: PauseOf::Claims,
        who: "ops".into(),
        why: "the yard is full".into(),
    };
    fleet.store.keeping().pause(pause).await.unwrap();
    let refused = fleet.confirm(&node, &id).await;
    assert!(matches!(refused, Err(Refusal::Unavailable)), "{refused:?}");
    assert_eq!(fleet.yard.effects(), 0);
}
