//! Session Tokens: which Session a token stands for, in a table of the shop's.
//!
//! A Company's issuer writes this table when an agent signs in; here the story and the tests do.

use std::collections::{BTreeMap, HashMap};
use std::fmt::{Debug, Formatter};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::http::request::Parts;
use pap_runtime::clock::{Clock as _, SystemClock};
use pap_runtime::http::{SessionToken, Sessions, TokenRefused};
use pap_runtime::value::Instant;
use pap_runtime::{ExtensionDescriptor, Session};
use rusqlite::{OptionalExtension as _, Row};
use sha2::{Digest as _, Sha256};

use crate::shop::{Fault, Shop};

/// How long a Session Token works.
const LIFETIME: Duration = Duration::from_secs(3600);

/// The Sessions of the shop's Personal Agents. Clones are handles of the same table.
#[derive(Clone)]
pub struct SessionTable {
    shop: Shop,
    /// A look-up in the database would be the slowest part of a read. A token that is revoked must be
    /// taken out of here, too: this shop revokes none before it ends.
    known: Arc<Mutex<HashMap<String, Known>>>,
}

#[derive(Clone)]
struct Known {
    session: Session,
    expires_at: Instant,
}

/// A Session of an agent whose client metadata lists the operations extension.
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_structs, reason = "what an issuer knows when it makes a token")]
pub struct NewSession<'a> {
    /// The Session's id.
    pub id: &'a str,
    /// The agent's `client_id`.
    pub client: &'a str,
    /// The agent's identifier of the User at this shop.
    pub user: &'a str,
    /// The account the Session is signed in to, if it is.
    pub account: Option<&'a str>,
    /// The scopes of the sign-in, separated by spaces.
    pub scopes: &'a str,
    /// The version of the operations extension that the agent's client metadata lists, if it does.
    pub operations: Option<&'a str>,
    /// The thumbprint of the agent's key: only its holder may use the token.
    pub key_thumbprint: &'a str,
}

impl SessionTable {
    /// The Sessions of this shop.
    pub fn of(shop: &Shop) -> Self {
        Self { shop: shop.clone(), known: Arc::default() }
    }

    /// A new Session Token, of which the table keeps the digest alone.
    ///
    /// # Errors
    ///
    /// [`Fault`] if it cannot be kept.
    pub async fn issue(&self, session: NewSession<'_>) -> Result<String, Fault> {
        let mut bits = [0_u8; 32];
        getrandom::fill(&mut bits).map_err(|_none| Fault::NoAnswer("random numbers"))?;
        let token = format!("sat_{}", hex(&bits));
        let row = (
            hex(&Sha256::digest(&token)),
            session.id.to_owned(),
            session.client.to_owned(),
            session.user.to_owned(),
            session.account.map(str::to_owned),
            session.scopes.to_owned(),
            session.key_thumbprint.to_owned(),
            session.operations.map(str::to_owned),
            SystemClock::default().now().saturating_add(LIFETIME).as_millis(),
        );
        let insert = "INSERT INTO session_tokens VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        let kept =
            self.shop.database.transaction(move |tx| Ok(tx.execute(insert, row).map(drop)?));
        kept.await.map(|()| token)
    }

    async fn look_up(&self, token: &str) -> Result<Session, TokenRefused> {
        let digest = hex(&Sha256::digest(token));
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&digest).cloned();
        let known = match known {
            Some(known) => known,
            None => self.read(digest).await?.ok_or(TokenRefused::Invalid)?,
        };
        if SystemClock::default().now() > known.expires_at {
            return Err(TokenRefused::Invalid);
        }
        Ok(known.session)
    }

    async fn read(&self, digest: String) -> Result<Option<Known>, TokenRefused> {
        let select = "SELECT session_id, client, user, account, scopes, key_thumbprint, operations,
                             expires_at_ms FROM session_tokens WHERE digest = ?1";
        let of = digest.clone();
        let read = self
            .shop
            .database
            .transaction(move |tx| Ok::<_, Fault>(tx.query_row(select, [of], known).optional()?));
        let known = read.await.map_err(|error| {
            tracing::warn!(%error, "Session Tokens cannot be looked up");
            TokenRefused::Unavailable
        })?;
        if let Some(known) = &known {
            let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            all.insert(digest, known.clone());
        }
        Ok(known)
    }
}

impl Sessions for SessionTable {
    fn session<'a>(
        &'a self,
        token: &'a SessionToken,
        _request: &'a Parts,
    ) -> Pin<Box<dyn Future<Output = Result<Session, TokenRefused>> + Send + 'a>> {
        Box::pin(self.look_up(token.as_str()))
    }
}

impl Debug for SessionTable {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionTable(…)")
    }
}

fn known(row: &Row<'_>) -> Result<Known, rusqlite::Error> {
    let (id, client, user): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let (account, scopes): (Option<String>, String) = (row.get(3)?, row.get(4)?);
    let thumbprint: String = row.get(5)?;
    let operations: Option<String> = row.get(6)?;
    let extensions = operations
        .map(|version| ("operations".to_owned(), ExtensionDescriptor::new(version)))
        .into_iter()
        .collect::<BTreeMap<_, _>>();
    let session = Session::new(id, client, user).bound_to(thumbprint).with_extensions(extensions);
    let session = match account {
        Some(account) => session.signed_in(account, scopes.split_whitespace()),
        None => session,
    };
    Ok(Known { session, expires_at: Instant::from_millis(row.get(7)?) })
}

fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}
