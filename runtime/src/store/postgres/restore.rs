//! A copy of the database is taken into use: what may have happened since it was made is not in it.

use std::time::Duration;

use super::base::failed;
use super::bound::Bound;
use super::config::Config;
use super::identity::{Identity, listed};
use super::link::Way;
use super::open::first;
use super::sql::Statements;
use crate::store::{Error, detail, random};

/// `result.summary` of a proposal in a copy: nobody knows whether it was confirmed since.
const RESTORED: &str = "This can not be confirmed any more: the company's records were restored from an \
    earlier copy.";

/// A copy may hold much that has to be written.
const MAY_TAKE: Duration = Duration::from_secs(3_600);

/// Lets nothing be confirmed that the copy has open, and has everything asked about that it has in progress;
/// all of it together with the new incarnation, or nothing.
pub(super) async fn restore(config: &Config, way: &Way, sql: &Statements) -> Result<(), Error> {
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
        .text(detail::RESTORED_PROPOSAL)
        .text(detail::RESTORED);
    let rows = link.rows(&sql.restore, &listed(bound, &record)).await.map_err(failed)?;
    let count = |place| rows.first().and_then(|row| row.try_get::<_, i64>(place).ok());
    let (expired, asked) = (count(0), count(1));
    tracing::warn!(expired, asked, "a copy of the store was taken into use");
    Ok(())
}
