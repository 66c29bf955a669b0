//! Links in documents, and the form of a change.

use xtask::tidy::documents;

use crate::fixture::{Fixture, check_found};

#[test]
fn a_link_to_a_file_that_is_not_there_is_found() {
    let page = "[here](../README.md#top) [there](gone.md), [web](https://example.com/a.md)\n\
                [up](#heading)\n```text\n[code](gone.md)\n```\n[folder](../docs)\n[x](a/b.md)\n";
    let files = [("README.md", "front page\n"), ("docs/page.md", page)];
    check_found(
        &documents::check(&Fixture::of(&files).tree()),
        &[
            "docs/page.md:1: links to `gone.md`, which is not there",
            "docs/page.md:7: links to `a/b.md`, which is not there",
        ],
    );
}

#[test]
fn a_change_without_its_kind_or_its_area_is_found() {
    let files = [
        ("changes/README.md", "How to write one.\n"),
        (
            "changes/unreleased/good.md",
            "fixed(store): a lost claim is found\n\nAll are affected.\n",
        ),
        ("changes/unreleased/kind.md", "improved(store): it is faster\n"),
        ("changes/unreleased/area.md", "fixed(): something\n"),
        ("changes/unreleased/bare.md", "fixed: something\n"),
    ];
    let what = "opens with something else";
    check_found(
        &documents::check(&Fixture::of(&files).tree()),
        &[
            &format!("changes/unreleased/kind.md:1: {what}"),
            &format!("changes/unreleased/area.md:1: {what}"),
            &format!("changes/unreleased/bare.md:1: {what}"),
        ],
    );
}
