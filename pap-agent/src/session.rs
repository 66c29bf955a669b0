//! What the agent presents to a Company: a Session Token and the key that proves it.

use std::error::Error;
use std::fmt::{Debug, Formatter};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use pap_protocol::dpop::Key;

/// A Session Token with the key it is bound to. `Debug` shows neither.
#[derive(Clone)]
pub struct SessionToken {
    access_token: String,
    key: Arc<Key>,
    resource: Option<String>,
    account: Option<String>,
}

impl SessionToken {
    /// That token, bound to that key, issued for no particular resource.
    pub fn new(access_token: impl Into<String>, key: Arc<Key>) -> Self {
        Self { access_token: access_token.into(), key, resource: None, account: None }
    }

    /// The token was requested with that `resource`.
    #[must_use]
    pub fn issued_for(mut self, resource: impl Into<String>) -> Self {
        self.resource = Some(resource.into());
        self
    }

    /// The Session is signed in to that account, under whatever name the host gives it. A standing
    /// permission is for one account (section 5.1).
    #[must_use]
    pub fn signed_in_to(mut self, account: impl Into<String>) -> Self {
        self.account = Some(account.into());
        self
    }

    pub(crate) fn access_token(&self) -> &str {
        &self.access_token
    }

    pub(crate) fn key(&self) -> &Key {
        &self.key
    }

    pub(crate) fn resource(&self) -> Option<&str> {
        self.resource.as_deref()
    }

    pub(crate) fn account(&self) -> Option<&str> {
        self.account.as_deref()
    }
}

impl Debug for SessionToken {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SessionToken").field("resource", &self.resource).finish_non_exhaustive()
    }
}

/// Where Session Tokens of one Company come from: the host's own side of the base protocol.
///
/// Asked before every request, so an implementation keeps a token until it expires.
pub trait Tokens: Send + Sync {
    /// A token of the Session, issued for `resource` if there is one (section 2).
    ///
    /// # Errors
    ///
    /// [`NoToken`] if there is none to be had: nothing is sent then.
    fn token(
        &self,
        resource: Option<&str>,
    ) -> impl Future<Output = Result<SessionToken, NoToken>> + Send;

    /// Another token, because the Company answered `invalid_token` to `refused`. Asked once per request.
    /// By default [`Tokens::token`] again; the same token again ends the attempt.
    ///
    /// # Errors
    ///
    /// [`NoToken`] if there is none to be had.
    fn replacement(
        &self,
        refused: &SessionToken,
    ) -> impl Future<Output = Result<SessionToken, NoToken>> + Send {
        self.token(refused.resource())
    }
}

/// No Session Token could be had, and why.
#[derive(Debug, thiserror::Error)]
#[error("no Session Token could be had")]
pub struct NoToken {
    #[source]
    source: Arc<dyn Error + Send + Sync>,
}

impl NoToken {
    /// For that reason.
    pub fn new(source: impl Error + Send + Sync + 'static) -> Self {
        Self { source: Arc::new(source) }
    }
}

type Promise<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// [`Tokens`] behind a pointer, so that the client has no type parameter for it.
pub(crate) trait AnyTokens: Send + Sync {
    fn token<'a>(&'a self, resource: Option<&'a str>)
    -> Promise<'a, Result<SessionToken, NoToken>>;

    fn replacement<'a>(
        &'a self,
        refused: &'a SessionToken,
    ) -> Promise<'a, Result<SessionToken, NoToken>>;
}

impl<T: Tokens> AnyTokens for T {
    fn token<'a>(
        &'a self,
        resource: Option<&'a str>,
    ) -> Promise<'a, Result<SessionToken, NoToken>> {
        Box::pin(Tokens::token(self, resource))
    }

    fn replacement<'a>(
        &'a self,
        refused: &'a SessionToken,
    ) -> Promise<'a, Result<SessionToken, NoToken>> {
        Box::pin(Tokens::replacement(self, refused))
    }
}
