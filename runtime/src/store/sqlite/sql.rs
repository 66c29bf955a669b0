//! Every statement, by the name of its file.

macro_rules! statements {
    ($($name:ident = $file:literal;)*) => {
        $(pub(super) const $name: &str = include_str!(concat!("sql/", $file));)*

        /// Every statement with the name of its file.
        #[cfg(test)]
        pub(super) const ALL: &[(&str, &str)] = &[$(($file, $name)),*];
    };
}

statements! {
    ACTS = "acts.sql";
    ADD_TO_ACT = "add_to_act.sql";
    ANY_PAUSE = "any_pause.sql";
    APPEND_CHANGE = "append_change.sql";
    ASK_ABOUT_COPIED = "ask_about_copied.sql";
    ASK_AGAIN_AT_ONCE = "ask_again_at_once.sql";
    ASK_LATER_BY_ASKER = "ask_later_by_asker.sql";
    ASK_LATER_BY_OPERATOR = "ask_later_by_operator.sql";
    ASK_LATER_BY_PERFORMER = "ask_later_by_performer.sql";
    ASKABLE = "askable.sql";
    BEGIN_LIFE = "begin_life.sql";
    BESIDE = "beside.sql";
    BESIDE_ACTS = "beside_acts.sql";
    CANCEL_PROPOSED = "cancel_proposed.sql";
    CLAIM = "claim.sql";
    CLAIM_UNLESS_PAUSED = "claim_unless_paused.sql";
    CLEAR_PLACES = "clear_places.sql";
    COPIED_PROPOSALS = "copied_proposals.sql";
    COUNT_COPIED = "count_copied.sql";
    DIGESTS = "digests.sql";
    DISOWN = "disown.sql";
    END_EARLIER_LIVES = "end_earlier_lives.sql";
    END_EXPIRING = "end_expiring.sql";
    END_LIFE = "end_life.sql";
    END_RELEASE = "end_release.sql";
    END_RUNNING = "end_running.sql";
    ERASABLE = "erasable.sql";
    ERASE_EVENTS = "erase_events.sql";
    ERASE_NOTES = "erase_notes.sql";
    ERASE_OPERATION = "erase_operation.sql";
    ERASE_REVISION = "erase_revision.sql";
    EVENTS = "events.sql";
    EXPIRE = "expire.sql";
    EXPIRE_COPIED = "expire_copied.sql";
    EXPIRING = "expiring.sql";
    FEED_PIECE = "feed_piece.sql";
    FINISH_BY_ASKER = "finish_by_asker.sql";
    FINISH_BY_PERFORMER = "finish_by_performer.sql";
    FINISH_BY_SETTLER = "finish_by_settler.sql";
    FINISH_NOT_STARTED = "finish_not_started.sql";
    FOREIGN_KEY_CHECK = "foreign_key_check.sql";
    FORGET_PROOFS = "forget_proofs.sql";
    INSERT_ACT = "insert_act.sql";
    INSERT_EVENT = "insert_event.sql";
    INSERT_EXPIRING = "insert_expiring.sql";
    INSERT_GAP = "insert_gap.sql";
    INSERT_OPEN_ACTION = "insert_open_action.sql";
    INSERT_OPERATION = "insert_operation.sql";
    INSERT_PROOF = "insert_proof.sql";
    INSERT_RELEASE = "insert_release.sql";
    INSERT_REVISION = "insert_revision.sql";
    INSERT_RUNNING = "insert_running.sql";
    IS_BLANKED = "is_blanked.sql";
    KEEP_ID = "keep_id.sql";
    KEY_OF = "key_of.sql";
    KEYS = "keys.sql";
    LIFE_GOES_ON = "life_goes_on.sql";
    META = "meta.sql";
    NEWEST_MOMENT = "newest_moment.sql";
    NEWEST_SEQUENCE = "newest_sequence.sql";
    NEXT_NOTE = "next_note.sql";
    NOTE_CHANGE = "note_change.sql";
    NOTE_CHECKPOINT = "note_checkpoint.sql";
    NOTES = "notes.sql";
    OLDEST_PROOFS = "oldest_proofs.sql";
    OPEN_ACTION = "open_action.sql";
    OPEN_WORK = "open_work.sql";
    PAUSE = "pause.sql";
    PAUSED = "paused.sql";
    PAUSES = "pauses.sql";
    PROOF_IS_OURS = "proof_is_ours.sql";
    PROOFS = "proofs.sql";
    PURGE_EVENTS = "purge_events.sql";
    PURGE_EXPIRING = "purge_expiring.sql";
    PURGE_NOTES = "purge_notes.sql";
    PURGE_OPERATION = "purge_operation.sql";
    PURGE_REVISIONS = "purge_revisions.sql";
    PURGEABLE = "purgeable.sql";
    QUICK_CHECK = "quick_check.sql";
    READ = "read.sql";
    READ_BY_KEY = "read_by_key.sql";
    READ_OPEN = "read_open.sql";
    RELEASABLE = "releasable.sql";
    RELEASE_AGAIN = "release_again.sql";
    REPLACE_REQUEST = "replace_request.sql";
    REQUEST_STOP = "request_stop.sql";
    RESUME = "resume.sql";
    REVISE = "revise.sql";
    REVISION = "revision.sql";
    REVISIONS = "revisions.sql";
    SEARCH_ALL = "search_all.sql";
    SEARCH_BY_ACCOUNT = "search_by_account.sql";
    SEARCH_BY_ACTION = "search_by_action.sql";
    SEARCH_BY_REFERENCE = "search_by_reference.sql";
    SEARCH_IN_PROGRESS = "search_in_progress.sql";
    SET_META = "set_meta.sql";
    SOME_PLACES = "some_places.sql";
    SPEND_COPIED_TICKET = "spend_copied_ticket.sql";
    START = "start.sql";
    START_RUNNING = "start_running.sql";
    STOP_REQUESTED = "stop_requested.sql";
    TAKE_ASKABLE = "take_askable.sql";
    TAKE_RELEASE = "take_release.sql";
    WAITING = "waiting.sql";
}
