//! A file that was put back from a copy, and the built program that takes it into use.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Arc;

use pap_ops::cli::{Exit, Surroundings};
use pap_runtime::State;
use pap_runtime::operators::Operators;
use pap_runtime::store::sqlite::Sqlite;

use crate::file::{pap_ops, text};
use crate::shop::{COMPANY, Shop, opening};
use crate::terminal::runs;

const BECAUSE: [&str; 4] = ["--who", "ada", "--why", "disk failure, backup of 03:00"];

/// A file in which `lost` is in progress and `open` is proposed, put back after `open` was confirmed.
struct PutBack {
    folder: tempfile::TempDir,
    shop: Shop,
}

impl PutBack {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("operations.db");
        let clock = opening();
        let on = || Sqlite::open_on(&file, Arc::new(clock.clone())).unwrap();
        let store = on();
        let mut shop = Shop::open(Arc::new(store.clone()), clock.clone());
        shop.confirmed("lost", "loses").await;
        shop.confirmed("done", "succeeds").await;
        shop.propose("open", "is open").await;
        let ids = shop.ids.clone();
        drop(shop);
        store.close().await;
        let copy = std::fs::read(&file).unwrap();

        let store = on();
        let shop = Shop::open(Arc::new(store.clone()), clock.clone()).with_ids_of(ids);
        shop.confirm("open").await;
        let state = shop.operators().history(shop.id("open")).await.unwrap().stored.state;
        assert_eq!(state, State::Succeeded, "of which the copy knows nothing");
        store.close().await;
        for beside in ["operations.db-wal", "operations.db-shm"] {
            assert!(!folder.path().join(beside).exists());
        }
        std::fs::write(&file, copy).unwrap();
        Self { folder, shop }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("operations.db")
    }

    fn types(&self, arguments: &[&str]) -> Output {
        pap_ops(&self.file(), arguments)
    }

    /// What was said, with the names of this test for what is different each time.
    fn said(&self, said: &Output) -> String {
        let (folder, code) = (self.folder.path().canonicalize().unwrap(), said.status.code());
        let said =
            format!("[exit {}]\n{}{}", code.unwrap(), text(&said.stdout), text(&said.stderr));
        self.shop.named(&said.replace(&folder.display().to_string(), "[FOLDER]"))
    }
}

fn open(file: &Path) -> Result<Sqlite, String> {
    Sqlite::open(file).map_err(|error| error.to_string())
}

#[tokio::test]
async fn a_file_that_was_put_back_is_refused_until_it_is_taken_into_use() {
    let put_back = PutBack::new().await;
    let refused = open(&put_back.file()).unwrap_err();
    let words = refused.split("`pap-ops ").nth(1).and_then(|rest| rest.split('`').next());
    let command =
        words.expect(&refused).replace(put_back.folder.path().to_str().unwrap(), "[FOLDER]");
    assert_eq!(
        command, "restore --store 'sqlite:[FOLDER]/operations.db' --who NAME --why TEXT",
        "{refused}"
    );

    let said = put_back.types(&[&["restore"][..], &BECAUSE].concat());
    insta::assert_snapshot!("unasked", put_back.said(&said));
    let store = format!("sqlite:{}", put_back.file().display());
    let surroundings = Surroundings::with(move |name| (name == "PAP_STORE").then(|| store.clone()));
    let restore = ["restore"].iter().chain(&BECAUSE).map(|&word| word.to_owned());
    let said = runs(restore, &surroundings.interactive(), "no").await;
    assert_eq!((said.exit, said.out.as_str()), (Exit::Failed, ""));
    assert!(
        said.err.contains("Take it into use so? Type `yes`: error: nothing was changed"),
        "{said:?}"
    );
    assert!(open(&put_back.file()).is_err(), "nobody agreed");
    let said = put_back.types(&[&["restore", "--yes"][..], &BECAUSE].concat());
    insta::assert_snapshot!("restored", put_back.said(&said));

    let store = open(&put_back.file()).expect("it was taken into use");
    let operators = Operators::over(Arc::new(store.clone()), COMPANY);
    let state = async |name| operators.history(put_back.shop.id(name)).await.unwrap().stored.state;
    assert_eq!(state("open").await, State::Expired);
    assert_eq!(state("lost").await, State::InProgress);
    assert_eq!(state("done").await, State::Succeeded);
    // the company starts on it: what is in progress is asked about, and nothing is performed again
    let shop = Shop::open(Arc::new(store.clone()), put_back.shop.clock.clone());
    let asked_before = operators.history(put_back.shop.id("lost")).await.unwrap();
    shop.company.ask_due().await.unwrap();
    let asked = operators.history(put_back.shop.id("lost")).await.unwrap();
    let asks =
        |history: &pap_runtime::store::History| history.stored.running.as_ref().unwrap().asks;
    assert_eq!(asks(&asked), asks(&asked_before) + 1);
    assert!(operators.verify().await.unwrap().is_empty());
    drop(shop);
    store.close().await;

    for name in ["lost", "open"] {
        let said = put_back.types(&["show", put_back.shop.id(name).as_str(), "--json"]);
        let json: serde_json::Value = serde_json::from_slice(&said.stdout).unwrap();
        let told: Vec<_> = json["events"].as_array().unwrap().iter().collect();
        let told = told.iter().filter(|event| event["detail"]["by"] == "restored");
        let told: Vec<_> = told.map(|event| event["text"].as_str().unwrap()).collect();
        insta::assert_snapshot!(format!("on_record_of_{name}"), told.join("\n"));
    }
}

#[tokio::test]
async fn a_script_takes_a_copy_into_use_and_reads_json() {
    let put_back = PutBack::new().await;
    let said = put_back.types(&[&["restore", "--yes", "--json"][..], &BECAUSE].concat());
    assert!(said.status.success() && said.stderr.is_empty(), "{said:?}");
    let json: serde_json::Value = serde_json::from_slice(&said.stdout).unwrap();
    let expected = serde_json::json!({
        "version": 1, "seen": "it was opened since this copy of it was made", "expired": 1, "asked": 1,
    });
    assert_eq!(json, expected);
}

#[tokio::test]
async fn a_store_is_not_taken_into_use_under_its_process_nor_without_who_and_why() {
    let put_back = PutBack::new().await;
    std::fs::remove_file(put_back.folder.path().join("operations.db.lock")).unwrap();
    let store = open(&put_back.file()).expect("without the lock file nobody can tell");
    let mut screens = Vec::new();
    let restore = [&["restore", "--yes"][..], &BECAUSE].concat();
    screens.push(put_back.said(&put_back.types(&restore)));
    store.close().await;
    for because in [&["--why", "a reason"][..], &["--who", "ada", "--why", " "]] {
        screens
            .push(put_back.said(&put_back.types(&[&["restore", "--yes"][..], because].concat())));
    }
    // nothing shows that it is a copy: whoever knows better is told so
    screens.push(put_back.said(&put_back.types(&[&["restore"][..], &BECAUSE].concat())));
    let missing = put_back.folder.path().join("missing.db");
    screens.push(put_back.said(&pap_ops(&missing, &restore)));
    assert!(!missing.exists() && !put_back.folder.path().join("missing.db.lock").exists());
    insta::assert_snapshot!(screens.join("\n"));
    let store = open(&put_back.file()).expect("it is as it was");
    let operators = Operators::over(Arc::new(store), COMPANY);
    let stored = operators.history(put_back.shop.id("open")).await.unwrap().stored;
    assert_eq!(stored.state, State::Proposed);
}
