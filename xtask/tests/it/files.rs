//! Large files, and links.

use std::process::Command;

use xtask::tidy::files;

use crate::fixture::{Fixture, check_found};

#[test]
fn a_large_file_is_found() {
    let large = "x".repeat(400 * 1024 + 1);
    let fits = "x".repeat(400 * 1024);
    check_found(
        &files::check(&Fixture::of(&[("large.txt", &large), ("fits.txt", &fits)]).tree(), &[]),
        &["large.txt:1: 400 KiB"],
    );
}

#[test]
fn a_link_is_asked_for_once_there_is_something_to_point_at() {
    let links = [("runtime/README.md", "../README.md"), ("codegen/templates", "../templates")];
    let without = Fixture::of(&[("README.md", "front page"), ("runtime/README.md", "a copy")]);
    check_found(
        &files::check(&without.tree(), &links),
        &["runtime/README.md:1: is no symbolic link to `../README.md`"],
    );
    let with = Fixture::of(&[("README.md", "front page"), ("templates/a.jinja", "a")])
        .linked("runtime/README.md", "../README.md")
        .linked("codegen/templates", "../templates");
    check_found(&files::check(&with.tree(), &links), &[]);
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    let broken = Fixture::of(&[]).linked("runtime/README.md", "../README.md");
    check_found(
        &files::check(&broken.tree(), &[]),
        &["runtime/README.md:1: points at `../README.md`, which is not there"],
    );
}

#[test]
fn what_git_ignores_is_not_looked_at_and_what_is_new_is() {
    let fixture = Fixture::of(&[
        (".gitignore", "built/\n"),
        ("built/out.txt", "x"),
        ("new.txt", "x"),
        ("target.txt", "x"),
    ]);
    let init = Command::new("git").arg("init").arg("--quiet").arg(fixture.root()).status();
    assert!(init.unwrap().success());
    let tree = fixture.tree();
    let paths: Vec<&str> = tree.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, [".gitignore", "new.txt", "target.txt"]);
}
