//! What a person reads in a terminal: `tests/cmd`, run with the built program.

#[test]
fn the_console_says_what_it_says_there() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
