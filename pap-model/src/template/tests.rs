use proptest::prelude::*;

use super::*;

fn text(text: &str) -> Piece {
    Piece::Text(text.to_owned())
}

#[track_caller]
fn faults(template: &str) -> Vec<FaultKind> {
    Template::parse(template).unwrap_err().into_iter().map(|fault| fault.kind).collect()
}

#[test]
fn text_and_fields_are_told_apart() {
    let template = Template::parse("Exchange {item} at {when:date}.").unwrap();
    let names: Vec<_> =
        template.placeholders().map(|p| (p.name.as_str(), p.format.as_str())).collect();
    assert_eq!(names, [("item", ""), ("when", "date")]);
    assert_eq!(template.texts().collect::<Vec<_>>(), ["Exchange ", " at ", "."]);
    assert!(template.states("item") && !template.states("items"));
}

#[test]
fn doubled_braces_are_braces() {
    let template = Template::parse("{{{a}}} and }}{{").unwrap();
    assert_eq!(template.pieces.first(), Some(&text("{")));
    assert_eq!(template.render(|_| "x".to_owned()), "{x} and }{");
}

#[test]
fn every_fault_is_found() {
    use FaultKind::{BadFormat, BadName, NoName, Unclosed, Unopened};
    assert_eq!(faults("a { b"), [Unclosed]);
    assert_eq!(faults("a } b"), [Unopened]);
    assert_eq!(faults("{} {0} {a b}"), [NoName, BadName("0".into()), BadName("a b".into())]);
    assert_eq!(faults("{a:.2} {a:}"), [BadFormat(".2".into()), BadFormat(String::new())]);
    assert_eq!(faults("{a {b} c}"), [Unclosed, Unopened]);
}

#[track_caller]
fn prose(text: &str, prose: Prose) -> Vec<String> {
    prose_faults(&Template::parse(text).unwrap(), prose)
}

#[test]
fn a_summary_is_one_plain_line_that_ends() {
    assert_eq!(prose("Exchange {item} for “{other}”, €5 < €6.", Prose::Sentence), [""; 0]);
    assert_eq!(prose("for {amount} more", Prose::Part), [""; 0]);
    for wrong in [
        "",
        "no full stop",
        "two\nlines.",
        "a\u{2028}b.",
        "a\ttab.",
        "**bold**.",
        "`code`.",
        "[a](b).",
        "<b>a</b>.",
        "a\u{202e}b.",
        "a\u{200b}b.",
        "\u{7}.",
        " a.",
        "a. ",
        "{a}",
    ] {
        assert!(!prose(wrong, Prose::Sentence).is_empty(), "{wrong:?} passes");
    }
    assert!(prose(&"a".repeat(MAX_CHARS), Prose::Part).is_empty());
    assert!(!prose(&"a".repeat(MAX_CHARS + 1), Prose::Part).is_empty());
}

/// The template that these pieces are read from.
fn written(pieces: &[Piece]) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Text(text) => text.replace('{', "{{").replace('}', "}}"),
        Piece::Placeholder(Placeholder { name, format, .. }) if format.is_empty() => {
            format!("{{{name}}}")
        }
        Piece::Placeholder(Placeholder { name, format, .. }) => format!("{{{name}:{format}}}"),
    };
    pieces.iter().map(piece).collect()
}

proptest! {
    #[test]
    fn no_input_stops_the_parser(input in "\\PC*") {
        let _either = Template::parse(&input);
    }

    #[test]
    fn no_input_of_braces_stops_the_parser(input in "[{}:a_0é .]{0,40}") {
        match Template::parse(&input) {
            Ok(template) => prop_assert_eq!(written(&template.pieces), input),
            Err(faults) => for fault in faults {
                prop_assert!(input.get(fault.at.clone()).is_some(), "{:?} is no place", fault.at);
            },
        }
    }

    #[test]
    fn a_placeholder_knows_its_place(input in "[{}:a_0é .]{0,40}") {
        for placeholder in Template::parse(&input).iter().flat_map(Template::placeholders) {
            let there = input.get(placeholder.at.clone()).unwrap_or_default();
            prop_assert_eq!(there, written(&[Piece::Placeholder(placeholder.clone())]));
        }
    }

    /// OPS-3-12: what is rendered has every text and every value in it, in order.
    #[test]
    fn a_rendered_template_contains_every_piece(input in "[{}a_ .,]{0,40}") {
        if let Ok(template) = Template::parse(&input) {
            let rendered = template.render(|placeholder| format!("«{}»", placeholder.name));
            let mut rest = rendered.as_str();
            for piece in &template.pieces {
                let said = match piece {
                    Piece::Text(text) => text.clone(),
                    Piece::Placeholder(placeholder) => format!("«{}»", placeholder.name),
                };
                prop_assert!(rest.starts_with(&said), "{rest:?} does not go on with {said:?}");
                rest = &rest[said.len()..];
            }
            prop_assert_eq!(rest, "");
        }
    }

    #[test]
    fn no_text_stops_the_rules_of_prose(input in "\\PC*") {
        if let Ok(template) = Template::parse(&input) {
            let _faults = prose_faults(&template, Prose::Sentence);
        }
    }
}
