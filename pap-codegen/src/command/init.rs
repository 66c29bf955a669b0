//! `init`: a first `pap.toml`, and nothing else.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::json;
use toml::{Table, Value};

use crate::cli::Init;
use crate::codes::Code;
use crate::config::{FILE_NAME, first_config, listed, shown_path};
use crate::console::{Console, Stop, Surroundings};
use crate::diagnostic::Problem;
use crate::exit::Exit;

pub(super) fn init(
    arguments: &Init,
    surroundings: &Surroundings,
    console: &mut Console<'_>,
) -> Result<Exit, Stop> {
    let directory = &surroundings.directory;
    let package = wanted(directory, arguments.package.as_deref())?;
    let path = package.folder.join(FILE_NAME);
    let shown = shown_path(&path, directory);
    let text = first_config(&package.name, package.bin.as_deref(), &title(&package.name));
    create(&path, &shown, &text)?;
    console.say(&format!("wrote   {shown}"))?;
    console
        .say("next: put your company's name and origin into it, then run `pap-codegen generate`")?;
    console.fact(&json!({
        "change": "wrote",
        "kind": "file",
        "path": shown,
        "target": "",
        "version": 1,
    }))?;
    Ok(Exit::Done)
}

/// Never replaces a file, whoever wrote it, and whenever.
fn create(path: &Path, shown: &str, text: &str) -> Result<(), Problem> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    match file.and_then(|mut file| file.write_all(text.as_bytes())) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let help = "edit it, or remove it and run `pap-codegen init` again";
            Err(Problem::new(Code::ConfigExists, format!("`{shown}` is already there")).help(help))
        }
        Err(error) => Err(Problem::file("written", shown, &error)),
    }
}

/// A package that may declare operations.
struct Package {
    name: String,
    folder: PathBuf,
    bin: Option<String>,
    is_company: bool,
}

/// The named package, the one of this folder, or the only one of the workspace that depends on
/// `pap-runtime`.
fn wanted(directory: &Path, named: Option<&str>) -> Result<Package, Problem> {
    let manifest = manifest(directory).ok_or_else(|| {
        Problem::new(Code::NoPackage, "there is no `Cargo.toml` in this folder")
            .help("run `pap-codegen init` in the company's package")
    })?;
    let mut found = Vec::new();
    found.extend(package(directory, &manifest));
    let is_package = !found.is_empty();
    for folder in members(directory, &manifest) {
        if let Some(manifest) = self::manifest(&folder) {
            found.extend(package(&folder, &manifest));
        }
    }
    match named {
        Some(name) => found.into_iter().find(|package| package.name == name).ok_or_else(|| {
            Problem::new(Code::NoPackage, format!("there is no package `{name}` here"))
                .help("run it in the package's folder, or name a package of this workspace")
        }),
        None if is_package => Ok(found.swap_remove(0)),
        None => only(found.into_iter().filter(|package| package.is_company).collect()),
    }
}

fn only(mut found: Vec<Package>) -> Result<Package, Problem> {
    if found.len() == 1 {
        return Ok(found.swap_remove(0));
    }
    let names: Vec<&str> = found.iter().map(|package| package.name.as_str()).collect();
    let message = match names.as_slice() {
        [] => "no package of this workspace depends on `pap-runtime`".to_owned(),
        names => format!("several packages depend on `pap-runtime`: {}", listed(names)),
    };
    Err(Problem::new(Code::NoPackage, message).help("name one: `pap-codegen init --package NAME`"))
}

fn manifest(folder: &Path) -> Option<Table> {
    fs::read_to_string(folder.join("Cargo.toml")).ok()?.parse().ok()
}

fn package(folder: &Path, manifest: &Table) -> Option<Package> {
    let name = manifest.get("package")?.get("name")?.as_str()?.to_owned();
    let bins = bins(manifest);
    let bin = match bins.as_slice() {
        [] => None,
        [bin, ..] => Some(bin.clone()).filter(|bin| bins.len() > 1 || *bin != name),
    };
    let is_company =
        manifest.get("dependencies").is_some_and(|table| table.get("pap-runtime").is_some());
    Some(Package { name, folder: folder.to_owned(), bin, is_company })
}

fn bins(manifest: &Table) -> Vec<String> {
    let declared = manifest.get("bin").and_then(Value::as_array);
    let name = |bin: &Value| bin.get("name").and_then(Value::as_str).map(str::to_owned);
    declared.map(|bins| bins.iter().filter_map(name).collect()).unwrap_or_default()
}

/// The folders of the workspace's members; `*` stands for one folder's name.
fn members(directory: &Path, manifest: &Table) -> Vec<PathBuf> {
    let members = manifest.get("workspace").and_then(|workspace| workspace.get("members"));
    let mut folders = Vec::new();
    for member in members.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    {
        match member.strip_suffix("/*") {
            None => folders.push(directory.join(member)),
            Some(parent) => {
                let entries = fs::read_dir(directory.join(parent)).into_iter().flatten().flatten();
                let mut inside: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
                inside.sort();
                folders.extend(inside);
            }
        }
    }
    folders
}

/// `jacket-exchange` as a first name of a company: `Jacket Exchange`.
fn title(package: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>())
    };
    package.split(['-', '_']).filter_map(word).collect::<Vec<_>>().join(" ")
}
