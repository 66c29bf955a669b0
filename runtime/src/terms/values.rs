//! The values that terms, requests and results are made of.

use pap_protocol::catalogue::Role;
use pap_protocol::value::{Date, Decimal, Instant, LocalTime, Money, Url};

use super::{Reader, Said, Shape, Term, neutralised};
use crate::declaration::{Facts, Schema};

macro_rules! whole_numbers {
    ($($number:ty),* => $negative:expr) => {$(
        impl Shape for $number {
            #[expect(
                clippy::as_conversions,
                reason = "bounds of the type itself, in a constant"
            )]
            #[expect(clippy::allow_attributes, reason = "which of these casts lint depends on the type")]
            #[allow(
                clippy::cast_lossless,
                clippy::cast_sign_loss,
                clippy::cast_possible_wrap,
                clippy::unnecessary_cast,
                reason = "bounds of the type itself, in a constant"
            )]
            const SCHEMA: Schema =
                Schema::Integer { minimum: <$number>::MIN as i64, maximum: <$number>::MAX as u64 };
        }

        impl Said for $number {
            fn say(&self, _reader: &Reader, _format: &str, out: &mut String) {
                out.push_str(&self.to_string());
            }

            fn problem(&self, facts: &Facts) -> Option<String> {
                let negative: fn($number) -> bool = $negative;
                let wrong = facts.role == Some(Role::Quantity) && negative(*self);
                wrong.then(|| "is a negative quantity".to_owned())
            }
        }

        impl Term for $number {}
    )*};
}

whole_numbers!(u8, u16, u32, u64 => |_| false);
whole_numbers!(i8, i16, i32, i64 => |number| number < 0);

macro_rules! values {
    ($($value:ty => $schema:ident [$($format:literal),*]),* $(,)?) => {$(
        impl Shape for $value {
            const SCHEMA: Schema = Schema::$schema;
        }

        impl Term for $value {
            const FORMATS: &'static [&'static str] = &[$($format),*];
        }
    )*};
}

values! {
    String => Text [],
    bool => Boolean [],
    Decimal => Decimal [],
    Money => Money ["code"],
    Date => Date ["iso"],
    Instant => Instant ["iso", "date", "time"],
    LocalTime => LocalTime ["iso", "date", "time"],
    Url => Url [],
}

impl Said for String {
    fn say(&self, _reader: &Reader, _format: &str, out: &mut String) {
        out.push_str(&neutralised(self));
    }
}

impl Said for bool {
    fn say(&self, _reader: &Reader, _format: &str, out: &mut String) {
        out.push_str(if *self { "yes" } else { "no" });
    }
}

impl Said for Decimal {
    fn say(&self, _reader: &Reader, _format: &str, out: &mut String) {
        out.push_str(&self.to_string());
    }

    fn problem(&self, facts: &Facts) -> Option<String> {
        let negative = self.is_negative() && facts.role == Some(Role::Quantity);
        negative.then(|| "is a negative quantity".to_owned())
    }
}

impl Said for Money {
    fn say(&self, _reader: &Reader, format: &str, out: &mut String) {
        match format {
            "code" => out.extend([&self.amount().to_string(), " ", self.currency().code()]),
            _ => out.push_str(&self.to_string()),
        }
    }

    fn problem(&self, facts: &Facts) -> Option<String> {
        let what = if facts.role == Some(Role::Charge) {
            "charge"
        } else if facts.role == Some(Role::Refund) {
            "refund"
        } else {
            return None;
        };
        self.is_negative().then(|| {
            format!(
                "is a negative {what}: use a variant of its own for money that goes the other way"
            )
        })
    }
}

impl Said for Date {
    fn say(&self, _reader: &Reader, format: &str, out: &mut String) {
        match format {
            "iso" => out.push_str(&self.to_string()),
            _ => out.push_str(&self.in_words()),
        }
    }
}

impl Said for Instant {
    fn say(&self, _reader: &Reader, format: &str, out: &mut String) {
        say_moment(
            &self.at_utc().to_string(),
            &self.date_in_words(),
            &self.time_in_words(),
            format,
            out,
        );
    }
}

impl Said for LocalTime {
    fn say(&self, _reader: &Reader, format: &str, out: &mut String) {
        say_moment(&self.to_string(), &self.date_in_words(), &self.time_in_words(), format, out);
    }
}

fn say_moment(iso: &str, date: &str, time: &str, format: &str, out: &mut String) {
    match format {
        "iso" => out.push_str(iso),
        "date" => out.push_str(date),
        "time" => out.push_str(time),
        _ => out.extend([date, " at ", time]),
    }
}

impl Said for Url {
    fn say(&self, _reader: &Reader, _format: &str, out: &mut String) {
        out.push_str(&neutralised(self.as_str()));
    }
}

impl Shape for () {
    const SCHEMA: Schema = Schema::Nothing;
}

impl<T: Shape> Shape for Option<T> {
    const SCHEMA: Schema = Schema::Optional { of: &T::SCHEMA };
}

impl<T: Said> Said for Option<T> {
    fn say(&self, reader: &Reader, format: &str, out: &mut String) {
        if let Some(value) = self {
            value.say(reader, format, out);
        }
    }

    fn is_none(&self) -> bool {
        self.is_none()
    }

    fn problem(&self, facts: &Facts) -> Option<String> {
        self.as_ref().and_then(|value| value.problem(facts))
    }
}

impl<T: Term> Term for Option<T> {
    const FORMATS: &'static [&'static str] = T::FORMATS;
}

impl<T: Shape> Shape for Vec<T> {
    const SCHEMA: Schema = Schema::List { of: &T::SCHEMA };
}

impl<T: Said> Said for Vec<T> {
    fn say(&self, reader: &Reader, format: &str, out: &mut String) {
        let last = self.len().saturating_sub(1);
        for (index, value) in self.iter().enumerate() {
            match index {
                0 => {}
                _ if index == last => out.push_str(" and "),
                _ => out.push_str(", "),
            }
            value.say(reader, format, out);
        }
    }

    fn problem(&self, facts: &Facts) -> Option<String> {
        if let Some(max) = facts.max
            && self.len() > usize::try_from(max).unwrap_or(usize::MAX)
        {
            return Some(format!("holds {} values; at most {max} can be proposed", self.len()));
        }
        if self.is_empty() {
            return Some(
                "is an empty list: a summary cannot state nothing; make it optional".to_owned(),
            );
        }
        self.iter().find_map(|value| value.problem(facts))
    }
}

impl<T: Term> Term for Vec<T> {
    const FORMATS: &'static [&'static str] = T::FORMATS;
}
