//! One way for everything that is a string on the wire: read by `FromStr`, written by `Display`.

use std::fmt::{Display, Formatter};
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Deserializer, Error, Unexpected, Visitor};

use crate::value::NotAValue;

/// Makes a type with `Display` and `FromStr` a strict string for serde: a number, `null` or an object
/// with the same meaning is refused.
macro_rules! wire_string {
    ($name:ty, $expected:expr) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                crate::text::read(deserializer, $expected)
            }
        }
    };
}
pub(crate) use wire_string;

pub(crate) fn read<'de, D, T>(deserializer: D, expected: &'static str) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err = NotAValue>,
{
    deserializer.deserialize_str(Text { expected, read: PhantomData })
}

struct Text<T> {
    expected: &'static str,
    read: PhantomData<T>,
}

impl<T: FromStr<Err = NotAValue>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        // the text itself stays out of the message: it may be a term or a secret
        text.parse().map_err(|refused: NotAValue| {
            E::invalid_value(NOT_SHOWN, &Expected(refused.expected()))
        })
    }
}

const NOT_SHOWN: Unexpected<'_> = Unexpected::Other("the text");

struct Expected<'a>(&'a str);

impl serde::de::Expected for Expected<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        Display::fmt(self.0, f)
    }
}
