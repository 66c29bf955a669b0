//! A public validator for OpenAPI documents, in an environment of its own below `target/`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Error;
use crate::steps::run::{clean, start_error};

/// What to install: one pinned package a line.
pub const PINNED: &str = "xtask/openapi-validator.txt";

const HELP: &str = "install Python 3.10 or newer with `venv` and `pip` \
                    (Debian: apt-get install python3 python3-venv), with access to PyPI";

/// Validates the documents; says why not, if one of them is refused.
///
/// # Errors
///
/// [`Error::Missing`] if there is no Python that can make the environment.
pub fn failed(
    root: &Path,
    documents: &[String],
    out: &mut dyn Write,
) -> Result<Option<String>, Error> {
    let python = ready(root, &environment(root), out)?;
    let mut validator = clean(&python);
    validator.current_dir(root).args(["-m", "openapi_spec_validator"]).args(documents);
    let status = validator.stdin(Stdio::null()).status();
    let status = status.map_err(|source| start_error("openapi-spec-validator", source))?;
    Ok((!status.success()).then(|| format!("the validator ended with {status}")))
}

/// Where the environment is, in the one target folder.
fn environment(root: &Path) -> PathBuf {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    root.join(target).join("openapi-validator")
}

/// The environment's Python. Makes the environment if it is not the pinned one.
fn ready(root: &Path, environment: &Path, out: &mut dyn Write) -> Result<PathBuf, Error> {
    let pins = root.join(PINNED);
    let wanted = fs::read(&pins).map_err(|source| Error::File { path: pins.clone(), source })?;
    let stamp = environment.join("installed.txt");
    let python = environment.join("bin").join("python");
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    writeln!(out, "  installing {PINNED} into {}", environment.display())?;
    out.flush()?;
    let mut venv = clean("python3");
    must(venv.args(["-m", "venv", "--clear"]).arg(environment), "making a Python environment")?;
    let mut pip = clean(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]);
    must(pip.arg(&pins), "installing the OpenAPI validator")?;
    fs::write(&stamp, wanted).map_err(|source| Error::File { path: stamp.clone(), source })?;
    Ok(python)
}

fn must(command: &mut Command, what: &str) -> Result<(), Error> {
    let worked = command.stdin(Stdio::null()).status().is_ok_and(|status| status.success());
    let missing = || Error::Missing { what: format!("{what} failed"), help: HELP.to_owned() };
    if worked { Ok(()) } else { Err(missing()) }
}
