//! What an author reads: one mistake per file, and what is right beside it.
//!
//! `tests/ui/README.md` says how to update the snapshots.

#[test]
fn mistakes_are_told_as_the_snapshots_show() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/fail/*.rs");
    cases.pass("tests/ui/pass/*.rs");
}
