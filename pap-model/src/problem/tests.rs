use quote::quote;

use super::*;

#[test]
fn every_code_has_a_page_that_says_what_to_do() {
    for code in Code::ALL {
        let page = code.page();
        let heading = format!("# {code}: {}\n", code.title());
        assert!(page.starts_with(&heading), "{code}: the first line is not `{}`", heading.trim());
        assert!(page.contains("\n## What to do\n"), "{code} does not say what to do");
        assert!(!code.title().ends_with('.'), "{code}: a title is no sentence");
        assert!(page.ends_with('\n') && !page.ends_with("\n\n"), "{code} ends with one line end");
    }
}

#[test]
fn codes_are_in_order_and_of_one_use() {
    let codes: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    let mut sorted = codes.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(codes, sorted);
}

#[test]
fn a_code_is_found_in_every_spelling() {
    for spelled in ["PAP0003", "pap0003", " 3 ", "0003"] {
        assert_eq!(explain(spelled), Some(Code::NotStated), "{spelled}");
    }
    for unknown in ["", "PAP", "PAP9999", "-3", "PAP0003x"] {
        assert_eq!(explain(unknown), None, "{unknown}");
    }
}

#[test]
fn the_compiler_shows_message_note_help_and_where_to_read_more() {
    let at = quote!(price_difference);
    let problem = Problem::new(Code::NotStated, &at, "the summary does not say `price_difference`")
        .note("the User decides from the summary alone")
        .help("write `{price_difference}` in the summary");
    assert_eq!(
        problem.text(),
        "the summary does not say `price_difference`\n\
         note: the User decides from the summary alone\n\
         help: write `{price_difference}` in the summary\n\
         more: pap-codegen explain PAP0003"
    );
    let shown = compile_errors(&[problem]).to_string();
    assert!(shown.contains("compile_error"), "{shown}");
    assert!(shown.contains("explain PAP0003"), "{shown}");
}

#[test]
fn a_sink_keeps_every_problem_in_the_order_found() {
    let mut sink = ErrorSink::new();
    assert_eq!(sink.ok::<u8>(Ok(1)), Some(1));
    assert!(sink.is_empty());
    let at = quote!(x);
    assert_eq!(sink.ok::<u8>(Err(Problem::new(Code::Float, &at, "one"))), None);
    sink.extend([Problem::new(Code::NoMax, &at, "two")]);
    let messages: Vec<String> =
        sink.into_problems().into_iter().map(|problem| problem.message).collect();
    assert_eq!(messages, ["one", "two"]);
}
