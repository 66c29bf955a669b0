//! `acts`: who did what, and why.

use super::super::args;
use super::super::console::{Console, Stop};
use super::super::exit::Exit;
use super::super::source::Source;
use super::super::table::table;
use super::super::words::at;
use super::{counted, told};
use crate::form::{Act, ActLine, Acts};

pub(super) async fn acts(
    args: &args::Acts,
    source: &Source,
    console: &mut Console<'_>,
) -> Result<Exit, Stop> {
    let (mut after, mut rows) = (Some(args.after), Vec::new());
    while let Some(from) = after {
        let said = source.get::<Acts>(&format!("/acts?limit=500&after={from}")).await?;
        after = said.is.next;
        if !told(&said, console)? {
            rows.extend(said.is.acts.iter().map(row));
        }
    }
    if console.json {
        return Ok(Exit::Done);
    }
    if rows.is_empty() {
        console.say("nothing was done")?;
    } else {
        table(console.out, ["NUMBER", "WHEN", "WHAT WAS DONE", "WHO", "WHY"], &rows)?;
    }
    Ok(Exit::Done)
}

fn row(line: &ActLine) -> [String; 5] {
    [line.number.to_string(), at(line.at), done(line), line.who.clone(), line.why.clone()]
}

/// What was done, in plain words.
fn done(line: &ActLine) -> String {
    let what = line.what.map_or("everything", |what| what.word());
    let action = line.action.as_deref().unwrap_or("all actions");
    let operations = counted(line.operations.unwrap_or(0).into(), "operation");
    match line.act {
        Act::Pause => format!("held back {what} of {action}"),
        Act::Resume => format!("ended the pause of {what} of {action}"),
        Act::Purge => format!("removed {operations} of {action}"),
        Act::Erase => format!("blanked {operations} of an account"),
    }
}
