//! The body of a confirm.

use serde::ser::Error as _;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

use super::{ApprovedBy, Revision};
use crate::json::{Limits, OnlyObject, Refused, decode, strict};

/// What a Personal Agent posts to confirm (section 5.2): which revision, and how it was approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[expect(clippy::exhaustive_structs, reason = "these two members are the body, by section 5.2")]
pub struct ConfirmRequest {
    /// The revision that the User approved.
    pub revision: ConfirmRevision,
    /// How.
    pub approved_by: ApprovedBy,
}

/// The `revision` of a confirm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a whole number is a revision's or it is not")]
pub enum ConfirmRevision {
    /// A number that a revision can have.
    Some(Revision),
    /// A whole number that no revision has, such as 0 or -1: never the latest, so `terms_changed`.
    NeverIssued,
}

impl ConfirmRequest {
    /// Confirms that revision.
    pub fn new(revision: Revision, approved_by: ApprovedBy) -> Self {
        Self { revision: ConfirmRevision::Some(revision), approved_by }
    }

    /// Reads the body of a confirm. Members that are not known are ignored.
    ///
    /// # Errors
    ///
    /// [`Refused`], which is `invalid_request`, if it is not strict JSON, not an object, `revision` is
    /// not a whole number written without fraction and exponent, or `approved_by` is not one of the two.
    ///
    /// # Examples
    ///
    /// ```
    /// use pap_protocol::operation::{ApprovedBy, ConfirmRequest, Revision};
    ///
    /// let request = ConfirmRequest::from_json(br#"{ "revision": 1, "approved_by": "user" }"#)?;
    /// assert_eq!(request, ConfirmRequest::new(Revision::FIRST, ApprovedBy::User));
    /// assert!(ConfirmRequest::from_json(br#"{ "revision": 1.0, "approved_by": "user" }"#).is_err());
    /// # Ok::<(), pap_protocol::json::Refused>(())
    /// ```
    pub fn from_json(bytes: &[u8]) -> Result<Self, Refused> {
        #[derive(Deserialize)]
        struct Members<'a> {
            #[serde(borrow)]
            revision: &'a RawValue,
            approved_by: ApprovedBy,
        }
        let text = strict(bytes, Limits::default())?;
        let OnlyObject(Members { revision, approved_by }) = decode(text)?;
        let revision = ConfirmRevision::from_literal(revision.get())
            .ok_or_else(|| Refused::new("`revision` is not a whole number, such as `1`"))?;
        Ok(Self { revision, approved_by })
    }
}

impl ConfirmRevision {
    /// From the text of a JSON value, so that `1.0`, `1e0` and numbers of any size are told apart.
    fn from_literal(literal: &str) -> Option<Self> {
        let digits = literal.strip_prefix('-').unwrap_or(literal);
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let number = literal.parse::<u32>().ok();
        let revision = number.and_then(|number| Revision::try_from(number).ok());
        Some(revision.map_or(Self::NeverIssued, Self::Some))
    }
}

impl Serialize for ConfirmRevision {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Some(revision) => revision.serialize(serializer),
            Self::NeverIssued => Err(S::Error::custom("no revision has this number")),
        }
    }
}
