//! What each step comes to, and how a run ends.

use xtask::steps::plan::{Job, Plan, plan};
use xtask::steps::run::{Ended, run};
use xtask::steps::{Step, TEST, Work};

use crate::fixture::Fixture;

const WORKSPACE: &str = "[workspace]\nmembers = [\"runtime\", \"examples/*\"]\nresolver = \"3\"\n";
const RUNTIME: &str = "[package]\nname = \"pap-runtime\"\n[features]\ndefault = [\"sqlite\"]\nhttp = []\nsqlite = []\n";

#[track_caller]
fn typed(work: Work, files: &[(&str, &str)], nextest: bool) -> Vec<String> {
    let plan = plan(work, &Fixture::of(files).tree(), nextest).unwrap();
    let Plan::Cargo(jobs) = plan else { return vec![format!("{plan:?}")] };
    jobs.iter().map(Job::typed).collect()
}

#[test]
fn each_feature_is_checked_alone_and_none_too() {
    let work = Work::EachFeature(&["runtime"], &["clippy", "--no-default-features"]);
    let files = [("Cargo.toml", WORKSPACE), ("runtime/Cargo.toml", RUNTIME)];
    assert_eq!(
        typed(work, &files, true),
        [
            "cargo clippy --no-default-features -p pap-runtime -- -D warnings",
            "cargo clippy --no-default-features -p pap-runtime --features=http -- -D warnings",
            "cargo clippy --no-default-features -p pap-runtime --features=sqlite -- -D warnings",
        ]
    );
}

#[test]
fn tests_are_run_by_nextest_where_there_is_one() {
    let work = Work::Tests(&[("INSTA_UPDATE", "no")]);
    assert_eq!(
        typed(work, &[], true),
        ["INSTA_UPDATE=no cargo nextest run --locked --workspace --all-features --no-fail-fast"]
    );
    assert_eq!(
        typed(work, &[], false),
        ["INSTA_UPDATE=no cargo test --locked --workspace --all-features --lib --bins --tests \
          --no-fail-fast"]
    );
}

#[test]
fn examples_and_their_outputs_are_found_in_the_tree() {
    let one = "[package]\nname = \"one\"\n";
    let files = [
        ("Cargo.toml", WORKSPACE),
        ("examples/one/Cargo.toml", one),
        ("examples/one/src/main.rs", "fn main() {}\n"),
        ("examples/one/pap.toml", ""),
        ("examples/one/generated/openapi.json", "{\n  \"openapi\": \"3.1.0\"\n}\n"),
        ("examples/one/generated/tools.json", "{\n  \"tools\": []\n}\n"),
        ("examples/agent-cli/Cargo.toml", "[package]\nname = \"agent-cli\"\n"),
        ("examples/agent-cli/src/main.rs", "fn main() {}\n"),
    ];
    assert_eq!(
        typed(Work::EachManifest(&["check"]), &files, true),
        ["cd examples/one && cargo run --quiet --locked -p pap-codegen -- check"]
    );
    assert_eq!(typed(Work::EachExample, &files, true), ["cargo run --quiet --locked -p one"]);
    assert_eq!(
        plan(Work::OpenApi, &Fixture::of(&files).tree(), true).unwrap(),
        Plan::OpenApi(vec!["examples/one/generated/openapi.json".to_owned()])
    );
}

#[test]
fn a_step_without_a_subject_says_so() {
    let tree = Fixture::of(&[("Cargo.toml", WORKSPACE)]).tree();
    for work in [Work::EachManifest(&["check"]), Work::OpenApi] {
        let nothing = Plan::Nothing("no example has a pap.toml".to_owned());
        assert_eq!(plan(work, &tree, true).unwrap(), nothing);
    }
}

#[test]
fn an_example_that_generates_no_openapi_is_an_error() {
    let files = [("Cargo.toml", WORKSPACE), ("examples/one/pap.toml", "")];
    let error = plan(Work::OpenApi, &Fixture::of(&files).tree(), true).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`examples/one` has a pap.toml but no OpenAPI document in `generated/`\n  \
         help: cargo xtask regenerate"
    );
}

#[test]
fn a_run_stops_at_the_first_step_that_fails_and_names_it() {
    let fixture = Fixture::of(&[("a/src/utils.rs", "\n")]);
    let steps = [
        Step { name: "version", shows: "cargo answers", work: Work::Cargo(&["--version"], &[]) },
        Step { name: "tidy", shows: "it is tidy", work: Work::Tidy },
        Step { name: "never", shows: "not reached", work: Work::Cargo(&["--version"], &[]) },
    ];
    let mut out = Vec::new();
    let ended = run(fixture.root(), &steps, &mut out).unwrap();
    let said = String::from_utf8(out).unwrap();
    assert_eq!(ended, Ended::FailedAt("tidy"));
    assert!(said.contains("[2/3] tidy: it is tidy"), "{said}");
    assert!(said.contains("a/src/utils.rs:1: module `utils`"), "{said}");
    assert!(said.ends_with("FAILED at step 2 of 3, tidy: findings: 1\n"), "{said}");
}

#[test]
fn a_run_whose_commands_all_succeed_passes() {
    let steps =
        [Step { name: "version", shows: "it answers", work: Work::Cargo(&["--version"], &[]) }];
    let mut out = Vec::new();
    assert_eq!(run(Fixture::of(&[]).root(), &steps, &mut out).unwrap(), Ended::Passed);
    let failing =
        [Step { name: "bad", shows: "it fails", work: Work::Cargo(&["no-such-verb"], &[]) }];
    assert_eq!(run(Fixture::of(&[]).root(), &failing, &mut out).unwrap(), Ended::FailedAt("bad"));
}

#[test]
fn the_cheapest_steps_come_first() {
    let names: Vec<&str> = TEST.iter().map(|step| step.name).collect();
    assert_eq!(names.first(), Some(&"fmt"));
    assert_eq!(names.get(1), Some(&"tidy"));
}

#[test]
fn a_step_that_cannot_be_tried_is_named_too() {
    let fixture = Fixture::of(&[("Cargo.toml", WORKSPACE), ("examples/one/pap.toml", "")]);
    let steps = [Step { name: "openapi", shows: "it is valid", work: Work::OpenApi }];
    let mut out = Vec::new();
    run(fixture.root(), &steps, &mut out).unwrap_err();
    let said = String::from_utf8(out).unwrap();
    assert!(said.ends_with("FAILED at step 1 of 1, openapi: it could not be tried\n"), "{said}");
}
