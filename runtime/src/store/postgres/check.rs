//! Whether a server can be trusted with what is confirmed: everything that is wrong, told at once.

use tokio_postgres::Row;

use super::config::Durability;
use crate::store::Error;

/// The oldest server that has what the statements use.
const OLDEST: i32 = 130_000;

/// What a server says about itself.
#[derive(Debug, Default, Clone)]
pub(super) struct Settings {
    recovering: bool,
    version: i32,
    encoding: String,
    fsync: String,
    full_page_writes: String,
    synchronous_commit: String,
    standbys: String,
    isolation: String,
    read_only: String,
    statement_timeout: String,
    transaction_timeout: String,
    role: String,
}

impl Settings {
    /// The columns of settings.sql.
    pub(super) fn of(row: &Row) -> Result<Self, Error> {
        let take = || -> Result<Self, tokio_postgres::Error> {
            Ok(Self {
                recovering: row.try_get("recovering")?,
                version: row.try_get("version")?,
                encoding: row.try_get("encoding")?,
                fsync: row.try_get("fsync")?,
                full_page_writes: row.try_get("full_page_writes")?,
                synchronous_commit: row.try_get("synchronous_commit")?,
                standbys: row.try_get("standbys")?,
                isolation: row.try_get("isolation")?,
                read_only: row.try_get("read_only")?,
                statement_timeout: row.try_get("statement_timeout")?,
                transaction_timeout: row.try_get("transaction_timeout")?,
                role: row.try_get("role")?,
            })
        };
        take().map_err(|error| {
            Error::not_written("the server's settings cannot be read").from_source(error)
        })
    }

    /// Refuses a server that could forget what was confirmed, or write it otherwise than it was meant.
    pub(super) fn check(&self, durability: &Durability) -> Result<(), Error> {
        let mut problems = Vec::new();
        self.server(&mut problems);
        self.disk(durability, &mut problems);
        self.standby(durability, &mut problems);
        self.session(&mut problems);
        if problems.is_empty() {
            return Ok(());
        }
        let mut words = format!(
            "this PostgreSQL cannot be trusted with what is confirmed ({} to put right)",
            problems.len()
        );
        for Problem { what, why, help } in problems {
            words.push_str(&format_args!("\n- {what}\n  note: {why}\n  help: {help}").to_string());
        }
        Err(Error::not_written(words))
    }

    fn server(&self, problems: &mut Vec<Problem>) {
        if self.recovering {
            problems.push(Problem {
                what: "the server is a replica".to_owned(),
                why: "what it shows may be older than what was confirmed",
                help: "name the primary's address, or add `target_session_attrs=read-write`"
                    .to_owned(),
            });
        }
        if self.version < OLDEST {
            problems.push(Problem {
                what: format!("the server's version is {}", self.version / 10_000),
                why: "the store needs PostgreSQL 13 or newer",
                help: "upgrade the server".to_owned(),
            });
        }
        if self.encoding != "UTF8" {
            problems.push(Problem {
                what: format!("the database's encoding is `{}`", self.encoding),
                why: "not every text of an agent could be kept in it",
                help: "make a database with `CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`"
                    .to_owned(),
            });
        }
    }

    fn disk(&self, durability: &Durability, problems: &mut Vec<Problem>) {
        if self.fsync != "on" {
            problems.push(Problem {
                what: "`fsync` is off".to_owned(),
                why: "a power cut can lose confirmations, and with them that something was done",
                help: "ALTER SYSTEM SET fsync = on; SELECT pg_reload_conf();".to_owned(),
            });
        }
        // storage that replicates below the server writes no torn pages, and whoever says nothing may be on it
        let below = matches!(durability, Durability::Replicated(_) | Durability::Unsaid);
        if self.full_page_writes != "on" && !below {
            problems.push(Problem {
                what: "`full_page_writes` is off".to_owned(),
                why: "a power cut can leave half-written pages that nothing repairs",
                help: "ALTER SYSTEM SET full_page_writes = on; SELECT pg_reload_conf();".to_owned(),
            });
        }
    }

    fn standby(&self, durability: &Durability, problems: &mut Vec<Problem>) {
        let commit = self.synchronous_commit.as_str();
        let waits = match durability {
            Durability::SingleNode | Durability::Unsaid => commit != "off",
            Durability::Standby | Durability::Replicated(_) => {
                matches!(commit, "on" | "remote_apply")
            }
        };
        if !waits {
            problems.push(Problem {
                what: format!("`synchronous_commit` is `{commit}` for role `{}`", self.role),
                why: "a commit is reported before it is safe, so a confirmation could be forgotten",
                help: format!("ALTER ROLE {} SET synchronous_commit = on;", self.role),
            });
        }
        if *durability == Durability::Standby && self.standbys.trim().is_empty() {
            problems.push(Problem {
                what: "`synchronous_standby_names` is empty".to_owned(),
                why: "when this machine is lost, a replica may lack confirmations: an action could be performed twice",
                help: "ALTER SYSTEM SET synchronous_standby_names = '…'; or say in the configuration what holds: \
                       `.single_node()`, or `.replicated(\"RDS Multi-AZ\")`"
                    .to_owned(),
            });
        }
    }

