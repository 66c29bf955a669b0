//! The `extensions` member for the company's `poppy.json` (section 2).

mod names;
mod view;

use super::{Backend, Fact, Input};
use crate::diagnostic::Problem;
use crate::output::File;

/// The target `discovery`.
#[derive(Debug)]
pub(super) struct Discovery;

impl Backend for Discovery {
    fn name(&self) -> &'static str {
        "discovery"
    }

    fn purpose(&self) -> &'static str {
        "the entry for your poppy.json"
    }

    fn default_path(&self) -> &'static str {
        names::FILE
    }

    fn keys(&self) -> &'static [&'static str] {
        &[]
    }

    fn supports(&self) -> &'static [Fact] {
        &[Fact::Endpoint]
    }

    fn files(&self, input: &Input<'_>, _: &mut Vec<Problem>) -> Result<Vec<File>, Vec<Problem>> {
        let excerpt = view::excerpt(input).map_err(|problem| vec![problem])?;
        let text = serde_json::to_string_pretty(&excerpt).map_err(|e| vec![Problem::bug(e)])?;
        Ok(vec![File::new(&input.target.path, &text)])
    }
}
