//! Who reads what: standard output, standard error, people and machines.

use std::ffi::OsString;
use std::io::{self, Write};

use pap_codegen::{Exit, guarded, run};
use serde_json::{Value, json};

use crate::project::{Project, run_in};

/// A reader that went away.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A disk that is full.
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn into(project: &Project, arguments: &[&str], out: &mut dyn Write, err: &mut dyn Write) -> Exit {
    let arguments = std::iter::once("pap-codegen").chain(arguments.iter().copied());
    run(arguments.map(OsString::from), &project.surroundings(), out, err)
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let project = Project::gallery();
    for arguments in [&["list"][..], &["explain"], &["explain", "PAP0103"], &["--help"]] {
        let mut err = Vec::new();
        assert_eq!(into(&project, arguments, &mut Closed, &mut err), Exit::Done, "{arguments:?}");
        assert_eq!(err, b"", "{arguments:?}");
    }
    assert_eq!(into(&project, &["list"], &mut Full, &mut Vec::new()), Exit::Io);
}

#[test]
fn generate_leaves_standard_output_empty() {
    let ran = Project::gallery().done(&["generate"]);
    assert_eq!(ran.out, "");
    assert!(ran.err.starts_with("wrote   generated/docs/index.md\n"), "{}", ran.err);
    assert!(
        ran.err.ends_with("next: commit them, and run `pap-codegen check` in CI\n"),
        "{}",
        ran.err
    );
}

#[test]
fn quiet_leaves_only_what_is_wrong() {
    let project = Project::gallery();
    assert_eq!(project.done(&["generate", "-q"]).err, "");
    assert_eq!(project.done(&["check", "--quiet"]).err, "");
    project.write("generated/openapi.json", "{}\n");
    let ran = project.run(&["check", "-q"]);
    assert!(!ran.err.contains("differs"), "{}", ran.err);
    ran.says(Exit::OutOfDate, &["1 generated file out of date"]);
}

#[test]
fn machines_get_one_object_per_line() {
    let project = Project::gallery();
    let ran = project.done(&["generate", "--message-format", "json"]);
    assert_eq!(ran.err, "");
    let facts = lines(&ran.out);
    assert_eq!(facts.len(), 11);
    assert!(facts.contains(&json!({
        "version": 1,
        "kind": "file",
        "target": "openapi",
        "path": "generated/openapi.json",
        "change": "wrote"
    })));
    project.write("generated/openapi.json", "{}\n");
    let ran = project.done(&["generate", "--diff", "--message-format", "json"]);
    let diff = &lines(&ran.out)[0];
    assert_eq!((&diff["kind"], &diff["path"]), (&json!("diff"), &json!("generated/openapi.json")));
    let ran = project.run(&["check", "--message-format", "json"]);
    assert_eq!((ran.exit, ran.err.as_str()), (Exit::OutOfDate, ""));
    let facts = lines(&ran.out);
    assert_eq!(facts[0]["change"], "differs");
    assert_eq!((&facts[1]["kind"], &facts[1]["code"]), (&json!("problem"), &json!("PAP0135")));
}

#[test]
fn a_mistake_has_its_place_for_machines_too() {
    let project = Project::gallery();
    let config = project.read("pap.toml").replace("[source]", "[sorce]");
    project.write("pap.toml", &config);
    let ran = project.run(&["check", "--message-format", "json"]);
    let problem = lines(&ran.out).into_iter().find(|line| line["code"] == "PAP0103").unwrap();
    assert_eq!(problem["severity"], "error");
    assert_eq!((&problem["file"]["line"], &problem["file"]["column"]), (&json!(9), &json!(2)));
    assert_eq!(problem["help"], "a similar key exists: `source`");
}

#[test]
fn colour_is_a_choice_and_never_the_only_sign() {
    let project = Project::gallery();
    project.done(&["generate"]);
    project.write("generated/openapi.json", "{}\n");
    let plain = project.run(&["check"]);
    assert!(!plain.err.contains('\u{1b}'));
    let forced = project.run(&["check", "--color", "always"]);
    assert!(forced.err.contains('\u{1b}'));
    let mut surroundings = project.surroundings();
    surroundings.colour_err = true;
    surroundings.colour_out = true;
    assert!(run_in(&surroundings, &["check"]).err.contains('\u{1b}'));
    assert!(run_in(&surroundings, &["generate", "--diff"]).out.contains("\u{1b}[32m"));
    let refused = run_in(&surroundings, &["check", "--color", "never"]);
    assert_eq!(refused.err, plain.err);
}

#[test]
fn our_own_mistake_is_said_to_be_ours() {
    let mut err = Vec::new();
    let exit = guarded(&mut err, || panic!("an invariant does not hold"));
    assert_eq!(exit.code(), 70);
    let err = String::from_utf8(err).unwrap();
    assert!(err.contains("this is a bug in pap-codegen: an invariant does not hold"), "{err}");
    assert_eq!(guarded(&mut Vec::new(), || Exit::Done), Exit::Done);
}

#[test]
fn every_code_is_explained_also_those_of_the_macros() {
    let project = Project::empty();
    let own = pap_codegen::codes::pages().map(|page| page.code);
    let of_the_macros = pap_model::problem::Code::ALL.iter().map(|code| code.as_str());
    let codes: std::collections::BTreeSet<&str> = own.chain(of_the_macros).collect();
    for code in codes {
        let page = project.done(&["explain", code]).out;
        assert!(page.starts_with(&format!("# {code}: ")), "{page}");
    }
    assert_eq!(project.done(&["explain", "103"]), project.done(&["explain", "pap0103"]));
}
