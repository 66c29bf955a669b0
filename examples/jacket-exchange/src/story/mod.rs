//! The story: Ada, her Personal Agent and the shop, over HTTP, with real files and real deaths.
//!
//! The shop is this program in a process of its own. The agent is in this process, and between the two
//! is a gateway that shows what goes over the wire.

mod agent;
mod crashes;
mod endings;
mod exchange;
mod gateway;
mod page;
mod process;

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use pap_agent::{
    Approval, Asked, Decision, Followed, OperationsClient, Outcome, Proposal, Request,
};
use serde_json::Value;

use crate::company::ORIGIN;
use crate::shop::Shop;
use agent::Screen;
use gateway::Gateway;
use page::Page;
use process::ShopProcess;

/// A story ends early on an error, with its cause.
type Told<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// The longest that the agent follows one operation.
const PATIENCE: Duration = Duration::from_secs(30);

/// Plays it, and answers whether every count was as promised.
///
/// # Errors
///
/// If something did not go as it was told.
pub async fn play(out: &mut dyn Write) -> Result<bool, Box<dyn Error + Send + Sync>> {
    let folder = tempfile::tempdir()?;
    let mut page = Page::new(out);
    page.say("Example Outfitters: a jacket exchange, and what else can happen. The shop is a process of its")?;
    page.say("own with two SQLite files; this process is Ada's Personal Agent, and answers in her place.")?;

    let mut stage = Stage::open(folder.path(), &mut page).await?;
    exchange::chapters(&mut stage).await?;
    endings::chapters(&mut stage).await?;
    let stage = crashes::chapters(stage).await?;
    let effects = stage.shop.effects().await?;
    stage.process.kill().await?;
    page.chapter("What was promised, and what the shop's ledger says")?;
    page.count("of every kind", vec![("effects", 9, effects)])?;
    page.settle()
}

/// Everybody who takes part.
struct Stage<'a, 'out> {
    page: &'a mut Page<'out>,
    folder: &'a Path,
    gateway: Gateway,
    process: ShopProcess,
    /// The shop's own database, to count in.
    shop: Shop,
    screen: Screen,
    client: OperationsClient,
}

impl<'a, 'out> Stage<'a, 'out> {
    async fn open(folder: &'a Path, page: &'a mut Page<'out>) -> Told<Self> {
        let gateway = Gateway::open().await?;
        let process = ShopProcess::start(folder, None).await?;
        gateway.send_to(process.address);
        let shop = Shop::open(folder)?;
        let screen = Screen::default();

        page.chapter("The agent reads who the Company is, and where its operations are")?;
        let kept_in = folder.join("open-operations.json");
        let client = agent::sign_in(&shop, &gateway, screen.clone(), &kept_in).await?;
        page.lines(gateway.wire())?;
        Ok(Self { page, folder, gateway, process, shop, screen, client })
    }

    /// Asks the shop's API for an action, and expects a proposal.
    async fn ask(&mut self, action: &str, path: &str, body: Value) -> Told<Proposal> {
        let request = Request::post(&format!("{ORIGIN}{path}"))?.json(&body).action(action);
        let asked = self.client.ask(&request).await?;
        self.show_wire()?;
        let Asked::Proposed(proposal) = asked else {
            return Err(format!("not proposed: {asked:?}").into());
        };
        Ok(proposal)
    }

    /// Asks Ada, and expects a yes.
    async fn ask_ada(&mut self, proposal: &Proposal) -> Told<Approval> {
        let decision = self.client.seek_approval(proposal).await?;
        self.page.lines(self.screen.lines())?;
        let Decision::Approved(approval) = decision else {
            return Err(format!("not approved: {decision:?}").into());
        };
        Ok(approval)
    }

    /// Confirms, and follows until it is final.
    async fn confirm(&mut self, approval: Approval) -> Told<()> {
        let id = approval.operation_id().clone();
        let mut followed = self.client.confirm(approval).await?;
        if let Followed::InProgress(_) = followed {
            followed = self.client.follow(&id, PATIENCE).await?;
        }
        self.show_wire()?;
        self.show_outcome(followed)
    }

    fn show_wire(&mut self) -> Told<()> {
        self.page.lines(self.gateway.wire())
    }

    fn show_outcome(&mut self, followed: Followed) -> Told<()> {
        let Followed::Final(Outcome { company_name, state, said, .. }) = followed else {
            return Err(format!("not final: {followed:?}").into());
        };
        self.page.lines([format!("{company_name} says ({state}): {said}")])
    }

    /// How often these effects happened, each with how often it had to.
    async fn count(&mut self, of: &str, effects: &[(&str, u32)]) -> Told<()> {
        let mut counted = Vec::new();
        for (effect, promised) in effects {
            counted.push((*effect, *promised, self.shop.times(effect, of).await?));
        }
        self.page.count(of, counted)
    }
}
