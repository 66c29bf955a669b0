//! Which version of which action's terms has which stored form: committed, so that a change of the form
//! without a new version is refused.

mod names;
mod view;

use super::{Backend, Fact, Input};
use crate::diagnostic::Problem;
use crate::output::File;

/// The target `shapes`.
#[derive(Debug)]
pub(super) struct ShapesOfTerms;

impl Backend for ShapesOfTerms {
    fn name(&self) -> &'static str {
        "shapes"
    }

    fn purpose(&self) -> &'static str {
        "the stored form of every version of terms"
    }

    fn default_path(&self) -> &'static str {
        names::FILE
    }

    fn keys(&self) -> &'static [&'static str] {
        &[]
    }

    fn supports(&self) -> &'static [Fact] {
        &[Fact::Shapes]
    }

    fn files(&self, input: &Input<'_>, _: &mut Vec<Problem>) -> Result<Vec<File>, Vec<Problem>> {
        let text = format!("{}{}", names::head(), view::shapes(input));
        Ok(vec![File::new(&input.target.path, &text)])
    }

    fn refuses(&self, before: &str, after: &str) -> Vec<Problem> {
        view::drifted(before, after)
    }
}
