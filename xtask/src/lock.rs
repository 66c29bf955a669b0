//! The lock file: what stands on what.

use std::collections::BTreeMap;

use toml::Value;

use crate::Error;
use crate::layout::NEVER_BUILT;
use crate::tree::Tree;
use crate::workspace::{self, Workspace};

/// A package of the lock file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

impl Package {
    /// The number in front of the first dot.
    pub fn major(&self) -> &str {
        self.version.split('.').next().unwrap_or_default()
    }
}

/// What stands on what, with every optional dependency: more than any one build has.
#[derive(Debug)]
pub struct Lock {
    packages: BTreeMap<Package, Vec<String>>,
}

impl Lock {
    /// Reads it; empty if there is none.
    ///
    /// # Errors
    ///
    /// [`Error::Toml`] if it is no TOML.
    pub fn of(tree: &Tree) -> Result<Self, Error> {
        let table = workspace::parsed(tree, "Cargo.lock")?.unwrap_or_default();
        let listed = table.get("package").and_then(Value::as_array);
        let mut packages = BTreeMap::new();
        for entry in listed.into_iter().flatten() {
            let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default();
            let package =
                Package { name: text("name").to_owned(), version: text("version").to_owned() };
            let on = entry.get("dependencies").and_then(Value::as_array).into_iter().flatten();
            packages.insert(package, on.filter_map(Value::as_str).map(str::to_owned).collect());
        }
        Ok(Self { packages })
    }

    /// Everything below `from`, each with the way to it. Our own crates' edges come from their
    /// manifests, as the lock file does not tell what only their tests use.
    pub fn reachable(
        &self,
        workspace: &Workspace,
        from: &[&str],
        tests: bool,
    ) -> BTreeMap<Package, String> {
        let mut reached = BTreeMap::new();
        let starts = from.iter().filter_map(|name| self.find(name, None));
        let mut open: Vec<(&Package, String)> = starts.map(|of| (of, of.name.clone())).collect();
        while let Some((package, way)) = open.pop() {
            if reached.contains_key(package) {
                continue;
            }
            for next in self.below(package, workspace, tests) {
                open.push((next, format!("{way} > {}", next.name)));
            }
            reached.insert(package.clone(), way);
        }
        reached
    }

    fn below(&self, package: &Package, workspace: &Workspace, tests: bool) -> Vec<&Package> {
        let entries = self.packages.get(package).into_iter().flatten();
        let all = entries.filter_map(|entry| {
            let mut parts = entry.split(' ');
            self.find(parts.next().unwrap_or_default(), parts.next())
        });
        let member = workspace.members.iter().find(|member| member.name == package.name);
        let named = member.map(|member| workspace.dependencies(member, tests));
        let is_named = |next: &Package| {
            let of = named.as_deref();
            of.is_none_or(|named| named.iter().any(|(_, name)| *name == next.name))
        };
        let is_built = |next: &Package| {
            !NEVER_BUILT.iter().any(|(on, of)| *on == package.name && *of == next.name)
        };
        all.filter(|next| is_named(next) && is_built(next)).collect()
    }

    fn find(&self, name: &str, version: Option<&str>) -> Option<&Package> {
        self.packages.keys().find(|package| {
            package.name == name && version.is_none_or(|version| package.version == version)
        })
    }
}
