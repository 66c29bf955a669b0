//! How long things are kept, and who may have them.

use std::sync::Arc;

use pap_ops::cli::Exit;
use pap_runtime::store::memory::Memory;

use crate::shop::{SECRET, Shop, opening};
use crate::terminal::screen;

async fn shop() -> Shop {
    let clock = opening();
    let store = Memory::on_clock(Arc::new(clock.clone()));
    Shop::open(Arc::new(store), clock).with_all().await
}

#[tokio::test]
async fn a_purge_says_first_how_many_and_removes_what_ended_before() {
    let shop = shop().await;
    let because = "--who ada --why 'kept for two hours'";
    let mut screens = vec![
        shop.screen("purge orders.exchange --older-than 2h --dry-run").await,
        shop.screen("purge orders.exchange --ended-before 2026-10-08 --dry-run").await,
        shop.screen("purge orders.exchange --older-than 2h").await,
        shop.screen(&format!("purge orders.exchange --older-than 2h {because}")).await,
    ];
    let line = format!("purge orders.exchange --older-than 2h {because}");
    let said = shop.types_and_answers(&line, "no").await;
    assert_eq!(said.exit, Exit::Failed);
    screens.push(screen(&line, &said));
    assert!(shop.operators().history(shop.id("expired")).await.is_ok());

    let line = format!("{line} --yes");
    screens.push(shop.screen(&line).await);
    assert!(shop.operators().history(shop.id("expired")).await.is_err());
    screens.push(shop.screen("list").await);
    screens.push(shop.screen(&format!("{line} --json")).await);
    insta::assert_snapshot!(screens.join("\n"));
}

#[tokio::test]
async fn an_erased_account_leaves_ids_states_and_moments() {
    let shop = shop().await;
    let because = "--who ada --why 'request 17'";
    let mut screens = vec![
        shop.screen("erase acc_ada --dry-run").await,
        shop.screen("erase acc_ada").await,
        shop.screen(&format!("erase acc_ada {because}")).await,
        shop.screen(&format!("erase acc_ada {because} --yes")).await,
    ];
    for line in
        ["show @done", "show @done --terms", "show @lost", "list --account acc_ada", "verify"]
    {
        screens.push(shop.screen(line).await);
    }
    insta::assert_snapshot!(screens.join("\n"));
    // what is not over stays, and the exit code says so
    let said = shop.types(&format!("erase acc_ada {because} --yes --json")).await;
    assert_eq!(said.exit, Exit::Failed);
    let everything = shop.types("show @done --terms --json").await;
    assert!(!everything.out.contains(SECRET), "{everything:?}");
}

/// Also what was done by somebody else, and nothing of whose operations were blanked.
#[tokio::test]
async fn who_did_what_and_why_is_told() {
    let shop = shop().await;
    let because = "--who ada --why 'request 17'";
    let mut screens = vec![shop.screen("acts").await];
    for line in [
        "pause orders.exchange --claims --who bob --why 'the warehouse is flooded'".to_owned(),
        "resume orders.exchange --claims --who bob --why 'it is dry again'".to_owned(),
        "pause --all --proposals --who ada --why 'the price list is wrong'".to_owned(),
        format!("erase acc_ada {because} --yes"),
        "purge orders.exchange --older-than 1s --who ada --why 'kept for a second' --yes"
            .to_owned(),
        format!("erase acc_nobody {because} --yes"),
    ] {
        shop.types(&line).await;
    }
    let named = "erase acc_ada --who ada --why 'acc_ada asked for it' --yes";
    for line in [named, "acts", "acts --after 4", "acts --json", "acts --after 5 --json"] {
        screens.push(shop.screen(line).await);
    }
    insta::assert_snapshot!(screens.join("\n"));
    let told = shop.types("acts --json").await;
    assert!(!told.out.contains("acc_ada"), "{told:?}");
}

#[tokio::test]
async fn an_export_is_one_line_for_each_operation() {
    let shop = shop().await;
    let said = shop.types("export acc_ada").await;
    assert_eq!(said.exit, Exit::Done);
    let lines: Vec<serde_json::Value> =
        said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), shop.ids.len());
    assert!(lines.iter().all(|line| line["account"] == "acc_ada"));
    assert!(said.out.contains(SECRET), "it is for the person it is about");
    insta::assert_snapshot!(lines.last().unwrap());
    let nobody = shop.types("export acc_nobody").await;
    assert_eq!(
        (nobody.exit, nobody.out.as_str(), nobody.err.as_str()),
        (Exit::Done, "", "0 operations\n")
    );
}
