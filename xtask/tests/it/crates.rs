//! Floors between crates.

use xtask::finding::Finding;
use xtask::layout::CRATES;
use xtask::tidy::crates;

use crate::fixture::{Fixture, check_found};

/// A member's manifest that opts into the lints, with these tables behind it.
fn manifest(name: &str, tables: &str) -> String {
    format!("[package]\nname = \"{name}\"\n[lints]\nworkspace = true\n{tables}\n")
}

/// A workspace of these `(folder, manifest)` members and the entries of its lock file.
fn found(members: &[(&str, &str)], lock: &str) -> Vec<Finding> {
    let listed: Vec<String> = members.iter().map(|(folder, _)| format!("{folder:?}")).collect();
    let shared = "[workspace.dependencies]\nlexer = { package = \"logos\", version = \"1\" }\n";
    let root = format!("[workspace]\nmembers = [{}]\n{shared}", listed.join(", "));
    let mut files =
        vec![("Cargo.toml".to_owned(), root), ("Cargo.lock".to_owned(), lock.to_owned())];
    files.extend(members.iter().map(|(at, text)| (format!("{at}/Cargo.toml"), (*text).to_owned())));
    let files: Vec<(&str, &str)> = files.iter().map(|(at, text)| (&**at, &**text)).collect();
    crates::check(&Fixture::of(&files).tree(), CRATES).unwrap()
}

/// An entry of the lock file.
fn locked(name: &str, version: &str, on: &[&str]) -> String {
    format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\ndependencies = {on:?}\n")
}

#[test]
fn a_crate_that_stands_on_a_higher_floor_is_found() {
    let protocol = manifest("pap-protocol", "[dependencies]\npap-runtime.workspace = true");
    let runtime = manifest("pap-runtime", "");
    check_found(
        &found(&[("pap-protocol", &protocol), ("runtime", &runtime)], ""),
        &["pap-protocol/Cargo.toml:6: `pap-protocol` stands on `pap-runtime`"],
    );
}

#[test]
fn a_crate_without_a_floor_is_found_unless_it_is_an_example() {
    let one = manifest("pap-extra", "");
    let example = manifest("jacket-exchange", "[dependencies]\npap-runtime.workspace = true");
    let runtime = manifest("pap-runtime", "");
    check_found(
        &found(
            &[("pap-extra", &one), ("examples/jacket-exchange", &example), ("runtime", &runtime)],
            "",
        ),
        &["pap-extra/Cargo.toml:1: `pap-extra` stands on no floor"],
    );
}

#[test]
fn a_further_dependency_of_the_macros_is_found_also_when_it_is_renamed() {
    let model = manifest("pap-model", "[dependencies]\nsyn = \"3\"\nlexer.workspace = true");
    let macros = manifest(
        "pap-macros",
        "[dependencies]\npap-model.workspace = true\n[target.'cfg(unix)'.dependencies]\nlibc = \"1\"\n\
         [dev-dependencies]\ntrybuild = \"1\"",
    );
    check_found(
        &found(&[("pap-model", &model), ("pap-macros", &macros)], ""),
        &[
            "pap-model/Cargo.toml:7: `pap-model` depends on `logos`",
            "pap-macros/Cargo.toml:8: `pap-macros` depends on `libc`",
        ],
    );
}

#[test]
fn what_must_not_enter_a_companys_build_is_found_at_any_depth() {
    let runtime =
        manifest("pap-runtime", "[dependencies]\naxum = { version = \"1\", optional = true }");
    let lock = [
        locked("pap-runtime", "0.1.0", &["axum", "trybuild"]),
        locked("axum", "0.8.0", &["pages"]),
        locked("pages", "1.0.0", &["askama 0.16.1"]),
        locked("askama", "0.16.1", &[]),
        // only the tests of pap-runtime use it: its manifest does not name it
        locked("trybuild", "1.0.0", &["openapiv3"]),
        locked("openapiv3", "2.0.0", &[]),
    ];
    check_found(
        &found(&[("runtime", &runtime)], &lock.concat()),
        &["runtime/Cargo.toml:1: `askama` is reached: pap-runtime > axum > pages > askama"],
    );
}

#[test]
fn a_second_major_version_of_syn_is_found_unless_it_is_never_built() {
    let model =
        manifest("pap-model", "[dependencies]\nsyn = \"3\"\n[dev-dependencies]\nproptest = \"1\"");
    let lock = |derives: &str| {
        let entries = [
            locked("pap-model", "0.1.0", &["syn 3.0.10", "proptest"]),
            locked("proptest", "1.0.0", &["zerocopy", derives]),
            locked("zerocopy", "0.8.0", &["zerocopy-derive"]),
            locked("zerocopy-derive", "0.8.0", &["syn 2.0.119"]),
            locked("older-derive", "1.0.0", &["syn 2.0.119"]),
            locked("syn", "2.0.119", &[]),
            locked("syn", "3.0.10", &[]),
        ];
        entries.concat()
    };
    check_found(&found(&[("pap-model", &model)], &lock("zerocopy")), &[]);
    check_found(
        &found(&[("pap-model", &model)], &lock("older-derive")),
        &["Cargo.lock:1: `syn` in 2 major versions \
           (2: pap-model > proptest > older-derive > syn; 3: pap-model > syn)"],
    );
}

#[test]
fn a_crate_with_lints_of_its_own_is_found() {
    let own = "[package]\nname = \"pap-protocol\"\n[lints.rust]\nmissing_docs = \"allow\"\n";
    check_found(
        &found(&[("pap-protocol", own)], ""),
        &["pap-protocol/Cargo.toml:1: `pap-protocol` has lints of its own"],
    );
}

#[test]
fn members_may_be_listed_with_a_star() {
    let files = [
        ("Cargo.toml", "[workspace]\nmembers = [\"examples/*\"]\n"),
        ("examples/one/Cargo.toml", "[package]\nname = \"one\"\n"),
        ("examples/one/driver/Cargo.toml", "[package]\nname = \"driver\"\n"),
    ];
    check_found(
        &crates::check(&Fixture::of(&files).tree(), CRATES).unwrap(),
        &["examples/one/Cargo.toml:1: `one` has lints of its own"],
    );
}

#[test]
fn a_manifest_that_is_no_toml_is_an_error_that_names_it() {
    let files = [("Cargo.toml", "[workspace\n")];
    let error = crates::check(&Fixture::of(&files).tree(), CRATES).unwrap_err();
    assert_eq!(error.to_string(), "`Cargo.toml` is not valid TOML");
}
