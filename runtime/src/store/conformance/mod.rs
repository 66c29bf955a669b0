//! The suite that every store passes: each promise of [`Store`] as a function of its own.
//!
//! Each opens a fresh store on a clock that it moves, and panics with the promise in words when the store
//! breaks it. [`check_all`] tries them all; [`for_each_store_promise`](crate::for_each_store_promise)
//! makes a test of each. Run them on a runtime with several threads: what is asked at the same time is
//! asked by tasks.
//!
//! # Examples
//!
//! ```
//! use std::sync::Arc;
//!
//! use pap_runtime::store::conformance;
//! use pap_runtime::store::memory::Memory;
//!
//! # tokio::runtime::Builder::new_multi_thread().build()?.block_on(
//! conformance::check_all(async |clock| Arc::new(Memory::on_clock(clock)) as Arc<_>)
//! # );
//! # Ok::<(), std::io::Error>(())
//! ```
#![expect(
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "a promise that is broken ends the test that found it, and says which"
)]

mod acting;
mod answers;
mod bench;
mod confirming;
mod counting;
mod deferring;
pub mod draft;
mod ending;
mod feeding;
mod finishing;
mod keeping;
mod living;
mod pausing;
mod performing;
mod proofs;
mod proposing;
mod recovering;
mod releasing;
mod revising;
mod searching;
mod sharing;

use std::sync::Arc;

pub use self::acting::*;
pub use self::confirming::*;
pub use self::counting::*;
pub use self::deferring::*;
pub use self::ending::*;
pub use self::feeding::*;
pub use self::finishing::*;
pub use self::keeping::*;
pub use self::living::*;
pub use self::pausing::*;
pub use self::performing::*;
pub use self::proofs::*;
pub use self::proposing::*;
pub use self::recovering::*;
pub use self::releasing::*;
pub use self::revising::*;
pub use self::searching::*;
pub use self::sharing::*;
use super::Store;
use crate::clock::Clock;

/// Opens a store that holds nothing, on this clock.
pub trait Opens: AsyncFn(Arc<dyn Clock>) -> Arc<dyn Store> {}

impl<F> Opens for F where F: AsyncFn(Arc<dyn Clock>) -> Arc<dyn Store> {}

