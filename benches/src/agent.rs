//! The agent: one key, one token, and requests that are signed before the clock runs.

use pap_protocol::dpop::{Key, prove};

use crate::error::Error;
use crate::usage::now;

/// The company's public origin, which proofs are made for.
pub(crate) const ORIGIN: &str = "https://api.example.com";
/// A token of the length that signed tokens have.
pub(crate) const TOKEN: &str = "sat_eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJpc3MiOiJodHRwczovL2FwaS5leGFtcGxlLmNvbSIsInN1YiI6InVzcl9hZGEiLCJjbGllbnRfaWQiOiJodHRwczovL2FnZW50LmV4YW1wbGUvY2xpZW50Lmpzb24iLCJleHAiOjE3OTMwMDM2MDAsImNuZiI6eyJqa3QiOiIwWmNPQ09SWk5ZeS1EV3BxcTMwalp5SkdIVE4wZDJIZ2xCVjN1aWd1QTRJIn19.MEUCIQDx1Xb0nM0w2nq0F6k4mJ0u0mV3m1xgk2QwzJ9r7J8n5AIgWl8";
const BODY: &str = r#"{"revision":1,"approved_by":"user"}"#;

/// Whoever confirms.
#[derive(Debug)]
pub(crate) struct Agent {
    key: Key,
}

impl Agent {
    pub(crate) fn new() -> Result<Self, Error> {
        Ok(Self { key: Key::generate().map_err(Error::of)? })
    }

    /// What the token is bound to.
    pub(crate) fn thumbprint(&self) -> String {
        self.key.thumbprint()
    }

    /// A proof for the confirm of one operation, made now.
    pub(crate) fn proof(&self, url: &str) -> Result<String, Error> {
        prove(&self.key, "POST", url, Some(TOKEN), now(), None).map_err(Error::of)
    }

    /// The whole confirm of one operation as it goes over the wire, with a proof made now.
    pub(crate) fn confirm(&self, id: &str) -> Result<Vec<u8>, Error> {
        let path = format!("/poppy/operations/{id}/confirm");
        let proof = self.proof(&format!("{ORIGIN}{path}"))?;
        let length = BODY.len();
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: api.example.com\r\nauthorization: DPoP {TOKEN}\r\ndpop: {proof}\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n\r\n{BODY}"
        );
        Ok(request.into_bytes())
    }
}
