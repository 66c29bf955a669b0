//! How a company and a trial speak to the downstream.

use std::fmt::{Display, Formatter};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::ledger::Noted;
use super::{Answer, Ask, Key, Keys};

/// A caller of the downstream. Clones are one.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    address: String,
}

/// There was no answer: nobody knows what came of it.
#[derive(Debug)]
pub struct NoAnswer(String);

impl Display for NoAnswer {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "no answer from the downstream: {}", self.0)
    }
}

impl std::error::Error for NoAnswer {}

impl From<reqwest::Error> for NoAnswer {
    fn from(error: reqwest::Error) -> Self {
        Self(error.to_string())
    }
}

impl Client {
    /// A caller of the downstream at this address.
    ///
    /// # Errors
    ///
    /// [`NoAnswer`] if no HTTP client can be made.
    pub fn at(address: impl Into<String>) -> Result<Self, NoAnswer> {
        let http = reqwest::Client::builder().no_proxy().build()?;
        Ok(Self { http, address: address.into() })
    }

    /// Asks for an effect; `None` if it is refused, and then it never happens.
    ///
    /// # Errors
    ///
    /// [`NoAnswer`] if nobody knows.
    pub async fn effect(&self, ask: &Ask) -> Result<Option<Answer>, NoAnswer> {
        let sent = self.http.post(format!("{}/effect", self.address)).json(ask).send();
        let response = sent.await?;
        if response.status() == reqwest::StatusCode::CONFLICT {
            return Ok(None);
        }
        let response = response.error_for_status()?;
        Ok(Some(response.json().await?))
    }

    /// Refuses a key from now on: [`Answer::Fenced`], or [`Answer::Happened`] if it is too late.
    ///
    /// # Errors
    ///
    /// [`NoAnswer`] if nobody knows whether it is fenced.
    pub async fn fence(&self, key: &str) -> Result<Answer, NoAnswer> {
        self.ask("fence", &Key { key: key.to_owned() }).await
    }

    /// Whether a key has taken effect: [`Answer::Happened`], or [`Answer::NotSeen`] so far.
    ///
    /// # Errors
    ///
    /// [`NoAnswer`] if nobody knows.
    pub async fn look(&self, key: &str) -> Result<Answer, NoAnswer> {
        self.ask("look", &Key { key: key.to_owned() }).await
    }

    /// Takes a hold of this name, or lets it go.
    ///
    /// # Errors
    ///
    /// [`NoAnswer`] if nobody knows.
    pub async fn note(&self, what: Noted, key: &str) -> Result<(), NoAnswer> {
        let url = format!("{}/{}", self.address, what.word());
        let sent = self.http.post(url).json(&Key { key: key.to_owned() }).send();
        sent.await?.error_for_status()?;
        Ok(())
    }

    /// Whether a request for this key is held on its way.
    ///
    /// # Errors
    ///
    /// [`NoAnswer`] if nobody knows.
    pub async fn is_held(&self, key: &str) -> Result<bool, NoAnswer> {
        self.ask("held", &Key { key: key.to_owned() }).await
    }

    /// Delivers every request that is held.
    ///
    /// # Errors
    ///
    /// [`NoAnswer`] if nobody knows.
    pub async fn let_go(&self) -> Result<(), NoAnswer> {
        let sent = self.http.post(format!("{}/let-go", self.address)).send();
        sent.await?.error_for_status()?;
        Ok(())
    }

    /// Whether a key that took effect is not done again. Off at first.
    ///
    /// # Errors
    ///
    /// [`NoAnswer`] if nobody knows.
    pub async fn honour_keys(&self, honoured: bool) -> Result<(), NoAnswer> {
        let sent = self.http.post(format!("{}/honour", self.address)).json(&Keys { honoured });
        sent.send().await?.error_for_status()?;
        Ok(())
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        what: &str,
        body: &impl Serialize,
    ) -> Result<T, NoAnswer> {
        let sent = self.http.post(format!("{}/{what}", self.address)).json(body).send();
        Ok(sent.await?.error_for_status()?.json().await?)
    }
}
