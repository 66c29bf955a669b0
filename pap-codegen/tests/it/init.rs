//! `init`: a first `pap.toml` that the other commands read.

use pap_codegen::Exit;
use pap_codegen::config::{Config, Source};

use crate::project::Project;

const PACKAGE: &str =
    "[package]\nname = \"gift-shop\"\n[dependencies]\npap-runtime.workspace = true\n";

#[test]
fn the_first_file_is_read_by_the_other_commands() {
    let project = Project::empty();
    project.write("Cargo.toml", PACKAGE);
    let ran = project.done(&["init"]);
    assert_eq!(ran.out, "");
    assert!(ran.err.starts_with("wrote   pap.toml\nnext: "), "{}", ran.err);
    let config = Config::load(None, &project.path("")).unwrap();
    assert_eq!(config.company.name, "Gift Shop");
    assert_eq!(config.source, Source::Package { package: "gift-shop".into(), bin: None });
    assert_eq!(config.targets.len(), 4);
}

#[test]
fn a_file_that_is_there_is_never_replaced() {
    let project = Project::empty();
    project.write("Cargo.toml", PACKAGE);
    project.write("pap.toml", "mine\n");
    project.run(&["init"]).says(Exit::Declarations, &["error[PAP0107]", "is already there"]);
    assert_eq!(project.read("pap.toml"), "mine\n");
}

#[test]
fn in_a_workspace_the_one_company_is_found() {
    let project = Project::empty();
    project.write("Cargo.toml", "[workspace]\nmembers = [\"lib\", \"apps/*\"]\n");
    project.write("lib/Cargo.toml", "[package]\nname = \"lib\"\n");
    project.write("apps/shop/Cargo.toml", &format!("{PACKAGE}\n[[bin]]\nname = \"serve\"\n"));
    let ran = project.done(&["init"]);
    assert!(ran.err.contains("wrote   apps/shop/pap.toml"), "{}", ran.err);
    let config = Config::load(Some("apps/shop/pap.toml".as_ref()), &project.path("")).unwrap();
    let bin = Some("serve".to_owned());
    assert_eq!(config.source, Source::Package { package: "gift-shop".into(), bin });
}

#[test]
fn where_there_is_more_than_one_the_choice_is_asked_for() {
    let project = Project::empty();
    project.run(&["init"]).says(Exit::Declarations, &["error[PAP0108]", "no `Cargo.toml`"]);
    project.write("Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]\n");
    project.write("a/Cargo.toml", PACKAGE);
    project.run(&["init", "--package", "x"]).says(Exit::Declarations, &["there is no package `x`"]);
    project.write("b/Cargo.toml", &PACKAGE.replace("gift-shop", "book-shop"));
    project
        .run(&["init"])
        .says(Exit::Declarations, &["`gift-shop` and `book-shop`", "--package NAME"]);
    project.done(&["init", "--package", "book-shop"]);
    assert!(project.has("b/pap.toml") && !project.has("a/pap.toml"));
    project.write("Cargo.toml", "[workspace]\nmembers = []\n");
    project.run(&["init"]).says(Exit::Declarations, &["no package of this workspace depends on"]);
}
