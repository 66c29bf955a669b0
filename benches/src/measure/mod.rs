//! What is measured, one part after the other.

mod confirms;
mod proofs;
mod stored;

use std::process::ExitCode;

use crate::agent::Agent;
use crate::arguments::{Arguments, Part, Store};
use crate::error::Error;
use crate::report::Report;

pub(crate) use self::confirms::{Confirms, Row};
pub(crate) use self::proofs::Proofs;
pub(crate) use self::stored::Stored;

/// Measures what was asked for, and says what it came to.
pub(crate) async fn all(arguments: &Arguments) -> Result<ExitCode, Error> {
    let asked = |part| {
        let here = arguments.store == Store::Sqlite || part == Part::Confirms;
        here && (arguments.only.is_empty() || arguments.only.contains(&part))
    };
    let agent = Agent::new()?;
    std::fs::create_dir_all(&arguments.keep)?;
    let proofs =
        if asked(Part::Proofs) { Some(proofs::measured(arguments, &agent)?) } else { None };
    let confirms = if asked(Part::Confirms) {
        Some(confirms::measured(arguments, &agent).await?)
    } else {
        None
    };
    let stored =
        if asked(Part::Stored) { Some(stored::measured(arguments, &agent).await?) } else { None };
    let missed = Report { proofs, confirms, stored }.tell(arguments)?;
    Ok(if arguments.gate && missed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
