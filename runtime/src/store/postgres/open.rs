//! Connecting: settings, tables, clock, lanes, in this order.

use std::sync::Arc;

use pap_protocol::value::Instant;
use tokio::runtime::Handle;

use super::base::{Base, failed};
use super::bound::Bound;
use super::check::Settings;
use super::claims::Claims;
use super::clock::ServerClock;
use super::config::{Config, Durability};
use super::failure::Failure;
use super::finishes::Finishes;
use super::identity::{Identity, promotes};
use super::link::{Link, Way};
use super::migrations::{self, Tables};
use super::reads::Reads;
use super::restore::restore;
use super::rows::Columns;
use super::sql::Statements;
use super::standing::Standing;
use super::{Open, Postgres, disown, lane};
use crate::store::row::Row as _;
use crate::store::{Error, RestoredBy};

/// So often the server's clock is looked at before it is relied on.
const CLOCK_LOOKS: usize = 3;

/// What becomes of a database that is behind what is on record of it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Copied<'a> {
    /// It is refused.
    Refuse,
    /// It is taken into use, whether or not it is seen to be behind, by whom and why.
    Restore(Option<&'a RestoredBy>),
}

/// Connects to a database that can be trusted.
pub(super) async fn open(config: Config, copied: Copied<'_>) -> Result<Postgres, Error> {
    let way = Arc::new(way(&config)?);
    let sql = Statements::on(&config.schema);
    let link = first(&way).await?;
    let settings = settings(&link, &sql).await?.check(&config.durability);
    let tables = tables(&link, &sql, &config, settings.is_ok()).await;
    together(settings, tables)?;
    let restored = match copied {
        Copied::Refuse => None,
        Copied::Restore(by) => Some(restore(&config, &way, &sql, by).await?),
    };
    let identity = Identity::look(&link, &sql).await?;
    identity.check(&config.durability)?;
    if let Durability::Replicated(by) = &config.durability {
        tracing::info!(by, "the operator's word: no commit is lost with a machine");
    }
    let clock = Arc::new(ServerClock::new(config.clock.clone()));
    measure(&link, &sql, &clock).await?;
    drop(link);
    way.standing.set_expected(identity.here.clone(), promotes(&config.durability));
    let handle = way.handle.clone();
    let base = Arc::new(Base::new(way, sql, clock, &config, &identity));
    let keeping = disown::keep(Arc::downgrade(&base), Arc::clone(&base.disown_soon));
    drop(handle.spawn(keeping));
    Ok(Postgres(Arc::new(Open {
        claims: lane::start(&handle, Claims::new(Arc::clone(&base))),
        finishes: lane::start(&handle, Finishes::new(Arc::clone(&base))),
        reads: lane::start(&handle, Reads::new(Arc::clone(&base))),
        base,
        performs: config.durability != Durability::Unsaid,
        restored,
    })))
}

/// How the database of a configuration is reached.
pub(super) fn way(config: &Config) -> Result<Way, Error> {
    let (driver, tls) = config.checked()?;
    let handle = Handle::try_current().map_err(|error| {
        Error::not_written("a store connects on an asynchronous runtime of tokio")
            .from_source(error)
    })?;
    let standing = Arc::new(Standing::on(&config.schema));
    let (answer_within, prepares) = (config.answer_within, config.prepares);
    Ok(Way { config: driver, tls, answer_within, prepares, handle, standing })
}

/// The first connection, whose failure is told with what to type.
pub(super) async fn first(way: &Way) -> Result<Link, Error> {
    way.reach().await.map_err(|failure| {
        let Error { kind, what, source } = failure.into_error("the database cannot be reached");
        let help = "help: try the same address with `psql`; for a server with a private authority \
                    name its certificate with `.ca_file(…)`";
        Error { kind, what: format!("{what}\n{help}"), source }
    })
}

async fn settings(link: &Link, sql: &Statements) -> Result<Settings, Error> {
    let rows = link.rows(&sql.settings, &Bound::default()).await.map_err(failed)?;
    let row = rows.first().ok_or_else(|| Error::not_written("the server tells no settings"))?;
    Settings::of(row)
}

/// Brings the tables up to date, if that was asked for and the server can be trusted with them.
pub(super) async fn tables(
    link: &Link,
    sql: &Statements,
    config: &Config,
    trusted: bool,
) -> Result<(), Error> {
    let schema = &config.schema;
    let found = migrations::look(link, sql, schema).await?;
    let what = match found {
        Tables::Ready | Tables::Newer(_) => return Ok(()),
        Tables::None | Tables::Older(_) if config.migrate && !trusted => return Ok(()),
        Tables::None | Tables::Older(_) if config.migrate => {
            return migrations::apply(link, sql, schema).await;
        }
        Tables::None => format!("schema `{schema}` has no tables of this store"),
        Tables::Older(version) => {
            format!("the tables of schema `{schema}` are of version {version}")
        }
    };
    Err(Error::not_written(format!(
        "{what}\n\
         note: connecting does not change tables here, as `.migrate(false)` was said\n\
         help: if this is the right database, let a role that may change tables run `pap-ops migrate --apply` or what \
         `pap-ops migrate --print` gives (in a program `postgres::migrate::apply` and `print`)"
    )))
}

/// Both are told when both are wrong.
fn together(one: Result<(), Error>, other: Result<(), Error>) -> Result<(), Error> {
    match (one, other) {
        (Err(one), Err(other)) => Err(Error::not_written(format!("{one}\n- {other}"))),
        (one, other) => one.and(other),
    }
}

/// Goes on from the newest moment on record, and measures how far the server's clock is from this one.
async fn measure(link: &Link, sql: &Statements, clock: &ServerClock) -> Result<(), Error> {
    for _ in 0..CLOCK_LOOKS {
        let sent = ServerClock::sending();
        let rows = link.rows(&sql.newest_moment, &Bound::default()).await;
        let rows = rows.map_err(|failure: Failure| failed(failure))?;
        let Some(row) = rows.first() else { continue };
        let mut columns = Columns::of(row);
        let newest: Instant = columns.moment()?;
        let now = columns.moment()?;
        clock.measured(sent, now);
        clock.go_on_from(newest);
    }
    Ok(())
}
