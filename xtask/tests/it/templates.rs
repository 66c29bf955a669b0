//! Templates are short and used.

use xtask::tidy::templates;

use crate::fixture::{Fixture, check_found};

#[test]
fn a_template_that_is_long_or_unused_is_found() {
    let long = "line\n".repeat(151);
    let source = "//! Renders \"openapi/unused.jinja\".\n\
                  #[derive(Template)]\n#[template(path = \"openapi/openapi.yaml.jinja\")]\nstruct Page;\n";
    let files = [
        ("pap-codegen/src/openapi.rs", source),
        ("templates/README.md", "How they are named.\n"),
        ("templates/openapi/openapi.yaml.jinja", "{% include \"openapi/part.jinja\" %}\n"),
        ("templates/openapi/part.jinja", &long),
        ("templates/openapi/unused.jinja", "nothing\n"),
    ];
    check_found(
        &templates::check(&Fixture::of(&files).tree()),
        &[
            "templates/openapi/part.jinja:1: 151 lines",
            "templates/openapi/unused.jinja:1: no template and no source names it",
        ],
    );
}
