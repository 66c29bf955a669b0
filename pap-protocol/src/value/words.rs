//! Dates and times in plain English, for a summary.

use jiff::civil;

use super::rfc3339::Zone;

/// Such as `8 October 2026`.
pub(super) fn date(date: civil::Date) -> String {
    format!("{} {} {}", date.day(), month(date.month()), date.year())
}

/// Such as `19:20 UTC` or `09:00 (UTC+01:00)`; seconds only where there are some.
pub(super) fn time(time: civil::Time, zone: Zone) -> String {
    let seconds = match time.second() {
        0 => String::new(),
        second => format!(":{second:02}"),
    };
    let zone = match zone {
        Zone::Z | Zone::Offset(0) => " UTC".to_owned(),
        Zone::Offset(minutes) => {
            let sign = if minutes < 0 { '-' } else { '+' };
            format!(" (UTC{sign}{:02}:{:02})", minutes.abs() / 60, minutes.abs() % 60)
        }
    };
    format!("{:02}:{:02}{seconds}{zone}", time.hour(), time.minute())
}

fn month(number: i8) -> &'static str {
    match number {
        1 => "January",
        2 => "February",
        3 => "March",
        4 => "April",
        5 => "May",
        6 => "June",
        7 => "July",
        8 => "August",
        9 => "September",
        10 => "October",
        11 => "November",
        _ => "December",
    }
}
