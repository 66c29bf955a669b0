//! `purge`, `erase` and `export`: how long things are kept, and who may have them.

use super::super::args::{self, BecauseUnlessDry};
use super::super::console::{Console, Stop};
use super::super::exit::Exit;
use super::super::source::Source;
use super::super::words::at;
use super::{counted, say_if_unheard_of, told};
use crate::form::{EraseAccount, Erased, ExportAccount, Exported, PurgeAction, Purged};

pub(super) async fn purge(
    args: &args::Purge,
    source: &Source,
    console: &mut Console<'_>,
) -> Result<Exit, Stop> {
    let asked = |dry_run| PurgeAction {
        action: args.action.clone(),
        ended_before: args.ended_before,
        older_than_seconds: args.older_than.map(|age| age.as_secs()),
        dry_run,
        why: args.because.why.clone(),
    };
    let would = source.post::<Purged>("/purge", &asked(true)).await?;
    let Purged { ended_before, operations, .. } = would.is;
    let of = format!("of {} that ended before {}", args.action, at(ended_before));
    if args.because.dry_run {
        if !told(&would, console)? {
            let count = counted(operations.into(), "operation");
            writeln!(console.out, "{count} {of}: a purge removes no more than these")?;
            say_if_unheard_of(Some(&args.action), source, console).await?;
        }
        return Ok(Exit::Done);
    }
    agree(
        &args.because,
        console,
        &format!(
            "This removes up to {} {of}, with everything on record about them.",
            counted(operations.into(), "operation"),
        ),
    )?;
    // the moment that was agreed to, not that of a second look at the clock
    let moment =
        PurgeAction { ended_before: Some(ended_before), older_than_seconds: None, ..asked(false) };
    let said = source.post::<Purged>("/purge", &moment).await?;
    if !told(&said, console)? {
        let count = counted(said.is.operations.into(), "operation");
        writeln!(console.out, "{count} {of} removed")?;
        if said.is.operations < operations {
            console.say("the others were gone by then: something else removes old ones too")?;
        }
    }
    Ok(Exit::Done)
}

pub(super) async fn erase(
    args: &args::Erase,
    source: &Source,
    console: &mut Console<'_>,
) -> Result<Exit, Stop> {
    let asked = |dry_run| {
        let (account, why) = (args.account.clone(), args.because.why.clone());
        EraseAccount { account, dry_run, why }
    };
    let would = source.post::<Erased>("/erase", &asked(true)).await?;
    let Erased { operations, open, .. } = would.is;
    let count = counted(operations.into(), "ended operation");
    if args.because.dry_run {
        if !told(&would, console)? {
            writeln!(console.out, "{count} of this account would be blanked; {open} are not over")?;
        }
        return Ok(Exit::Done);
    }
    agree(
        &args.because,
        console,
        &format!(
            "This blanks {count} of this account, for good: owner, terms, summaries, notes and results.\n\
         Ids, states, moments and salted digests stay. {open} are not over and stay as they are.",
        ),
    )?;
    let said = source.post::<Erased>("/erase", &asked(false)).await?;
    if !told(&said, console)? {
        let count = counted(said.is.operations.into(), "operation");
        writeln!(console.out, "{count} blanked; {} not over", said.is.open)?;
        if said.is.open > 0 {
            console.say(
                "next: the same again when they are over; `pap-ops list --account ACCOUNT` shows them",
            )?;
        }
    }
    // whoever was promised that nothing is left must not read a 0 while something is
    Ok(if said.is.open == 0 { Exit::Done } else { Exit::Failed })
}

fn agree(because: &BecauseUnlessDry, console: &mut Console<'_>, plan: &str) -> Result<(), Stop> {
    if !because.yes {
        writeln!(console.err, "{plan}")?;
        return console.agrees("Do it?");
    }
    console.say(plan)?;
    Ok(())
}

pub(super) async fn export(
    args: &args::Export,
    source: &Source,
    console: &mut Console<'_>,
) -> Result<Exit, Stop> {
    let (mut after, mut count) = (None, 0_u64);
    loop {
        let asked = ExportAccount { account: args.account.clone(), after };
        let piece = source.post::<Exported>("/export", &asked).await?.is;
        for operation in piece.operations {
            writeln!(console.out, "{operation}")?;
            count += 1;
        }
        after = piece.next;
        if after.is_none() {
            console.say(&counted(count, "operation"))?;
            return Ok(Exit::Done);
        }
    }
}
