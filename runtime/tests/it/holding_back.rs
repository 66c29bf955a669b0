//! An operator holds an action back on every node.

use pap_runtime::store::{EventKind, PauseOf};
use pap_runtime::{Refusal, State};

use crate::fleet::{ACTION, Fleet, Rent, RentRequest, WashTerms, wash};

#[tokio::test(start_paused = true)]
async fn paused_confirmations_are_refused_by_every_process_and_nothing_is_performed() {
    let fleet = Fleet::new();
    let (node, other) = (fleet.node(|builder| builder).await, fleet.node(|builder| builder).await);
    let id = fleet.propose(&node, "a", 1).await.operation_id;
    node.pause(ACTION, PauseOf::Claims, "ada", "the yard is flooded").await.unwrap();
    for node in [&node, &other] {
        let refused = fleet.confirm(node, &id).await.unwrap_err();
        assert!(matches!(refused, Refusal::Unavailable), "{refused:?}");
    }
    assert_eq!(fleet.stored(&id).await.state, State::Proposed);
    let washing = other.propose::<wash>(&fleet.ada, WashTerms { car: "a".into() }).await.unwrap();
    let washed = fleet.confirm(&other, &washing.operation_id).await.unwrap();
    assert_eq!(washed.state, State::Succeeded, "another action goes on");
    fleet.propose(&other, "b", 1).await;

    assert!(
        other.operators().resume(Some(ACTION), PauseOf::Claims, "ada", "it is dry").await.unwrap()
    );
    assert_eq!(fleet.confirm(&node, &id).await.unwrap().state, State::Succeeded);
    assert_eq!(fleet.yard.effects(), 2);
}

#[tokio::test(start_paused = true)]
async fn paused_proposals_are_refused_and_open_ones_go_on() {
    let fleet = Fleet::new();
    let node = fleet.node(|builder| builder).await;
    let id = fleet.propose(&node, "a", 1).await.operation_id;
    let operators = node.operators();
    operators.pause(None, PauseOf::Proposals, "ada", "an audit").await.unwrap();
    operators.pause(None, PauseOf::Proposals, "bob", "later").await.unwrap();
    let pauses = operators.pauses().await.unwrap();
    assert_eq!((pauses.len(), pauses[0].who.as_str()), (1, "ada"), "the first stands");

    let request = RentRequest { car: "b".to_owned(), days: 1 };
    let refused = node.propose::<Rent>(&fleet.ada, request).await.unwrap_err();
    assert!(matches!(refused, Refusal::Unavailable), "{refused:?}");
    assert_eq!(fleet.propose(&node, "a", 1).await.operation_id, id, "asked again");
    assert_eq!(fleet.propose(&node, "a", 2).await.revision.get(), 2, "and revised");
    let history = node.history(&id).await.unwrap();
    let kinds: Vec<_> = history.events.iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [EventKind::Proposed, EventKind::Revised]);
}
