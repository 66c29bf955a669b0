//! From JSON text to types.

use std::fmt::Formatter;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{Limits, Refused, strict};

/// Decodes a strict JSON document of at most 1 MiB: [`strict`], then serde.
///
/// # Errors
///
/// [`Refused`] if the document is not strict JSON or does not hold a `T`.
pub fn strict_as<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refused> {
    decode(strict(bytes, Limits::default())?)
}

/// Decodes a text that [`strict`] has passed.
///
/// # Errors
///
/// [`Refused`] if the text does not hold a `T`; unlike `serde_json`'s own error it repeats no value.
pub fn decode<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, Refused> {
    serde_json::from_str(text).map_err(|error| Refused::from_serde(&error, text))
}

/// Reads an object, and refuses a list that could stand for one: what serde derives also reads
/// `[1, "user"]`.
pub(crate) fn only_object<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    deserializer.deserialize_map(Members(PhantomData))
}

/// Reads a member that is always there, and is an object or `null`: serde by itself takes absence for
/// `null`.
pub(crate) fn object_or_null<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Ok(Option::<OnlyObject<T>>::deserialize(deserializer)?.map(|OnlyObject(object)| object))
}

/// Reads a member that may be absent and is never `null`; goes with `#[serde(default)]`.
pub(crate) fn not_null<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// A value that was an object.
pub(crate) struct OnlyObject<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OnlyObject<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        only_object(deserializer).map(Self)
    }
}

struct Members<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
    type Value = T;

    fn expecting(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(members))
    }
}
