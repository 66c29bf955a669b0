//! What is written, replaced, removed, and never touched.

use std::fs;

use pap_codegen::Exit;

use crate::project::{CONFIG, Project, gallery};

#[test]
fn only_what_differs_is_written() {
    let project = Project::gallery();
    project.done(&["generate"]);
    let before = fs::metadata(project.path("generated/openapi.json")).unwrap().modified().unwrap();
    let ran = project.done(&["generate"]);
    let after = fs::metadata(project.path("generated/openapi.json")).unwrap().modified().unwrap();
    assert_eq!(before, after);
    assert!(ran.err.ends_with("6 operations, 0 files written, 10 unchanged\n"), "{}", ran.err);
}

#[test]
fn check_notices_an_edited_file_and_writes_nothing() {
    let project = Project::gallery();
    project.done(&["generate"]);
    project.done(&["check"]);
    let edited = project.read("generated/docs/index.md").replace("at most once", "at most twice");
    project.write("generated/docs/index.md", &edited);
    for command in [&["check"][..], &["generate", "--check"]] {
        let ran = project.run(command);
        ran.says(
            Exit::OutOfDate,
            &[
                "differs generated/docs/index.md",
                "at most twice.\n+",
                "1 generated file out of date",
            ],
        );
        assert_eq!(ran.out, "");
    }
    assert_eq!(project.read("generated/docs/index.md"), edited);
    project.done(&["generate"]);
    project.done(&["check"]);
}

#[test]
fn check_notices_a_missing_file_and_a_stale_one() {
    let project = Project::gallery();
    project.done(&["generate"]);
    fs::remove_file(project.path("generated/openapi.json")).unwrap();
    let config = CONFIG.replace("[targets.discovery]", "");
    project.write("pap.toml", &config);
    project.run(&["check"]).says(
        Exit::OutOfDate,
        &[
            "missing generated/openapi.json",
            "stale   generated/poppy-extension.json",
            "differs generated/.pap-codegen",
            "3 generated files out of date",
        ],
    );
}

#[test]
fn the_diff_shows_what_would_change_and_changes_nothing() {
    let project = Project::gallery();
    let ran = project.done(&["generate", "--diff"]);
    assert!(ran.out.contains("--- /dev/null\n+++ generated/poppy-extension.json\n"), "{}", ran.out);
    assert_eq!(ran.err, "");
    assert!(!project.has("generated"));
    project.done(&["generate"]);
    assert_eq!(project.done(&["generate", "--diff"]).out, "");
}

#[test]
fn a_file_that_is_not_ours_is_never_replaced() {
    for name in ["openapi.json", "docs/index.md"] {
        let project = Project::gallery();
        let path = format!("generated/{name}");
        project.write(&path, "mine\n");
        let ran = project.run(&["generate"]);
        ran.says(Exit::Declarations, &["error[PAP0131]", &path, "remove the file, or give"]);
        assert_eq!(project.files("generated"), [name], "nothing else was written");
        assert_eq!(project.read(&path), "mine\n");
    }
}

#[test]
fn a_page_whose_mark_was_taken_away_belongs_to_who_took_it() {
    let project = Project::gallery();
    project.done(&["generate"]);
    project.write("generated/docs/index.md", "# My own index\n");
    project.run(&["generate"]).says(Exit::Declarations, &["error[PAP0131]"]);
    project.write("pap.toml", &CONFIG.replace("[targets.docs]", ""));
    project.done(&["generate"]);
    assert_eq!(project.files("generated/docs"), ["index.md"]);
}

#[test]
fn a_lost_list_is_written_again_where_nothing_differs() {
    let project = Project::gallery();
    project.done(&["generate"]);
    let list = project.read("generated/.pap-codegen");
    fs::remove_file(project.path("generated/.pap-codegen")).unwrap();
    project.done(&["generate"]);
    assert_eq!(project.read("generated/.pap-codegen"), list);
}

#[test]
fn a_target_that_lost_an_operation_loses_its_page() {
    let project = Project::gallery();
    project.done(&["generate"]);
    let mut catalogue = gallery();
    catalogue["operations"].as_array_mut().unwrap().truncate(5);
    project.write("catalogue.json", &catalogue.to_string());
    let ran = project.done(&["generate"]);
    assert!(ran.err.contains("removed generated/docs/operation.shop.close.md"), "{}", ran.err);
    assert!(!project.has("generated/docs/operation.shop.close.md"));
    assert!(
        ran.err.ends_with("5 operations, 4 files written, 6 unchanged, 1 removed\n"),
        "{}",
        ran.err
    );
}

