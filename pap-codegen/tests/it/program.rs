//! The catalogue from the company's own program.

use std::time::Duration;

use pap_codegen::Exit;

use crate::project::{CONFIG, Project, run_in};

/// A program in one file, built by the real Cargo.
const MAIN: &str = r#"
fn main() {
    println!("a stray line");
    if let Ok(marker) = std::env::var("PAP_DESCRIBE") {
        eprintln!("a word on standard error");
        println!("{marker}{}", include_str!("../catalogue.json").trim());
        println!("another stray line");
        return;
    }
    std::process::exit(3);
}
"#;

fn company(main: &str) -> Project {
    let project = Project::gallery();
    let config = CONFIG.replace("catalogue = \"catalogue.json\"", "package = \"gift-shop\"");
    project.write("pap.toml", &config);
    project
        .write("Cargo.toml", "[package]\nname = \"gift-shop\"\nedition = \"2021\"\n[workspace]\n");
    project.write("src/main.rs", main);
    project
}

#[test]
fn what_is_described_is_what_the_program_declares() {
    let project = company(MAIN);
    let ran = project.done(&["generate"]);
    assert!(ran.err.starts_with("a word on standard error\nwrote "), "{}", ran.err);
    let saved = Project::gallery();
    saved.done(&["generate"]);
    let file = "generated/openapi.json";
    assert_eq!(project.read(file), saved.read(file));
}

#[test]
fn a_program_that_does_not_build_is_said_with_the_compilers_words() {
    let ran = company("fn main() { nonsense }").run(&["check"]);
    ran.says(
        Exit::Declarations,
        &["cannot find value `nonsense`", "error[PAP0111]", "could not be built"],
    );
}

#[test]
fn a_program_that_prints_no_operations_is_told_the_line_to_add() {
    let ran = company("fn main() { println!(\"{{}}\"); }").run(&["check"]);
    ran.says(
        Exit::Declarations,
        &["error[PAP0112]", "`gift-shop` did not print its operations", "describe_if_asked"],
    );
}

#[test]
fn a_cargo_that_is_not_there_is_said() {
    let project = company(MAIN);
    let mut surroundings = project.surroundings();
    surroundings.cargo = project.path("no-cargo");
    let ran = run_in(&surroundings, &["check"]);
    ran.says(Exit::Declarations, &["error[PAP0111]", "could not be started"]);
}

/// Programs that are there already: a folder of scripts.
#[cfg(unix)]
fn script(name: &str) -> Project {
    let project = Project::gallery();
    let path = format!("{}/tests/programs/{name}", env!("CARGO_MANIFEST_DIR"));
    let source = format!("executable = \"{path}\"");
    project.write("pap.toml", &CONFIG.replace("catalogue = \"catalogue.json\"", &source));
    project
}

#[cfg(unix)]
#[test]
fn a_program_that_is_there_already_is_asked_without_cargo() {
    let project = script("describes.sh");
    let mut surroundings = project.surroundings();
    surroundings.cargo = project.path("no-cargo");
    assert_eq!(run_in(&surroundings, &["generate"]).exit, Exit::Done);
    assert!(project.has("generated/openapi.json"));
}

#[cfg(unix)]
#[test]
fn a_program_that_serves_instead_of_answering_is_stopped() {
    let project = script("serves.sh");
    let mut surroundings = project.surroundings();
    surroundings.patience = Duration::from_millis(300);
    let ran = run_in(&surroundings, &["check"]);
    ran.says(Exit::Declarations, &["error[PAP0112]", "was still running", "describe_if_asked"]);
}

#[cfg(unix)]
#[test]
fn an_answer_of_a_program_that_then_fails_does_not_count() {
    let ran = script("fails.sh").run(&["check"]);
    ran.says(Exit::Declarations, &["error[PAP0112]", "it ended with exit status: 7"]);
}
