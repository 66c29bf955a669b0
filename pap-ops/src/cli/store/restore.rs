//! `restore`: says what taking a copy into use will do, asks, and does it.

use pap_runtime::store::{RestoredBy, WouldRestore};

use super::super::args;
use super::super::console::{Console, Stop};
use super::super::exit::Exit;
use super::super::words::{counted, plain};
use super::{Named, Place, postgres, sqlite};
use crate::form::{Restored, VERSION};

pub(super) async fn restore(
    args: &args::Restore,
    named: &Named,
    console: &mut Console<'_>,
) -> Result<Exit, Stop> {
    let by = by(args)?;
    let place = named.place()?;
    let would = looked_at(&place).await?;
    if !console.json || !args.yes {
        plan(&would, &by).iter().try_for_each(|line| writeln!(console.err, "{line}"))?;
    }
    if !args.yes {
        console.agrees("Take it into use so?")?;
        // somebody may have started a process while it was read
        looked_at(&place).await?;
    }
    let done = match &place {
        Place::Sqlite(path) => sqlite::restore(path, &by).await?,
        Place::Postgres(named) => postgres::restore(named, &by).await?,
    };
    let (version, seen) = (VERSION, would.seen);
    let said = Restored { version, seen, expired: done.expired, asked: done.asked };
    if console.json {
        let json = serde_json::to_string(&said);
        let json = json.map_err(|error| Stop::new(Exit::Failed, "unwritten", error.to_string()))?;
        writeln!(console.out, "{json}")?;
        return Ok(Exit::Done);
    }
    let (expired, asked) = (counted(said.expired, "proposal"), counted(said.asked, "operation"));
    writeln!(console.out, "{expired} expired; {asked} in progress will be asked about")?;
    console.say("next: start one process of the company, then pap-ops list --state in_progress")?;
    Ok(Exit::Done)
}

/// What it would do; refused while somebody uses the store.
async fn looked_at(place: &Place<'_>) -> Result<WouldRestore, Stop> {
    let would = match place {
        Place::Sqlite(path) => sqlite::would_restore(path).await?,
        Place::Postgres(named) => postgres::would_restore(named).await?,
    };
    if would.alive == 0 {
        return Ok(would);
    }
    let processes = match would.alive {
        1 => "a process of a company uses".to_owned(),
        alive => format!("{alive} processes of a company use"),
    };
    Err(Stop::new(Exit::Failed, "in_use", format!("{processes} this store")).help(
        "stop them all; one that was killed is forgotten when it has been silent for as long as its company says \
         (`heartbeat`, 30 s unless set)",
    ))
}

/// Who and why, of which neither may be missing.
fn by(args: &args::Restore) -> Result<RestoredBy, Stop> {
    let said = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let Some(who) = args.because.who.as_deref().and_then(said) else {
        let what = "nobody was named who does this: it is kept on the record";
        return Err(Stop::usage(what).help("add --who NAME"));
    };
    let why = said(&args.because.why);
    let why =
        why.ok_or_else(|| Stop::usage("--why is empty: what is changed is kept with a reason"))?;
    Ok(RestoredBy { who, why })
}

/// What will be done, line by line.
fn plan(would: &WouldRestore, by: &RestoredBy) -> Vec<String> {
    let of = |count| counted(count, "operation");
    let (proposed, in_progress) = (of(would.proposed), of(would.in_progress));
    let mut plan = vec![
        "This takes the store into use as a copy that was restored from a backup:".to_owned(),
        format!(
            "- what is proposed expires, as it may have been confirmed since the copy was made: {proposed}"
        ),
        format!(
            "- what is in progress is asked about at once, and started by nobody: {in_progress}"
        ),
        "- what has ended stays as it is".to_owned(),
        "Nothing is performed. What was proposed after the copy was made is not in it.".to_owned(),
    ];
    plan.push(match &would.seen {
        Some(seen) => format!("It is seen to be a copy: {}.", plain(seen)),
        None => "Nothing shows that it is a copy. Not every copy is seen; if it is none, say no."
            .to_owned(),
    });
    plan.push(format!("On record: {}, because: {}", plain(&by.who), plain(&by.why)));
    plan
}
