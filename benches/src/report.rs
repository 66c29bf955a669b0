//! What was measured, as a table, as plots, and as gates that are met or missed.

use std::fmt::{self, Display, Formatter};
use std::io::Write as _;
use std::path::Path;

use crate::arguments::Arguments;
use crate::child::Slice;
use crate::error::Error;
use crate::gate::{self, Gate, OF_PROTOTYPE, OVER_EMPTY, Wanted};
use crate::measure::{Confirms, Proofs, Row, Stored};
use crate::plot::{Line, Plot};
use crate::statistics::Spread;

/// What was measured in one run.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) proofs: Option<Proofs>,
    pub(crate) confirms: Option<Confirms>,
    pub(crate) stored: Option<Stored>,
}

impl Report {
    /// Prints everything, writes what is to be kept, and says whether a gate was missed.
    pub(crate) fn tell(&self, arguments: &Arguments) -> Result<bool, Error> {
        let text = self.to_string();
        write!(std::io::stdout(), "{text}")?;
        if let Some(folder) = &arguments.write {
            let store = arguments.store.word();
            let plots = folder.join("benchmarks");
            std::fs::create_dir_all(&plots)?;
            for (name, plot) in self.plots() {
                plot.draw(&plots.join(format!("{store}-{name}.svg")))?;
            }
            put_into(&folder.join("benchmarks.md"), store, &text)?;
        }
        Ok(self.gates().iter().any(|gate| !gate.is_met()))
    }

    fn gates(&self) -> Vec<Gate> {
        let proofs = self.proofs.iter().flat_map(gate::of_proofs);
        let confirms = self.confirms.iter().flat_map(gate::of_confirms);
        let stored = self.stored.iter().flat_map(gate::of_stored);
        proofs.chain(confirms).chain(stored).collect()
    }

    fn plots(&self) -> Vec<(&'static str, Plot)> {
        let mut plots = Vec::new();
        if let Some(Confirms(rows)) = &self.confirms {
            plots.push((
                "confirms",
                Plot {
                    title: "Confirms in a second, as a share of what ran beside them",
                    under: "connections",
                    places: rows.iter().map(|row| row.connections.to_string()).collect(),
                    lines: vec![
                        Line {
                            name: "of the prototype",
                            values: rows.iter().map(|row| row.of(&row.prototype)).collect(),
                        },
                        Line {
                            name: "of the bare store",
                            values: rows.iter().map(|row| row.of(&row.bare)).collect(),
                        },
                    ],
                    gate: OF_PROTOTYPE,
                },
            ));
        }
        if let Some(Stored(levels)) = &self.stored
            && let Some(empty) = levels.first()
        {
            plots.push((
                "stored",
                Plot {
                    title: "CPU of a confirm, as a multiple of one on an empty store",
                    under: "operations on record",
                    places: levels.iter().map(|level| thousands(level.stored)).collect(),
                    lines: vec![Line {
                        name: "CPU of a confirm",
                        values: levels.iter().map(|level| level.over(empty)).collect(),
                    }],
                    gate: OVER_EMPTY,
                },
            ));
        }
        plots
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.confirms.iter().try_for_each(|confirms| table_of_confirms(f, confirms))?;
        self.stored.iter().try_for_each(|stored| table_of_stored(f, stored))?;
        self.proofs.iter().try_for_each(|proofs| table_of_proofs(f, proofs))?;
        writeln!(f, "| must hold | wanted | found | |\n| --- | --- | --- | --- |")?;
        for gate in self.gates() {
            let (sign, bound) = match gate.wanted {
                Wanted::AtLeast(least) => ("≥", least),
                Wanted::AtMost(most) => ("≤", most),
            };
            let met = if gate.is_met() { "met" } else { "**missed**" };
            writeln!(f, "| {} | {sign} {bound:.2} | {:.2} | {met} |", gate.what, gate.found)?;
        }
        Ok(())
    }
}

fn table_of_confirms(f: &mut Formatter<'_>, Confirms(rows): &Confirms) -> fmt::Result {
    writeln!(
        f,
        "| connections | of the prototype | of the bare store (batch) | its CPU, of the prototype's | confirms/s | p50, p99 | CPU of a confirm: runtime, prototype, bare store |\n\
         | --- | --- | --- | --- | --- | --- | --- |"
    )?;
    for row in rows {
        let middle =
            |slices: &[Slice], take: fn(&Slice) -> f64| Spread::of(slices.iter().map(take)).median;
        let ours = |take| middle(&row.runtime, take);
        let cpu = |slices| middle(slices, |slice| slice.cpu_us);
        writeln!(
            f,
            "| {} | {} | {} ({}) | {} | {:.0} | {:.2} ms, {:.2} ms | {:.0} µs, {:.0} µs, {:.0} µs |",
            row.connections,
            ranged(row.of(&row.prototype)),
            ranged(row.of(&row.bare)),
            row.batch,
            ranged(row.cpu_of(&row.prototype)),
            ours(|slice| slice.per_second),
            ours(|slice| slice.p50),
            ours(|slice| slice.p99),
            cpu(&row.runtime),
            cpu(&row.prototype),
            cpu(&row.bare),
        )?;
    }
    writeln!(f)?;
    table_of_postgres(f, rows)
}

