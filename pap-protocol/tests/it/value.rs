//! The values: one text each, and no text that is another value elsewhere.

use std::collections::BTreeSet;
use std::time::Duration;

use pap_protocol::value::{Currency, Date, Decimal, Instant, LocalTime, Money, Url};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Reads a JSON string and writes it again.
fn again<T: DeserializeOwned + Serialize>(text: &str) -> Option<String> {
    let value: T = serde_json::from_str(&format!("\"{text}\"")).ok()?;
    let written = serde_json::to_string(&value).unwrap();
    Some(written.trim_matches('"').to_owned())
}

#[track_caller]
fn check_kept<T: DeserializeOwned + Serialize>(texts: &[&str]) {
    for text in texts {
        assert_eq!(again::<T>(text).as_deref(), Some(*text));
    }
}

#[track_caller]
fn check_none<T: DeserializeOwned + Serialize>(texts: &[&str]) {
    for text in texts {
        assert_eq!(again::<T>(text), None, "{text:?}");
    }
    for other in ["1", "1.5", "null", "true", "[]", "{}"] {
        assert!(serde_json::from_str::<T>(other).is_err(), "{other}");
    }
}

#[test]
fn a_moment_is_written_as_it_was_read() {
    check_kept::<Instant>(&[
        "2026-10-08T12:20:00-07:00",
        "2026-10-08T19:20:00Z",
        "2026-10-08T19:20:00+00:00",
        "2026-10-08T19:20:00.5Z",
        "2026-10-08T19:20:00.05+05:45",
        "2026-10-08T19:20:00.123-23:59",
        "2024-02-29T00:00:00Z",
        "0001-01-01T00:00:00+23:59",
    ]);
    for (read, written) in [
        ("2026-10-08t19:20:00z", "2026-10-08T19:20:00Z"),
        ("2026-10-08T19:20:00.1239999999999Z", "2026-10-08T19:20:00.123Z"),
        ("2026-10-08T19:20:00.500Z", "2026-10-08T19:20:00.5Z"),
        ("2026-10-08T19:20:00.0004Z", "2026-10-08T19:20:00Z"),
        ("2026-10-08T19:20:00-00:00", "2026-10-08T19:20:00Z"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"),
    ] {
        assert_eq!(again::<Instant>(read).as_deref(), Some(written));
    }
}

#[test]
fn what_is_not_rfc_3339_is_no_moment() {
    check_none::<Instant>(&[
        "",
        "2026-10-08",
        "2026-10-08T19:20:00",
        "2026-10-08 19:20:00Z",
        "2026-10-08T19:20Z",
        "2026-10-08T19:20:00+02",
        "2026-10-08T19:20:00+0200",
        "2026-10-08T19:20:00+24:00",
        "2026-10-08T19:20:00+02:60",
        "2026-10-08T19:20:00.Z",
        "2026-10-08T19:20:00,5Z",
        "2026-10-08T24:00:00Z",
        "2026-10-08T19:60:00Z",
        "2026-10-08T19:20:61Z",
        "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-10-08T19:20:00+02:00[Europe/Berlin]",
        "20261008T192000Z",
        "+002026-10-08T19:20:00Z",
        "9999-12-31T23:59:59Z",
        "0000-01-01T00:00:00Z",
        " 2026-10-08T19:20:00Z",
        "2026-10-08T19:20:00Zz",
    ]);
}

#[test]
fn a_moment_is_the_same_in_every_offset() {
    let there: Instant = "2026-10-08T12:20:00-07:00".parse().unwrap();
    let here: Instant = "2026-10-08T19:20:00Z".parse().unwrap();
    assert_eq!(there, here);
    assert_eq!(there.at_utc().to_string(), "2026-10-08T19:20:00Z");
    assert_eq!(Instant::from_millis(there.as_millis()), there);
    let later = there.saturating_add(Duration::from_millis(1500));
    assert_eq!(later.to_string(), "2026-10-08T12:20:01.5-07:00");
    assert!(later > here);
    assert_eq!(later.saturating_sub(Duration::from_millis(1500)), here);
    assert_eq!(here.saturating_add(Duration::MAX), Instant::MAX);
    assert_eq!(here.saturating_sub(Duration::MAX), Instant::MIN);
    assert_eq!(
        (here.date_in_words(), here.time_in_words()),
        ("8 October 2026".into(), "19:20 UTC".into())
    );
    assert_eq!(later.time_in_words(), "19:20:01 UTC");
}

#[test]
fn a_day_is_a_day_of_the_calendar() {
    check_kept::<Date>(&["2026-10-08", "2024-02-29", "0000-01-01", "9999-12-31"]);
    check_none::<Date>(&[
        "",
        "2026-02-29",
        "2026-1-1",
        "2026-10-08T00:00:00Z",
        "20261008",
        "2026-13-01",
    ]);
    let date = Date::new(2026, 10, 8).unwrap();
    assert_eq!((date.to_string(), date.in_words()), ("2026-10-08".into(), "8 October 2026".into()));
    assert_eq!((date.year(), date.month(), date.day()), (2026, 10, 8));
    assert!(Date::new(2026, 2, 29).is_err() && Date::new(-1, 1, 1).is_err());
    assert!(date < "2026-10-09".parse().unwrap());
}

#[test]
fn a_local_time_has_the_offset_of_its_place() {
    for (clocks, place, written) in [
        ("2026-11-12T09:00:00", "Europe/Berlin", "2026-11-12T09:00:00+01:00"),
        ("2026-07-12T09:00:00.250", "Europe/Berlin", "2026-07-12T09:00:00.25+02:00"),
        ("2026-01-12T09:00:00", "Europe/London", "2026-01-12T09:00:00+00:00"),
        ("2026-01-12T09:00:00", "Asia/Kathmandu", "2026-01-12T09:00:00+05:45"),
        ("2026-01-12T09:00:00", "America/Los_Angeles", "2026-01-12T09:00:00-08:00"),
    ] {
        let local = LocalTime::in_place(clocks, place).unwrap();
        assert_eq!(local.to_string(), written);
        assert_eq!(local.time_zone(), Some(place));
        assert_eq!(LocalTime::new(local.instant(), place).unwrap(), local);
        let read: LocalTime = written.parse().unwrap();
        assert_eq!(read, local, "what is read back is equal");
        assert_eq!((read.time_zone(), read.to_string()), (None, written.to_owned()));
    }
    let berlin = LocalTime::in_place("2026-11-12T09:00:00", "Europe/Berlin").unwrap();
    assert_eq!(berlin.date_in_words(), "12 November 2026");
    assert_eq!(berlin.time_in_words(), "09:00 (UTC+01:00)");
    let elsewhere: LocalTime = "2026-11-12T08:00:00Z".parse().unwrap();
    assert_ne!(elsewhere, berlin, "the same moment on other clocks");
    check_kept::<LocalTime>(&["2026-11-12T08:00:00Z", "2026-11-12T08:00:00-03:30"]);
    check_none::<LocalTime>(&["2026-11-12T08:00:00", "2026-11-12T09:00:00+01:00[Europe/Berlin]"]);
}

#[test]
fn a_local_time_that_is_none_or_two_is_refused() {
    // the clocks go from 02:00 to 03:00, and from 03:00 back to 02:00
    assert!(LocalTime::in_place("2026-03-29T02:30:00", "Europe/Berlin").is_err());
    assert!(LocalTime::in_place("2026-10-25T02:30:00", "Europe/Berlin").is_err());
    assert!(LocalTime::in_place("2026-10-25T03:30:00", "Europe/Berlin").is_ok());
    assert!(LocalTime::in_place("2026-10-25T03:30:00", "Europe/Springfield").is_err());
    assert!(LocalTime::in_place("2026-10-25T03:30:00Z", "Europe/Berlin").is_err());
    // an offset of minutes and seconds, which RFC 3339 cannot write
    assert!(LocalTime::in_place("1880-01-01T00:00:00", "America/New_York").is_err());
}

#[test]
fn a_decimal_has_one_notation() {
    check_kept::<Decimal>(&[
        "0",
        "12.50",
        "-12.5",
        "0.000",
        "-0.01",
        "7922816251426433759354395033",
    ]);
    check_none::<Decimal>(&[
        "",
        "-",
        "+1",
        "01",
        "-01",
        ".5",
        "1.",
        "1e3",
        "1E3",
        "1_000",
        "1,000",
        " 1",
        "1 ",
        "NaN",
        "0x1",
        "１",
        "99999999999999999999999999999999",
        "0.00000000000000000000000000000000001",
    ]);
    assert_eq!(again::<Decimal>("-0.00").as_deref(), Some("0.00"));
    let decimal = Decimal::new(1250, 2).unwrap();
    assert_eq!((decimal.to_string(), decimal.scale()), ("12.50".to_owned(), 2));
    assert_eq!(decimal, "12.5".parse().unwrap());
    assert!(Decimal::new(1, 29).is_err());
    assert!(Decimal::new(-1, 0).unwrap().is_negative());
    let zero = Decimal::from(-rust_decimal::Decimal::new(0, 2));
    assert_eq!((zero.to_string().as_str(), zero.is_negative()), ("0.00", false));
    assert_eq!(Decimal::from(decimal.to_rust_decimal()), decimal);
    let sorted: BTreeSet<Decimal> = ["2", "-1", "1.5"].map(|text| text.parse().unwrap()).into();
    assert_eq!(
        sorted.into_iter().map(|one| one.to_string()).collect::<Vec<_>>(),
        ["-1", "1.5", "2"]
    );
}

#[test]
fn money_has_the_digits_of_its_currency_and_is_said_in_english() {
    for (amount, currency, kept, said) in [
        ("70", "USD", "70.00", "$70.00"),
        ("70.00", "USD", "70.00", "$70.00"),
        ("70.0", "USD", "70.00", "$70.00"),
        ("-5", "USD", "-5.00", "-$5.00"),
        ("-0", "USD", "0.00", "$0.00"),
        ("12", "EUR", "12.00", "€12.00"),
        ("3.5", "GBP", "3.50", "£3.50"),
        ("700", "JPY", "700", "¥700"),
        ("1.5", "KWD", "1.500", "KWD 1.500"),
        ("70", "CAD", "70.00", "CAD 70.00"),
        ("70", "CNY", "70.00", "CNY 70.00"),
        ("-70", "CAD", "-70.00", "-CAD 70.00"),
        ("1250000.5", "USD", "1250000.50", "$1250000.50"),
    ] {
        let money = Money::parse(amount, currency).unwrap();
        assert_eq!(money.amount().to_string(), kept);
        assert_eq!(money.to_string(), said);
        let wire = serde_json::to_string(&money).unwrap();
        assert_eq!(wire, format!(r#"{{"amount":"{kept}","currency":"{currency}"}}"#));
        assert_eq!(serde_json::from_str::<Money>(&wire).unwrap(), money);
        assert_eq!(format!("{amount} {currency}").parse::<Money>().unwrap(), money);
        assert_eq!(money.is_negative(), said.starts_with('-'));
    }
    assert_eq!(Money::usd("5").unwrap().currency().code(), "USD");
}

#[test]
fn an_amount_that_the_currency_cannot_have_is_refused() {
    for (amount, currency) in [
        ("0.5", "JPY"),
        ("1.005", "USD"),
        ("1.0001", "KWD"),
        ("1", "usd"),
        ("1", "US"),
        ("1", "XXX"),
        ("1", "XAU"),
        ("7922816251426433759354395033543", "USD"),
        ("79228162514264337593543950335", "USD"),
    ] {
        assert!(Money::parse(amount, currency).is_err(), "{amount} {currency}");
    }
    // zeros that change nothing are no more precise
    assert_eq!(Money::parse("1.00", "JPY").unwrap().to_string(), "¥1");
    let refused = Money::parse("0.5", "JPY").unwrap_err().to_string();
    assert_eq!(refused, "expected an amount with at most 0 digits after the point, as JPY has");
    for wire in [
        r#"{"amount":70,"currency":"USD"}"#,
        r#"{"amount":"70.00"}"#,
        r#"{"amount":"0.5","currency":"JPY"}"#,
        r#"["70.00","USD"]"#,
        r#""70.00 USD""#,
    ] {
        assert!(serde_json::from_str::<Money>(wire).is_err(), "{wire}");
    }
}

#[test]
fn currencies_have_the_digits_of_iso_4217() {
    let digits = |code: &str| code.parse::<Currency>().map(Currency::digits);
    for none in
        ["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "XAF"]
    {
        assert_eq!(digits(none), Ok(0), "{none}");
    }
    for three in ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"] {
        assert_eq!(digits(three), Ok(3), "{three}");
    }
    for two in ["USD", "EUR", "GBP", "CHF", "CNY", "INR", "BRL", "MXN", "SEK", "TRY", "ZAR"] {
        assert_eq!(digits(two), Ok(2), "{two}");
    }
    check_kept::<Currency>(&["USD", "KWD"]);
    check_none::<Currency>(&["", "usd", "USDX", "XXX", "840"]);
}

#[test]
fn an_address_is_https_and_the_same_to_every_reader() {
    check_kept::<Url>(&[
        "https://example.com",
        "https://example.com/orders/ord_7Hk2/exchanges/exc_5Rt2",
        "HTTPS://Example.COM:8443/a%20b/?q=%C3%A9&x=(1)#part",
        "https://localhost/",
        "https://127.0.0.1:8080/",
        "https://[2001:db8::1]:443/",
        "https://xn--bcher-kva.example./",
    ]);
    check_none::<Url>(&[
        "",
        "http://example.com/",
        "//example.com/",
        "/orders",
        "https:/example.com",
        "https:example.com",
        "https:///path",
        "https://",
        "https://user@example.com/",
        "https://user:pw@example.com/",
        "https://example.com@evil.example/",
        "https://example.com:0/",
        "https://example.com:65536/",
        "https://example.com:/",
        "https://example.com:80a/",
        "https://exa mple.com/",
        "https://example.com/a b",
        "https://example.com/ä",
        "https://exämple.com/",
        "https://example.com/%zz",
        "https://example.com/%4",
        "https://0x7f.1/",
        "https://127.1/",
        "https://010.0.0.1/",
        "https://1/",
        "https://[::1/",
        "https://[::1]a/",
        "https://-a.example/",
        "https://a_b.example/",
        "https://a..example/",
        " https://example.com/",
        "https://example.com/#a#b",
    ]);
    for bad in
        ["https://example.com\\@evil.example/", "https://example.com/\n", "https://exa\tmple.com/"]
    {
        assert!(bad.parse::<Url>().is_err(), "{bad:?}");
    }
    let url: Url = "https://Example.com:8443/a".parse().unwrap();
    assert_eq!((url.host(), url.as_str()), ("Example.com", "https://Example.com:8443/a"));
}

#[test]
fn a_refusal_says_what_was_expected_and_not_what_was_found() {
    let refused = serde_json::from_str::<Instant>("\"sat_secret\"").unwrap_err().to_string();
    assert!(refused.contains("expected a moment with its zone"), "{refused}");
    assert!(!refused.contains("sat_secret"), "{refused}");
    let refused = "sat_secret".parse::<Url>().unwrap_err();
    assert_eq!(
        refused.to_string(),
        "expected an absolute `https` address, such as `https://example.com/orders`"
    );
}

proptest! {
    #[test]
    fn every_moment_can_be_written_and_read(millis: i64, by: u64) {
        let instant = Instant::from_millis(millis);
        let text = instant.to_string();
        let read: Instant = text.parse().unwrap();
        prop_assert_eq!(read.as_millis(), instant.as_millis());
        prop_assert_eq!(read.to_string(), text);
        let later = instant.saturating_add(Duration::from_millis(by));
        prop_assert!(later >= instant && later <= Instant::MAX);
        prop_assert!(instant.saturating_sub(Duration::from_millis(by)) <= instant);
    }

    #[test]
    fn moments_read_as_jiff_reads_them(text in "[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9](\\.[0-9]{1,9})?(Z|[+-][01][0-9]:[0-5][0-9])") {
        if let Ok(instant) = text.parse::<Instant>() {
            let timestamp: jiff::Timestamp = text.parse().unwrap();
            // both cut off towards the past
            let millis = timestamp.as_nanosecond().div_euclid(1_000_000);
            prop_assert_eq!(i128::from(instant.as_millis()), millis);
            let written = instant.to_string();
            prop_assert_eq!(written.parse::<Instant>().unwrap(), instant);
        }
    }

    #[test]
    fn decimals_and_money_keep_their_text(mantissa: i64, scale in 0_u32..=28) {
        let decimal = Decimal::new(mantissa, scale).unwrap();
        let read: Decimal = decimal.to_string().parse().unwrap();
        prop_assert_eq!(read, decimal);
        prop_assert_eq!(read.to_string(), decimal.to_string());
        prop_assert_eq!(read.is_negative(), mantissa < 0);
        for currency in ["USD", "JPY", "KWD"] {
            let currency: Currency = currency.parse().unwrap();
            if let Ok(money) = Money::new(decimal, currency) {
                prop_assert_eq!(money.amount(), decimal);
                prop_assert_eq!(money.amount().scale(), currency.digits());
            }
        }
    }

    #[test]
    fn no_text_is_too_strange(text in prop_oneof![any::<String>(), "[0-9TZ:.+-]{0,26}"]) {
        // whatever is accepted is written, and what is written is accepted
        prop_assert!(text.parse::<Instant>().map_or(true, |read| read.to_string().parse() == Ok(read)));
        prop_assert!(text.parse::<Date>().map_or(true, |read| read.to_string().parse() == Ok(read)));
        prop_assert!(text.parse::<Decimal>().map_or(true, |read| read.to_string().parse() == Ok(read)));
        prop_assert!(text.parse::<Currency>().map_or(true, |read| read.to_string() == text));
        prop_assert!(text.parse::<Url>().map_or(true, |read| read.to_string() == text));
        let local = text.parse::<LocalTime>();
        prop_assert!(local.map_or(true, |read| read.to_string().parse() == Ok(read)));
        prop_assert!(text.parse::<Money>().map_or(true, |read| !read.to_string().is_empty()));
    }

    /// What is accepted here, the web's own reader sees in the same way.
    #[test]
    fn an_address_has_the_host_that_browsers_see(
        host in "[a-zA-Z0-9.\\[\\]:@%-]{1,12}", rest in "(:[0-9]{0,5})?[/?#][a-z0-9/?#%@:\\\\ .-]{0,8}",
    ) {
        let text = format!("https://{host}{rest}");
        if let Ok(url) = text.parse::<Url>() && !text.to_lowercase().contains("xn--") {
            let seen = url::Url::parse(&text).unwrap();
            prop_assert_eq!(seen.scheme(), "https");
            prop_assert_eq!(seen.username(), "");
            prop_assert_eq!(seen.password(), None);
            let host = url.host().to_lowercase();
            if host.starts_with('[') {
                let address: std::net::Ipv6Addr = host.trim_matches(['[', ']']).parse().unwrap();
                prop_assert_eq!(seen.host(), Some(url::Host::Ipv6(address)));
            } else {
                prop_assert_eq!(seen.host_str(), Some(host.as_str()));
            }
        }
    }
}
