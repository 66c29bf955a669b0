//! The other ways in which an operation can end.

use serde_json::json;

use super::agent::Given;
use super::{Followed, Stage, Told};
use crate::shop::Shop;

pub(super) async fn chapters(stage: &mut Stage<'_, '_>) -> Told<()> {
    by_permission(stage).await?;
    failed_partway(stage).await?;
    unknown_at_first(stage).await
}

async fn by_permission(stage: &mut Stage<'_, '_>) -> Told<()> {
    stage.page.chapter("Ada has said: \"gift-wrap order ord_5Kp9, if it costs at most $10\". She is not asked again")?;
    let wrap = json!({ "paper": "stars" });
    let proposal = stage.ask("orders.gift_wrap", "/orders/ord_5Kp9/gift-wrap", wrap).await?;
    let permissions = Given::gift_wrap_up_to_10_dollars()?;
    let approval = stage.client.use_permission(&proposal, &permissions).await?;
    stage.confirm(approval).await?;
    stage.count("ord_5Kp9", &[("card charged", 1), ("gift wrapped", 1)]).await
}

async fn failed_partway(stage: &mut Stage<'_, '_>) -> Told<()> {
    stage.page.chapter("A return fails halfway: the result tells what was changed")?;
    let path = "/orders/ord_2Jx5/items/itm_8Vt/return";
    let proposal = stage.ask("orders.return", path, json!({})).await?;
    let approval = stage.ask_ada(&proposal).await?;
    stage.confirm(approval).await?;
    stage.count("itm_8Vt", &[("label mailed", 1), ("card refunded", 0)]).await
}

async fn unknown_at_first(stage: &mut Stage<'_, '_>) -> Told<()> {
    stage
        .page
        .chapter("The workshop takes a repair and does not say so: not failed, but in progress")?;
    stage.shop.silence(Shop::WORKSHOP).await?;
    let path = "/orders/ord_7Hk2/items/itm_6Rg/repairs";
    let what = json!({ "what": "the left sole is coming off" });
    let proposal = stage.ask("orders.repair", path, what).await?;
    let approval = stage.ask_ada(&proposal).await?;
    let confirmed = stage.client.confirm(approval).await?;
    stage.show_wire()?;
    let Followed::InProgress(_) = confirmed else {
        return Err(format!("not in progress: {confirmed:?}").into());
    };
    let id = proposal.operation_id();
    let asked = stage.process.logged("asking again later", id.as_str()).await?;
    stage.page.lines([format!("shop log: {asked}")])?;
    stage.shop.let_answer(Shop::WORKSHOP).await?;
    let found = stage.process.logged("ended", id.as_str()).await?;
    stage.page.lines([format!("shop log: {found} (the workshop answers again)")])?;
    let followed = stage.client.follow(id, super::PATIENCE).await?;
    stage.show_wire()?;
    stage.show_outcome(followed)?;
    stage.count("itm_6Rg", &[("repair booked", 1)]).await
}
