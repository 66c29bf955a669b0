//! Changing tables, for a team whose service may not: print what there is to run, look, or run it.
//!
//! # Examples
//!
//! ```no_run
//! use pap_runtime::store::postgres::{Config, migrate};
//!
//! # async fn before_the_release() -> Result<(), Box<dyn std::error::Error>> {
//! // a role that may change tables
//! let config = Config::at("postgres://owner@db.internal/shop").replicated("RDS Multi-AZ");
//! println!("{}", migrate::print(&config).await?);
//! migrate::apply(&config).await?;
//! # Ok(())
//! # }
//! ```

use super::Config;
pub use super::migrations::Tables;
use super::migrations::{self, has_schema};
use super::open::{first, way};
use super::sql::Statements;
use crate::store::Error;

/// The statements that bring the tables of this database up to date; empty if they are. Run them in one
/// transaction, with `psql --single-transaction -v ON_ERROR_STOP=1`.
///
/// # Errors
///
/// If the database cannot be reached or read, its tables lack something, or a newer runtime has changed them.
pub async fn print(config: &Config) -> Result<String, Error> {
    let (way, sql) = (way(config)?, Statements::on(&config.schema));
    let link = first(&way).await?;
    let from = match migrations::look(&link, &sql, &config.schema).await? {
        Tables::Ready | Tables::Newer(_) => return Ok(String::new()),
        Tables::None => 0,
        Tables::Older(version) => version,
    };
    let (there, _) = has_schema(&link, &sql, &config.schema).await?;
    migrations::text(&config.schema, from, !there)
}

/// How the tables of this database stand to this runtime. Changes nothing.
///
/// # Errors
///
/// As [`print()`].
pub async fn check(config: &Config) -> Result<Tables, Error> {
    let (way, sql) = (way(config)?, Statements::on(&config.schema));
    migrations::look(&first(&way).await?, &sql, &config.schema).await
}

/// Brings the tables of this database up to date, in one transaction. Of several that do at the same time
/// one migrates and the others find it done.
///
/// # Crash safety
///
/// All of it is there or none: the lock ends with the transaction.
///
/// # Errors
///
/// If the role may not, or as [`print()`].
pub async fn apply(config: &Config) -> Result<(), Error> {
    let (way, sql) = (way(config)?, Statements::on(&config.schema));
    migrations::apply(&first(&way).await?, &sql, &config.schema).await
}
