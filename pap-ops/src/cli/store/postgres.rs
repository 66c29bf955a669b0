//! PostgreSQL: any number of processes share it, this one among them.

use std::sync::Arc;

use pap_runtime::store::postgres::migrate::{self, Tables};
use pap_runtime::store::postgres::{Config, Postgres};
use pap_runtime::store::{Restored, RestoredBy, Store, WouldRestore};

use super::super::args::Migrate;
use super::super::command::Needs;
use super::super::console::{Console, Stop};
use super::super::exit::Exit;
use super::{Named, compared, not_restored, unreached};

pub(super) async fn open(named: &Named, _: Needs) -> Result<Arc<dyn Store>, Stop> {
    let store = Postgres::connect(config(named)).await;
    Ok(Arc::new(store.map_err(|error| unreached(&error))?))
}

pub(super) async fn migrate(
    named: &Named,
    how: &Migrate,
    console: &mut Console<'_>,
) -> Result<Exit, Stop> {
    let config = config(named);
    if how.apply {
        migrate::apply(&config).await.map_err(|error| unreached(&error))?;
        return compared(true, false, console);
    }
    if how.print {
        let statements = migrate::print(&config).await.map_err(|error| unreached(&error))?;
        write!(console.out, "{statements}")?;
    }
    let tables = migrate::check(&config).await.map_err(|error| unreached(&error))?;
    if matches!(tables, Tables::None) {
        let schema = named.schema.as_deref().unwrap_or("pap");
        console.say(&format!(
            "schema `{schema}` of this database has no tables of a store: if it is the right one, \
             `pap-ops migrate --apply` makes them",
        ))?;
        return Ok(if how.check { Exit::Failed } else { Exit::Done });
    }
    compared(matches!(tables, Tables::Ready | Tables::Newer(_)), how.check, console)
}

pub(super) async fn would_restore(named: &Named) -> Result<WouldRestore, Stop> {
    Postgres::would_restore(&config(named)).await.map_err(|error| unreached(&error))
}

pub(super) async fn restore(named: &Named, by: &RestoredBy) -> Result<Restored, Stop> {
    let store = Postgres::restore_by(config(named), by).await;
    let store = store.map_err(|error| not_restored(&error))?;
    let restored = store.restored().unwrap_or_default();
    store.close();
    Ok(restored)
}

/// What keeps a commit is for the company's own processes to say: nobody told this one. It performs nothing,
/// changes no tables unasked, and needs few connections.
fn config(named: &Named) -> Config {
    let mut config = Config::at(&named.store).migrate(false).connections(1).performs_nothing();
    if let Some(schema) = &named.schema {
        config = config.schema(schema);
    }
    if let Some(file) = &named.ca_file {
        config = config.ca_file(file);
    }
    config
}
