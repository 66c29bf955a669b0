//! The gallery's files, byte for byte: a change of what users get is a change of these snapshots.

use crate::project::Project;

#[test]
fn the_gallery_gives_exactly_these_files() {
    let project = Project::gallery();
    project.done(&["generate"]);
    for file in project.files("generated") {
        let name = file.trim_start_matches('.').replace('/', ".");
        insta::assert_snapshot!(name, project.read(&format!("generated/{file}")));
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let (one, other) = (Project::gallery(), Project::gallery());
    one.done(&["generate"]);
    // every target by itself, in another order
    for target in ["shapes", "docs", "discovery", "openapi"] {
        other.done(&["generate", target]);
    }
    assert_eq!(one.files("generated"), other.files("generated"));
    for file in one.files("generated") {
        let file = format!("generated/{file}");
        assert_eq!(one.read(&file), other.read(&file), "{file}");
    }
}

#[test]
fn every_file_ends_with_one_line_end_and_says_whose_it_is() {
    let project = Project::gallery();
    project.done(&["generate"]);
    for file in project.files("generated") {
        let text = project.read(&format!("generated/{file}"));
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{file}");
        assert!(!text.contains('\r'), "{file}");
        let first = text.lines().next().unwrap();
        let is_json = file.ends_with("json");
        assert_eq!(first.contains(pap_codegen::output::MARK), !is_json, "{file}: {first}");
    }
}
