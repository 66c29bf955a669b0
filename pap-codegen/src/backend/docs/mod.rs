//! Reference pages in Markdown: one per operation, and an index.

mod names;
mod rows;
mod view;

use askama::Template;

use super::{Backend, Fact, Input};
use crate::diagnostic::Problem;
use crate::output::File;

/// The target `docs`.
#[derive(Debug)]
pub(super) struct Docs;

impl Backend for Docs {
    fn name(&self) -> &'static str {
        "docs"
    }

    fn purpose(&self) -> &'static str {
        "reference pages in Markdown"
    }

    fn default_path(&self) -> &'static str {
        names::FOLDER
    }

    fn keys(&self) -> &'static [&'static str] {
        &[]
    }

    fn supports(&self) -> &'static [Fact] {
        &[
            Fact::Endpoint,
            Fact::Routes,
            Fact::Requests,
            Fact::Terms,
            Fact::Roles,
            Fact::Summaries,
            Fact::Results,
            Fact::Scopes,
            Fact::Lifetimes,
            Fact::Approvals,
            Fact::Recovery,
        ]
    }

    fn files(&self, input: &Input<'_>, _: &mut Vec<Problem>) -> Result<Vec<File>, Vec<Problem>> {
        let render = |path: String, page: askama::Result<String>| match page {
            Ok(text) => Ok(File::new(format!("{}/{path}", input.target.path), &text)),
            Err(error) => Err(vec![Problem::bug(error)]),
        };
        let mut files = vec![render(names::INDEX.to_owned(), view::Index::new(input).render())?];
        for entry in input.operations {
            let page = view::Page::new(input, entry).render();
            files.push(render(names::page(&entry.action), page)?);
        }
        Ok(files)
    }
}
