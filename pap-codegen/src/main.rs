//! `pap-codegen`: the files that follow from a company's declared operations.

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

use pap_codegen::{Surroundings, guarded, run};

fn main() -> ExitCode {
    let surroundings = surroundings();
    let exit = guarded(&mut io::stderr(), || {
        run(env::args_os(), &surroundings, &mut io::stdout(), &mut io::stderr())
    });
    ExitCode::from(exit.code())
}

fn surroundings() -> Surroundings {
    let mut surroundings =
        Surroundings::at(env::current_dir().unwrap_or_else(|_| PathBuf::from(".")));
    surroundings.config =
        env::var_os("PAP_CONFIG").filter(|path| !path.is_empty()).map(PathBuf::from);
    if let Some(cargo) = env::var_os("CARGO") {
        surroundings.cargo = PathBuf::from(cargo);
    }
    surroundings.colour_out = wants_colour(io::stdout().is_terminal());
    surroundings.colour_err = wants_colour(io::stderr().is_terminal());
    surroundings
}

/// The environment's word on colour; `--color` overrules it.
fn wants_colour(terminal: bool) -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value: OsString| !value.is_empty());
    if is_set("NO_COLOR") {
        return false;
    }
    if env::var_os("CLICOLOR_FORCE").is_some_and(|value| !value.is_empty() && value != "0") {
        return true;
    }
    let refused = env::var_os("CLICOLOR").is_some_and(|value| value == "0")
        || env::var_os("TERM").is_some_and(|value| value == "dumb");
    terminal && !refused
}
