//! Sizes of sources, and names of modules.

use xtask::tidy::{names, sizes};

use crate::fixture::{Fixture, check_found};

fn lines(count: usize) -> String {
    "fn f() {}\n".repeat(count)
}

#[test]
fn a_long_source_needs_a_reason_at_its_head() {
    let long = lines(401);
    let reasoned = format!("//! A table.\n// size: one row for each error\n{long}");
    let late = format!("{long}// size: said where nobody looks\n");
    let files = [
        ("a/src/fits.rs", &lines(400)),
        ("a/src/long.rs", &long),
        ("a/src/reasoned.rs", &reasoned),
        ("a/src/late.rs", &late),
    ];
    let files = files.map(|(path, text)| (path, text.as_str()));
    check_found(
        &sizes::check(&Fixture::of(&files).tree()),
        &[
            "a/src/long.rs:1: 401 lines without its tests; 400 without a reason",
            "a/src/late.rs:1: 402 lines without its tests; 400 without a reason",
        ],
    );
}

#[test]
fn a_very_long_source_has_no_excuse() {
    let long = format!("// size: because\n{}", lines(600));
    check_found(
        &sizes::check(&Fixture::of(&[("a/src/lib.rs", &long)]).tree()),
        &["a/src/lib.rs:1: 601 lines without its tests; 600 is the end"],
    );
}

#[test]
fn tests_do_not_count() {
    let inline = format!(
        "{}#[cfg(test)]\n#[allow(dead_code)]\nmod tests {{\n{}}}\n",
        lines(400),
        lines(300)
    );
    let files = [
        ("a/src/lib.rs", inline),
        ("a/src/lib/tests.rs", lines(700)),
        ("a/tests/it/main.rs", lines(700)),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, &**text)).collect();
    check_found(&sizes::check(&Fixture::of(&files).tree()), &[]);
}

#[test]
fn a_module_name_that_says_nothing_is_found() {
    let files = [
        ("a/src/utils.rs", "\n"),
        ("a/src/common/mod.rs", "\n"),
        ("a/src/terms.rs", "fn f() {}\nmod helpers {}\nmod types;\n"),
    ];
    check_found(
        &names::check(&Fixture::of(&files).tree()),
        &[
            "a/src/utils.rs:1: module `utils` says nothing about what is inside",
            "a/src/common/mod.rs:1: module `common` says nothing about what is inside",
            "a/src/terms.rs:2: module `helpers` says nothing about what is inside",
        ],
    );
}
