//! The command line.

use crate::shop::program;

#[test]
fn a_wrong_command_is_answered_with_the_right_ones() {
    for (arguments, said) in [
        (&["sell"][..], "error: there is no command `sell`"),
        (&["serve", "--prot", "1"], "error: there is no option `--prot`"),
        (&["serve", "--port"], "error: `--port` needs a value"),
        (&["serve", "--port", "70000"], "error: `--port`: "),
        (&["serve", "--crash-after", "lunch"], "error: `lunch` is no moment to die at\nhelp: "),
    ] {
        let output = program().args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.starts_with(said), "{stderr}");
        assert!(stderr.contains("Usage: jacket-exchange"), "{stderr}");
    }
}

#[test]
fn the_program_describes_its_operations_without_serving() {
    let output = program().arg("serve").env("PAP_DESCRIBE", "marker:").output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let catalogue: serde_json::Value =
        serde_json::from_str(text.strip_prefix("marker:").unwrap()).unwrap();
    let actions = catalogue["operations"].as_array().unwrap().iter();
    let actions: Vec<_> = actions.map(|one| one["action"].as_str().unwrap()).collect();
    assert_eq!(
        actions,
        [
            "orders.exchange",
            "orders.gift_wrap",
            "orders.gift_note",
            "orders.return",
            "orders.repair"
        ]
    );
}

#[test]
fn two_processes_do_not_share_the_operations_of_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    let _first = crate::shop::Serving::start(folder.path(), None);
    let second = program().args(["serve", "--data"]).arg(folder.path()).output().unwrap();
    assert_eq!(second.status.code(), Some(1));
    let stderr = String::from_utf8(second.stderr).unwrap();
    assert!(stderr.contains("because: ") && stderr.contains("is in use"), "{stderr}");
}
