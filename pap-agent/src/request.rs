//! What the agent asks a Company's API for.

use std::fmt::{Debug, Display, Formatter};

use pap_protocol::json::canonical;
use pap_protocol::value::{NotAValue, Url};
use reqwest::Method;
use serde::{Deserialize, Serialize};

use crate::digest::Digest;

/// A request to a Company's API: the same with the extension as without (section 4.1).
///
/// `Debug` shows neither query nor body: they are what the User asked for.
///
/// # Examples
///
/// ```
/// use pap_agent::Request;
///
/// let request = Request::post("https://api.example.com/orders/ord_7Hk2/exchanges")?
///     .json(&serde_json::json!({ "item_id": "itm_4Qa", "replacement_sku": "stormline-insulated-m" }))
///     .action("orders.exchange");
/// # Ok::<(), pap_agent::NotARequest>(())
/// ```
#[derive(Clone)]
pub struct Request {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) body: Option<String>,
    pub(crate) resource: Option<String>,
    pub(crate) action: Option<String>,
    pub(crate) idempotency_key: String,
    key: Option<String>,
}

impl Request {
    /// A `POST` to that `https` address.
    ///
    /// # Errors
    ///
    /// [`NotARequest`] if it is not an absolute `https` address, or the system has no randomness to give.
    pub fn post(url: &str) -> Result<Self, NotARequest> {
        Self::new(Method::POST, url)
    }

    /// A request with that method to that `https` address.
    ///
    /// # Errors
    ///
    /// [`NotARequest`] if it is not an absolute `https` address, or the system has no randomness to give.
    pub fn new(method: Method, url: &str) -> Result<Self, NotARequest> {
        Ok(Self {
            method,
            url: url.parse()?,
            body: None,
            resource: None,
            action: None,
            idempotency_key: uuid_v4(getrandom::fill)?,
            key: None,
        })
    }

    /// With that JSON body.
    #[must_use]
    pub fn json(mut self, body: &serde_json::Value) -> Self {
        self.body = Some(body.to_string());
        self
    }

    /// With the action's stable name, such as `orders.exchange`, where the Company's API description
    /// has one. A standing permission is for one action (section 5.1): without a name none covers it.
    #[must_use]
    pub fn action(mut self, name: impl Into<String>) -> Self {
        self.action = Some(name.into());
        self
    }

    /// The API's entry in the discovery document has that `resource`: the token must be issued for it.
    #[must_use]
    pub fn resource(mut self, resource: impl Into<String>) -> Self {
        self.resource = Some(resource.into());
        self
    }

    /// What makes two requests ask for the same action, in the place of method, address and body.
    #[must_use]
    pub fn same_action_as(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Which action this asks for: two requests with the same one ask for the same action.
    pub fn action_key(&self) -> ActionKey {
        if let Some(key) = &self.key {
            return ActionKey(Digest::of(["key", key]));
        }
        let body = self.body.as_deref().map(canonical).unwrap_or_default();
        ActionKey(Digest::of(["request", self.method.as_str(), self.url.as_str(), &body]))
    }
}

impl Debug for Request {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let path = self.url.as_str().split(['?', '#']).next();
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("url", &path.unwrap_or_default())
            .field("action", &self.action)
            .finish_non_exhaustive()
    }
}

/// Why there is no request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotARequest {
    /// The address is not an absolute `https` address.
    #[error(transparent)]
    Address(#[from] NotAValue),
    /// The system has no randomness to give for the idempotency key: one that can be guessed is worse
    /// than none. Nothing was sent, and it can be tried later.
    #[error("no idempotency key could be made: the system has no randomness to give")]
    NoRandomness,
}

/// Which action a request asks for: a digest of the method, the address and the canonical body, or of
/// the host's own key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ActionKey(Digest);

impl Display for ActionKey {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        Display::fmt(&self.0, f)
    }
}

/// 122 random bits in the form of RFC 9562.
fn uuid_v4(
    fill: impl FnOnce(&mut [u8]) -> Result<(), getrandom::Error>,
) -> Result<String, NotARequest> {
    let mut bits = [0_u8; 16];
    fill(&mut bits).map_err(|_says_no_more| NotARequest::NoRandomness)?;
    let number = u128::from_be_bytes(bits) & !(0xf << 76) & !(0x3 << 62) | 0x4 << 76 | 0x2 << 62;
    let hex = format!("{number:032x}");
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
    let parts = [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)];
    Ok(parts.join("-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(body: &str) -> Request {
        let request = Request::post("https://api.example.com/exchanges").unwrap();
        request.json(&serde_json::from_str(body).unwrap())
    }

    #[test]
    fn the_same_request_is_the_same_action_however_it_is_written() {
        let first = exchange(r#"{"item":"itm_4Qa","sku":"m"}"#);
        let again = exchange(r#"{ "sku": "m", "item": "\u0069tm_4Qa" }"#);
        assert_eq!(first.action_key(), again.action_key());
        assert_ne!(first.idempotency_key, again.idempotency_key);
        assert_ne!(first.action_key(), exchange(r#"{"item":"itm_4Qa","sku":"l"}"#).action_key());
        assert_eq!(
            first.same_action_as("exchange itm_4Qa").action_key(),
            exchange("{}").same_action_as("exchange itm_4Qa").action_key(),
        );
    }

    #[test]
    fn an_idempotency_key_is_a_random_uuid() {
        let key = uuid_v4(getrandom::fill).unwrap();
        let form: String =
            key.chars().map(|c| if c.is_ascii_hexdigit() { 'x' } else { c }).collect();
        assert_eq!(form, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx");
        assert_eq!(key.as_bytes()[14], b'4');
        assert!(matches!(key.as_bytes()[19], b'8' | b'9' | b'a' | b'b'));
    }

    #[test]
    fn without_randomness_there_is_no_idempotency_key_and_it_is_said() {
        let refused = uuid_v4(|_bits| Err(getrandom::Error::UNSUPPORTED)).unwrap_err();
        let said = "no idempotency key could be made: the system has no randomness to give";
        assert_eq!(refused.to_string(), said);
    }
}
