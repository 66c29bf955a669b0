//! The targets: one folder each, of one shape.
//!
//! `mod.rs` says which files a target has and what it supports, `names.rs` how names and texts are
//! spelled in its language, `view.rs` (or `view/`) turns the catalogue into what is written.

mod answers;
mod discovery;
mod docs;
mod facts;
mod openapi;
mod shapes;

use pap_protocol::catalogue::Entry;

pub use facts::Fact;

use crate::codes::Code;
use crate::config::{Company, Config, Endpoint, Target, listed};
use crate::diagnostic::Problem;
use crate::nearest::nearest;
use crate::output::File;

/// A form of output.
pub trait Backend: Sync {
    /// Its name in `pap.toml` and on the command line.
    fn name(&self) -> &'static str;

    /// What it writes, in half a line.
    fn purpose(&self) -> &'static str;

    /// Its file or folder if `pap.toml` names none.
    fn default_path(&self) -> &'static str;

    /// Its own keys in `pap.toml`, beside `path`.
    fn keys(&self) -> &'static [&'static str];

    /// What of a declaration reaches its output.
    fn supports(&self) -> &'static [Fact];

    /// Its files. Things that should be said although the files are written go to `warnings`.
    ///
    /// # Errors
    ///
    /// Everything that this target cannot express, all at once.
    fn files(
        &self,
        input: &Input<'_>,
        warnings: &mut Vec<Problem>,
    ) -> Result<Vec<File>, Vec<Problem>>;

    /// Why what is on disk may not become this text.
    fn refuses(&self, before: &str, after: &str) -> Vec<Problem> {
        let _ = (before, after);
        Vec::new()
    }
}

/// What a target is made from.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Input<'a> {
    /// Who proposes and performs.
    pub company: &'a Company,
    /// Where agents read, confirm and cancel.
    pub endpoint: &'a Endpoint,
    /// The target's part of `pap.toml`.
    pub target: &'a Target,
    /// In the order of the company's list.
    pub operations: &'a [Entry],
}

impl<'a> Input<'a> {
    /// The input of one target.
    pub fn new(config: &'a Config, target: &'a Target, operations: &'a [Entry]) -> Self {
        Self { company: &config.company, endpoint: &config.endpoint, target, operations }
    }

    /// The address of the operations endpoint.
    pub fn endpoint_url(&self) -> String {
        format!("{}{}", self.company.origin, self.endpoint.path)
    }
}

/// The one list of targets.
static BACKENDS: [&dyn Backend; 4] =
    [&openapi::OpenApi, &discovery::Discovery, &docs::Docs, &shapes::ShapesOfTerms];

/// Every target, in the order that they are generated and listed in.
pub fn all() -> impl Iterator<Item = &'static dyn Backend> {
    BACKENDS.into_iter()
}

/// The target of that name, with its place in the order.
///
/// # Errors
///
/// There is none.
pub fn find(name: &str) -> Result<(usize, &'static dyn Backend), Problem> {
    let found = all().enumerate().find(|(_, backend)| backend.name() == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = all().map(Backend::name).collect();
        let help = match nearest(name, names.iter().copied()) {
            Some(near) => format!("a similar target exists: `{near}`"),
            None => format!("the targets are {}", listed(&names)),
        };
        Problem::new(Code::UnknownTarget, format!("there is no target `{name}`")).help(help)
    })
}

/// Whether all of these are targets.
pub(crate) fn known(names: &[String]) -> Result<(), Vec<Problem>> {
    let problems: Vec<Problem> = names.iter().filter_map(|name| find(name).err()).collect();
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}