    fn session(&self, problems: &mut Vec<Problem>) {
        let role = &self.role;
        if self.isolation != "read committed" {
            problems.push(Problem {
                what: format!("`default_transaction_isolation` is `{}`", self.isolation),
                why: "the statements are written for `read committed`, and others would fail at random",
                help: format!("ALTER ROLE {role} SET default_transaction_isolation = 'read committed';"),
            });
        }
        if self.read_only != "off" {
            problems.push(Problem {
                what: "`default_transaction_read_only` is on".to_owned(),
                why: "nothing can be written",
                help: format!("ALTER ROLE {role} SET default_transaction_read_only = off;"),
            });
        }
        for (name, value) in [
            ("statement_timeout", &self.statement_timeout),
            ("transaction_timeout", &self.transaction_timeout),
        ] {
            if value != "0" {
                problems.push(Problem {
                    what: format!("`{name}` is `{value}` for role `{role}`"),
                    why: "a commit that is broken off while it waits for its standby is neither done nor undone",
                    help: format!("ALTER ROLE {role} SET {name} = 0; (waits for locks are bounded anyway)"),
                });
            }
        }
    }
}

struct Problem {
    what: String,
    why: &'static str,
    help: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good() -> Settings {
        let said = str::to_owned;
        Settings {
            recovering: false,
            version: 150_018,
            encoding: said("UTF8"),
            fsync: said("on"),
            full_page_writes: said("on"),
            synchronous_commit: said("on"),
            standbys: said("*"),
            isolation: said("read committed"),
            read_only: said("off"),
            statement_timeout: said("0"),
            transaction_timeout: said("0"),
            role: said("shop"),
        }
    }

    #[test]
    fn a_server_that_keeps_what_it_commits_is_accepted() {
        assert!(good().check(&Durability::Standby).is_ok());
        let alone = Settings { standbys: String::new(), ..good() };
        assert!(alone.check(&Durability::SingleNode).is_ok());
        assert!(alone.check(&Durability::Replicated("RDS Multi-AZ".to_owned())).is_ok());
    }

    #[test]
    fn a_server_without_a_standby_needs_the_operators_word() {
        let alone = Settings { standbys: String::new(), ..good() };
        let refused = alone.check(&Durability::Standby).unwrap_err().to_string();
        assert!(refused.contains(".single_node()"), "{refused}");
    }

    #[test]
    fn a_tool_that_performs_nothing_says_nothing_and_still_loses_nothing_that_it_writes() {
        let nobodys =
            Settings { standbys: String::new(), full_page_writes: "off".to_owned(), ..good() };
        assert!(nobodys.check(&Durability::Unsaid).is_ok());
        for forgets in [
            Settings { fsync: "off".to_owned(), ..good() },
            Settings { synchronous_commit: "off".to_owned(), ..good() },
            Settings { recovering: true, ..good() },
        ] {
            assert!(forgets.check(&Durability::Unsaid).is_err(), "{forgets:?}");
        }
    }

    #[test]
    fn everything_that_is_wrong_is_told_at_once_with_what_to_type() {
        let off = || "off".to_owned();
        let bad = Settings {
            recovering: true,
            fsync: off(),
            full_page_writes: off(),
            synchronous_commit: off(),
            standbys: String::new(),
            isolation: "serializable".to_owned(),
            statement_timeout: "8s".to_owned(),
            ..good()
        };
        let refused = bad.check(&Durability::Standby).unwrap_err().to_string();
        for told in [
            "7 to put right",
            "replica",
            "SET fsync = on",
            "SET full_page_writes = on",
            "ALTER ROLE shop SET synchronous_commit = on;",
            "synchronous_standby_names",
            "ALTER ROLE shop SET default_transaction_isolation = 'read committed';",
            "ALTER ROLE shop SET statement_timeout = 0;",
        ] {
            assert!(refused.contains(told), "`{told}` in: {refused}");
        }
    }

    #[test]
    fn a_commit_that_waits_for_no_standby_is_no_replicated_one() {
        for weak in ["off", "local", "remote_write"] {
            let weak = Settings { synchronous_commit: weak.to_owned(), ..good() };
            assert!(weak.check(&Durability::Standby).is_err());
            assert!(weak.check(&Durability::Replicated("ours".to_owned())).is_err());
        }
    }
}
