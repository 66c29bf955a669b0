//! The list of requirements against the tests that name them.

use xtask::requirements::{Requirements, ids_in};
use xtask::tidy::requirements;

use crate::fixture::{Fixture, check_found};

const LIST: &str = "\
# Requirements

| id | level | who | what is asked |
| --- | --- | --- | --- |
| OPS-5.2-4 | must | C | the latest revision |
| OPS-6-4 | MUST | C | at most once |
| EXT-11 | must | both | negotiation |

## Left for later

| id | waits for |
| --- | --- |
| EXT-11 | extension negotiation |
";

fn row(id: &str) -> String {
    format!("| {id} | must | C | x |\n")
}

#[test]
fn a_requirement_that_nobody_proves_is_found() {
    let tests = "/// OPS-5.2-4\n#[test]\nfn an_old_revision_is_refused() {}\n\
                 /// OPS-6-4 in words of a function that is no test\nfn perform() {}\n";
    check_found(
        &requirements::check(
            &Fixture::of(&[("docs/requirements.md", LIST), ("runtime/tests/it/main.rs", tests)])
                .tree(),
        ),
        &["docs/requirements.md:6: `OPS-6-4` is named by no test"],
    );
}

#[test]
fn tests_of_every_form_can_name_a_requirement() {
    let list = format!(
        "{}{}{}{}{}",
        row("OPS-1-1"),
        row("OPS-2-2"),
        row("OPS-3.1-3"),
        row("EXT-4"),
        row("EXT-5")
    );
    let macros =
        "proptest! {\n    /// OPS-2-2\n    #[test]\n    fn any_history_keeps_it(x in 0..9) {}\n}\n";
    let files = [
        ("docs/requirements.md", list.as_str()),
        (
            "runtime/src/a.rs",
            "#[cfg(test)]\nmod tests {\n/// OPS-1-1\n#[tokio::test]\nasync fn a() {}\n}\n",
        ),
        ("runtime/tests/it/main.rs", macros),
        (
            "runtime/src/store/conformance.rs",
            "/// A store keeps it (OPS-3.1-3, EXT-4).\npub async fn keeps() {}\n",
        ),
        ("pap-macros/tests/ui/forged.rs", "// EXT-5\nfn main() { nonsense }\n"),
    ];
    let tree = Fixture::of(&files).tree();
    check_found(&requirements::check(&tree), &[]);
    let all = Requirements::of(&tree);
    let proofs: Vec<String> = all
        .proofs
        .iter()
        .map(|of| format!("{} {}:{} {}", of.id, of.path, of.line, of.test))
        .collect();
    assert_eq!(
        proofs,
        [
            "EXT-5 pap-macros/tests/ui/forged.rs:1 refused by the compiler",
            "OPS-1-1 runtime/src/a.rs:5 a",
            "OPS-3.1-3 runtime/src/store/conformance.rs:2 keeps",
            "EXT-4 runtime/src/store/conformance.rs:2 keeps",
            "OPS-2-2 runtime/tests/it/main.rs:4 any_history_keeps_it",
        ]
    );
}

#[test]
fn a_list_that_contradicts_itself_or_the_tests_is_found() {
    let list = format!(
        "{}{}{}## Left for later\n| OPS-1-1 | x |\n| OPS-1-2 | |\n| OPS-9-9 | x |\n",
        row("OPS-1-1"),
        row("OPS-1-2"),
        row("OPS-1-2"),
    );
    let tests = "/// OPS-1-1 and EXT-99\n#[test]\nfn a() {}\n";
    check_found(
        &requirements::check(
            &Fixture::of(&[("docs/requirements.md", &list), ("a/tests/it/main.rs", tests)]).tree(),
        ),
        &[
            "docs/requirements.md:3: `OPS-1-2` has two rows",
            "docs/requirements.md:5: `OPS-1-1` is left for later, yet `a` proves it",
            "docs/requirements.md:6: `OPS-1-2` waits for nothing",
            "docs/requirements.md:7: `OPS-9-9` is left for later but not in the list",
            "a/tests/it/main.rs:3: `a` names `EXT-99`, which is not in the list",
        ],
    );
}

#[test]
fn the_report_says_what_is_named_what_waits_and_what_is_missing() {
    let tests = "/// OPS-5.2-4\n#[test]\nfn an_old_revision_is_refused() {}\n";
    let fixture = Fixture::of(&[("docs/requirements.md", LIST), ("a/tests/it/main.rs", tests)]);
    assert_eq!(
        Requirements::of(&fixture.tree()).report(),
        "\
OPS-5.2-4
    a/tests/it/main.rs:3 an_old_revision_is_refused
OPS-6-4     NOT NAMED BY ANY TEST
EXT-11      waits for extension negotiation

3 requirements: 1 named by tests, 1 left for later, 1 missing
missing: OPS-6-4
"
    );
}

#[test]
fn pruning_takes_out_what_is_proved_and_nothing_else() {
    let tests = "/// EXT-11\n#[test]\nfn both_sides_agree() {}\n";
    let fixture = Fixture::of(&[("docs/requirements.md", LIST), ("a/tests/it/main.rs", tests)]);
    let pruned = Requirements::of(&fixture.tree()).pruned(LIST);
    assert_eq!(pruned, LIST.replace("| EXT-11 | extension negotiation |\n", ""));
}

#[test]
fn ids_are_told_from_what_looks_like_them() {
    let text = "OPS-5.2-4, (OPS-3-17): EXT-11. TEXT-1 OPS-5 OPS-a-1 EXT- XOPS-1-1 EXT-2/EXT-3";
    assert_eq!(ids_in(text), ["OPS-5.2-4", "OPS-3-17", "EXT-11", "EXT-2", "EXT-3"]);
}
