//! Which server and which tables these are: a copy that was put in their place has forgotten what was
//! confirmed since.

use super::base::failed;
use super::bound::Bound;
use super::config::Durability;
use super::failure::Failure;
use super::link::Link;
use super::sql::Statements;
use crate::store::Error;

/// Asked of every server that may be asked.
const SERVER: &str = include_str!("sql/server.sql");

/// A server by what a copy of its files keeps and a promotion changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Server {
    /// The number that its files were made with.
    pub(super) system: String,
    /// How often it, or what it is a copy of, was promoted.
    pub(super) timeline: u32,
}

impl Server {
    /// The server at the other end; `None` if it does not tell.
    pub(super) async fn at(link: &Link) -> Result<Option<Self>, Failure> {
        match link.ask(SERVER, &Bound::default()).await {
            Ok(rows) => Ok(rows.first().and_then(|row| {
                let timeline: &str = row.try_get(1).ok()?;
                let timeline = u32::from_str_radix(timeline, 16).ok()?;
                Some(Self { system: row.try_get(0).ok()?, timeline })
            })),
            // not every role may ask, and not every service has the functions
            Err(Failure::Refused(_)) => Ok(None),
            Err(failure) => Err(failure.before_anything()),
        }
    }

    /// Why this is not the server that was there; `promotes`: a standby that has every commit may take its
    /// place.
    pub(super) fn differs(&self, was: &Self, promotes: bool) -> Option<String> {
        let (here, there) = (self.timeline, was.timeline);
        if self.system != was.system {
            let (here, there) = (&self.system, &was.system);
            Some(format!("the server is number {here}, and the tables are of number {there}"))
        } else if here < there {
            Some(format!("the server is on timeline {here}, and timeline {there} was on record"))
        } else if here > there && !promotes {
            Some(format!(
                "the server was promoted (timeline {here}, and {there} was on record), and `.single_node()` \
                 was said: there is none to promote"
            ))
        } else {
            None
        }
    }
}

/// Whether a standby that is promoted has every commit, by the operator's word or the server's settings.
pub(super) fn promotes(durability: &Durability) -> bool {
    *durability != Durability::SingleNode
}

/// What is on record about the server and the tables, beside what they are.
#[derive(Debug)]
pub(super) struct Identity {
    /// Which of the store's lives this is: it changes when a copy is taken into use.
    pub(super) incarnation: String,
    /// How somebody noticed that the store had gone back.
    behind: Option<String>,
    was: Option<Server>,
    /// The server, if it tells.
    pub(super) here: Option<Server>,
    tables: Option<String>,
    tables_here: String,
}

impl Identity {
    /// Looks at both.
    pub(super) async fn look(link: &Link, sql: &Statements) -> Result<Self, Error> {
        let here = Server::at(link).await.map_err(failed)?;
        let rows = link.rows(&sql.recorded, &Bound::default()).await.map_err(failed)?;
        let row = rows.first().ok_or_else(|| Error::not_written("the server tells nothing"))?;
        let text = |name: &str| {
            row.try_get::<_, Option<String>>(name).map_err(|error| {
                Error::corrupt(format!("`meta` has no readable `{name}`")).from_source(error)
            })
        };
        let timeline = text("timeline")?.and_then(|number| number.parse().ok());
        let was = text("system")?.zip(timeline);
        Ok(Self {
            incarnation: text("incarnation")?.unwrap_or_default(),
            behind: text("behind")?,
            was: was.map(|(system, timeline)| Server { system, timeline }),
            here,
            tables: text("tables")?,
            tables_here: text("tables_here")?.unwrap_or_default(),
        })
    }

    /// Refuses what is seen to be a copy.
    pub(super) fn check(&self, durability: &Durability) -> Result<(), Error> {
        self.gone_back(promotes(durability)).map_or(Ok(()), |what| Err(refused(&what)))
    }

    /// How it is seen to be a copy.
    pub(super) fn gone_back(&self, promotes: bool) -> Option<String> {
        if self.here.is_none() {
            tracing::warn!(
                "the server does not tell which one it is: a copy of it that was put in its place would be \
                 noticed only by processes that outlast that"
            );
        }
        let moved = || {
            let differs = self.tables.as_ref().is_some_and(|tables| *tables != self.tables_here);
            differs.then(|| "its tables were made anew, as from a dump".to_owned())
        };
        let other = || self.here.as_ref()?.differs(self.was.as_ref()?, promotes);
        self.behind.clone().or_else(other).or_else(moved)
    }

