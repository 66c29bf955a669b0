//! Every statement, by the name of its file, on the schema that a store was given.

macro_rules! statements {
    ($($name:ident = $file:literal;)*) => {
        /// The statements as one store sends them.
        #[derive(Debug)]
        pub(super) struct Statements {
            $(pub(super) $name: String,)*
        }

        impl Statements {
            /// The statements on the tables of this schema.
            pub(super) fn on(schema: &str) -> Self {
                Self {
                    $($name: on(schema, include_str!(concat!("sql/", $file))),)*
                }
            }

            /// Every statement with the name of its file.
            #[cfg(test)]
            pub(super) fn all(&self) -> Vec<(&'static str, &str)> {
                vec![$(($file, self.$name.as_str())),*]
            }
        }
    };
}

statements! {
    acts = "acts.sql";
    ask_later = "ask_later.sql";
    begin_life = "begin_life.sql";
    beside = "beside.sql";
    blanked = "blanked.sql";
    claim = "claim.sql";
    close_proposed = "close_proposed.sql";
    count_copied = "count_copied.sql";
    count_erase = "count_erase.sql";
    count_purge = "count_purge.sql";
    disown = "disown.sql";
    end_life = "end_life.sql";
    end_release = "end_release.sql";
    erase = "erase.sql";
    events = "events.sql";
    expire_due = "expire_due.sql";
    feed_piece = "feed_piece.sql";
    feed_window = "feed_window.sql";
    find_open = "find_open.sql";
    finish = "finish.sql";
    finish_in = "finish_in.sql";
    finished = "finished.sql";
    forget_proofs = "forget_proofs.sql";
    has_schema = "has_schema.sql";
    heartbeat = "heartbeat.sql";
    keys = "keys.sql";
    loose = "loose.sql";
    missing = "missing.sql";
    newest_moment = "newest_moment.sql";
    notes = "notes.sql";
    notes_of = "notes_of.sql";
    one_at_a_time = "one_at_a_time.sql";
    one_migrates = "one_migrates.sql";
    open_work = "open_work.sql";
    pause = "pause.sql";
    pauses = "pauses.sql";
    pausing = "pausing.sql";
    propose = "propose.sql";
    prove_claims = "prove_claims.sql";
    purge = "purge.sql";
    read = "read.sql";
    read_taken = "read_taken.sql";
    record_late = "record_late.sql";
    record_proof = "record_proof.sql";
    recorded = "recorded.sql";
    removed = "removed.sql";
    request_stop = "request_stop.sql";
    restore = "restore.sql";
    resume = "resume.sql";
    revise = "revise.sql";
    revisions = "revisions.sql";
    schema_version = "schema_version.sql";
    search = "search.sql";
    search_in_progress = "search_in_progress.sql";
    set_recorded = "set_recorded.sql";
    settings = "settings.sql";
    start = "start.sql";
    take_askable = "take_askable.sql";
    take_releases = "take_releases.sql";
    waiting = "waiting.sql";
    write_note = "write_note.sql";
}

/// The schema that the files are written for.
pub(super) const USUAL_SCHEMA: &str = "pap";

/// A text of ours on another schema: every name in it is written with the schema in front, since a
/// connection that a pooler shares keeps no search path.
pub(super) fn on(schema: &str, text: &str) -> String {
    if schema == USUAL_SCHEMA {
        return text.to_owned();
    }
    text.replace("pap.", &format!("{schema}."))
}
