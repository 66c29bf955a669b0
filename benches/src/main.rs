//! What a confirm costs: `cargo xtask bench` builds this and runs it.
//!
//! Nothing here is a figure by itself. Every rate is paired, slice by slice in one run, with something bare
//! that did the same work on the same machine in the same second: ratios keep their meaning when other
//! programs take their share of the machine, seconds do not.

mod agent;
mod arguments;
mod bare;
mod child;
#[path = "../../trials/src/cluster.rs"]
#[expect(dead_code, unreachable_pub, reason = "the trials' own, which have more uses for it")]
mod cluster;
mod error;
mod gate;
mod load;
mod measure;
mod plot;
#[path = "../../trials/src/port.rs"]
#[expect(unreachable_pub, reason = "the trials' own")]
mod port;
mod report;
mod serve;
mod statistics;
mod usage;

use std::io::BufRead as _;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser as _;

use self::arguments::{Arguments, Role};
use self::bare::postgres::Confirms;
use self::bare::{Bare, Confirmed};
use self::error::{Error, Fault};
use self::serve::{Place, say};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(code) => code,
        Err(error) => {
            // there is nowhere left to say that the terminal is gone
            std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("error: {error}\n"))
                .unwrap_or_default();
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    match &arguments.role {
        Some(Role::Serve { kind, thumbprint, database, folder }) => {
            // what `#[tokio::main]` makes
            let several = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
            let place = database.as_deref().map_or(Place::Folder(folder), Place::Database);
            several.block_on(serve::serve(*kind, place, thumbprint))?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Role::Bare { database: Some(url), .. }) => {
            let one = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            let mut confirms = Confirms::new(url);
            bare(|clients, batch, during| one.block_on(confirms.confirm(clients, batch, during)))?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Role::Bare { folder, .. }) => {
            let mut bare_store = Bare::open(&folder.join("bare.db"))?;
            bare(|_, batch, during| bare_store.confirm(batch, during))?;
            Ok(ExitCode::SUCCESS)
        }
        None => {
            let one = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            one.block_on(measure::all(arguments))
        }
    }
}

/// Confirms on the bare store, by so many clients, in batches of the size and for the time that each line says.
fn bare(
    mut confirm: impl FnMut(usize, usize, Duration) -> Result<Confirmed, Error>,
) -> Result<(), Error> {
    say("ready")?;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (clients, rest) = line.split_once(' ').unwrap_or_default();
        let (batch, micros) = rest.split_once(' ').unwrap_or_default();
        let during = Duration::from_micros(micros.parse()?);
        let confirmed = confirm(clients.parse()?, batch.parse()?, during)?;
        let (elapsed, cpu) = (confirmed.elapsed.as_micros(), confirmed.cpu.as_micros());
        say(format_args!("{} {elapsed} {cpu}", confirmed.count))?;
    }
    Ok(())
}
