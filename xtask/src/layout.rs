//! The tables that `cargo xtask` holds the repository to. A new crate, module or example is one row.

/// What one of our crates may depend on, outside its tests.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "a row of a table")]
pub struct Crate {
    /// The package.
    pub name: &'static str,
    /// Which of our packages it may stand on.
    pub on: &'static [&'static str],
    /// Which packages of others, where the list is closed.
    pub only: Option<&'static [&'static str]>,
    /// What must not be reachable from it at any depth.
    pub never: &'static [&'static str],
}

/// The macros are built before anything of the company's is: these four, nothing else.
const MACROS: Option<&[&str]> = Some(&["heck", "proc-macro2", "quote", "syn"]);

/// The floors between crates, lowest first.
pub const CRATES: &[Crate] = &[
    Crate { name: "pap-protocol", on: &[], only: None, never: &["tokio", "axum", "rusqlite"] },
    Crate { name: "pap-model", on: &[], only: MACROS, never: &[] },
    Crate { name: "pap-macros", on: &["pap-model"], only: MACROS, never: &[] },
    Crate {
        name: "pap-runtime",
        on: &["pap-protocol", "pap-macros"],
        only: None,
        never: &["openapiv3", "askama"],
    },
    Crate { name: "pap-agent", on: &["pap-protocol"], only: None, never: &[] },
    Crate { name: "pap-company", on: &["pap-protocol", "pap-runtime"], only: None, never: &[] },
    Crate { name: "pap-ops", on: &["pap-protocol", "pap-runtime"], only: None, never: &[] },
    Crate { name: "pap-codegen", on: &["pap-protocol", "pap-model"], only: None, never: &[] },
    Crate { name: "xtask", on: &[], only: None, never: &[] },
];

/// Packages under these folders stand on top: they may use all of ours, and nothing uses them.
pub const TOP_FLOOR: &[&str] = &["examples/", "interop/", "benches/", "simulation/", "trials/"];

/// Packages that may be in the lock file in one major version only, as two are built twice.
pub const ONE_VERSION: &[&str] = &["syn"];

/// Dependencies that no machine of ours builds: one that only holds a version back, behind `cfg(any())`,
/// and the bridge to Java that TLS needs on Android.
pub const NEVER_BUILT: &[(&str, &str)] =
    &[("zerocopy", "zerocopy-derive"), ("rustls-platform-verifier", "jni")];

/// One floor of modules.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "a row of a table")]
pub struct Floor {
    /// What it is called in messages.
    pub name: &'static str,
    /// Its modules, right below the crate's root.
    pub modules: &'static [&'static str],
    /// Whether they may use each other.
    pub neighbours: Neighbours,
}

/// Whether the modules of one floor may use each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a cell of a table")]
pub enum Neighbours {
    /// They describe one thing together.
    Free,
    /// What two of them need belongs below; what follows what is said above.
    Never,
}

use Neighbours::{Free, Never};

/// Which crate has floors inside.
pub const FLOORED: &str = "runtime/src/";

/// The floors between modules of `pap-runtime`, lowest first: a module uses lower floors only.
#[rustfmt::skip]
pub const FLOORS: &[Floor] = &[
    Floor { name: "fail-points", neighbours: Never, modules: &["failpoint"] },
    Floor { name: "words", neighbours: Free, modules: &[
        "clock", "backoff", "session", "declaration", "terms", "proposal", "outcome", "finding",
        "refusal", "reference", "released", "role", "rooms", "meter", "attention", "wait",
    ] },
    Floor { name: "moves", neighbours: Never, modules: &["lifecycle"] },
    Floor { name: "store", neighbours: Never, modules: &["store"] },
    Floor { name: "what was declared", neighbours: Free, modules: &[
        "private", "confirmed", "action", "operations", "describe",
    ] },
    Floor { name: "what the steps share", neighbours: Free, modules: &[
        "access", "caught", "claimed", "engine", "issue", "late", "present", "recorder", "ending", "offered",
        "sessions", "stops",
    ] },
    Floor { name: "steps", neighbours: Never, modules: &[
        "propose", "confirm", "perform", "recover", "track",
        "deferred", "cancel", "revise", "settle", "heart", "sweep",
    ] },
    Floor { name: "operators", neighbours: Never, modules: &["operators"] },
    Floor { name: "company", neighbours: Never, modules: &["company"] },
    Floor { name: "edges", neighbours: Never, modules: &["http", "channel"] },
    Floor { name: "tests of a company", neighbours: Never, modules: &["testing"] },
];

/// Uses that go against the floors: `(module, what it uses, why)`. One that is gone is taken out.
pub const AGAINST_FLOORS: &[(&str, &str, &str)] = &[];

/// Sources that ship, under these folders, name no database unless they live in [`SQL_HOMES`].
pub const SQL_FREE: &[&str] = &[
    "runtime/src/",
    "pap-protocol/src/",
    "pap-agent/src/",
    "pap-codegen/src/",
    "pap-ops/src/",
    "pap-company/src/",
];

/// The only places that know SQL, and the crates that only they may name.
pub const SQL_HOMES: &[&str] =
    &["runtime/src/store/sqlite/", "runtime/src/store/postgres/", "benches/src/bare/"];

/// See [`SQL_HOMES`].
pub const SQL_CRATES: &[&str] = &["rusqlite", "tokio_postgres", "deadpool_postgres"];

/// Where the text comes from that ends up in a user's tree.
pub const TEMPLATES: &str = "templates/";

/// Lines of a source file, tests not counted: past the first it needs `// size: reason` at its head.
pub const SOURCE_LINES: usize = 400;
/// Past this it is split, whatever the reason.
pub const SOURCE_LINES_AT_MOST: usize = 600;
/// Lines of a template.
pub const TEMPLATE_LINES: usize = 150;
/// Lines of an SQL file with one statement.
pub const SQL_LINES: usize = 60;
/// Lines of a schema or a migration, which hold every table.
pub const SCHEMA_LINES: usize = 400;
/// Bytes of a tracked file.
pub const FILE_BYTES: usize = 400 * 1024;

/// Names that say nothing about what is inside.
pub const BANNED_MODULES: &[&str] =
    &["util", "utils", "common", "helper", "helpers", "types", "imp", "misc", "manager", "service"];

/// Symbolic links: `(path, where it points)`. Each has to be there once what it points at is.
pub const LINKS: &[(&str, &str)] =
    &[("runtime/README.md", "../README.md"), ("pap-codegen/templates", "../templates")];

/// The list of what the specification asks for.
pub const REQUIREMENTS: &str = "docs/requirements.md";

/// Where a change waits for its release, one file for each.
pub const UNRELEASED: &str = "changes/unreleased/";

/// Crates whose features are each checked alone, since a workspace build turns all of them on.
pub const EACH_FEATURE_ALONE: &[&str] = &["pap-protocol", "runtime", "pap-ops"];

/// Examples that a test run does not start, and why. Every other folder of `examples/` is run.
pub const EXAMPLES_NOT_RUN: &[(&str, &str)] = &[("agent-cli", "asks a person at the terminal")];
