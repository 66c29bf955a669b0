//! `events`: what happened, oldest first.

use std::time::Duration;

use super::super::args;
use super::super::console::{Console, Stop};
use super::super::exit::Exit;
use super::super::source::{Source, escaped};
use super::super::words::at;
use crate::form::{Feed, FeedLine};

/// How often is looked whether there is something new.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// How many events one answer carries.
const AT_ONCE: u32 = 500;

pub(super) async fn events(
    args: &args::Events,
    source: &Source,
    console: &mut Console<'_>,
) -> Result<Exit, Stop> {
    let mut after = args.after.clone().unwrap_or_default();
    loop {
        let path = format!("/events?limit={AT_ONCE}&after={}", escaped(&after));
        let feed = source.get::<Feed>(&path).await?.is;
        let wanted = |event: &&FeedLine| args.kind.is_none_or(|kind| kind.word() == event.kind);
        feed.events.iter().filter(wanted).try_for_each(|event| print(event, console))?;
        console.out.flush()?;
        let came = !feed.events.is_empty();
        after = feed.next;
        match (came, args.follow) {
            (true, _) => {}
            (false, true) => tokio::time::sleep(LOOK_AGAIN).await,
            (false, false) => {
                console.say(&format!("go on with --after {after}"))?;
                return Ok(Exit::Done);
            }
        }
    }
}

fn print(event: &FeedLine, console: &mut Console<'_>) -> Result<(), Stop> {
    if console.json {
        let json = serde_json::to_string(event);
        let json = json.map_err(|error| Stop::new(Exit::Failed, "unwritten", error.to_string()))?;
        writeln!(console.out, "{json}")?;
    } else {
        let FeedLine { cursor, operation_id, kind, at: when } = event;
        writeln!(console.out, "{}  {operation_id}  {kind:<14}  {cursor}", at(*when))?;
    }
    Ok(())
}
