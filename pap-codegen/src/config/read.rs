//! From the text of `pap.toml` to [`Config`], with every problem at its place.

use std::collections::BTreeMap;
use std::path::PathBuf;

use toml::Spanned;
use toml::de::DeTable;

use super::table::{Reading, Table};
use super::{Company, Config, Endpoint, Source, Target, forms};
use crate::backend::{self, Backend};
use crate::codes::Code;
use crate::diagnostic::Problem;

const TABLES: [&str; 5] = ["output", "company", "operations", "source", "targets"];

pub(super) fn read(name: &str, text: &str, root: PathBuf) -> Result<Config, Vec<Problem>> {
    let mut reading = Reading { name, text, problems: Vec::new() };
    let document = match DeTable::parse(text) {
        Ok(document) => document,
        Err(error) => {
            let message = format!("`{name}` is not TOML: {}", error.message());
            let span = error.span().unwrap_or(0..0);
            reading.problem(Problem::new(Code::ConfigSyntax, message), span, "here");
            return Err(reading.problems);
        }
    };
    // a table that is missing altogether is wanted where the file begins
    let top = Table::new("", document.get_ref(), 0..0);
    top.allow(&mut reading, &TABLES);
    let output = top.text(&mut reading, "output", forms::below);
    let company = company(&mut reading, &top);
    let endpoint = endpoint(&mut reading, &top);
    let source = source(&mut reading, &top);
    let targets = targets(&mut reading, &top);
    match (company, endpoint, source, reading.problems.is_empty()) {
        (Some(company), Some(endpoint), Some(source), true) => Ok(Config {
            root,
            company,
            endpoint,
            source,
            output: output.map_or_else(|| "generated".to_owned(), Spanned::into_inner),
            targets,
        }),
        _ => Err(in_order(reading.problems)),
    }
}

fn company(reading: &mut Reading<'_>, top: &Table<'_>) -> Option<Company> {
    let table = section(reading, top, "company", "[company]\nname = \"Example Outfitters\"\n…")?;
    table.allow(reading, &["name", "origin"]);
    let name = table.needed(reading, "name", forms::name, "name = \"Example Outfitters\"");
    let origin =
        table.needed(reading, "origin", forms::origin, "origin = \"https://api.example.com\"");
    Some(Company { name: name?, origin: origin? })
}

fn endpoint(reading: &mut Reading<'_>, top: &Table<'_>) -> Option<Endpoint> {
    let line = "endpoint = \"/poppy/operations\"";
    let table = section(reading, top, "operations", &format!("[operations]\n{line}"))?;
    table.allow(reading, &["endpoint", "resource"]);
    let path = table.needed(reading, "endpoint", forms::endpoint, line);
    let resource = table.text(reading, "resource", forms::resource).map(Spanned::into_inner);
    Some(Endpoint { path: path?, resource })
}

fn source(reading: &mut Reading<'_>, top: &Table<'_>) -> Option<Source> {
    let table = section(reading, top, "source", "[source]\npackage = \"shop\"")?;
    table.allow(reading, &["package", "bin", "executable", "catalogue"]);
    let package = table.text(reading, "package", forms::package);
    let bin = table.text(reading, "bin", forms::package);
    let executable = table.text(reading, "executable", forms::file);
    let catalogue = table.text(reading, "catalogue", forms::file);
    match (package, executable, catalogue) {
        (Some(package), None, None) => {
            let (package, bin) = (package.into_inner(), bin.map(Spanned::into_inner));
            Some(Source::Package { package, bin })
        }
        (None, Some(path), None) if bin.is_none() => {
            Some(Source::Executable(path.into_inner().into()))
        }
        (None, None, Some(path)) if bin.is_none() => {
            Some(Source::Catalogue(path.into_inner().into()))
        }
        _ => {
            if reading.problems.iter().all(|problem| problem.code != Code::WrongValue) {
                let message = "`[source]` must say in one way where the operations come from";
                let help =
                    "keep one of `package` (with or without `bin`), `executable`, `catalogue`";
                let problem = Problem::new(Code::WrongValue, message).help(help);
                reading.problem(problem, table.span(), "one of three");
            }
            None
        }
    }
}

fn targets(reading: &mut Reading<'_>, top: &Table<'_>) -> Vec<Target> {
    let Some(table) = section(reading, top, "targets", "[targets.openapi]") else {
        return Vec::new();
    };
    let mut found = BTreeMap::new();
    for (name, table) in table.tables(reading) {
        match backend::find(name.get_ref()) {
            Ok((index, backend)) => {
                found.insert(index, target(reading, &table, backend));
            }
            Err(problem) => reading.problem(problem, name.span(), "this target does not exist"),
        }
    }
    if found.is_empty() && reading.problems.is_empty() {
        let problem = Problem::new(Code::MissingKey, "`[targets]` names no target")
            .help("add `[targets.openapi]`");
        reading.problem(problem, table.span(), "it belongs here");
    }
    found.into_values().collect()
}

fn target(reading: &mut Reading<'_>, table: &Table<'_>, backend: &dyn Backend) -> Target {
    let own = backend.keys();
    let mut keys = vec!["path"];
    keys.extend(own);
    table.allow(reading, &keys);
    let path = table.text(reading, "path", forms::below);
    let mut settings = BTreeMap::new();
    for key in own {
        if let Some(value) = table.text(reading, key, forms::name) {
            settings.insert(*key, value.into_inner());
        }
    }
    let path = path.map_or_else(|| backend.default_path().to_owned(), Spanned::into_inner);
    Target { name: backend.name(), path, settings }
}

fn section<'a>(
    reading: &mut Reading<'_>,
    top: &Table<'a>,
    name: &'static str,
    lines: &str,
) -> Option<Table<'a>> {
    let before = reading.problems.len();
    let table = top.table(reading, name);
    if table.is_none() && !top.has_misspelt(name) && reading.problems.len() == before {
        let message = format!("pap.toml has no table `[{name}]`");
        let problem = Problem::new(Code::MissingKey, message).help(format!("add\n{lines}"));
        reading.problems.push(problem);
    }
    table
}

fn in_order(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.sort_by_key(|problem| problem.file.as_ref().map_or(0, |file| file.span.start));
    problems
}
