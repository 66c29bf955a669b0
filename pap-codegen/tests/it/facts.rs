//! What a target says that it supports is what reaches its output.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::project::{CONFIG, Project, gallery};

/// A change of one fact of a declaration.
fn changed(fact: &str, catalogue: &mut Value) -> Option<String> {
    let entry = &mut catalogue["operations"][0];
    match fact {
        "endpoint" => return Some(CONFIG.replace("/poppy/operations", "/elsewhere")),
        "routes" => entry["route"]["path"] = json!("/orders/{order_id}/swaps"),
        "requests" => {
            let mut member = entry["request"]["members"][2].clone();
            member["name"] = json!("colour");
            entry["request"]["members"].as_array_mut().unwrap().push(member);
        }
        "terms" => {
            let mut member = entry["terms"]["record"]["members"][2].clone();
            member["name"] = json!("colour");
            entry["terms"]["record"]["members"].as_array_mut().unwrap().push(member);
        }
        "shapes" => entry["terms"]["shape"] = json!("0123456789abcdef"),
        "roles" => entry["terms"]["record"]["members"][3]["term"]["role"] = json!("refund"),
        "summaries" => entry["terms"]["summary"] = json!("Exchange it."),
        "results" => entry["result"]["members"][0]["name"] = json!("swap_id"),
        "scopes" => entry["scopes"] = json!(["orders:swap"]),
        "lifetimes" => entry["expires_in_s"] = json!(60),
        "approvals" => entry["user_approval"] = json!("required"),
        "recovery" => entry["reconcile"] = json!("operator"),
        other => panic!("no change of {other}"),
    }
    None
}

/// The texts of a target's files, in order.
fn outputs(project: &Project) -> BTreeMap<String, Vec<String>> {
    project.done(&["generate", "-q"]);
    let mut outputs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in project.read("generated/.pap-codegen").lines().filter(|line| !line.starts_with('#'))
    {
        let (target, path) = line.split_once(' ').unwrap();
        let text = project.read(&format!("generated/{path}"));
        outputs.entry(target.to_owned()).or_default().push(text);
    }
    outputs
}

#[test]
fn a_supported_fact_changes_the_output_and_no_other_does() {
    let before = outputs(&Project::gallery());
    let listed = Project::gallery().done(&["list", "--message-format", "json"]).out;
    let targets: Vec<Value> = listed
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|fact| fact["kind"] == "target")
        .collect();
    assert_eq!(targets.len(), 4);
    for fact in pap_codegen::backend::Fact::ALL {
        let mut catalogue = gallery();
        let config = changed(fact.name(), &mut catalogue).unwrap_or_else(|| CONFIG.to_owned());
        let after = outputs(&Project::of(&config, &catalogue));
        for target in &targets {
            let name = target["name"].as_str().unwrap();
            let supports = target["supports"].as_array().unwrap().contains(&json!(fact.name()));
            assert_eq!(before[name] != after[name], supports, "{name}: {}", fact.name());
        }
    }
}
