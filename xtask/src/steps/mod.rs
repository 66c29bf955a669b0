//! What a test run and a regeneration consist of: two tables, cheap steps first.

pub mod openapi;
pub mod plan;
pub mod run;

/// One step.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "a row of a table")]
pub struct Step {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What is known once it has passed.
    pub shows: &'static str,
    /// What it does.
    pub work: Work,
}

/// What a step does. Everything that depends on the tree is found in the tree.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_enums, reason = "a cell of a table")]
pub enum Work {
    /// The rules of [`crate::tidy`], in this process.
    Tidy,
    /// One cargo command, with what it needs in its environment.
    Cargo(&'static [&'static str], &'static [(&'static str, &'static str)]),
    /// One cargo command for each feature of these crates alone, and for none.
    EachFeature(&'static [&'static str], &'static [&'static str]),
    /// Every test, by nextest where there is one.
    Tests(&'static [(&'static str, &'static str)]),
    /// `pap-codegen` in each example that has a `pap.toml`.
    EachManifest(&'static [&'static str]),
    /// Each example from its start to its exit.
    EachExample,
    /// Each OpenAPI document of the examples, by a validator that is not ours.
    OpenApi,
}

/// The whole test run.
#[rustfmt::skip]
pub const TEST: &[Step] = &[
    Step { name: "fmt", shows: "every file is formatted",
           work: Work::Cargo(&["fmt", "--all", "--check"], &[]) },
    Step { name: "tidy", shows: "floors, sizes, words, links and requirements are as agreed",
           work: Work::Tidy },
    Step { name: "clippy", shows: "no lint warns, tests included",
           work: Work::Cargo(&["clippy", "--locked", "--workspace", "--all-targets", "--all-features",
                               "--", "-D", "warnings"], &[]) },
    Step { name: "features", shows: "each feature builds alone",
           work: Work::EachFeature(crate::layout::EACH_FEATURE_ALONE,
                                   &["clippy", "--locked", "--lib", "--no-default-features"]) },
    Step { name: "doc", shows: "the documentation builds without a broken link",
           work: Work::Cargo(&["doc", "--locked", "--workspace", "--no-deps", "--all-features"],
                             &[("RUSTDOCFLAGS", "-D warnings")]) },
    Step { name: "tests", shows: "every test passes",
           work: Work::Tests(&[("INSTA_UPDATE", "no")]) },
    Step { name: "doctests", shows: "every example in the documentation runs",
           work: Work::Cargo(&["test", "--locked", "--workspace", "--all-features", "--doc"], &[]) },
    Step { name: "kills", shows: "killed at each named place, nothing is done twice, lost or wrongly told",
           work: Work::Cargo(&["run", "--quiet", "--locked", "-p", "pap-trials", "--",
                               "kills", "--runs", "620", "--store", "both"], &[]) },
    Step { name: "soak", shows: "nor under load, with nodes killed, paused and restarted at random",
           work: Work::Cargo(&["run", "--quiet", "--locked", "-p", "pap-trials", "--",
                               "soak", "--minutes", "1", "--store", "both"], &[]) },
    Step { name: "generated", shows: "the committed outputs of the examples are current",
           work: Work::EachManifest(&["check"]) },
    Step { name: "examples", shows: "each example runs from its start to its exit",
           work: Work::EachExample },
    Step { name: "openapi", shows: "a public validator accepts each OpenAPI document",
           work: Work::OpenApi },
];

/// Everything that is written by a tool and committed, written again.
#[rustfmt::skip]
pub const REGENERATE: &[Step] = &[
    Step { name: "generated", shows: "the outputs of the examples are written",
           work: Work::EachManifest(&["generate"]) },
    Step { name: "snapshots", shows: "the snapshots of insta, trybuild and trycmd are written",
           work: Work::Tests(&[("INSTA_UPDATE", "always"), ("TRYBUILD", "overwrite"),
                               ("TRYCMD", "overwrite")]) },
    Step { name: "fmt", shows: "what was written is formatted",
           work: Work::Cargo(&["fmt", "--all"], &[]) },
];
