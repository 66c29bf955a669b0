//! Step 1 of 5: what would be done, in words and as terms. Nothing is performed (section 4).

use pap_protocol::json::canonical;
use pap_protocol::operation::{OperationId, State};
use sha2::{Digest, Sha256};

use crate::access::has_scopes;
use crate::action::{Action, Worked};
use crate::caught::caught;
use crate::declaration::OperationDeclaration;
use crate::engine::Engine;
use crate::issue::scopes;
use crate::present::has_expired;
use crate::proposal::Proposing;
use crate::refusal::Refusal;
use crate::session::Session;
use crate::store::{Found, StoredRevision};

/// A request for an action, normalised by its type, with what identifies it.
#[derive(Debug)]
pub(crate) struct Request {
    /// As its type writes it.
    pub(crate) json: String,
    /// Digest of all of it.
    pub(crate) digest: [u8; 32],
    /// Digest of what makes two requests the same action.
    pub(crate) identity: [u8; 32],
}

/// Whether this caller may ask for this action at all.
pub(crate) fn admit(declaration: &OperationDeclaration, session: &Session) -> Result<(), Refusal> {
    if !session.lists_operations() {
        return Err(Refusal::ExtensionRequired);
    }
    has_scopes(session, &scopes(declaration))
}

/// The request as its type reads it: unknown members gone, absent and `null` alike.
pub(crate) fn request(action: &dyn Action, json: &str) -> Result<Request, Refusal> {
    let typed = action.normalised(json).map_err(Refusal::InvalidRequest)?;
    let whole = canonical(&typed);
    let identity = match action.declaration().identity {
        None => whole.clone(),
        Some(fields) => {
            canonical(&pap_protocol::json::project(&typed, &|member| fields.contains(&member)))
        }
    };
    Ok(Request { json: typed, digest: sha256(&whole), identity: sha256(&identity) })
}

/// What an open operation means for a request.
#[derive(Debug)]
pub(crate) enum Open {
    /// None, or one that has expired: propose a new one.
    None,
    /// The same request, or an action already under way: the operation as it is.
    AsItIs(OperationId),
    /// Another request for the same action, still proposed, or terms that this code does not know and could
    /// not perform: work out the next revision.
    Revise(Box<Found>),
}

/// Decides what an open operation means for a request.
pub(crate) fn open(found: Option<Found>, request: &Request, action: &dyn Action) -> Open {
    let known = |latest: &StoredRevision| action.knows(latest.schema_version, &latest.full);
    match found {
        None => Open::None,
        Some(found) if found.stored.state != State::Proposed => {
            Open::AsItIs(found.stored.key.id.clone())
        }
        Some(found) if has_expired(&found.stored) => Open::None,
        Some(found) if found.request == request.digest && known(&found.stored.latest) => {
            Open::AsItIs(found.stored.key.id.clone())
        }
        Some(found) => Open::Revise(Box::new(found)),
    }
}

/// Has the company work out the terms. Nothing is stored.
pub(crate) async fn work_out(
    engine: &Engine,
    action: &dyn Action,
    session: &Session,
    id: &OperationId,
    request: &Request,
) -> Result<Worked, Refusal> {
    let proposing = Proposing { id: id.clone(), now: engine.clock.now() };
    let name = action.declaration().action;
    let Ok(worked) = caught(action.propose(session, &proposing, &request.json)).await else {
        tracing::error!(action = name, "`propose` panicked");
        return Err(Refusal::Broken);
    };
    worked.map_err(|not| Refusal::not_offered(name, not))
}

fn sha256(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}
