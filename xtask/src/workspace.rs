//! The manifests of the workspace's members.

use toml::{Table, Value};

use crate::Error;
use crate::tree::Tree;

/// The members, and the table that they share.
#[derive(Debug)]
#[non_exhaustive]
pub struct Workspace {
    /// Every member.
    pub members: Vec<Member>,
    root: Table,
}

/// One member of the workspace.
#[derive(Debug)]
#[non_exhaustive]
pub struct Member {
    /// The path of its manifest.
    pub manifest: String,
    /// The package.
    pub name: String,
    table: Table,
}

impl Workspace {
    /// Reads the manifests; no members if there is none at the root.
    ///
    /// # Errors
    ///
    /// [`Error::Toml`] if one of them is no TOML.
    pub fn of(tree: &Tree) -> Result<Self, Error> {
        let root = parsed(tree, "Cargo.toml")?.unwrap_or_default();
        let listed = at(&root, &["workspace", "members"]).and_then(Value::as_array);
        let entries = listed.into_iter().flatten().filter_map(Value::as_str);
        let mut members = Vec::new();
        for folder in entries.flat_map(|entry| folders(tree, entry)) {
            let manifest = format!("{folder}/Cargo.toml");
            if let Some(table) = parsed(tree, &manifest)? {
                let name = at(&table, &["package", "name"]).and_then(Value::as_str);
                let name = name.unwrap_or_default().to_owned();
                members.push(Member { manifest, name, table });
            }
        }
        Ok(Self { members, root })
    }

    /// The packages that a member names, each behind the key it uses for it.
    pub fn dependencies<'a>(&'a self, member: &'a Member, tests: bool) -> Vec<(&'a str, &'a str)> {
        let mut kinds = vec!["dependencies", "build-dependencies"];
        if tests {
            kinds.push("dev-dependencies");
        }
        let targets = member.table.get("target").and_then(Value::as_table);
        let tables = targets.into_iter().flat_map(Table::values).filter_map(Value::as_table);
        let mut found = Vec::new();
        for table in tables.chain([&member.table]) {
            for kind in &kinds {
                let entries = table.get(*kind).and_then(Value::as_table).into_iter().flatten();
                found.extend(entries.map(|(key, value)| (key.as_str(), self.package(key, value))));
            }
        }
        found
    }

    /// The package behind a key, which may be renamed here or in the table that all share.
    fn package<'a>(&'a self, key: &'a str, value: &'a Value) -> &'a str {
        let renamed = |value: &'a Value| value.get("package").and_then(Value::as_str);
        let shared = || at(&self.root, &["workspace", "dependencies", key]).and_then(renamed);
        renamed(value).or_else(shared).unwrap_or(key)
    }
}

impl Member {
    /// Its folder.
    pub fn folder(&self) -> &str {
        self.manifest.trim_end_matches("/Cargo.toml")
    }

    /// Its features, without `default`.
    pub fn features(&self) -> Vec<&str> {
        let features = self.table.get("features").and_then(Value::as_table).into_iter();
        features.flat_map(Table::keys).map(String::as_str).filter(|key| *key != "default").collect()
    }

    /// Whether it has the lints of the workspace.
    pub fn opts_into_lints(&self) -> bool {
        at(&self.table, &["lints", "workspace"]).and_then(Value::as_bool) == Some(true)
    }
}

/// A file as TOML, if there is one.
pub(crate) fn parsed(tree: &Tree, path: &str) -> Result<Option<Table>, Error> {
    let table = tree.file(path).map(|file| file.text.parse::<Table>());
    table.transpose().map_err(|source| Error::Toml { path: path.to_owned(), source })
}

/// The folders that an entry of `members` names: itself, or what a closing `*` stands for.
fn folders(tree: &Tree, entry: &str) -> Vec<String> {
    let Some(parent) = entry.strip_suffix('*') else { return vec![entry.to_owned()] };
    let depth = parent.matches('/').count();
    let manifests = tree.under(parent).filter_map(|file| file.path.strip_suffix("/Cargo.toml"));
    manifests.filter(|folder| folder.matches('/').count() == depth).map(str::to_owned).collect()
}

fn at<'a>(table: &'a Table, keys: &[&str]) -> Option<&'a Value> {
    let (last, above) = keys.split_last()?;
    let inner = above.iter().try_fold(table, |table, key| table.get(*key)?.as_table())?;
    inner.get(*last)
}
