//! The names in declarations are those that serde writes, for every `rename_all` there is.

use pap_runtime::Shape;
use pap_runtime::declaration::Schema;
use pap_runtime::terms::Shape as Form;
use serde::Serialize;

/// The members of a form in the order declared.
#[expect(clippy::wildcard_enum_match_arm, reason = "the three forms that have names")]
fn declared<T: Form>() -> Vec<String> {
    let names = match T::SCHEMA {
        Schema::Record(record) => record.fields.iter().map(|field| field.name).collect(),
        Schema::Words { words, .. } => words.iter().map(|word| word.word).collect(),
        Schema::Choice { variants, .. } => variants.iter().map(|variant| variant.kind).collect(),
        _ => Vec::new(),
    };
    names.into_iter().map(str::to_owned).collect()
}

/// The members in the text that serde writes.
#[expect(clippy::unwrap_used, reason = "plain values always encode")]
fn written(value: &impl Serialize) -> Vec<String> {
    let text = serde_json::to_string(value).unwrap();
    let quoted = text.split('"').skip(1).step_by(2);
    quoted.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

macro_rules! in_case {
    ($($test:ident $case:literal;)*) => {$(
        #[test]
        fn $test() {
            #[derive(Shape, Serialize)]
            #[serde(rename_all = $case)]
            struct Members {
                one: u8,
                two_words: u8,
                r#type: u8,
                a_b_c: u8,
                with_2_digits: u8,
                _under: u8,
                #[serde(rename = "As It Is")]
                renamed: u8,
            }

            #[derive(Shape, Serialize)]
            #[serde(rename_all = $case)]
            enum Words {
                One,
                TwoParts,
                HTTPServer,
                V2,
                #[serde(rename = "As It Is")]
                Renamed,
            }

            let members =
                Members { one: 1, two_words: 2, r#type: 3, a_b_c: 4, with_2_digits: 5, _under: 6, renamed: 7 };
            assert_eq!(declared::<Members>(), written(&members));
            let words = [Words::One, Words::TwoParts, Words::HTTPServer, Words::V2, Words::Renamed];
            assert_eq!(declared::<Words>(), written(&words));
        }
    )*};
}

in_case! {
    lower "lowercase";
    upper "UPPERCASE";
    pascal "PascalCase";
    camel "camelCase";
    snake "snake_case";
    screaming_snake "SCREAMING_SNAKE_CASE";
    kebab "kebab-case";
    screaming_kebab "SCREAMING-KEBAB-CASE";
}

#[derive(Shape, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
enum Way {
    SentOut {
        tracking_number: u8,
    },
    #[serde(rename_all = "kebab-case")]
    PickedUp {
        shop_number: u8,
    },
    Nothing,
}

#[test]
fn members_of_variants_are_named_as_serde_names_them() {
    let Schema::Choice { variants, .. } = <Way as Form>::SCHEMA else { panic!("not a choice") };
    let declared: Vec<Vec<&str>> = variants
        .iter()
        .map(|variant| {
            let members = variant.fields.iter().map(|field| field.name);
            ["kind", variant.kind].into_iter().chain(members).collect()
        })
        .collect();
    let values =
        [Way::SentOut { tracking_number: 1 }, Way::PickedUp { shop_number: 2 }, Way::Nothing];
    let written: Vec<Vec<String>> = values.iter().map(written).collect();
    assert_eq!(declared, written);
}
