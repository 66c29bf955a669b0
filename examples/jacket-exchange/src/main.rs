//! Example Outfitters. Without arguments it plays its story; `serve` serves.

use std::error::Error;
use std::fmt::Display;
use std::io::Write as _;
use std::process::ExitCode;

use jacket_exchange::serve::{Options, serve};
use jacket_exchange::{operations, story};

const USAGE: &str = "\
Usage: jacket-exchange                   play the story: a User, a Personal Agent and this shop
       jacket-exchange serve [OPTIONS]   serve, until Ctrl-C

Options:
  --port N             on 127.0.0.1; a free one if it is left out
  --data DIR           where the two SQLite files are; ./jacket-exchange-data if it is left out
  --crash-after WHEN   die on purpose after the claim, the checkpoint, the effect or the finish

Exit codes: 0 done, with every count as promised; 1 not; 2 wrong usage
";

fn main() -> ExitCode {
    pap_runtime::describe_if_asked(operations);

    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match task(&arguments) {
        Ok(task) => run(task).unwrap_or_else(|error| {
            report(&*error);
            ExitCode::FAILURE
        }),
        Err(wrong) => {
            say(format_args!("error: {wrong}\n\n{USAGE}"));
            ExitCode::from(2)
        }
    }
}

enum Task {
    Story,
    Serve(Options),
    Help,
}

fn task(arguments: &[String]) -> Result<Task, String> {
    let mut words = arguments.iter().map(String::as_str);
    let mut options = Options { port: 0, data: "jacket-exchange-data".into(), crash_after: None };
    match words.next() {
        None => return Ok(Task::Story),
        Some("serve") => {}
        Some("-h" | "--help" | "help") => return Ok(Task::Help),
        Some(other) => return Err(format!("there is no command `{other}`")),
    }
    while let Some(option) = words.next() {
        let value = words.next().ok_or_else(|| format!("`{option}` needs a value"));
        match option {
            "--port" => {
                options.port = value?.parse().map_err(|error| format!("`--port`: {error}"))?;
            }
            "--data" => options.data = value?.into(),
            "--crash-after" => {
                let moment = value?.parse().map_err(|error| format!("{error}"))?;
                options.crash_after = Some(moment);
            }
            other => return Err(format!("there is no option `{other}`")),
        }
    }
    Ok(Task::Serve(options))
}

#[tokio::main]
async fn run(task: Task) -> Result<ExitCode, Box<dyn Error + Send + Sync>> {
    let mut out = std::io::stdout();
    match task {
        Task::Help => write!(out, "{USAGE}")?,
        Task::Serve(options) => {
            log_to_stderr();
            serve(options).await?;
        }
        Task::Story if !story::play(&mut out).await? => return Ok(ExitCode::FAILURE),
        Task::Story => {}
    }
    Ok(ExitCode::SUCCESS)
}

fn log_to_stderr() {
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false).without_time().init();
}

/// The error with each of its causes, once.
fn report(error: &dyn Error) {
    say(format_args!("error: {error}\n"));
    let mut cause = error.source();
    while let Some(error) = cause {
        say(format_args!("  because: {error}\n"));
        cause = error.source();
    }
}

fn say(what: impl Display) {
    // where nobody listens nothing can be said
    drop(write!(std::io::stderr(), "{what}"));
}
