//! `pap.toml`: found, read and refused.

use pap_codegen::Exit;

use crate::project::{CONFIG, Project, gallery, run_in};

#[track_caller]
fn refused(config: &str, words: &[&str]) {
    Project::of(config, &gallery()).run(&["check"]).says(Exit::Declarations, words);
}

#[test]
fn the_nearest_file_counts_and_paths_start_from_it() {
    let project = Project::gallery();
    project.write("deep/er/x", "");
    let mut surroundings = project.surroundings();
    surroundings.directory = project.path("deep/er");
    assert_eq!(run_in(&surroundings, &["generate"]).exit, Exit::Done);
    assert!(project.has("generated/openapi.json"));
}

#[test]
fn the_flag_wins_over_the_variable_and_the_variable_over_the_folder() {
    let project = Project::gallery();
    for name in ["flag", "variable"] {
        project.write(&format!("{name}.toml"), &format!("output = \"{name}\"\n{CONFIG}"));
    }
    let mut surroundings = project.surroundings();
    surroundings.config = Some("variable.toml".into());
    run_in(&surroundings, &["generate"]).says(Exit::Done, &["variable/openapi.json"]);
    let ran = run_in(&surroundings, &["generate", "--config", "flag.toml"]);
    ran.says(Exit::Done, &["flag/openapi.json"]);
    assert!(!project.has("generated"));
}

#[test]
fn without_a_file_the_next_step_is_named() {
    let ran = Project::empty().run(&["check"]);
    ran.says(Exit::Declarations, &["error[PAP0101]", "run `pap-codegen init`"]);
    let ran = Project::empty().run(&["check", "--config", "x/pap.toml"]);
    ran.says(Exit::Declarations, &["error[PAP0101]", "there is no file `x/pap.toml`"]);
}

#[test]
fn a_slip_of_the_finger_is_shown_at_its_place_with_the_key_that_was_meant() {
    let config = CONFIG.replace("origin", "orgin");
    let ran = Project::of(&config, &gallery()).run(&["check"]);
    ran.says(
        Exit::Declarations,
        &[
            "error[PAP0103]",
            "`orgin` is no key of `[company]`",
            "a similar key exists: `origin`",
            "pap.toml:4:1",
        ],
    );
    assert_eq!(ran.err.matches("error[").count(), 1, "one mistake is said once: {}", ran.err);
    refused(
        &format!("colour = \"red\"\n{CONFIG}"),
        &["`colour` is no key of pap.toml", "remove it"],
    );
    refused(
        &CONFIG.replace("[targets.docs]", "[targets.docs]\nversion = \"2\""),
        &["`version` is no key of `[targets.docs]`"],
    );
}

#[test]
fn a_target_that_does_not_exist_is_refused_with_the_one_that_was_meant() {
    refused(
        &CONFIG.replace("targets.openapi", "targets.opneapi"),
        &["error[PAP0106]", "a similar target exists: `openapi`"],
    );
    let project = Project::gallery();
    project
        .run(&["generate", "doc"])
        .says(Exit::Declarations, &["there is no target `doc`", "a similar target exists: `docs`"]);
    project
        .run(&["generate", "typescript"])
        .says(Exit::Declarations, &["the targets are `openapi`, `discovery`, `docs` and `shapes`"]);
    project.write("pap.toml", &CONFIG.replace("[targets.docs]", ""));
    let ran = project.run(&["generate", "docs"]);
    ran.says(Exit::Declarations, &["add `[targets.docs]` to `pap.toml`"]);
}

#[test]
fn a_value_of_another_form_is_refused_with_the_form() {
    for (from, to, words) in [
        ("https://api.example.com", "http://api.example.com", "must be `https://` and a host"),
        ("/poppy/operations", "/poppy/", "must be a path such as `/poppy/operations`"),
        ("\"/poppy/operations\"", "1", "must be text in double quotes"),
        ("[targets.docs]", "[targets.docs]\npath = \"../docs\"", "without `..`"),
        ("[targets.docs]", "[targets]\ndocs = 1", "must be a table"),
        ("[targets.docs]\n", "[targets.docs]\n[targets.docs]\n", "error[PAP0102]"),
        ("name = \"Example | <Outfitters>\"", "name = \"\"", "must be a name on one line"),
    ] {
        refused(&CONFIG.replace(from, to), &[words]);
    }
}

#[test]
fn operations_come_from_one_place() {
    let message = "must say in one way where the operations come from";
    for source in [
        "",
        "package = \"shop\"\ncatalogue = \"c.json\"",
        "executable = \"shop\"\nbin = \"shop\"",
        "bin = \"shop\"",
    ] {
        refused(
            &CONFIG.replace("catalogue = \"catalogue.json\"", source),
            &["error[PAP0105]", message],
        );
    }
}

#[test]
fn every_missing_table_is_named_at_once() {
    refused(
        "",
        &[
            "`[company]`",
            "`[operations]`",
            "`[source]`",
            "`[targets]`",
            "add\n",
            "[targets.openapi]",
        ],
    );
    let config = CONFIG.split("[targets.openapi]").next().unwrap().to_owned() + "[targets]\n";
    refused(&config, &["`[targets]` names no target"]);
}

#[test]
fn a_targets_own_key_reaches_its_output() {
    let config = CONFIG.replace("[targets.openapi]", "[targets.openapi]\nversion = \"2026-10\"");
    let project = Project::of(&config, &gallery());
    project.done(&["generate"]);
    assert_eq!(project.json("generated/openapi.json")["info"]["version"], "2026-10");
}
