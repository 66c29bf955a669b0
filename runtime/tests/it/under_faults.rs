//! Whichever call of the store fails and however: performed at most once, never reported otherwise than
//! it happened, and never left behind.

use crate::depot::Act;
use crate::faulty::{Fault, METHODS, Plan};
use crate::town::{Script, run};

/// The n-th call of the store fails, for every n and every kind of failure, whatever the handler does.
macro_rules! whichever_call_fails {
    ($($name:ident = $act:ident;)*) => {$(
        /// OPS-1-3 OPS-6-4 OPS-6-6 OPS-6-7 OPS-6-8 OPS-6-10
        #[test]
        fn $name() {
            for_every_call(Act::$act, Script::Confirm);
            for_every_call(Act::$act, Script::ConfirmThenCancel);
            for_every_call(Act::$act, Script::ConfirmAndRestart);
        }
    )*};
}

whichever_call_fails! {
    whichever_call_fails_what_succeeds_has_happened_once = Straight;
    whichever_call_fails_what_succeeds_without_a_checkpoint_has_happened_once = Unfenced;
    whichever_call_fails_what_is_declined_has_not_happened = Decline;
    whichever_call_fails_what_fails_partway_is_told = FailPartway;
    whichever_call_fails_what_was_changed_is_told_whatever_its_handler_says = Contradict;
    whichever_call_fails_what_its_handler_does_not_know_is_found_out = LoseAnswer;
    whichever_call_fails_a_panic_is_found_out = Panic;
    whichever_call_fails_a_slow_handler_has_the_say = Slow;
    whichever_call_fails_a_handler_behind_its_time_does_nothing = LateStart;
    whichever_call_fails_what_was_handed_over_is_asked_about = HandOver;
    whichever_call_fails_what_is_stopped_has_not_happened = Stoppable;
    whichever_call_fails_what_is_stopped_partway_is_told = StoppableAfter;
}

/// OPS-6-4 OPS-3.1-3 OPS-1-1
#[test]
fn whichever_call_fails_the_latest_revision_is_performed_once() {
    for_every_call(Act::Straight, Script::ReviseThenConfirm);
    for_every_call(Act::Straight, Script::ConfirmTwiceAtOnce);
    for_every_call(Act::LoseAnswer, Script::ConfirmTwiceAtOnce);
}

/// OPS-7-2 OPS-3-22 OPS-3-16
#[test]
fn whichever_call_fails_what_was_not_confirmed_does_not_happen() {
    for_every_call(Act::Straight, Script::Decline);
    for_every_call(Act::Straight, Script::LetExpire);
}

/// OPS-6-4 OPS-6-6 OPS-6-7
#[test]
fn however_long_a_method_fails_an_operation_ends_as_what_happened() {
    for method in METHODS {
        for fault in Fault::ALL {
            for (act, script) in [
                (Act::Straight, Script::ReviseThenConfirm),
                (Act::LoseAnswer, Script::ConfirmThenCancel),
                (Act::Slow, Script::Confirm),
            ] {
                for many in [3, 30] {
                    run(act, script, Plan { fault, method: Some(method), from: 1, many });
                }
            }
        }
    }
}

fn for_every_call(act: Act, script: Script) {
    for fault in Fault::ALL {
        let plan = |from| Plan { fault, method: None, from, many: 1 };
        let last = (1..200).find(|from| run(act, script, plan(*from)) == 0);
        assert!(last.is_some_and(|last| last > 5), "every call has had its turn: {last:?}");
    }
}