    /// How it is seen to be a copy or a standby that was promoted: whoever says nothing cannot tell them apart.
    pub(super) fn promoted(&self) -> Option<String> {
        let (here, was) = (self.here.as_ref()?.timeline, self.was.as_ref()?.timeline);
        (here > was).then(|| {
            format!(
                "the server was promoted (timeline {here}, and {was} was on record), as in a recovery, and as in a \
                 fail-over"
            )
        })
    }

    /// What is put on record before anything is confirmed; nothing if it is there.
    pub(super) fn to_record(&self) -> Vec<(&'static str, String)> {
        let mut record = Vec::new();
        if let Some(Server { system, timeline }) =
            self.here.as_ref().filter(|_| self.here != self.was)
        {
            record.extend([("system", system.clone()), ("timeline", timeline.to_string())]);
        }
        if self.tables.as_ref() != Some(&self.tables_here) {
            record.push(("tables", self.tables_here.clone()));
        }
        record
    }
}

/// Names and values, as two lists.
pub(super) fn listed<'r>(bound: Bound<'r>, record: &'r [(&'static str, String)]) -> Bound<'r> {
    bound
        .texts(record.iter().map(|(name, _)| *name))
        .texts(record.iter().map(|(_, value)| value.as_str()))
}

/// The store has gone back, or may have.
pub(super) fn refused(what: &str) -> Error {
    Error::not_written(format!(
        "this is not the newest state of the store: {what}\n\
         note: what was confirmed since is not in it, and would be performed a second time\n\
         help: connect to the server that has the newest state; if it is lost, take this one into use with \
         `pap-ops restore --who NAME --why TEXT`, or with `Postgres::restore(config)`: that lets nothing be confirmed that it has \
         open and asks about everything that it has in progress; a standby that had every commit is accepted \
         with `.replicated(…)`"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(system: &str, timeline: u32) -> Server {
        Server { system: system.to_owned(), timeline }
    }

    fn identity(here: Option<Server>) -> Identity {
        Identity {
            incarnation: "a".to_owned(),
            behind: None,
            was: Some(server("7", 2)),
            here,
            tables: Some("16400".to_owned()),
            tables_here: "16400".to_owned(),
        }
    }

    #[test]
    fn the_server_that_was_there_is_accepted_and_every_other_refused() {
        let replicated = Durability::Replicated("ours".to_owned());
        for (here, alone, standby) in [
            (server("7", 2), true, true),
            (server("7", 3), false, true),
            (server("7", 1), false, false),
            (server("8", 2), false, false),
            (server("8", 3), false, false),
        ] {
            let identity = identity(Some(here));
            for (durability, accepted) in [
                (&Durability::SingleNode, alone),
                (&Durability::Standby, standby),
                (&replicated, standby),
            ] {
                let checked = identity.check(durability);
                assert_eq!(checked.is_ok(), accepted, "{identity:?} {durability:?}");
                if let Err(error) = checked {
                    assert!(error.to_string().contains("Postgres::restore(config)"), "{error}");
                }
            }
        }
    }

    #[test]
    fn tables_from_a_dump_and_a_store_that_was_seen_to_go_back_are_refused() {
        let same = || identity(Some(server("7", 2)));
        let dumped = Identity { tables_here: "16500".to_owned(), ..same() };
        assert!(dumped.check(&Durability::SingleNode).is_err());
        let behind = Identity { behind: Some("it went back".to_owned()), ..same() };
        assert!(behind.check(&Durability::Standby).is_err());
        let silent = identity(None);
        assert!(silent.check(&Durability::SingleNode).is_ok(), "it cannot be known");
        assert!(silent.to_record().is_empty());
    }

    #[test]
    fn what_is_new_is_put_on_record() {
        assert!(identity(Some(server("7", 2))).to_record().is_empty());
        let promoted = identity(Some(server("7", 3))).to_record();
        assert!(promoted.contains(&("timeline", "3".to_owned())), "{promoted:?}");
        let fresh = Identity { was: None, tables: None, ..identity(Some(server("7", 1))) };
        assert_eq!(fresh.to_record().len(), 3);
        assert!(fresh.check(&Durability::SingleNode).is_ok());
    }
}
