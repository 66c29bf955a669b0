//! A node with the code of the next deployment, whose newer terms `pap-trials` does not know.

use std::io::Write as _;
use std::process::ExitCode;

use pap_trials::Fault;
use pap_trials::node::{self, Code};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    run(&arguments).map_or_else(
        |fault| {
            // where nobody listens nothing can be said
            drop(writeln!(std::io::stderr(), "error: {fault}"));
            ExitCode::from(2)
        },
        |()| ExitCode::SUCCESS,
    )
}

#[tokio::main]
async fn run(arguments: &[String]) -> Result<(), Fault> {
    match arguments.split_first() {
        Some((what, rest)) if what == "node" => node::run(rest, Code::New).await,
        _ => Err("it is a node, and nothing else".into()),
    }
}
