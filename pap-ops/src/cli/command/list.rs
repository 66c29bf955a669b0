//! `list`, `open-work` and `metrics`.

use std::time::Duration;

use pap_protocol::operation::State;
use pap_protocol::value::Instant;

use super::super::args::List;
use super::super::console::{Console, Stop};
use super::super::exit::Exit;
use super::super::source::{Said, Source};
use super::super::table::table;
use super::super::words::{ago, at};
use super::{counted, say_if_unheard_of, told};
use crate::form::{Find, Listing, OpenWork, OperationLine, PUT_ASIDE, Unsettled};
use crate::prometheus::gauges_page;

pub(super) async fn list(
    list: &List,
    source: &Source,
    console: &mut Console<'_>,
) -> Result<Exit, Stop> {
    let mut find = Find {
        state: list.state,
        action: list.action.clone(),
        account: list.account.clone(),
        reference: list.reference.clone(),
        older_than_seconds: list.older_than.map(|age| age.as_secs()),
        attention: list.attention,
        after: list.after,
        limit: Some(list.limit),
    };
    let mut said = source.post::<Listing>("/find", &find).await?;
    if let Some(age) = list.since {
        let mut lately = said.is;
        lately.operations.retain(|line| is_since(line, lately.now, age));
        while let (Some(next), Some(left)) = (lately.next, left(list.limit, &lately)) {
            (find.after, find.limit) = (Some(next), Some(left));
            let more = source.post::<Listing>("/find", &find).await?.is;
            let found = more.operations.into_iter();
            lately.operations.extend(found.filter(|line| is_since(line, lately.now, age)));
            lately.next = more.next;
        }
        let json = serde_json::to_string(&lately);
        let json = json.map_err(|error| Stop::new(Exit::Failed, "unwritten", error.to_string()))?;
        said = Said { json, is: lately };
    }
    if told(&said, console)? {
        return Ok(Exit::Done);
    }
    let listing = said.is;
    if !listing.operations.is_empty() {
        let rows: Vec<_> = listing.operations.iter().map(|line| row(line, listing.now)).collect();
        table(console.out, ["OPERATION", "ACTION", "STATE", "SINCE", "WHAT IS KNOWN"], &rows)?;
    }
    let count = u64::try_from(listing.operations.len()).unwrap_or(u64::MAX);
    let more = listing.next.map_or_else(String::new, |next| format!("; more with --after {next}"));
    console.say(&format!("{}{more}", counted(count, "operation")))?;
    if count == 0 && listing.next.is_none() {
        say_if_unheard_of(list.action.as_deref(), source, console).await?;
    }
    Ok(Exit::Done)
}

fn is_since(line: &OperationLine, now: Instant, age: Duration) -> bool {
    line.since.saturating_add(age) >= now
}

/// How many more may be listed; `None`: no more.
fn left(limit: u32, listing: &Listing) -> Option<u32> {
    let listed = u32::try_from(listing.operations.len()).unwrap_or(u32::MAX);
    limit.checked_sub(listed).filter(|left| *left > 0)
}

fn row(line: &OperationLine, now: Instant) -> [String; 5] {
    [
        line.operation_id.to_string(),
        line.action.clone(),
        line.state.to_string(),
        ago(line.since, now),
        standing(line, now),
    ]
}

/// What is known about where an operation is, in a few words.
pub(super) fn standing(line: &OperationLine, now: Instant) -> String {
    if line.erased_at.is_some() {
        return "blanked".to_owned();
    }
    match (&line.unsettled, line.expires_at) {
        (Some(unsettled), _) => in_progress(unsettled, now),
        (None, Some(expires_at)) if expires_at < now => "its time is over".to_owned(),
        (None, Some(expires_at)) => format!("until {}", at(expires_at)),
        (None, None) => String::new(),
    }
}

fn in_progress(unsettled: &Unsettled, now: Instant) -> String {
    let mut said = Vec::new();
    if unsettled.attention {
        said.push("a person has to look".to_owned());
    }
    if unsettled.deferred {
        said.push("waits to be started".to_owned());
    } else if unsettled.performing {
        said.push("its handler has not answered".to_owned());
    }
    if let Some(due) = unsettled.due {
        said.push(format!("others finish it until {}", at(due)));
    }
    if unsettled.asks > 0 {
        said.push(format!("asked {}", counted(unsettled.asks.into(), "time")));
    }
    if unsettled.died_asking > 0 {
        let died = counted(unsettled.died_asking.into(), "time");
        said.push(format!("the asking process died {died} in a row"));
    }
    if unsettled.stop_requested.is_some() {
        said.push("the User asked to stop".to_owned());
    }
    if unsettled.died_asking >= PUT_ASIDE {
        said.push("nobody asks until `ask-now`".to_owned());
    } else if !unsettled.performing && !unsettled.deferred && unsettled.ask_after < now {
        said.push(format!("to be asked since {}", ago(unsettled.ask_after, now)));
    }
    said.join("; ")
}

/// `orders.exchange succeeded since …`.
pub(super) fn headline(line: &OperationLine, now: Instant) -> String {
    let since = if line.state == State::Proposed { "since its latest revision" } else { "since" };
    format!(
        "{}  {}  {} {since} {} ({})",
        line.operation_id,
        line.action,
        line.state,
        at(line.since),
        ago(line.since, now),
    )
}

pub(super) async fn open_work(source: &Source, console: &mut Console<'_>) -> Result<Exit, Stop> {
    let said = source.get::<OpenWork>("/open-work").await?;
    if told(&said, console)? {
        return Ok(Exit::Done);
    }
    let OpenWork { now, actions, .. } = said.is;
    if actions.is_empty() {
        console.say("nothing is in progress")?;
        return Ok(Exit::Done);
    }
    let rows: Vec<_> = actions
        .iter()
        .map(|open| {
            [
                open.action.clone(),
                open.in_progress.to_string(),
                open.oldest.map_or_else(String::new, |oldest| ago(oldest, now)),
                open.attention.to_string(),
                open.deferred.to_string(),
                open.handed_over.to_string(),
            ]
        })
        .collect();
    let heads = ["ACTION", "IN PROGRESS", "OLDEST", "ATTENTION", "WAITING", "HANDED OVER"];
    table(console.out, heads, &rows)?;
    Ok(Exit::Done)
}

pub(super) async fn metrics(source: &Source, console: &mut Console<'_>) -> Result<Exit, Stop> {
    let said = source.get::<OpenWork>("/open-work").await?;
    if told(&said, console)? {
        return Ok(Exit::Done);
    }
    let page = gauges_page(said.is.now, Some(&said.is.actions));
    let page = page.map_err(|error| Stop::new(Exit::Failed, "unwritten", error.to_string()))?;
    write!(console.out, "{page}")?;
    Ok(Exit::Done)
}
