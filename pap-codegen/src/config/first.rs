//! The first `pap.toml`, with a comment on every line that was decided for the author.

/// The text of a first `pap.toml` for the package.
pub(crate) fn first_config(package: &str, bin: Option<&str>, company: &str) -> String {
    let bin = bin.map(|bin| format!("bin = \"{bin}\"\n")).unwrap_or_default();
    format!(
        r#"# What pap-codegen writes, and from what. Paths start from the folder of this file.
output = "generated"                  # everything is written below this folder; commit it

[company]
name = "{company}"
origin = "https://api.example.com"    # your API as agents see it

[operations]
endpoint = "/poppy/operations"        # where agents read, confirm and cancel
# resource = "https://…"              # if tokens for the endpoint must be issued for it

[source]                              # the program whose first line is `describe_if_asked(…)`
package = "{package}"
{bin}
[targets.openapi]                     # openapi.json
[targets.discovery]                   # poppy-extension.json, for your poppy.json
[targets.docs]                        # docs/*.md
[targets.shapes]                      # terms.shapes, which refuses terms that change without a new version
"#
    )
}
