//! Settling, asking again and holding back.

use std::sync::Arc;

use pap_ops::cli::Exit;
use pap_runtime::store::memory::Memory;
use pap_runtime::{ConfirmRequest, Refusal, State};

use crate::shop::{Shop, opening};
use crate::terminal::screen;

async fn shop() -> Shop {
    let clock = opening();
    let store = Memory::on_clock(Arc::new(clock.clone()));
    let mut shop = Shop::open(Arc::new(store), clock);
    shop.confirmed("lost", "loses").await;
    shop.confirmed("done", "succeeds").await;
    shop.propose("open", "is open").await;
    shop
}

impl Shop {
    async fn state(&self, name: &str) -> State {
        self.operators().history(self.id(name)).await.unwrap().stored.state
    }
}

const SETTLE: &str = "settle @lost --failed 'No jacket is left.' --change 'The card was not charged.' \
                      --who ada --why 'warehouse ticket 812'";

#[tokio::test]
async fn settling_says_what_it_will_do_and_asks() {
    let shop = shop().await;
    let said = shop.types_and_answers(SETTLE, "no").await;
    assert_eq!((said.exit, shop.state("lost").await), (Exit::Failed, State::InProgress));
    insta::assert_snapshot!(screen(SETTLE, &said));

    let said = shop.types_and_answers(SETTLE, "yes").await;
    assert_eq!((said.exit, shop.state("lost").await), (Exit::Done, State::Failed));
    let history = shop.operators().history(shop.id("lost")).await.unwrap();
    let last = history.events.last().unwrap();
    assert!(
        last.detail.contains("ada") && last.detail.contains("warehouse ticket 812"),
        "{last:?}"
    );
    // what was noted while performing and what the operator knows: the User is told both
    let told = history.stored.result.unwrap().summary;
    assert_eq!(
        told,
        "No jacket is left. What was changed: The burgundy jacket was sent back. The card was not charged."
    );

    // the first end stands
    let again = "settle @lost --succeeded 'It was exchanged.' --who ada --why 'ticket 813' --yes";
    let said = shop.types(again).await;
    assert_eq!((said.exit, shop.state("lost").await), (Exit::Failed, State::Failed));
    insta::assert_snapshot!([screen(again, &said), shop.screen("show @lost").await].join("\n"));
}

