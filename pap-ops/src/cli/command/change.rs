//! `ask-now` and `verify`.

use super::super::args;
use super::super::console::{Console, Stop};
use super::super::exit::Exit;
use super::super::source::Source;
use super::super::words::plain;
use super::{counted, told};
use crate::form::{AskNow, Asking, Verified};

pub(super) async fn ask_now(
    args: &args::AskNow,
    source: &Source,
    console: &mut Console<'_>,
) -> Result<Exit, Stop> {
    let ask = AskNow { why: args.because.why.clone() };
    let said = source.post::<Asking>(&format!("/operations/{}/ask-now", args.id), &ask).await?;
    if !told(&said, console)? {
        writeln!(
            console.out,
            "{} is asked about as soon as a process of the company looks",
            args.id
        )?;
        console.say(&format!("next: pap-ops show {}", args.id))?;
    }
    Ok(Exit::Done)
}

pub(super) async fn verify(source: &Source, console: &mut Console<'_>) -> Result<Exit, Stop> {
    let said = source.get::<Verified>("/verify").await?;
    let broken = &said.is.broken;
    if !told(&said, console)? {
        broken.iter().try_for_each(|line| writeln!(console.out, "{}", plain(line)))?;
        let count = u64::try_from(broken.len()).unwrap_or(u64::MAX);
        console.say(&match count {
            0 => "everything on record fits together".to_owned(),
            count => format!("{} that should not be", counted(count, "thing")),
        })?;
    }
    Ok(if broken.is_empty() { Exit::Done } else { Exit::Failed })
}
