//! A copy of the database is taken into use: what may have happened since it was made is not in it.

use std::time::Duration;

use pap_protocol::operation::State;

use super::base::failed;
use super::bound::{Bound, check_texts};
use super::config::{Config, Durability};
use super::identity::{Identity, listed, promotes};
use super::link::Way;
use super::open::{first, tables, way};
use super::rows::Columns;
use super::sql::Statements;
use crate::store::{ALIVE, Error, Restored, RestoredBy, WouldRestore, detail, random};

/// `result.summary` of a proposal in a copy: nobody knows whether it was confirmed since.
const RESTORED: &str = "This can not be confirmed any more: the company's records were restored from an \
    earlier copy.";

/// A copy may hold much that has to be written.
const MAY_TAKE: Duration = Duration::from_secs(3_600);

/// Lets nothing be confirmed that the copy has open, and has everything asked about that it has in progress;
/// all of it together with the new incarnation, or nothing.
pub(super) async fn restore(
    config: &Config,
    way: &Way,
    sql: &Statements,
    by: Option<&RestoredBy>,
) -> Result<Restored, Error> {
    check_texts(by.into_iter().flat_map(|by| [by.who.as_str(), by.why.as_str()]))?;
    let way = Way { answer_within: MAY_TAKE, ..way.clone() };
    let link = first(&way).await?;
    let identity = Identity::look(&link, sql).await?;
    let mut record = identity.to_record();
    record.push(("incarnation", random::text()?));
    let told = config.clock.as_ref().map(|clock| clock.now().as_millis());
    let bound = Bound::default()
        .number_if_any(told)
        .number(0)
        .text("60s")
        .text(RESTORED)
        .text(detail::restored(Some(State::Expired), by)?)
        .text(detail::restored(None, by)?);
    let rows = link.rows(&sql.restore, &listed(bound, &record)).await.map_err(failed)?;
    let row = rows.first().ok_or_else(|| Error::corrupt("a restore answers nothing"))?;
    let mut columns = Columns::of(row);
    let (expired, asked) = (columns.made(whole)?, columns.made(whole)?);
    tracing::warn!(expired, asked, "a copy of the store was taken into use");
    Ok(Restored { expired, asked })
}

fn whole(number: i64) -> Option<u64> {
    u64::try_from(number).ok()
}

/// What [`restore`] would do to this database.
pub(super) async fn would_restore(config: &Config) -> Result<WouldRestore, Error> {
    let (way, sql) = (way(config)?, Statements::on(&config.schema));
    let link = first(&way).await?;
    tables(&link, &sql, &config.clone().migrate(false), false).await?;
    let identity = Identity::look(&link, &sql).await?;
    let seen = identity.gone_back(promotes(&config.durability)).or_else(|| {
        (config.durability == Durability::Unsaid).then(|| identity.promoted()).flatten()
    });
    let told = config.clock.as_ref().map(|clock| clock.now().as_millis());
    let alive = i64::try_from(ALIVE.as_millis()).unwrap_or(i64::MAX);
    let bound = Bound::default().number_if_any(told).number(0).number(alive);
    let rows = link.rows(&sql.count_copied, &bound).await.map_err(failed)?;
    let row = rows.first().ok_or_else(|| Error::corrupt("a count answers nothing"))?;
    let mut columns = Columns::of(row);
    let (proposed, in_progress) = (columns.made(whole)?, columns.made(whole)?);
    Ok(WouldRestore { seen, proposed, in_progress, alive: columns.made(whole)? })
}
