//! From a step and the tree to commands. Nothing is run here.

use crate::Error;
use crate::layout::EXAMPLES_NOT_RUN;
use crate::steps::Work;
use crate::tree::Tree;
use crate::workspace::Workspace;

/// One cargo command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Job {
    /// Where it runs, relative to the repository; empty for its root.
    pub folder: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// What it needs in its environment.
    pub env: Vec<(String, String)>,
}

/// What there is to do for a step in this tree.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the runner handles every case")]
pub enum Plan {
    /// The rules, in this process.
    Tidy,
    /// Cargo, one command after the other.
    Cargo(Vec<Job>),
    /// The validator, on these documents.
    OpenApi(Vec<String>),
    /// Its subject is not in the tree: why there is nothing to do.
    Nothing(String),
}

impl Job {
    fn new(args: &[&str]) -> Self {
        Self { args: args.iter().map(|arg| (*arg).to_owned()).collect(), ..Self::default() }
    }

    fn with(mut self, env: &[(&str, &str)]) -> Self {
        self.env =
            env.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        self
    }

    /// As a person would type it.
    pub fn typed(&self) -> String {
        let env = self.env.iter().map(|(key, value)| format!("{key}={}", quoted(value)));
        let folder = (!self.folder.is_empty()).then(|| format!("cd {} &&", self.folder));
        let words = folder.into_iter().chain(env).chain(["cargo".to_owned()]);
        words.chain(self.args.iter().map(|arg| quoted(arg))).collect::<Vec<_>>().join(" ")
    }
}

fn quoted(word: &str) -> String {
    if word.contains(' ') { format!("'{word}'") } else { word.to_owned() }
}

/// What `work` comes to in this tree.
///
/// # Errors
///
/// [`Error::Toml`] if a manifest is no TOML; [`Error::Missing`] if an example that generates has no
/// OpenAPI document.
pub fn plan(work: Work, tree: &Tree, nextest: bool) -> Result<Plan, Error> {
    match work {
        Work::Tidy => Ok(Plan::Tidy),
        Work::Cargo(args, env) => Ok(Plan::Cargo(vec![Job::new(args).with(env)])),
        Work::Tests(env) => Ok(Plan::Cargo(vec![Job::new(tests(nextest)).with(env)])),
        Work::EachFeature(folders, args) => each_feature(tree, folders, args),
        Work::EachManifest(args) => Ok(each_manifest(tree, args)),
        Work::EachExample => each_example(tree),
        Work::OpenApi => documents(tree),
    }
}

fn tests(nextest: bool) -> &'static [&'static str] {
    if nextest {
        &["nextest", "run", "--locked", "--workspace", "--all-features", "--no-fail-fast"]
    } else {
        &[
            "test",
            "--locked",
            "--workspace",
            "--all-features",
            "--lib",
            "--bins",
            "--tests",
            "--no-fail-fast",
        ]
    }
}

fn each_feature(tree: &Tree, folders: &[&str], args: &[&str]) -> Result<Plan, Error> {
    let workspace = Workspace::of(tree)?;
    let mut jobs = Vec::new();
    for member in workspace.members.iter().filter(|member| folders.contains(&member.folder())) {
        for feature in [None].into_iter().chain(member.features().into_iter().map(Some)) {
            let mut job = Job::new(args);
            job.args.extend(["-p".to_owned(), member.name.clone()]);
            job.args.extend(feature.map(|feature| format!("--features={feature}")));
            job.args.extend(["--", "-D", "warnings"].map(str::to_owned));
            jobs.push(job);
        }
    }
    Ok(some(jobs, "no crate has features"))
}

fn each_manifest(tree: &Tree, args: &[&str]) -> Plan {
    let job = |folder: String| {
        let run = ["run", "--quiet", "--locked", "-p", "pap-codegen", "--"];
        Job { folder, ..Job::new(&[&run, args].concat()) }
    };
    some(manifests(tree).into_iter().map(job).collect(), "no example has a pap.toml")
}

/// The folders of the examples that generate something.
fn manifests(tree: &Tree) -> Vec<String> {
    let found = tree.under("examples/").filter_map(|file| file.path.strip_suffix("/pap.toml"));
    found.map(str::to_owned).collect()
}

fn each_example(tree: &Tree) -> Result<Plan, Error> {
    let workspace = Workspace::of(tree)?;
    let examples = workspace.members.iter().filter(|member| {
        let main = format!("{}/src/main.rs", member.folder());
        let name = member.folder().strip_prefix("examples/");
        let skipped = |name| EXAMPLES_NOT_RUN.iter().any(|(not, _)| *not == name);
        name.is_some_and(|name| !skipped(name)) && tree.file(&main).is_some()
    });
    let job = |name: &str| Job::new(&["run", "--quiet", "--locked", "-p", name]);
    Ok(some(examples.map(|member| job(&member.name)).collect(), "no example has a main"))
}

/// The OpenAPI documents below `examples/*/generated`, found by what is in them.
fn documents(tree: &Tree) -> Result<Plan, Error> {
    let is_document = |text: &str| {
        text.lines().take(20).any(|line| {
            let key = line.trim_start_matches(['{', ' ']);
            key.starts_with("\"openapi\":") || key.starts_with("openapi:")
        })
    };
    let all = tree.under("examples/").filter(|file| file.path.contains("/generated/"));
    let found: Vec<String> =
        all.filter(|file| is_document(&file.text)).map(|file| file.path.clone()).collect();
    let without = manifests(tree).into_iter().find(|folder| {
        !found.iter().any(|document| document.starts_with(&format!("{folder}/generated/")))
    });
    if let Some(folder) = without {
        let what = format!("`{folder}` has a pap.toml but no OpenAPI document in `generated/`");
        return Err(Error::Missing { what, help: "cargo xtask regenerate".to_owned() });
    }
    if found.is_empty() {
        return Ok(Plan::Nothing("no example has a pap.toml".to_owned()));
    }
    Ok(Plan::OpenApi(found))
}

fn some(jobs: Vec<Job>, otherwise: &str) -> Plan {
    if jobs.is_empty() { Plan::Nothing(otherwise.to_owned()) } else { Plan::Cargo(jobs) }
}
