//! The trials' own command line; it is also the program of every process they start.

use std::io::Write as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use pap_trials::place::Kind;
use pap_trials::soak::Plan;
use pap_trials::{Fault, die_with_whoever_started_this, downstream, kills, node, soak};

const USAGE: &str = "\
Usage: pap-trials kills [--runs N] [--seed S] [--store sqlite|postgres|both]
                        kill a node at each named fail-point, again and again
       pap-trials soak [--minutes N] [--seed S] [--store sqlite|postgres|both]
                        kill, pause and restart nodes and the database at random, under load
       pap-trials restarts [--runs N] [--seed S]
                        end PostgreSQL without a checkpoint, again and again, under load
       pap-trials node --store sqlite:PATH --downstream URL …
       pap-trials downstream --ledger FILE

Exit codes: 0 nothing was done twice, lost or wrongly told; 1 something was; 2 it could not be run
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    run(&arguments).unwrap_or_else(|fault| {
        // where nobody listens nothing can be said
        drop(write!(std::io::stderr(), "error: {fault}\n\n{USAGE}"));
        ExitCode::from(2)
    })
}

#[tokio::main]
async fn run(arguments: &[String]) -> Result<ExitCode, Fault> {
    let (what, rest) = arguments.split_first().ok_or("nothing to do")?;
    match (what.as_str(), rest) {
        ("node", rest) => {
            node::run(rest, node::Code::Old).await?;
            Ok(ExitCode::SUCCESS)
        }
        ("downstream", [name, ledger]) if name == "--ledger" => {
            die_with_whoever_started_this()?;
            downstream::serve(ledger.as_ref()).await?;
            Ok(ExitCode::SUCCESS)
        }
        ("kills", rest) => kill(&Asked::of(rest)?).await,
        ("soak", rest) => {
            let asked = Asked::of(rest)?;
            let lasts = Duration::try_from_secs_f64(asked.minutes * 60.0)?;
            soak_each(&asked, Plan::Anything(lasts)).await
        }
        ("restarts", rest) => {
            let asked = Asked { kinds: vec![Kind::Postgres], ..Asked::of_runs(20, rest)? };
            soak_each(&asked, Plan::Restarts(u64::try_from(asked.runs)?)).await
        }
        _ => Err(format!("there is no command `{}`", arguments.join(" ")).into()),
    }
}

/// What was asked for; every option may be left out.
struct Asked {
    runs: usize,
    minutes: f64,
    seed: u64,
    kinds: Vec<Kind>,
}

impl Asked {
    fn of(arguments: &[String]) -> Result<Self, Fault> {
        Self::of_runs(300, arguments)
    }

    fn of_runs(runs: usize, arguments: &[String]) -> Result<Self, Fault> {
        let mut asked = Self { runs, minutes: 1.0, seed: 1, kinds: vec![Kind::Sqlite] };
        for pair in arguments.chunks(2) {
            match pair {
                [name, value] if name == "--runs" => asked.runs = value.parse()?,
                [name, value] if name == "--minutes" => asked.minutes = value.parse()?,
                [name, value] if name == "--seed" => asked.seed = value.parse()?,
                [name, value] if name == "--store" => asked.kinds = kinds(value)?,
                _ => return Err(format!("`{}` is no option of this", pair.join(" ")).into()),
            }
        }
        Ok(asked)
    }
}

fn kinds(store: &str) -> Result<Vec<Kind>, Fault> {
    match store {
        "sqlite" => Ok(vec![Kind::Sqlite]),
        "postgres" => Ok(vec![Kind::Postgres]),
        "both" => Ok(vec![Kind::Sqlite, Kind::Postgres]),
        other => Err(format!("`{other}` is no store: `sqlite`, `postgres` or `both`").into()),
    }
}

async fn kill(asked: &Asked) -> Result<ExitCode, Fault> {
    let options = kills::Options {
        runs: asked.runs,
        seed: asked.seed,
        kinds: asked.kinds.clone(),
        program: std::env::current_exe()?,
    };
    let begun = Instant::now();
    let report = kills::run(&options, |compared, so_far| {
        // at once: a long run may be ended before its end
        for wrong in compared.found.wrong().chain(&compared.kept) {
            say(format_args!("wrong: {wrong}"));
        }
        say(format_args!("{:4} s: {so_far}", begun.elapsed().as_secs()));
    })
    .await?;
    for point in &report.missed {
        say(format_args!("not reached: {point}"));
    }
    say(format_args!("seed {}: {report}", asked.seed));
    Ok(code(report.is_good()))
}

async fn soak_each(asked: &Asked, havoc: Plan) -> Result<ExitCode, Fault> {
    let options = soak::Options { havoc, seed: asked.seed, program: std::env::current_exe()? };
    let mut good = true;
    for kind in &asked.kinds {
        let report = soak::run(&options, *kind).await?;
        for wrong in report.found.wrong().chain(&report.kept) {
            say(format_args!("wrong: {wrong}"));
        }
        say(format_args!("{kind:?}, seed {}: {report}", asked.seed));
        good &= report.found.is_good();
    }
    Ok(code(good))
}

fn code(good: bool) -> ExitCode {
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn say(line: std::fmt::Arguments<'_>) {
    // where nobody listens nothing can be said
    drop(writeln!(std::io::stdout(), "{line}"));
}
