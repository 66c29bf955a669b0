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
    APPEND_CHANGE = "append_change.sql";
    ASK_AGAIN_AT_ONCE = "ask_again_at_once.sql";
    ASK_LATER_BY_ASKER = "ask_later_by_asker.sql";
    ASK_LATER_BY_PERFORMER = "ask_later_by_performer.sql";
    ASKABLE = "askable.sql";
    BEGIN_LIFE = "begin_life.sql";
    CANCEL_PROPOSED = "cancel_proposed.sql";
    CLAIM = "claim.sql";
    CLEAR_PLACES = "clear_places.sql";
    DISOWN = "disown.sql";
    END_EARLIER_LIVES = "end_earlier_lives.sql";
    END_LIFE = "end_life.sql";
    END_RUNNING = "end_running.sql";
    EVENTS = "events.sql";
    EXPIRE = "expire.sql";
    FINISH_BY_ASKER = "finish_by_asker.sql";
    FINISH_BY_PERFORMER = "finish_by_performer.sql";
    FINISH_BY_SETTLER = "finish_by_settler.sql";
    FORGET_PROOFS = "forget_proofs.sql";
    INSERT_EVENT = "insert_event.sql";
    INSERT_OPEN_ACTION = "insert_open_action.sql";
    INSERT_OPERATION = "insert_operation.sql";
    INSERT_PROOF = "insert_proof.sql";
    INSERT_REVISION = "insert_revision.sql";
    INSERT_RUNNING = "insert_running.sql";
    KEY_OF = "key_of.sql";
    LIFE_GOES_ON = "life_goes_on.sql";
    META = "meta.sql";
    NEWEST_MOMENT = "newest_moment.sql";
    NOTE_CHANGE = "note_change.sql";
    NOTE_CHECKPOINT = "note_checkpoint.sql";
    NEXT_NOTE = "next_note.sql";
    NOTES = "notes.sql";
    OLDEST_PROOFS = "oldest_proofs.sql";
    OPEN_ACTION = "open_action.sql";
    PROOF_IS_OURS = "proof_is_ours.sql";
    PROOFS = "proofs.sql";
    READ = "read.sql";
    READ_BY_KEY = "read_by_key.sql";
    READ_OPEN = "read_open.sql";
    REPLACE_REQUEST = "replace_request.sql";
    REQUEST_STOP = "request_stop.sql";
    REVISE = "revise.sql";
    REVISIONS = "revisions.sql";
    SET_META = "set_meta.sql";
    SOME_PLACES = "some_places.sql";
    STOP_REQUESTED = "stop_requested.sql";
    TAKE_ASKABLE = "take_askable.sql";
}
