//! `pap-ops`: for the people on call.

use std::env;
use std::io::{self, BufReader, IsTerminal as _};
use std::process::ExitCode;

use pap_ops::cli::{Streams, Surroundings, run};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let surroundings = Surroundings::with(|name| env::var(name).ok());
    let is_asked = io::stdin().is_terminal() && io::stderr().is_terminal();
    let surroundings = if is_asked { surroundings.interactive() } else { surroundings };
    let streams = Streams {
        input: &mut BufReader::new(io::stdin()),
        out: &mut io::stdout(),
        err: &mut io::stderr(),
    };
    let exit = run(env::args_os(), &surroundings, streams).await;
    ExitCode::from(exit.code())
}
