//! Every statement, by the name of its file, on the schema that a store was given.

macro_rules! statements {
    ($($name:ident)*) => {
        /// The statements as one store sends them.
        #[derive(Debug)]
        pub(super) struct Statements {
            $(pub(super) $name: String,)*
        }

        impl Statements {
            /// The statements on the tables of this schema.
            pub(super) fn on(schema: &str) -> Self {
                Self {
                    $($name: on(schema, include_str!(concat!("sql/", stringify!($name), ".sql"))),)*
                }
            }

            /// Every statement with the name of its file.
            #[cfg(test)]
            pub(super) fn all(&self) -> Vec<(&'static str, &str)> {
                vec![$((stringify!($name), self.$name.as_str())),*]
            }
        }
    };
}

statements! {
    ask_later
    begin_life
    claim
    close_proposed
    disown
    end_life
    events
    find_open
    finish
    finished
    forget_proofs
    has_schema
    newest_moment
    notes
    notes_of
    one_at_a_time
    one_migrates
    propose
    prove_claims
    read
    read_taken
    record_late
    record_proof
    request_stop
    revise
    revisions
    schema_version
    settings
    take_askable
    write_note
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