/// What is measured on PostgreSQL alone, if it was.
fn table_of_postgres(f: &mut Formatter<'_>, rows: &[Row]) -> fmt::Result {
    if rows.iter().all(|row| row.beside.prototype.is_empty()) {
        return Ok(());
    }
    writeln!(
        f,
        "| connections | of the prototype that batches nothing | of the bare store, a statement each | where another process proposed: of the prototype, of that | CPU of a confirm: where another proposed, without batches |\n\
         | --- | --- | --- | --- | --- |"
    )?;
    for row in rows {
        let cpu = |slices: &[Slice]| Spread::of(slices.iter().map(|slice| slice.cpu_us)).median;
        writeln!(
            f,
            "| {} | {} | {} | {}, {} | {:.0} µs, {:.0} µs |",
            row.connections,
            ranged(row.of(&row.beside.prototype)),
            ranged(row.of(&row.beside.bare)),
            ranged(row.elsewhere_of(&row.prototype)),
            ranged(row.elsewhere_of(&row.beside.prototype)),
            cpu(&row.beside.elsewhere),
            cpu(&row.beside.prototype),
        )?;
    }
    writeln!(f)
}

fn table_of_stored(f: &mut Formatter<'_>, Stored(levels): &Stored) -> fmt::Result {
    writeln!(
        f,
        "| operations on record | CPU of a confirm, of one on an empty store | CPU of a confirm | memory |"
    )?;
    writeln!(f, "| --- | --- | --- | --- |")?;
    for level in levels {
        let over = levels.first().map(|empty| level.over(empty)).unwrap_or_default();
        let (stored, cpu) = (thousands(level.stored), level.cpu_us().median);
        let memory = level.resident();
        writeln!(f, "| {stored} | {} | {cpu:.0} µs | {memory:.0} MiB |", ranged(over))?;
    }
    writeln!(f)
}

fn table_of_proofs(f: &mut Formatter<'_>, proofs: &Proofs) -> fmt::Result {
    let middle = |values: &[f64]| Spread::of(values.iter().copied()).median;
    writeln!(
        f,
        "| proofs verified, of bare signatures | CPU of a proof: of a new key, of one that has signed before | CPU of a bare ES256 signature |\n\
         | --- | --- | --- |\n\
         | {} | {:.1} µs, {:.1} µs | {:.1} µs |\n",
        ranged(proofs.ratio()),
        middle(&proofs.whole),
        middle(&proofs.known),
        middle(&proofs.signature),
    )
}

fn ranged(Spread { median, least, most }: Spread) -> String {
    format!("{median:.2} ({least:.2} to {most:.2})")
}

fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Replaces the part of a page between the two marks of a store.
fn put_into(page: &Path, store: &str, text: &str) -> Result<(), Error> {
    let (begin, end) = (format!("<!-- {store}: begin -->\n"), format!("<!-- {store}: end -->"));
    let before = std::fs::read_to_string(page)?;
    let parts = before.split_once(&begin).and_then(|(head, rest)| {
        let (_, tail) = rest.split_once(&end)?;
        Some((head, tail))
    });
    let (head, tail) = parts.ok_or_else(|| {
        Error::said(format!("`{}` has no lines `{}` and `{end}`", page.display(), begin.trim_end()))
    })?;
    Ok(std::fs::write(page, format!("{head}{begin}\n{text}\n{end}{tail}"))?)
}

#[cfg(test)]
mod tests {
    use super::{put_into, thousands};

    #[test]
    fn only_the_part_of_the_store_that_was_measured_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("benchmarks.md");
        std::fs::write(&page, "a\n<!-- x: begin -->\nold\n<!-- x: end -->\nb\n<!-- y: begin -->\n")
            .unwrap();
        put_into(&page, "x", "new\n").unwrap();
        put_into(&page, "x", "newer\n").unwrap();
        let after = std::fs::read_to_string(&page).unwrap();
        assert_eq!(
            after,
            "a\n<!-- x: begin -->\n\nnewer\n\n<!-- x: end -->\nb\n<!-- y: begin -->\n"
        );
        assert!(put_into(&page, "y", "new").is_err());
    }

    #[test]
    fn large_numbers_are_grouped() {
        assert_eq!(
            [0, 999, 1_000, 100_000, 1_000_000].map(thousands),
            ["0", "999", "1,000", "100,000", "1,000,000"]
        );
    }
}
