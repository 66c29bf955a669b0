//! Columns for people.

use std::io::{self, Write};

use super::words::plain;

/// Writes rows under their heads, each column as wide as it has to be.
pub(super) fn table<const N: usize>(
    out: &mut dyn Write,
    heads: [&str; N],
    rows: &[[String; N]],
) -> io::Result<()> {
    let rows: Vec<[String; N]> =
        rows.iter().map(|row| row.each_ref().map(|cell| plain(cell))).collect();
    let mut widths = heads.map(|head| head.chars().count());
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    line(out, &widths, &heads)?;
    rows.iter().try_for_each(|row| line(out, &widths, &row.each_ref().map(String::as_str)))
}

fn line(out: &mut dyn Write, widths: &[usize], cells: &[&str]) -> io::Result<()> {
    let mut text = String::new();
    for (width, cell) in widths.iter().zip(cells) {
        text.push_str(&format_cell(cell, *width));
    }
    writeln!(out, "{}", text.trim_end())
}

fn format_cell(cell: &str, width: usize) -> String {
    format!("{cell:<width$}  ")
}
