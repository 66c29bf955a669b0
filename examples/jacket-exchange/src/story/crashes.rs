//! The shop dies in the middle, and a new process on the same files finds out what happened.

use std::path::Path;

use pap_runtime::OperationId;
use serde_json::json;

use super::gateway::Gateway;
use super::process::ShopProcess;
use super::{Stage, Told};
use crate::serve::CrashAfter;

const EXCHANGES: &str = "/orders/ord_7Hk2/exchanges";

pub(super) async fn chapters<'a, 'out>(stage: Stage<'a, 'out>) -> Told<Stage<'a, 'out>> {
    let title = "The shop dies after the confirmation is on disk, before anything was done";
    let stage = exchange_and_die(stage, title, CrashAfter::Claim, 0).await?;
    let title = "Asked for anew, it dies after the card was charged, before that is on record";
    exchange_and_die(stage, title, CrashAfter::Effect, 1).await
}

async fn exchange_and_die<'a, 'out>(
    stage: Stage<'a, 'out>,
    title: &str,
    moment: CrashAfter,
    times: u32,
) -> Told<Stage<'a, 'out>> {
    let Stage { page, folder, gateway, process, shop, screen, client } = stage;
    page.chapter(title)?;
    process.kill().await?;
    let process = ShopProcess::start(folder, Some(moment)).await?;
    gateway.send_to(process.address);
    let mut stage = Stage { page, folder, gateway, process, shop, screen, client };

    let boots = json!({ "item_id": "itm_6Rg", "replacement_sku": "ridgeline-winter-42" });
    let proposal = stage.ask("orders.exchange", EXCHANGES, boots).await?;
    let approval = stage.ask_ada(&proposal).await?;
    // the agent goes on confirming while the shop dies and comes back
    let (followed, died) = tokio::join!(
        stage.client.confirm(approval),
        come_back(&mut stage.process, folder, &stage.gateway, proposal.operation_id()),
    );
    let (followed, died) = (followed?, died?);
    stage.show_wire()?;
    stage.page.lines([
        format!("shop log: {}", died.last_words),
        format!("shop log: {} (a new process on the same files)", died.found),
    ])?;
    stage.process = died.process;
    stage.show_outcome(followed)?;
    stage.count("itm_6Rg", &[("card charged", times), ("parcel sent", times)]).await?;
    Ok(stage)
}

struct Died {
    last_words: String,
    found: String,
    process: ShopProcess,
}

/// Waits for the death, starts a new process, and lets requests in when it has found out.
async fn come_back(
    process: &mut ShopProcess,
    folder: &Path,
    gateway: &Gateway,
    id: &OperationId,
) -> Told<Died> {
    process.until_dead().await?;
    let last_words = process.logged("dying on purpose", "").await?;
    let mut process = ShopProcess::start(folder, None).await?;
    let found = process.logged("ended", id.as_str()).await?;
    gateway.send_to(process.address);
    Ok(Died { last_words, found, process })
}
