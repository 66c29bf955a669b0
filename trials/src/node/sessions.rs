//! Session Tokens that say themselves what they stand for: every node knows them, also after a restart.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;

use axum::http::request::Parts;
use pap_runtime::http::{SessionToken, Sessions, TokenRefused};
use pap_runtime::{ExtensionDescriptor, Session};

/// The scope that every operation of the trials needs.
pub const SCOPE: &str = "trials:write";

/// The token of a Session: signed in to `account`, if there is one, with these scopes. A company of the
/// world's must not make tokens like this: anybody can write one.
pub fn token(thumbprint: &str, user: &str, account: Option<&str>, scopes: &[&str]) -> String {
    format!("sat~{thumbprint}~{user}~{}~{}", account.unwrap_or_default(), scopes.join("+"))
}

/// Takes tokens at their word.
pub(super) struct FromToken;

impl Sessions for FromToken {
    fn session<'a>(
        &'a self,
        token: &'a SessionToken,
        _request: &'a Parts,
    ) -> Pin<Box<dyn Future<Output = Result<Session, TokenRefused>> + Send + 'a>> {
        Box::pin(std::future::ready(session(token.as_str()).ok_or(TokenRefused::Invalid)))
    }
}

fn session(token: &str) -> Option<Session> {
    let mut parts = token.split('~');
    let ("sat", thumbprint, user, account, scopes) =
        (parts.next()?, parts.next()?, parts.next()?, parts.next()?, parts.next()?)
    else {
        return None;
    };
    let listed = ("operations".to_owned(), ExtensionDescriptor::new("1"));
    let session = Session::new(format!("ses_{thumbprint}"), "https://juniper.example/a.json", user)
        .bound_to(thumbprint)
        .with_extensions(BTreeMap::from([listed]));
    Some(if account.is_empty() { session } else { session.signed_in(account, scopes.split('+')) })
}