#[test]
fn a_target_that_is_not_wanted_any_more_leaves_no_empty_folder() {
    let project = Project::gallery();
    project.done(&["generate"]);
    project.write("pap.toml", &CONFIG.replace("[targets.docs]", ""));
    project.done(&["generate"]);
    assert_eq!(
        project.files("generated"),
        [".pap-codegen", "openapi.json", "poppy-extension.json", "terms.shapes"]
    );
    assert!(!project.has("generated/docs"));
}

#[test]
fn one_target_leaves_the_files_of_the_others_alone() {
    let project = Project::gallery();
    project.done(&["generate"]);
    project.write("catalogue.json", &{
        let mut catalogue = gallery();
        catalogue["operations"].as_array_mut().unwrap().truncate(1);
        catalogue.to_string()
    });
    project.done(&["generate", "discovery"]);
    assert!(project.has("generated/docs/operation.shop.close.md"));
    project
        .run(&["check"])
        .says(Exit::OutOfDate, &["stale   generated/docs/operation.shop.close.md"]);
}

#[test]
fn a_damaged_list_removes_nothing() {
    let project = Project::gallery();
    project.done(&["generate"]);
    project.write("precious.md", "mine\n");
    let list = format!("{}docs ../precious.md\n", project.read("generated/.pap-codegen"));
    project.write("generated/.pap-codegen", &list);
    project.run(&["generate"]).says(Exit::Declarations, &["error[PAP0134]", "line 14 of"]);
    assert!(project.has("precious.md"));
}

#[test]
fn two_targets_in_one_place_are_refused() {
    let config =
        CONFIG.replace("[targets.discovery]", "[targets.discovery]\npath = \"openapi.json\"");
    let project = Project::of(&config, &gallery());
    project.run(&["generate"]).says(
        Exit::Declarations,
        &["error[PAP0132]", "`openapi.json` is written by `openapi` and by `discovery`"],
    );
}

#[test]
fn what_the_system_refuses_does_not_keep_the_other_files_from_being_written() {
    let project = Project::gallery();
    // a file where a folder must be, and a folder where a file must be
    project.write("generated/docs", "mine\n");
    fs::create_dir_all(project.path("generated/openapi.json")).unwrap();
    let words = ["`generated/docs/index.md` could not be", "`generated/openapi.json` could not be"];
    for command in [&["generate"][..], &["check"], &["generate", "--diff"]] {
        let ran = project.run(command);
        ran.says(Exit::Io, &words);
        assert!(ran.err.contains("error[PAP0133]"));
    }
    let written = [".pap-codegen", "docs", "poppy-extension.json", "terms.shapes"];
    assert_eq!(project.files("generated"), written);
    fs::remove_file(project.path("generated/docs")).unwrap();
    fs::remove_dir(project.path("generated/openapi.json")).unwrap();
    project.done(&["generate"]);
    project.done(&["check"]);
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_names_the_target_that_wants_it() {
    let project = Project::gallery();
    fs::create_dir_all(project.path("generated")).unwrap();
    std::os::unix::fs::symlink("/nowhere/at/all", project.path("generated/docs")).unwrap();
    let ran = project.run(&["generate"]);
    let words = ["`generated/docs/index.md` could not be written", "the target `docs` wants it"];
    ran.says(Exit::Io, &words);
    assert!(ran.err.starts_with("wrote   generated/openapi.json\n"), "{}", ran.err);
    assert!(project.has("generated/openapi.json"));
    assert!(project.files("generated").iter().all(|file| !file.contains(".part")));
}

#[test]
fn a_run_that_stopped_half_way_is_taken_up_again() {
    let project = Project::gallery();
    project.done(&["generate"]);
    // what a run leaves that stops after the list and one file: the list names files that are not there
    for file in ["generated/poppy-extension.json", "generated/docs/index.md"] {
        fs::remove_file(project.path(file)).unwrap();
    }
    let config = CONFIG.replace("https://api.example.com", "https://api.example.org");
    project.write("pap.toml", &config);
    project.done(&["generate"]);
    project.done(&["check"]);
}

#[test]
fn outputs_go_where_pap_toml_says() {
    let config = format!("output = \"out/put\"\n{CONFIG}")
        .replace("[targets.docs]", "[targets.docs]\npath = \"pages/reference\"");
    let project = Project::of(&config, &gallery());
    project.done(&["generate"]);
    assert!(project.has("out/put/pages/reference/index.md"));
    assert!(!project.has("generated"));
}
