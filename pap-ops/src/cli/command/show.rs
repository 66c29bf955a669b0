//! `show`: one operation, and what happened to it.

use std::io::{self, Write};

use pap_protocol::operation::OperationId;

use super::super::args::Show;
use super::super::console::{Console, Stop};
use super::super::exit::Exit;
use super::super::source::{Said, Source};
use super::super::words::{ago, at, plain};
use super::list::{headline, standing};
use super::{counted, told};
use crate::form::{Shown, Words};

pub(super) async fn show(
    show: &Show,
    source: &Source,
    console: &mut Console<'_>,
) -> Result<Exit, Stop> {
    let said = read(&show.id, show.terms, source).await?;
    if told(&said, console)? {
        return Ok(Exit::Done);
    }
    let shown = said.is;
    facts(&shown, console.out)?;
    writeln!(console.out)?;
    for event in &shown.events {
        let age = ago(event.at, shown.now);
        writeln!(console.out, "  {}  {age:>10} ago  {}", at(event.at), plain(&event.text))?;
    }
    if let Some(words) = &shown.words {
        said_to_the_user(words, console.out)?;
    }
    if shown.operation.unsettled.is_some_and(|unsettled| unsettled.attention) {
        let id = shown.operation.operation_id;
        console.say(&format!(
            "next: find out what happened; then `pap-ops settle {id} …`, or `pap-ops ask-now {id} …`"
        ))?;
    }
    Ok(Exit::Done)
}

pub(super) async fn read(
    id: &OperationId,
    terms: bool,
    source: &Source,
) -> Result<Said<Shown>, Stop> {
    let terms = if terms { "?terms=true" } else { "" };
    source.get(&format!("/operations/{id}{terms}")).await
}

/// What is known about an operation, but what it says.
pub(super) fn facts(shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let line = &shown.operation;
    writeln!(out, "{}", headline(line, shown.now))?;
    let approved = match shown.approved_by {
        Some(by) => format!(", approved by {by}"),
        None => String::new(),
    };
    let terms = shown.revisions.last().map_or(0, |last| last.terms_version);
    let known = [
        ("known", standing(line, shown.now)),
        ("revision", format!("{} of terms version {terms}{approved}", line.revision)),
        ("reference", line.reference.clone().unwrap_or_default()),
        ("account", line.account.clone().unwrap_or_default()),
        ("agent", shown.client.clone()),
        ("user", shown.user.clone()),
        ("session", shown.session.clone()),
        ("checkpoints", shown.checkpoints.join(", ")),
        ("changes", changes(shown)),
    ];
    for (name, value) in known.iter().filter(|(_, value)| !value.is_empty()) {
        writeln!(out, "  {name:<12}{}", plain(value))?;
    }
    Ok(())
}

fn changes(shown: &Shown) -> String {
    match shown.changes {
        0 => String::new(),
        changes => format!("{} noted for the User", counted(changes.into(), "change")),
    }
}

fn said_to_the_user(words: &Words, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n  summary     {}", plain(&words.summary))?;
    if let Some(terms) = &words.terms {
        writeln!(out, "  terms       {}", plain(terms.get()))?;
    }
    for change in &words.changes {
        writeln!(out, "  change      {}", plain(change))?;
    }
    words.result.iter().try_for_each(|result| writeln!(out, "  result      {}", plain(result)))
}
