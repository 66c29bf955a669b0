//! The specification's exchange: proposed, shown, approved, confirmed twice, performed once.

use pap_agent::{Error, Followed};
use serde_json::json;

use super::gateway::on_this_machine;
use super::{Stage, Told};

const EXCHANGES: &str = "/orders/ord_7Hk2/exchanges";

pub(super) async fn chapters(stage: &mut Stage<'_, '_>) -> Told<()> {
    stage.page.chapter(
        "It asks for the exchange as any caller would. The shop proposes, and does nothing",
    )?;
    let medium = json!({ "item_id": "itm_4Qa", "replacement_sku": "stormline-insulated-m" });
    let proposal = stage.ask("orders.exchange", EXCHANGES, medium).await?;
    let approval = stage.ask_ada(&proposal).await?;
    stage.count("itm_4Qa", &[("card charged", 0)]).await?;

    stage.page.chapter(
        "Ada wants size L: revision 2 of the same operation. Her first yes is worth nothing now",
    )?;
    let large = json!({ "item_id": "itm_4Qa", "replacement_sku": "stormline-insulated-l" });
    let proposal = stage.ask("orders.exchange", EXCHANGES, large).await?;
    let sent = stage.client.confirm(approval).await;
    let Err(Error::NotSent(why)) = sent else { return Err(format!("sent: {sent:?}").into()) };
    stage.page.lines([format!("The agent does not send it: {why}")])?;
    let approval = stage.ask_ada(&proposal).await?;

    stage.page.chapter(
        "The answer to the confirm is lost, so the agent confirms again: performed once",
    )?;
    stage.gateway.lose_next_answer();
    stage.confirm(approval).await?;
    let id = proposal.operation_id();
    if let Followed::Final(outcome) = stage.client.read(id).await? {
        stage.show_wire()?;
        stage.show_outcome(Followed::Final(outcome))?;
    }
    stage.count("itm_4Qa", &[("card charged", 1), ("parcel sent", 1)]).await?;

    stage.page.chapter("A visitor of the website, with a cookie, is served at once, as before")?;
    let url = format!("http://{}{EXCHANGES}", stage.gateway.address);
    let same_price = json!({ "item_id": "itm_9Bo", "replacement_sku": "ridgeline-43" });
    let visitor = on_this_machine()?.post(url).header("cookie", "web_session=web_ada");
    visitor.json(&same_price).send().await?.error_for_status()?;
    stage.show_wire()?;
    stage.count("itm_9Bo", &[("parcel sent", 1)]).await
}
