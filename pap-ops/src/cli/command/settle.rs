//! `settle`: says what it will do, asks, and does it.

use pap_protocol::operation::State;

use super::super::args;
use super::super::console::{Console, Stop};
use super::super::exit::Exit;
use super::super::source::Source;
use super::list::headline;
use super::show::{facts, read};
use super::{counted, told};
use crate::form::{Ended, Outcome, Settle, Settled, Shown};

pub(super) async fn settle(
    args: &args::Settle,
    source: &Source,
    console: &mut Console<'_>,
) -> Result<Exit, Stop> {
    let Some((outcome, summary)) = args.outcome() else {
        return Err(Stop::usage("how did it end? add --succeeded, --failed or --cancelled"));
    };
    let shown = read(&args.id, false, source).await?.is;
    if !console.json || !args.yes {
        facts(&shown, console.err)?;
        for line in plan(&shown, outcome, summary, args) {
            writeln!(console.err, "{line}")?;
        }
    }
    if shown.operation.state == State::Proposed {
        let what =
            format!("operation `{}` was never confirmed: there is nothing to settle", args.id);
        return Err(Stop::new(Exit::Failed, "not_in_progress", what));
    }
    if !args.yes {
        console.agrees("Settle it so?")?;
    }
    let settle = Settle {
        outcome,
        summary: summary.to_owned(),
        changes: args.changes.clone(),
        data: args.data.clone(),
        why: args.because.why.clone(),
    };
    let path = format!("/operations/{}/settle", args.id);
    let said = source.post::<Settled>(&path, &settle).await?;
    let ended = said.is.now;
    if !told(&said, console)? {
        let line = headline(&said.is.operation, said.is.operation.since);
        let (line, _age) = line.rsplit_once(" (").unwrap_or((&line, ""));
        writeln!(console.out, "{line}")?;
        if ended == Ended::Before {
            console.say(
                "it had ended before: that end stands, and yours is kept beside it if it differs",
            )?;
        }
    }
    Ok(if ended == Ended::Now { Exit::Done } else { Exit::Failed })
}

/// What will be done, line by line.
fn plan(shown: &Shown, outcome: Outcome, summary: &str, args: &args::Settle) -> Vec<String> {
    let state = match outcome {
        Outcome::Succeeded => State::Succeeded,
        Outcome::Failed => State::Failed,
        Outcome::Cancelled => State::Cancelled,
    };
    let mut plan = Vec::new();
    if shown.operation.state.is_final() {
        plan.push(format!("\nThis ended as {} already. That stands.", shown.operation.state));
        return plan;
    }
    plan.push(format!("\nThis ends it as {state}, for good. The User is told:"));
    plan.push(format!("  {summary}"));
    plan.extend(args.changes.iter().map(|change| format!("  {change}")));
    let noted = counted(shown.changes.into(), "change");
    match (outcome, shown.changes, args.changes.is_empty()) {
        (Outcome::Failed | Outcome::Cancelled, 0, true) => {
            plan.push("  Nothing was changed.".to_owned());
        }
        (_, 0, _) => {}
        _ => plan.push(format!(
            "  … and the {noted} on record; read them with `show {} --terms`",
            args.id
        )),
    }
    if shown.operation.unsettled.as_ref().is_some_and(|unsettled| unsettled.performing) {
        plan.push(
            "Its handler has not answered: what it answers later is kept beside this, and changes nothing."
                .to_owned(),
        );
    }
    if shown.operation.unsettled.as_ref().is_some_and(|unsettled| unsettled.deferred) {
        plan.push(
            "It waits to be started: nothing was performed, and after this nothing will be."
                .to_owned(),
        );
    }
    let who = args.because.who.as_deref().unwrap_or("whoever your token names");
    plan.push(format!("On record: {who}, because: {}", args.because.why));
    plan
}
