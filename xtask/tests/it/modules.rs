//! Floors between modules.

use xtask::finding::Finding;
use xtask::layout::{Floor, Neighbours};
use xtask::tidy::modules::{self, Table};

use crate::fixture::{Fixture, check_found};

const FLOORS: &[Floor] = &[
    Floor { name: "words", modules: &["clock", "terms"], neighbours: Neighbours::Free },
    Floor { name: "store", modules: &["store"], neighbours: Neighbours::Never },
    Floor { name: "steps", modules: &["propose", "confirm"], neighbours: Neighbours::Never },
    Floor { name: "company", modules: &["company"], neighbours: Neighbours::Never },
];

fn found(files: &[(&str, &str)]) -> Vec<Finding> {
    against(files, &[])
}

fn against(files: &[(&str, &str)], against: &[(&str, &str, &str)]) -> Vec<Finding> {
    let table = Table { folder: "runtime/src/", floors: FLOORS, against };
    modules::check(&Fixture::of(files).tree(), table)
}

#[test]
fn a_step_that_uses_another_step_is_found() {
    check_found(
        &found(&[("runtime/src/confirm.rs", "//! Step 3.\n\nuse crate::propose::Proposal;\n")]),
        &["runtime/src/confirm.rs:3: `confirm` uses its neighbour `propose` on the floor of steps"],
    );
}

#[test]
fn a_module_that_reaches_up_is_found_however_it_is_written() {
    let source = "use crate::{clock::Clock, company::Company};\n\
                  fn f() -> super::super::company::Company { crate::company::Company }\n";
    let up = "`store` (store) uses `company` (company) above it";
    check_found(
        &found(&[("runtime/src/store/rows.rs", source)]),
        &[
            &format!("runtime/src/store/rows.rs:1: {up}"),
            &format!("runtime/src/store/rows.rs:2: {up}"),
            &format!("runtime/src/store/rows.rs:2: {up}"),
        ],
    );
}

#[test]
fn a_module_without_a_floor_is_found() {
    check_found(
        &found(&[("runtime/src/extra.rs", "//! Something.\n")]),
        &["runtime/src/extra.rs:1: module `extra` stands on no floor"],
    );
}

#[test]
fn a_name_of_the_root_hides_its_module_and_is_found() {
    check_found(
        &found(&[("runtime/src/propose.rs", "use crate::Company;\n")]),
        &["runtime/src/propose.rs:1: `crate::Company` hides which module it comes from"],
    );
}

#[test]
fn what_the_floors_allow_is_not_found() {
    let allowed = [
        ("runtime/src/lib.rs", "pub mod clock;\npub use crate::company::Company;\n"),
        ("runtime/src/clock.rs", "use crate::terms::Terms;\n"),
        ("runtime/src/terms.rs", "use crate::clock::Clock;\n"),
        ("runtime/src/store/mod.rs", "mod rows;\nuse super::clock::Clock;\n"),
        ("runtime/src/store/rows.rs", "use super::Store;\nuse crate::store::Store;\n"),
        ("runtime/src/company.rs", "use crate::{confirm, propose::{self, Proposal}};\n"),
    ];
    check_found(&found(&allowed), &[]);
}

#[test]
fn comments_tests_and_exported_macros_are_free() {
    let source = "/// Handed on by [`crate::company::Company`].\n\
                  // crate::company does that\n\
                  pub fn f() -> &'static str { \"crate::company\" }\n\
                  macro_rules! with { () => { $crate::company::Company } }\n\
                  #[cfg(test)]\n\
                  mod tests { use crate::company::Company; }\n";
    let free = [
        ("runtime/src/confirm.rs", source),
        ("runtime/src/store/tests.rs", "use crate::company::Company;\n"),
    ];
    check_found(&found(&free), &[]);
}

#[test]
fn an_exception_is_for_one_pair_and_as_long_as_it_is_needed() {
    let rows = [("confirm", "propose", "takes what it yields")];
    let both = "use crate::propose::Proposal;\nuse crate::company::Company;\n";
    check_found(
        &against(&[("runtime/src/confirm.rs", both)], &rows),
        &["runtime/src/confirm.rs:2: `confirm` (steps) uses `company` (company) above it"],
    );
    check_found(
        &against(&[("runtime/src/confirm.rs", "use crate::terms::Terms;\n")], &rows),
        &["xtask/src/layout.rs:1: `confirm` no longer uses `propose` against the floors"],
    );
}
