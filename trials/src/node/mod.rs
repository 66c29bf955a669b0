//! A company as a process of its own: real HTTP, a real store, and the fail-points armed from outside.

mod hooked;
mod operate;
mod operations;
mod options;
mod own;
mod rolling;
mod sessions;

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use pap_runtime::clock::{Clock, SystemClock};
use pap_runtime::store::Store;
use pap_runtime::value::Instant;
use pap_runtime::{Company, failpoint};
use tokio::signal::unix::{SignalKind, signal};

pub use operate::Order;
pub use operations::{ACTIONS, steps_of, told};
pub use options::{Does, Options, Wrong};
pub use own::{Beside, beside};
pub use rolling::Code;
pub use sessions::{SCOPE, token};

use own::Own;

use crate::Fault;
use crate::downstream::Client;

/// Where agents believe the company to be: proofs are made for it, whatever port a node listens on.
pub const ORIGIN: &str = "https://trials.example.com";

/// How often a node says that it lives.
const BEATS_EVERY: Duration = Duration::from_millis(200);

/// After how long without a word the others take it for dead, where a store has several and nothing else is said.
pub const DEAD_AFTER: Duration = Duration::from_millis(1_500);

/// The machine's clock, set apart by what a file says: one that jumps while the process runs.
#[derive(Debug)]
struct SetApart(PathBuf);

impl Clock for SetApart {
    fn now(&self) -> Instant {
        let said = std::fs::read_to_string(&self.0).unwrap_or_default();
        let apart: i64 = said.trim().parse().unwrap_or_default();
        let now = SystemClock::default().now().as_millis();
        Instant::from_millis(now.saturating_add(apart))
    }
}

/// The company's own state: the system behind it.
#[derive(Debug)]
pub(crate) struct World {
    downstream: Client,
    wrong: Option<Wrong>,
    own: Own,
}

/// A node as the whole of a process, with its log on the standard error.
///
/// # Errors
///
/// As [`serve`], and if the arguments are none of a node.
pub async fn run(arguments: &[String], code: Code) -> Result<(), Fault> {
    crate::die_with_whoever_started_this()?;
    let level = std::env::var("PAP_TRIALS_LOG").unwrap_or_default();
    let most = level.parse().unwrap_or(tracing_subscriber::filter::LevelFilter::INFO);
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_max_level(most);
    log.with_target(false).with_ansi(false).init();
    serve(Options::from_arguments(arguments)?, code).await
}

/// Serves until it is told to end (SIGTERM), killed, or reaches a fail-point. The first line on the
/// standard output says where.
///
/// # Errors
///
/// If the store does not take it, or the port cannot be listened on.
pub async fn serve(options: Options, code: Code) -> Result<(), Fault> {
    failpoint::arm_from_environment()?;
    let mut told_to_end = signal(SignalKind::terminate())?;
    let opened = match &options.clock {
        Some(file) => options.place.open_on(Arc::new(SetApart(file.clone()))).await?,
        None => options.place.open().await?,
    };
    let downstream = Client::at(options.downstream.clone())?;
    let own = Own::beside(&options.place, &opened).await?;
    let world = World { downstream, wrong: options.wrong, own };
    let company = company(world, &options, code, &opened.store).await?;
    let router = company.in_front_of(operate::router(company.operators()));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    writeln!(std::io::stdout(), "listening on http://{}", listener.local_addr()?)?;
    let drains = company.clone();
    let end = async move {
        told_to_end.recv().await;
        // reads go on meanwhile
        drains.drain(options.drain_within).await
    };
    tokio::select! {
        served = async { axum::serve(listener, router).await } => served?,
        drained = end => {
            let running = drained?;
            tracing::info!(running, "told to end");
        }
    }
    drop(company);
    opened.close().await;
    Ok(())
}

async fn company(
    world: World,
    options: &Options,
    code: Code,
    store: &Arc<dyn Store>,
) -> Result<Company<World>, Fault> {
    let operations = || operations::operations().and(rolling::operations(code));
    let mut builder = Company::builder(world)
        .name("Trials")
        .origin(ORIGIN)
        .sessions(sessions::FromToken)
        .shared_store(Arc::clone(store))
        .operations(operations())
        .perform_within(options.perform_within)
        .answer_within(options.answer_within)
        .retry_after(Duration::from_secs(1))
        .ask_again(options.ask_first, options.ask_most)
        .attention_after(options.attention_after)
        .role(options.does.role())
        .sweep_every(options.sweep_every)
        .release_within(options.release_within)
        .heartbeat(BEATS_EVERY, options.dead_after);
    if let Some(limits) = options.limits() {
        for declaration in operations().declarations() {
            builder = builder.limits(declaration.action, limits);
        }
    }
    Ok(builder.start().await?)
}
