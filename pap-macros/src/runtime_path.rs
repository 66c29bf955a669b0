//! Where generated code finds the runtime: as `crate = …` says, or as Cargo.toml calls it.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// The package that this crate writes code for.
const PACKAGE: &str = "pap-runtime";

/// The path of the runtime in the crate that is being compiled.
pub(crate) fn runtime(given: Option<&TokenStream>) -> TokenStream {
    if let Some(given) = given {
        return given.clone();
    }
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let renamed = manifest.and_then(|folder| renamed_in(&folder));
    let name = renamed.unwrap_or_else(|| PACKAGE.to_owned()).replace('-', "_");
    let name = syn::parse_str::<Ident>(&name);
    let name = name.unwrap_or_else(|_| Ident::new("pap_runtime", Span::call_site()));
    quote!(::#name)
}

/// The name by which the package in this folder depends on the runtime, if it is another.
fn renamed_in(folder: &Path) -> Option<String> {
    let own = dependencies(&fs::read_to_string(folder.join("Cargo.toml")).ok()?);
    if let Some(renamed) = own.iter().find(|entry| entry.package.as_deref() == Some(PACKAGE)) {
        return Some(renamed.name.clone());
    }
    let inherited: Vec<&Entry> = own.iter().filter(|entry| entry.inherited).collect();
    if inherited.is_empty() {
        return None;
    }
    let above = folder.ancestors().skip(1);
    let roots = above.filter_map(|folder| fs::read_to_string(folder.join("Cargo.toml")).ok());
    roots.filter(|text| text.contains("[workspace")).find_map(|text| {
        let entries = dependencies(&text);
        let renamed = entries.into_iter().filter(|entry| entry.package.as_deref() == Some(PACKAGE));
        renamed
            .map(|entry| entry.name)
            .find(|name| inherited.iter().any(|entry| entry.name == *name))
    })
}

/// A dependency as far as its name matters.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    name: String,
    /// The value of `package`.
    package: Option<String>,
    /// Whether the workspace says the rest.
    inherited: bool,
}

/// The dependencies of a manifest, of every kind. Only what dependency tables use of TOML is read.
fn dependencies(manifest: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut table = Table::Other;
    for line in manifest.lines().map(without_comment) {
        if let Some(header) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            table = Table::of(header);
            if let Table::One(name) = &table {
                entries.push(Entry { name: name.clone(), package: None, inherited: false });
            }
            continue;
        }
        let Some((key, value)) =
            line.split_once('=').map(|(key, value)| (key.trim(), value.trim()))
        else {
            continue;
        };
        match &table {
            Table::All => entries.push(entry(key, value)),
            Table::One(_) => {
                if let Some(last) = entries.last_mut() {
                    last.take(key, value);
                }
            }
            Table::Other => {}
        }
    }
    entries
}

/// What a table of a manifest holds.
enum Table {
    /// Dependencies, one per line.
    All,
    /// One dependency.
    One(String),
    Other,
}

impl Table {
    fn of(header: &str) -> Self {
        let header = header.trim();
        // `[target.'cfg(unix)'.dependencies]` ends as `[dependencies]` does
        if header.rsplit('.').next().is_some_and(|last| last.ends_with("dependencies")) {
            return Self::All;
        }
        let one = header.rsplit_once('.').filter(|(before, _)| before.ends_with("dependencies"));
        one.map_or(Self::Other, |(_, name)| Self::One(unquoted(name).to_owned()))
    }
}

/// `name = "1"`, `name = { … }`, `name.workspace = true`.
fn entry(key: &str, value: &str) -> Entry {
    let (name, member) = key.split_once('.').unwrap_or((key, ""));
    let mut entry =
        Entry { name: unquoted(name.trim()).to_owned(), package: None, inherited: false };
    if !member.is_empty() {
        entry.take(member.trim(), value);
    }
    let inside = value.strip_prefix('{').and_then(|value| value.strip_suffix('}'));
    for (key, value) in
        inside.unwrap_or_default().split(',').filter_map(|pair| pair.split_once('='))
    {
        entry.take(key.trim(), value.trim());
    }
    entry
}

impl Entry {
    fn take(&mut self, key: &str, value: &str) {
        match key {
            "package" => self.package = Some(unquoted(value).to_owned()),
            "workspace" => self.inherited = value == "true",
            _ => {}
        }
    }
}

fn unquoted(text: &str) -> &str {
    text.trim_matches(|c| c == '"' || c == '\'')
}

fn without_comment(line: &str) -> &str {
    let line = line.trim();
    if line.starts_with('#') { "" } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(manifest: &str, expected: &[(&str, Option<&str>, bool)]) {
        let found = dependencies(manifest);
        let found: Vec<_> = found
            .iter()
            .map(|entry| (entry.name.as_str(), entry.package.as_deref(), entry.inherited))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn every_way_to_write_a_dependency_is_read() {
        check(
            r#"
            [package]
            name = "shop"
            [dependencies]
            # ops = { package = "other" }
            serde = "1"
            ops = { version = "1", package = "pap-runtime" }
            paps = { workspace = true }
            more.workspace = true
            [dev-dependencies.tester]
            package = "pap-runtime"
            version = "1"
            [target.'cfg(unix)'.dependencies]
            unix = "1"
            [features]
            default = []
            "#,
            &[
                ("serde", None, false),
                ("ops", Some("pap-runtime"), false),
                ("paps", None, true),
                ("more", None, true),
                ("tester", Some("pap-runtime"), false),
                ("unix", None, false),
            ],
        );
    }

    #[test]
    fn the_name_of_the_package_is_the_default() {
        assert_eq!(runtime(None).to_string(), ":: pap_runtime");
        assert_eq!(runtime(Some(&quote!(crate::ops))).to_string(), "crate :: ops");
    }

    #[test]
    fn a_rename_in_the_workspace_is_found_from_a_member() {
        let root = std::env::temp_dir().join(format!("pap-macros-rename-{}", std::process::id()));
        let member = root.join("shop");
        fs::create_dir_all(&member).unwrap();
        let workspace =
            "[workspace.dependencies]\nops = { path = \"x\", package = \"pap-runtime\" }\n";
        fs::write(root.join("Cargo.toml"), workspace).unwrap();
        fs::write(member.join("Cargo.toml"), "[dependencies]\nops = { workspace = true }\n")
            .unwrap();
        let renamed = renamed_in(&member);
        fs::write(member.join("Cargo.toml"), "[dependencies]\nserde = { workspace = true }\n")
            .unwrap();
        let not_a_dependency = renamed_in(&member);
        fs::remove_dir_all(&root).unwrap();
        assert_eq!(renamed.as_deref(), Some("ops"));
        assert_eq!(not_a_dependency, None);
    }
}
