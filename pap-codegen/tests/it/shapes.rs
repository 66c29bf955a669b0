//! A version of terms has one stored form.

use pap_codegen::Exit;
use serde_json::{Value, json};

use crate::project::{CONFIG, Project, gallery};

/// The gallery with other terms of its first operation.
fn with(change: impl FnOnce(&mut Value)) -> String {
    let mut catalogue = gallery();
    change(&mut catalogue["operations"][0]["terms"]);
    catalogue.to_string()
}

#[test]
fn a_form_that_changed_without_a_new_version_is_refused_and_nothing_is_written() {
    let project = Project::gallery();
    project.done(&["generate"]);
    let before = project.read("generated/terms.shapes");
    assert!(before.contains("\norders.exchange 1 0000000000000001\n"), "{before}");
    project.write("catalogue.json", &with(|terms| terms["shape"] = json!("0000000000000009")));
    for command in [&["check"][..], &["generate"], &["generate", "--diff"], &["generate", "shapes"]]
    {
        project.run(command).says(
            Exit::Declarations,
            &[
                "error[PAP0136]",
                "the terms of `orders.exchange` changed, and are still version 1",
                "write `version = 2` in its `#[terms(…)]`",
            ],
        );
    }
    assert_eq!(project.read("generated/terms.shapes"), before);
    // what was never stored anywhere may change: its line is taken out by hand
    let without = before.replace("orders.exchange 1 0000000000000001\n", "");
    project.write("generated/terms.shapes", &without);
    project.run(&["check"]).says(Exit::OutOfDate, &["differs generated/terms.shapes"]);
    project.done(&["generate"]);
    project.done(&["check"]);
}

#[test]
fn a_new_version_is_recorded_beside_the_one_it_upgrades() {
    let project = Project::gallery();
    project.done(&["generate"]);
    let raised = with(|terms| {
        terms["version"] = json!(2);
        terms["shape"] = json!("0000000000000009");
        terms["upgrades"] = json!([{ "version": 1, "shape": "0000000000000001" }]);
    });
    project.write("catalogue.json", &raised);
    project.run(&["check"]).says(Exit::OutOfDate, &["differs generated/terms.shapes"]);
    project.done(&["generate"]);
    let now = project.read("generated/terms.shapes");
    let both = "\norders.exchange 1 0000000000000001\norders.exchange 2 0000000000000009\n";
    assert!(now.contains(both), "{now}");
    let damaged = with(|terms| {
        terms["version"] = json!(2);
        terms["shape"] = json!("0000000000000009");
        terms["upgrades"] = json!([{ "version": 1, "shape": "0000000000000007" }]);
    });
    project.write("catalogue.json", &damaged);
    project.run(&["check"]).says(
        Exit::Declarations,
        &["the older terms of `orders.exchange`, version 1, are not what was recorded"],
    );
    project.write("catalogue.json", &gallery().to_string());
    project.run(&["check"]).says(Exit::Declarations, &["went back from version 2 to 1"]);
}

#[test]
fn without_the_target_nothing_is_recorded_or_refused() {
    let project = Project::of(&CONFIG.replace("[targets.shapes]", ""), &gallery());
    project.done(&["generate"]);
    project.write("catalogue.json", &with(|terms| terms["shape"] = json!("0000000000000009")));
    project.done(&["check"]);
    assert!(!project.has("generated/terms.shapes"));
}