#[tokio::test]
async fn nothing_is_settled_without_who_why_and_how_or_unasked() {
    let shop = shop().await;
    let lines = [
        "settle @lost --succeeded 'Done.' --why 'ticket 812' --yes",
        "settle @lost --succeeded 'Done.' --who ada --yes",
        "settle @lost --succeeded 'Done.' --who ada --why ' ' --yes",
        "settle @lost --succeeded ' ' --who ada --why 'ticket 812' --yes",
        "settle @lost --who ada --why 'ticket 812' --yes",
        "settle @lost --succeeded 'Done.' --failed 'Not done.' --who ada --why 'ticket 812' --yes",
        "settle @lost --succeeded 'Done.' --change 'Something.' --who ada --why 'ticket 812' --yes",
        "settle @lost --failed 'Not done.' --data 1 --who ada --why 'ticket 812' --yes",
        "settle @lost --succeeded 'Done.' --who ada --why 'ticket 812'",
        "settle @open --succeeded 'Done.' --who ada --why 'ticket 812' --yes",
        "settle exc_nobody --succeeded 'Done.' --who ada --why 'ticket 812' --yes",
        "ask-now @done --who ada --why 'ticket 812'",
        "ask-now @lost --why 'ticket 812'",
        "pause --proposals --who ada --why 'ticket 812'",
        "pause orders.exchange --who ada --why 'ticket 812'",
        "pause orders.exchange --claims --why 'ticket 812'",
    ];
    let mut screens = Vec::new();
    for line in lines {
        screens.push(shop.screen(line).await);
    }
    insta::assert_snapshot!(screens.join("\n"));
    assert_eq!(shop.state("lost").await, State::InProgress);
    assert!(shop.operators().pauses().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_script_settles_and_reads_json() {
    let shop = shop().await;
    let line = "settle @lost --succeeded 'It was exchanged.' --data {\"parcel\":7} --who ada --why 'ticket 812' --yes --json";
    let said = shop.types(line).await;
    assert_eq!((said.exit, said.err.as_str()), (Exit::Done, ""));
    let json: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((&json["version"], &json["now"]), (&1.into(), &"now".into()));
    assert_eq!(json["operation"]["state"], "succeeded");
    let result = shop.operators().history(shop.id("lost")).await.unwrap().stored.result.unwrap();
    assert_eq!(result.data.as_deref(), Some(r#"{"parcel":7}"#));
}

#[tokio::test]
async fn one_that_was_put_aside_is_asked_about_again() {
    let clock = opening();
    let store = Arc::new(Memory::on_clock(Arc::new(clock.clone())));
    let shop = Shop::open(store, clock).with_all().await;
    shop.company.ask_due().await.unwrap();
    let asked_by = |shop: &Shop| {
        let (operators, id) = (shop.operators(), shop.id("deadly").clone());
        async move { operators.history(&id).await.unwrap().stored.running.unwrap().asks }
    };
    let before = asked_by(&shop).await;
    let line = "ask-now @deadly --who ada --why 'the warehouse is back'";
    insta::assert_snapshot!(shop.screen(line).await);
    shop.company.ask_due().await.unwrap();
    assert_eq!(asked_by(&shop).await, before + 1);
}

#[tokio::test]
async fn what_is_held_back_is_held_back_until_it_is_resumed() {
    let shop = shop().await;
    let mut screens = Vec::new();
    for line in [
        "pause orders.exchange --claims --who ada --why 'the warehouse is flooded'",
        "pause --all --proposals --who bob --why 'the price list is wrong'",
        "pauses",
        "pauses --json",
    ] {
        screens.push(shop.screen(line).await);
    }
    let confirm = || {
        let request = ConfirmRequest::new(1_u32.try_into().unwrap(), pap_runtime::ApprovedBy::User);
        let (company, id) = (&shop.company, shop.id("open").as_str());
        async move { company.confirm(&Shop::session(), id, request).await }
    };
    assert!(matches!(confirm().await, Err(Refusal::Unavailable)));
    for line in [
        "resume orders.exchange --claims --who ada --why 'it is dry again'",
        "resume orders.exchange --claims --who ada --why 'it is dry again'",
        "resume --all --proposals --who bob --why 'it was corrected' --json",
        "pauses",
    ] {
        screens.push(shop.screen(line).await);
    }
    confirm().await.unwrap();
    insta::assert_snapshot!(screens.join("\n"));
}

#[tokio::test]
async fn an_action_whose_name_is_misspelt_is_not_taken_for_one_that_is_held_back() {
    let shop = shop().await;
    for (line, doubted) in [
        ("pause ordres.exchange --claims --who ada --why 'the warehouse is flooded'", true),
        ("pause orders.exchange --claims --who ada --why 'the warehouse is flooded'", false),
        ("list --action ordres.exchange", true),
        ("list --action orders.exchange --state expired", false),
        ("purge ordres.exchange --older-than 1d --dry-run", true),
        ("purge orders.exchange --older-than 1d --dry-run", false),
    ] {
        let said = shop.types(line).await;
        assert_eq!(said.exit, Exit::Done, "{said:?}");
        let says = said.err.contains("no operation of `ordres.exchange` is on record");
        assert_eq!(says, doubted, "{line}: {said:?}");
    }
}

#[tokio::test]
async fn one_that_was_never_started_is_not_asked_about_and_is_settled_with_open_eyes() {
    let mut shop = shop().await;
    shop.deferred("deferred", "waits").await;
    let said = shop.types("ask-now @deferred --who ada --why 'it is time'").await;
    assert_eq!(said.exit, Exit::Failed);
    assert!(said.err.contains("waits to be started: nothing was performed"), "{said:?}");
    assert!(said.err.contains("help: start a process that performs"), "{said:?}");
    let settle = "settle @deferred --succeeded 'It was exchanged.' --who ada --why 'ticket 812'";
    let said = shop.types_and_answers(settle, "no").await;
    assert!(said.err.contains("It waits to be started: nothing was performed"), "{said:?}");
}
