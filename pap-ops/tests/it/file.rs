//! The built program over a real file, beside its process and without it.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use pap_runtime::State;
use pap_runtime::operators::Operators;
use pap_runtime::store::sqlite::Sqlite;

use crate::shop::{COMPANY, Shop, opening};

/// Runs the program on this file.
pub fn pap_ops(file: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pap-ops"));
    let store = format!("sqlite:{}", file.display());
    command.env_clear().env("PAP_STORE", store).env("PAP_COMPANY", COMPANY);
    command.args(arguments).output().unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

async fn file_of_a_shop(folder: &Path) -> (Shop, Sqlite) {
    let clock = opening();
    let store = Sqlite::open_on(folder.join("operations.db"), Arc::new(clock.clone())).unwrap();
    let shop = Shop::open(Arc::new(store.clone()), clock).with_all().await;
    (shop, store)
}

#[tokio::test]
async fn a_file_that_a_company_runs_on_is_looked_at_and_never_changed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("operations.db");
    let (shop, _store) = file_of_a_shop(folder.path()).await;
    let lost = shop.id("lost").as_str();
    for arguments in [
        &["list", "--attention"][..],
        &["show", lost],
        &["open-work"],
        &["pauses"],
        &["metrics"],
        &["verify"],
        &["events"],
        &["export", "acc_ada"],
        &["migrate", "--check"],
        &["purge", "orders.exchange", "--older-than", "1d", "--dry-run"],
    ] {
        let said = pap_ops(&file, arguments);
        assert!(said.status.success(), "{arguments:?}: {said:?}");
    }
    let said = pap_ops(&file, &["events", "--after", "nowhere"]);
    assert_eq!(said.status.code(), Some(2), "{said:?}");
    let said = pap_ops(&file, &["list", "--attention"]);
    assert!(text(&said.stdout).contains(lost), "{said:?}");

    let settle = ["settle", lost, "--succeeded", "Done.", "--who", "ada", "--why", "?", "--yes"];
    let said = pap_ops(&file, &settle);
    assert_eq!(said.status.code(), Some(3), "{said:?}");
    let error = text(&said.stderr).replace(&file.display().to_string(), "operations.db");
    insta::assert_snapshot!(error);
    let state = shop.operators().history(shop.id("lost")).await.unwrap().stored.state;
    assert_eq!(state, State::InProgress);
}

#[tokio::test]
async fn a_file_that_nobody_has_is_settled_on_and_what_is_settled_is_durable() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("operations.db");
    let (shop, store) = file_of_a_shop(folder.path()).await;
    let lost = shop.id("lost").clone();
    drop(shop);
    store.close().await;
    let settle = ["settle", lost.as_str(), "--succeeded", "It was exchanged.", "--yes"];
    let because = ["--who", "ada", "--why", "warehouse ticket 812"];
    let said = pap_ops(&file, &[&settle[..], &because].concat());
    assert!(said.status.success(), "{said:?}");
    assert!(text(&said.stdout).contains("succeeded since"), "{said:?}");

    let operators = Operators::over(Arc::new(Sqlite::open(&file).unwrap()), COMPANY);
    let history = operators.history(&lost).await.unwrap();
    assert_eq!(history.stored.state, State::Succeeded);
    assert!(history.events.last().unwrap().detail.contains("warehouse ticket 812"));
    assert!(operators.verify().await.unwrap().is_empty());
}

#[test]
fn what_is_no_store_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let (missing, other) = (folder.path().join("missing.db"), folder.path().join("letter.txt"));
    std::fs::write(
        &other,
        "Dear Ada, this is not a database, and it is to stay a letter. ".repeat(40),
    )
    .unwrap();
    let before = std::fs::read(&other).unwrap();
    for file in [&missing, &other] {
        for arguments in [&["list"][..], &["pause", "a", "--claims", "--who", "ada", "--why", "?"]]
        {
            let said = pap_ops(file, arguments);
            assert_eq!(said.status.code(), Some(3), "{said:?}");
        }
    }
    assert!(!missing.exists());
    assert_eq!(std::fs::read(&other).unwrap(), before);
}

#[tokio::test]
async fn a_company_whose_name_is_misspelt_is_not_taken_for_one_that_is_well() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("operations.db");
    let (_shop, _store) = file_of_a_shop(folder.path()).await;
    let doubt = "no operation of a company `Example Outfiters`";
    for arguments in [&["list", "--attention"][..], &["open-work"], &["export", "acc_ada"]] {
        let said = pap_ops(&file, &[&["--company", "Example Outfiters"][..], arguments].concat());
        assert!(text(&said.stderr).contains(doubt), "{arguments:?}: {said:?}");
        let said = pap_ops(&file, arguments);
        assert!(!text(&said.stderr).contains("note: "), "{arguments:?}: {said:?}");
    }
}
