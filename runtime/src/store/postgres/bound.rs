//! Values on their way to a statement, with their types: nothing has to be asked of the server first, so
//! that a statement is one message there and one back, and a pooler has nothing to remember.

use std::borrow::Cow;

use pap_protocol::value::Instant;
use sha2::{Digest, Sha256};
use tokio_postgres::types::{ToSql, Type};

use crate::store::{Error, ProofUse, Value};

/// The values of one statement, in the order of their numbers.
#[derive(Default)]
pub(super) struct Bound<'v> {
    values: Vec<(Box<dyn ToSql + Sync + Send + 'v>, Type)>,
}

impl<'v> Bound<'v> {
    /// The next value.
    fn and(mut self, value: impl ToSql + Sync + Send + 'v, kind: Type) -> Self {
        self.values.push((Box::new(value), kind));
        self
    }

    pub(super) fn text(self, value: impl Into<Cow<'v, str>>) -> Self {
        self.and(value.into(), Type::TEXT)
    }

    pub(super) fn text_if_any(self, value: Option<String>) -> Self {
        self.and(value, Type::TEXT)
    }

    pub(super) fn bytes(self, value: impl Into<Vec<u8>>) -> Self {
        self.and(value.into(), Type::BYTEA)
    }

    pub(super) fn bytes_if_any(self, value: Option<Vec<u8>>) -> Self {
        self.and(value, Type::BYTEA)
    }

    pub(super) fn small(self, value: u32) -> Self {
        self.and(small(value), Type::INT4)
    }

    pub(super) fn small_if_any(self, value: Option<u32>) -> Self {
        self.and(value.map(small), Type::INT4)
    }

    pub(super) fn number(self, value: i64) -> Self {
        self.and(value, Type::INT8)
    }

    pub(super) fn number_if_any(self, value: Option<i64>) -> Self {
        self.and(value, Type::INT8)
    }

    pub(super) fn yes_or_no(self, value: bool) -> Self {
        self.and(value, Type::BOOL)
    }

    pub(super) fn texts<T>(self, values: impl Iterator<Item = T>) -> Self
    where
        T: Into<Option<&'v str>>,
    {
        self.and(values.map(Into::into).collect::<Vec<_>>(), Type::TEXT_ARRAY)
    }

    pub(super) fn byte_strings<T>(self, values: impl Iterator<Item = T>) -> Self
    where
        T: Into<Option<&'v [u8]>>,
    {
        self.and(values.map(Into::into).collect::<Vec<_>>(), Type::BYTEA_ARRAY)
    }

    pub(super) fn smalls<T: Into<Option<u32>>>(self, values: impl Iterator<Item = T>) -> Self {
        let values = values.map(|value| value.into().map(small)).collect::<Vec<_>>();
        self.and(values, Type::INT4_ARRAY)
    }

    pub(super) fn numbers<T: Into<Option<i64>>>(self, values: impl Iterator<Item = T>) -> Self {
        self.and(values.map(Into::into).collect::<Vec<_>>(), Type::INT8_ARRAY)
    }

    /// A proof, or nothing in its three places.
    pub(super) fn proof(self, proof: Option<&Proof>) -> Self {
        self.bytes_if_any(proof.map(|proof| proof.key.to_vec()))
            .bytes_if_any(proof.map(|proof| proof.ticket.to_vec()))
            .number_if_any(proof.map(|proof| proof.until))
    }

    /// As the driver takes them where the server knows their types.
    pub(super) fn values(&self) -> Vec<&(dyn ToSql + Sync)> {
        self.values.iter().map(|(value, _)| plain(value.as_ref())).collect()
    }

    /// As the driver takes them.
    pub(super) fn as_sent(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        self.values.iter().map(|(value, kind)| (plain(value.as_ref()), kind.clone())).collect()
    }
}

fn plain(value: &(dyn ToSql + Sync + Send)) -> &(dyn ToSql + Sync) {
    value
}

/// Numbers of revisions, epochs and counts: far below what the column takes.
fn small(value: u32) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

/// A proof, ready to be bound.
#[derive(Debug, Clone)]
pub(super) struct Proof {
    pub(super) key: [u8; 32],
    pub(super) ticket: [u8; 16],
    pub(super) until: i64,
}

impl Proof {
    /// Digest of thumbprint and `jti`: a row has one size whatever an agent sends.
    pub(super) fn of(proof: &ProofUse) -> Self {
        let mut digest = Sha256::new();
        for part in [&proof.thumbprint, &proof.jti] {
            // the length in front keeps ("ab", "c") and ("a", "bc") apart
            digest.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
            digest.update(part);
        }
        let (ticket, until) = (proof.ticket.0, proof.until.as_millis());
        Self { key: digest.finalize().into(), ticket, until }
    }
}

/// Milliseconds of a moment, if there is one.
pub(super) fn millis(moment: Option<Instant>) -> Option<i64> {
    moment.map(Instant::as_millis)
}

/// Refuses the one character that PostgreSQL keeps in no text.
pub(super) fn check_texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<(), Error> {
    if texts.into_iter().any(|text| text.contains('\0')) {
        return Err(Error::not_written(
            "a text holds the character U+0000, which PostgreSQL keeps in no text\n\
             help: leave it out, or write it as `\\u0000` inside JSON",
        ));
    }
    Ok(())
}

impl<'v> FromIterator<Value<'v>> for Bound<'v> {
    fn from_iter<I: IntoIterator<Item = Value<'v>>>(values: I) -> Self {
        values.into_iter().fold(Self::default(), |bound, value| match value {
            Value::Integer(number) => bound.number(number),
            Value::Text(text) => bound.text_if_any(text.map(str::to_owned)),
            Value::Bytes(bytes) => bound.bytes(bytes),
            Value::Texts(texts) => bound.texts(texts.iter().map(String::as_str)),
        })
    }
}
