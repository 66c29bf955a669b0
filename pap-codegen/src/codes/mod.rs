//! The codes of the command's own errors, each with a page. The macros' codes are in `pap-model`.

use crate::exit::Exit;

/// An error of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// PAP0101: there is no pap.toml.
    NoConfig,
    /// PAP0102: pap.toml is not TOML.
    ConfigSyntax,
    /// PAP0103: pap.toml has an unknown key.
    UnknownKey,
    /// PAP0104: pap.toml lacks a key.
    MissingKey,
    /// PAP0105: a value in pap.toml does not fit its key.
    WrongValue,
    /// PAP0106: there is no such target.
    UnknownTarget,
    /// PAP0107: pap.toml is already there.
    ConfigExists,
    /// PAP0108: no package to describe was found.
    NoPackage,
    /// PAP0111: the company's program could not be built or started.
    BuildFailed,
    /// PAP0112: the program did not print its operations.
    NoAnswer,
    /// PAP0113: the catalogue could not be read.
    CatalogueUnreadable,
    /// PAP0114: the catalogue has a format that this version does not know.
    CatalogueFormat,
    /// PAP0115: no operation is declared.
    CatalogueEmpty,
    /// PAP0116: two operations claim the same thing.
    Duplicate,
    /// PAP0117: a declaration has a form that cannot be described.
    CatalogueRule,
    /// PAP0121: two types want one name.
    NameCollision,
    /// PAP0122: a name cannot be used in this target.
    NameAlphabet,
    /// PAP0123: an operation's route is inside the operations endpoint.
    RouteTaken,
    /// PAP0124: a DELETE request has no body in OpenAPI.
    NoBody,
    /// PAP0131: a file that is not ours is in the way.
    NotOurs,
    /// PAP0132: two targets write the same file.
    SamePath,
    /// PAP0133: a file could not be read or written.
    Files,
    /// PAP0134: the list of generated files is damaged.
    Manifest,
    /// PAP0135: generated files are out of date.
    OutOfDate,
    /// PAP0136: the stored form of terms changed without a new version.
    ShapeChanged,
    /// PAP0141: there is no such code.
    UnknownCode,
    /// PAP0199: a bug in pap-codegen.
    Bug,
}

/// The page of a code, as `pap-codegen explain` prints it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// Such as `PAP0103`.
    pub code: &'static str,
    /// What is wrong, in one line.
    pub title: &'static str,
    /// What it means and what to do, as Markdown; begins with the title.
    pub text: &'static str,
}

impl Code {
    /// How a run ends that met it.
    pub(crate) fn exit(self) -> Exit {
        let special = [
            (Self::Files, Exit::Io),
            (Self::OutOfDate, Exit::OutOfDate),
            (Self::UnknownCode, Exit::Usage),
            (Self::Bug, Exit::Bug),
        ];
        let found = special.into_iter().find(|(code, _)| *code == self);
        found.map_or(Exit::Declarations, |(_, exit)| exit)
    }

    /// What `explain` says about it.
    pub fn page(self) -> Page {
        let found = PAGES.into_iter().find(|(code, _)| *code == self);
        Page::new(found.map_or("", |(_, text)| text))
    }

    /// Such as `PAP0103`.
    pub fn name(self) -> &'static str {
        self.page().code
    }
}

impl Page {
    /// Code and title are the heading of the text: `# PAP0103: pap.toml has an unknown key`.
    fn new(text: &'static str) -> Self {
        let heading = text.lines().next().unwrap_or_default().trim_start_matches("# ");
        let (code, title) = heading.split_once(": ").unwrap_or((heading, ""));
        Self { code, title, text }
    }
}

/// Every page there is: the macros' and the command's.
pub fn pages() -> impl Iterator<Item = Page> {
    let of_the_macros = pap_model::problem::Code::ALL.iter().map(|code| code.page());
    of_the_macros.chain(PAGES.into_iter().map(|(_, text)| text)).map(Page::new)
}

/// Every code with the text of its page, in the order of the numbers.
const PAGES: [(Code, &str); 27] = [
    (Code::NoConfig, include_str!("PAP0101.md")),
    (Code::ConfigSyntax, include_str!("PAP0102.md")),
    (Code::UnknownKey, include_str!("PAP0103.md")),
    (Code::MissingKey, include_str!("PAP0104.md")),
    (Code::WrongValue, include_str!("PAP0105.md")),
    (Code::UnknownTarget, include_str!("PAP0106.md")),
    (Code::ConfigExists, include_str!("PAP0107.md")),
    (Code::NoPackage, include_str!("PAP0108.md")),
    (Code::BuildFailed, include_str!("PAP0111.md")),
    (Code::NoAnswer, include_str!("PAP0112.md")),
    (Code::CatalogueUnreadable, include_str!("PAP0113.md")),
    (Code::CatalogueFormat, include_str!("PAP0114.md")),
    (Code::CatalogueEmpty, include_str!("PAP0115.md")),
    (Code::Duplicate, include_str!("PAP0116.md")),
    (Code::CatalogueRule, include_str!("PAP0117.md")),
    (Code::NameCollision, include_str!("PAP0121.md")),
    (Code::NameAlphabet, include_str!("PAP0122.md")),
    (Code::RouteTaken, include_str!("PAP0123.md")),
    (Code::NoBody, include_str!("PAP0124.md")),
    (Code::NotOurs, include_str!("PAP0131.md")),
    (Code::SamePath, include_str!("PAP0132.md")),
    (Code::Files, include_str!("PAP0133.md")),
    (Code::Manifest, include_str!("PAP0134.md")),
    (Code::OutOfDate, include_str!("PAP0135.md")),
    (Code::ShapeChanged, include_str!("PAP0136.md")),
    (Code::UnknownCode, include_str!("PAP0141.md")),
    (Code::Bug, include_str!("PAP0199.md")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_a_code_a_title_and_what_to_do() {
        for (code, text) in PAGES {
            let page = code.page();
            assert!(page.code.len() == 7 && page.code.starts_with("PAP0"), "{}", page.code);
            assert!(!page.title.is_empty(), "{}", page.code);
            assert!(text.contains("\n## What to do\n"), "{}", page.code);
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{}", page.code);
        }
    }

    #[test]
    fn codes_are_unique_and_sorted() {
        let names: Vec<_> = pages().map(|page| page.code).collect();
        assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
    }
}
