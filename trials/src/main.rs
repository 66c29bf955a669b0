//! The trials' own command line; it is also the program of every process they start.

use std::io::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use pap_trials::kills::{self, Kind};
use pap_trials::{Fault, downstream, node};

const USAGE: &str = "\
Usage: pap-trials kills [--runs N] [--seed S] [--store sqlite|postgres|both]
                        kill a node at each named fail-point, again and again
       pap-trials node --store sqlite:PATH --downstream URL …
       pap-trials downstream --ledger FILE

Exit codes: 0 nothing was done twice, lost or wrongly told; 1 something was; 2 wrong usage
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(code) => code,
        Err(fault) => {
            // where nobody listens nothing can be said
            drop(write!(std::io::stderr(), "error: {fault}\n\n{USAGE}"));
            ExitCode::from(2)
        }
    }
}

#[tokio::main]
async fn run(arguments: &[String]) -> Result<ExitCode, Fault> {
    let (what, rest) = arguments.split_first().ok_or("nothing to do")?;
    match (what.as_str(), rest) {
        ("node", rest) => {
            let log = tracing_subscriber::fmt().with_writer(std::io::stderr);
            log.with_target(false).with_ansi(false).init();
            node::serve(node::Options::from_arguments(rest)?).await?;
            Ok(ExitCode::SUCCESS)
        }
        ("downstream", [name, ledger]) if name == "--ledger" => {
            downstream::serve(ledger.as_ref()).await?;
            Ok(ExitCode::SUCCESS)
        }
        ("kills", rest) => kill(rest).await,
        _ => Err(format!("there is no command `{}`", arguments.join(" ")).into()),
    }
}

async fn kill(arguments: &[String]) -> Result<ExitCode, Fault> {
    let mut options = kills::Options {
        runs: 300,
        seed: 1,
        kinds: vec![Kind::Sqlite],
        program: std::env::current_exe()?,
    };
    for pair in arguments.chunks(2) {
        match pair {
            [name, value] if name == "--runs" => options.runs = value.parse()?,
            [name, value] if name == "--seed" => options.seed = value.parse()?,
            [name, value] if name == "--store" => options.kinds = kinds(value)?,
            _ => return Err(format!("`{}` is no option of kills", pair.join(" ")).into()),
        }
    }
    let (begun, mut out) = (Instant::now(), std::io::stdout());
    let report = kills::run(&options, |so_far| {
        let rate = so_far.runs as f64 / begun.elapsed().as_secs_f64();
        drop(writeln!(std::io::stdout(), "{so_far} ({rate:.1} runs/s)"));
    })
    .await?;
    for point in &report.missed {
        writeln!(out, "not reached: {point}")?;
    }
    for wrong in report.found.wrong().chain(&report.kept) {
        writeln!(out, "WRONG {wrong}")?;
    }
    writeln!(out, "seed {}: {report}", options.seed)?;
    Ok(if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn kinds(store: &str) -> Result<Vec<Kind>, Fault> {
    match store {
        "sqlite" => Ok(vec![Kind::Sqlite]),
        "postgres" => Ok(vec![Kind::Postgres]),
        "both" => Ok(vec![Kind::Sqlite, Kind::Postgres]),
        other => Err(format!("`{other}` is no store: `sqlite`, `postgres` or `both`").into()),
    }
}