/// Hands the name of every promise to a macro, in braces: `for_each_store_promise! { my_macro }`.
///
/// # Examples
///
/// ```
/// macro_rules! count {
///     ($($promise:ident)*) => {
///         const PROMISES: &[&str] = &[$(stringify!($promise)),*];
///     };
/// }
/// pap_runtime::for_each_store_promise! { count }
/// assert!(PROMISES.contains(&"one_of_many_claims_wins"));
/// ```
#[macro_export]
macro_rules! for_each_store_promise {
    ($each:ident) => {
        $each! {
            a_proof_is_accepted_once
            our_own_retry_is_no_replay
            a_proof_is_known_by_its_key_and_its_id
            a_refused_request_has_used_its_proof
            a_replayed_proof_changes_nothing
            one_of_many_gets_a_proof
            a_proof_is_remembered_until_its_time_is_over
            a_proof_whose_time_is_over_is_not_accepted
            a_clock_that_is_set_makes_no_used_proof_new
            a_proposal_is_kept_whole
            a_proposal_without_account_scopes_and_page_is_kept
            an_id_is_issued_once
            a_revision_that_cannot_be_read_again_is_refused
            the_same_action_raised_again_is_the_open_operation
            fifty_proposals_at_once_open_one_operation
            an_open_operation_is_found_under_several_owner_tags
            another_action_has_another_place
            an_expired_operation_gives_up_its_place
            a_final_operation_gives_up_its_place
            an_unknown_operation_is_not_there
            a_revision_never_changes
            only_the_latest_revision_can_be_claimed
            revisions_are_numbered_without_gaps
            a_revision_is_issued_only_with_its_digest
            nothing_is_revised_that_cannot_be_confirmed
            a_revision_has_its_own_time
            a_revision_replaces_the_request_it_answers
            a_claim_and_a_revision_do_not_both_win
            a_claim_is_on_record_before_it_is_answered
            the_record_tells_who_confirmed_what
            the_exact_terms_of_a_confirmation_are_recoverable
            other_words_under_the_same_number_are_not_claimed
            one_of_many_claims_wins
            what_was_claimed_cannot_be_claimed_again
            a_claim_at_the_last_moment_is_in_time
            the_clock_of_a_store_does_not_go_back
            a_claim_and_a_cancel_do_not_both_win
            notes_come_back_in_order
            only_the_performer_notes
            a_checkpoint_is_written_once
            no_checkpoint_is_written_after_the_question
            the_first_request_to_stop_stands
            what_is_not_in_progress_is_not_stopped
            every_change_is_on_the_record_and_no_terms
            a_performer_ends_its_operation
            another_ticket_ends_nothing
            a_performer_is_believed_after_the_question
            an_end_tells_every_change
            only_the_latest_asker_ends_an_operation
            what_was_done_in_part_is_ended_by_its_asker
            a_fence_holds_only_without_its_checkpoint
            an_operation_is_settled_only_while_in_progress
            one_of_many_finishes_wins
            what_was_confirmed_does_not_expire
            a_cancelled_proposal_cannot_be_claimed
            a_late_proposal_can_still_be_declined
            a_proposal_expires_only_after_its_last_moment
            a_confirmed_operation_is_not_closed_as_a_proposal
            one_of_many_ends_wins
            a_final_operation_never_changes
            a_late_outcome_of_nothing_is_refused
            what_a_living_process_performs_is_not_asked_about
            what_an_ended_life_held_is_asked_about
            a_life_does_not_begin_again
            a_life_that_begins_leaves_others_alone
            what_nobody_performs_is_asked_about_in_time
            only_who_may_says_when_to_ask
            a_due_moment_is_kept_when_nothing_is_said
            a_question_is_raised_before_it_is_asked
            a_question_is_asked_again_after_its_lease
            a_question_that_kills_is_put_aside
            what_a_process_may_have_died_of_is_asked_about_alone
            the_longest_waiting_questions_come_first
            a_question_is_taken_by_one_of_many
            two_companies_may_issue_one_id
            a_company_reaches_its_own_operations_alone
            a_company_asks_about_its_own_operations_alone
            a_claim_without_a_performer_waits
            what_was_started_is_performed_like_what_was_claimed
            one_of_many_starts_wins
            only_what_waits_is_started
            what_was_asked_to_stop_is_not_started
            a_start_and_a_stop_do_not_both_win
            only_what_waits_ends_as_not_started
            what_waits_to_be_started_is_never_asked_about
            what_was_started_is_asked_about_when_its_life_has_ended
            those_that_wait_longest_come_first
            a_company_starts_its_own_operations_alone
            a_deferred_claim_has_used_its_proof
            what_waits_is_found_by_who_knows_it
            only_what_is_known_is_started_or_released
            only_what_is_known_is_asked_about
            an_operator_has_it_asked_about_again
            a_life_hears_whether_it_goes_on
            what_a_beating_life_holds_is_not_asked_about
            paused_claims_claim_nothing
            a_paused_claim_has_used_its_proof
            paused_proposals_propose_nothing
            a_paused_proposal_ends_nothing
            a_pause_holds_back_its_own_alone
            pauses_are_told_and_end_one_by_one
            after_a_pause_no_claim_is_written
            what_is_due_expires_on_record
            nothing_else_expires
            no_more_expire_than_were_asked_for
            a_claim_and_an_expiry_do_not_both_win
            each_revision_that_is_not_performed_is_released_once
            a_release_is_told_again_after_its_lease
            a_release_is_taken_by_one_of_many
            a_company_is_told_of_its_own_releases_alone
            a_release_is_told_to_who_knows_its_terms
            the_feed_tells_what_is_on_record
            reading_goes_on_after_any_event
            a_cursor_that_is_none_is_refused
            a_company_reads_its_own_feed_alone
            the_feed_passes_nothing_over_while_many_write
            the_place_of_an_event_is_never_given_again
            many_read_one_feed
            everything_is_found_in_proposal_order
            operations_are_found_by_each_wish
            a_reference_is_fixed
            what_needs_attention_is_found
            a_company_finds_its_own_operations_alone
            open_work_is_counted_by_action
            what_was_purged_is_gone
            what_is_open_is_never_purged
            the_id_of_what_was_purged_is_not_issued_again
            purging_goes_on_in_small_steps
            what_was_erased_says_nothing
            an_erased_digest_shows_the_words_to_whoever_has_them
            what_is_open_is_not_erased
            what_was_erased_is_still_final
            what_is_counted_is_what_is_removed_or_blanked
            a_healthy_store_verifies
            what_operators_did_is_on_record
            what_changed_nothing_is_no_act
            an_act_in_steps_tells_of_all_of_them
            retention_is_nobodys_act
            a_company_reads_its_own_acts_alone
            many_acts_at_once_are_numbered_without_gaps
        }
    };
}

macro_rules! all_promises {
    ($($promise:ident)*) => {
        /// Tries every promise, each on a store of its own.
        pub async fn check_all(open: impl Opens) {
            $($promise(&open).await;)*
        }
    };
}

for_each_store_promise! { all_promises }
