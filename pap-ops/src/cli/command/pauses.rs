//! `pause`, `resume` and `pauses`.

use super::super::args::HoldBack;
use super::super::console::{Console, Stop};
use super::super::exit::Exit;
use super::super::source::Source;
use super::super::table::table;
use super::super::words::ago;
use super::{say_if_unheard_of, told};
use crate::form::{self, Pauses, Resumed};

pub(super) async fn pause(
    args: &HoldBack,
    source: &Source,
    console: &mut Console<'_>,
) -> Result<Exit, Stop> {
    let said = source.post::<Pauses>("/pause", &asked(args)).await?;
    if !told(&said, console)? {
        let (what, of) = (args.what().word(), of(args));
        writeln!(
            console.out,
            "{what} of {of} are held back on every node, until `pap-ops resume`"
        )?;
        print(&said.is, console)?;
        say_if_unheard_of(args.action.as_deref(), source, console).await?;
    }
    Ok(Exit::Done)
}

pub(super) async fn resume(
    args: &HoldBack,
    source: &Source,
    console: &mut Console<'_>,
) -> Result<Exit, Stop> {
    let said = source.post::<Resumed>("/resume", &asked(args)).await?;
    let was_paused = said.is.was_paused;
    if !told(&said, console)? {
        let (what, of) = (args.what().word(), of(args));
        if was_paused {
            writeln!(console.out, "{what} of {of} go on")?;
        } else {
            console.say(&format!("there is no pause of {what} of {of}: see `pap-ops pauses`"))?;
        }
    }
    Ok(if was_paused { Exit::Done } else { Exit::Failed })
}

pub(super) async fn pauses(source: &Source, console: &mut Console<'_>) -> Result<Exit, Stop> {
    let said = source.get::<Pauses>("/pauses").await?;
    if !told(&said, console)? {
        print(&said.is, console)?;
    }
    Ok(Exit::Done)
}

fn print(pauses: &Pauses, console: &mut Console<'_>) -> Result<(), Stop> {
    if pauses.pauses.is_empty() {
        console.say("nothing is held back")?;
        return Ok(());
    }
    let rows: Vec<_> = pauses
        .pauses
        .iter()
        .map(|pause| {
            [
                pause.action.clone().unwrap_or_else(|| "all actions".to_owned()),
                pause.what.word().to_owned(),
                ago(pause.since, pauses.now),
                pause.who.clone(),
                pause.why.clone(),
            ]
        })
        .collect();
    table(console.out, ["ACTION", "HELD BACK", "SINCE", "WHO", "WHY"], &rows)?;
    Ok(())
}

fn asked(args: &HoldBack) -> form::HoldBack {
    let (action, why) = (args.action.clone(), args.because.why.clone());
    form::HoldBack { action, what: args.what(), why }
}

fn of(args: &HoldBack) -> &str {
    args.action.as_deref().unwrap_or("all actions")
}
