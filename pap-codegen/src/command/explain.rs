//! `explain`: the page of an error code.

use serde_json::json;

use crate::cli::{Explain, MessageFormat};
use crate::codes::{self, Code, Page};
use crate::console::{Console, Stop};
use crate::diagnostic::Problem;
use crate::exit::Exit;
use crate::nearest::nearest;

pub(super) fn explain(arguments: &Explain, console: &mut Console<'_>) -> Result<Exit, Stop> {
    let Some(wanted) = &arguments.code else {
        for page in codes::pages() {
            match console.format {
                MessageFormat::Human => writeln!(console.out, "{}  {}", page.code, page.title)?,
                MessageFormat::Json => console.fact(&fact(&page))?,
            }
        }
        return Ok(Exit::Done);
    };
    let spelled = spelled(wanted);
    let known = codes::pages().find(|page| page.code == spelled);
    let page = known.ok_or_else(|| unknown(wanted))?;
    match console.format {
        MessageFormat::Human => write!(console.out, "{}", page.text)?,
        MessageFormat::Json => console.fact(&fact(&page))?,
    }
    Ok(Exit::Done)
}

/// `PAP0103` of `pap0103` and of `103`.
fn spelled(wanted: &str) -> String {
    let upper = wanted.trim().to_ascii_uppercase();
    match upper.strip_prefix("PAP").unwrap_or(&upper).parse::<u16>() {
        Ok(number) => format!("PAP{number:04}"),
        Err(_) => upper,
    }
}

fn fact(page: &Page) -> serde_json::Value {
    json!({
        "code": page.code,
        "kind": "page",
        "text": page.text,
        "title": page.title,
        "version": 1,
    })
}

fn unknown(wanted: &str) -> Problem {
    let codes: Vec<&str> = codes::pages().map(|page| page.code).collect();
    let help = match nearest(&spelled(wanted), codes) {
        Some(near) => format!("a similar code exists: `{near}`"),
        None => "`pap-codegen explain` lists the codes".to_owned(),
    };
    Problem::new(Code::UnknownCode, format!("there is no error code `{wanted}`")).help(help)
}
