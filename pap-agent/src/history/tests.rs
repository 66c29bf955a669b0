use pap_protocol::operation::OperationResult;

use super::*;

fn operation(revision: u32, state: State) -> Operation {
    let id = "exc_5Rt2".parse().unwrap();
    let revision = Revision::try_from(revision).unwrap();
    let mut operation = Operation::new(id, revision, state, "Exchange the jacket.");
    let at = "2026-10-08T19:04:31Z".parse().unwrap();
    if !matches!(state, State::Proposed | State::Expired) {
        let confirmation =
            Confirmation::new(revision, pap_protocol::operation::ApprovedBy::User, at);
        operation.confirmation = Some(confirmation);
    }
    if state.is_final() {
        operation.result = Some(OperationResult::new("Done."));
    }
    operation
}

fn digest(text: &str) -> Digest {
    Digest::of([text])
}

/// Takes the answers in order, each after the one before; the last one's result.
fn take_all(answers: &[Operation]) -> Result<Taken, Contradiction> {
    let history = History::default();
    let mut taken = Ok(Taken::Newest);
    for answer in answers {
        let says = digest(&answer.revision.to_string());
        taken = history.take(("example.com", history.mark()), answer, says, None);
    }
    taken
}

/// Every pair of states, seen one after the other in one revision.
#[test]
fn a_state_never_goes_back() {
    let mut allowed = Vec::new();
    for before in State::ALL {
        for now in State::ALL {
            let taken = take_all(&[operation(1, before), operation(1, now)]);
            if taken.is_ok() {
                allowed.push(format!("{before} {now}"));
            }
        }
    }
    assert_eq!(
        allowed,
        [
            "proposed proposed",
            "proposed in_progress",
            "proposed succeeded",
            "proposed failed",
            "proposed cancelled",
            "proposed expired",
            "in_progress in_progress",
            "in_progress succeeded",
            "in_progress failed",
            "in_progress cancelled",
            "succeeded succeeded",
            "failed failed",
            "cancelled cancelled",
            "expired expired",
        ]
    );
}

#[test]
fn revisions_only_grow_and_stop_at_the_confirm() {
    let up = take_all(&[operation(1, State::Proposed), operation(2, State::Proposed)]);
    assert_eq!(up, Ok(Taken::Newest));
    let back = take_all(&[operation(2, State::Proposed), operation(1, State::Proposed)]);
    assert!(matches!(back, Err(Contradiction::RevisionWentBack { .. })));
    let after = take_all(&[operation(1, State::InProgress), operation(2, State::InProgress)]);
    assert!(matches!(after, Err(Contradiction::RevisedAfterConfirm { .. })));
}

#[test]
fn a_revision_says_the_same_for_ever() {
    let history = History::default();
    let proposed = operation(1, State::Proposed);
    let take = |says| history.take(("example.com", history.mark()), &proposed, digest(says), None);
    assert_eq!(take("for $70.00"), Ok(Taken::Newest));
    assert!(matches!(take("for $75.00"), Err(Contradiction::ChangedTerms { .. })));
    // the first word is the one that counts
    assert_eq!(take("for $70.00"), Ok(Taken::Newest));
}

#[test]
fn what_happened_is_said_once() {
    let mut other = operation(1, State::Succeeded);
    other.result = Some(OperationResult::new("Something else."));
    let taken = take_all(&[operation(1, State::Succeeded), other]);
    assert!(matches!(taken, Err(Contradiction::ResultChanged { .. })));

    let mut other = operation(1, State::InProgress);
    let later = "2026-10-08T19:09:00Z".parse().unwrap();
    let approved_by = pap_protocol::operation::ApprovedBy::User;
    other.confirmation = Some(Confirmation::new(Revision::FIRST, approved_by, later));
    let taken = take_all(&[operation(1, State::InProgress), other]);
    assert!(matches!(taken, Err(Contradiction::ConfirmationChanged { .. })));
}

#[test]
fn an_answer_that_was_overtaken_is_no_contradiction() {
    let history = History::default();
    let before = history.mark();
    let newer = operation(1, State::InProgress);
    let take = |mark, operation: &Operation| {
        history.take(("example.com", mark), operation, digest("1"), None)
    };
    assert_eq!(take(history.mark(), &newer), Ok(Taken::Newest));
    assert_eq!(take(before, &operation(1, State::Proposed)), Ok(Taken::Overtaken));
    assert_eq!(take(Mark::Unknown, &operation(1, State::Proposed)), Ok(Taken::Overtaken));
    assert!(take(history.mark(), &operation(1, State::Proposed)).is_err());
}

#[test]
fn what_is_remembered_is_bounded_and_open_operations_stay() {
    let history = History::default();
    let open = operation(1, State::InProgress);
    let first = history.take(("example.com", history.mark()), &open, digest("1"), None);
    assert_eq!(first, Ok(Taken::Newest));
    for number in 0..3 * REMEMBERED_MAX {
        let mut ended = operation(1, State::Succeeded);
        ended.operation_id = format!("op_{number}").parse().unwrap();
        let taken = history.take(("example.com", history.mark()), &ended, digest("1"), None);
        assert_eq!(taken, Ok(Taken::Newest));
    }
    assert!(history.inner().seen.len() <= REMEMBERED_MAX + 1);
    assert!(history.seen("example.com", &open.operation_id).is_some());
}
