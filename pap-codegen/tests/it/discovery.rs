//! The entry for `poppy.json`.

use serde_json::json;

use crate::project::{CONFIG, Project, gallery};

/// OPS-2-1
#[test]
fn the_entry_is_exactly_that_of_the_specification() {
    let project = Project::gallery();
    project.done(&["generate", "discovery"]);
    let expected = json!({
        "extensions": {
            "operations": {
                "version": "1",
                "endpoint": "https://api.example.com/poppy/operations"
            }
        }
    });
    assert_eq!(project.json("generated/poppy-extension.json"), expected);
}

/// OPS-2-3
#[test]
fn a_resource_is_stated_where_tokens_must_be_issued_for_it() {
    let resource = "resource = \"https://api.example.com/poppy/operations\"";
    let config = CONFIG.replace("[source]", &format!("{resource}\n[source]"));
    let project = Project::of(&config, &gallery());
    project.done(&["generate"]);
    let entry = &project.json("generated/poppy-extension.json")["extensions"]["operations"];
    assert_eq!(entry["resource"], "https://api.example.com/poppy/operations");
    let words =
        "The token must be issued for the resource `https://api.example.com/poppy/operations`";
    assert!(project.read("generated/openapi.json").contains(words));
    assert!(project.read("generated/docs/index.md").contains(words));
}
