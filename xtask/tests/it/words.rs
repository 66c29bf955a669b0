//! Words that do not belong into what is committed. Written in halves, as this file is committed.

use xtask::tidy::words;

use crate::fixture::{Fixture, check_found};

#[test]
fn a_note_of_unfinished_work_is_found_in_any_text() {
    let note = concat!("TO", "DO");
    let files = [
        ("a/src/lib.rs", format!("// {note}: later\n")),
        ("docs/page.md", format!("fine\n{}\n", concat!("FIX", "ME"))),
        ("docs/fine.md", format!("a {note}LIST, {}\n", note.to_lowercase())),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, &**text)).collect();
    check_found(
        &words::check(&Fixture::of(&files).tree()),
        &[
            &format!("a/src/lib.rs:1: `{note}`"),
            &format!("docs/page.md:2: `{}`", concat!("FIX", "ME")),
        ],
    );
}

#[test]
fn a_body_that_is_missing_is_found() {
    let source =
        "fn f() {\n    todo!()\n}\nfn g() { std::unimplemented!() }\n// todo!() is fine here\n";
    check_found(
        &words::check(&Fixture::of(&[("a/src/lib.rs", source)]).tree()),
        &[
            "a/src/lib.rs:2: `todo!` panics when it is reached",
            "a/src/lib.rs:4: `unimplemented!` panics when it is reached",
        ],
    );
}

#[test]
fn a_test_that_is_not_run_or_that_any_panic_passes_is_found() {
    let source = "#[test]\n#[ignore]\nfn f() {}\n#[test]\n#[ignore = \"slow\"]\nfn g() {}\n\
                  #[test]\n#[should_panic(expected = \"x\")]\nfn h() {}\n";
    check_found(
        &words::check(&Fixture::of(&[("a/tests/it/main.rs", source)]).tree()),
        &[
            "a/tests/it/main.rs:2: a test that is not run",
            "a/tests/it/main.rs:5: a test that is not run",
            "a/tests/it/main.rs:8: a test that any panic passes",
        ],
    );
}

#[test]
fn a_folder_of_one_machine_is_found_and_an_address_is_not() {
    let text = format!(
        "see {work}/main and (`{root}/.cargo`)\nhttps://example.com{work}/a {work}shop {root}-like\n",
        work = concat!("/", "work"),
        root = concat!("/", "root"),
    );
    check_found(
        &words::check(&Fixture::of(&[("README.md", &text)]).tree()),
        &[
            &format!("README.md:1: names `{}`", concat!("/", "work")),
            &format!("README.md:1: names `{}`", concat!("/", "root")),
        ],
    );
}
