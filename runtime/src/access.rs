//! Who may use an operation (section 3.2), pure.

use crate::refusal::Refusal;
use crate::session::Session;
use crate::store::{OpenAction, Owner, Stored};

/// What an operation is to a Session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// It may read, confirm and cancel it.
    May,
    /// It proposed it while signed in, and has signed out or switched account since.
    AfterSignIn,
    /// It must not learn that it exists.
    Unknown,
}

/// Whether this Session may use what this owner was offered.
pub(crate) fn access(owner: &Owner, session: &Session) -> Access {
    let same_user = owner.client == session.client && owner.user == session.user;
    if !same_user {
        return Access::Unknown;
    }
    let proposing = owner.session == session.id;
    match (&owner.account, &session.account) {
        (None, _) if proposing => Access::May,
        (Some(owners), Some(now)) if owners == now => Access::May,
        (Some(_), _) if proposing => Access::AfterSignIn,
        _ => Access::Unknown,
    }
}

/// The Session as an owner.
pub(crate) fn owner(session: &Session) -> Owner {
    Owner {
        client: session.client.clone(),
        user: session.user.clone(),
        account: session.account.clone(),
        session: session.id.clone(),
    }
}

/// The open action of this Session: its account's first, then its own.
pub(crate) fn open_action(
    company: &str,
    session: &Session,
    action: &str,
    identity: [u8; 32],
) -> OpenAction {
    let tag = |kind: &str, last: &str| {
        // a JSON array keeps every part apart, whatever characters it holds
        let parts =
            serde_json::Value::from(vec![session.client.as_str(), session.user.as_str(), last]);
        format!("{kind}:{parts}")
    };
    let mut owners: Vec<String> = session.account.iter().map(|account| tag("a", account)).collect();
    owners.push(tag("s", &session.id));
    OpenAction { company: company.to_owned(), owners, action: action.to_owned(), identity }
}

/// The refusal for a token without the scopes that the action needs.
pub(crate) fn has_scopes(session: &Session, scopes: &[String]) -> Result<(), Refusal> {
    if scopes.iter().all(|scope| session.has_scope(scope)) {
        return Ok(());
    }
    let scopes = scopes.to_vec();
    Err(match session.account {
        Some(_) => Refusal::InsufficientScope { scopes },
        None => Refusal::SignInRequired { scopes },
    })
}

/// The refusal for a Session that may not use the operation (section 3.2).
pub(crate) fn may_use(stored: &Stored, session: &Session) -> Result<(), Refusal> {
    match access(&stored.owner, session) {
        Access::May => Ok(()),
        Access::AfterSignIn => {
            Err(Refusal::SignInRequired { scopes: stored.latest.scopes.clone() })
        }
        Access::Unknown => Err(Refusal::OperationNotFound),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(id: &str, client: &str, user: &str, account: Option<&str>) -> Session {
        let session = Session::new(id, client, user);
        match account {
            Some(account) => session.signed_in(account, ["orders:write"]),
            None => session,
        }
    }

    #[track_caller]
    fn check(owner_of: &Session, asking: &Session, expected: Access) {
        assert_eq!(access(&owner(owner_of), asking), expected);
    }

    /// OPS-3.2-1 OPS-3.2-2 OPS-3.2-3 OPS-3.2-4
    #[test]
    fn an_operation_belongs_to_its_session_and_its_account() {
        let signed_in = session("ses_1", "juniper", "ada", Some("acc_1"));
        let signed_out = session("ses_1", "juniper", "ada", None);
        check(&signed_in, &signed_in, Access::May);
        check(&signed_in, &session("ses_2", "juniper", "ada", Some("acc_1")), Access::May);
        check(&signed_in, &signed_out, Access::AfterSignIn);
        check(&signed_in, &session("ses_1", "juniper", "ada", Some("acc_2")), Access::AfterSignIn);
        check(&signed_in, &session("ses_2", "juniper", "ada", None), Access::Unknown);
        check(&signed_in, &session("ses_2", "juniper", "ada", Some("acc_2")), Access::Unknown);
        check(&signed_in, &session("ses_2", "juniper", "bob", Some("acc_1")), Access::Unknown);
        check(&signed_in, &session("ses_2", "willow", "ada", Some("acc_1")), Access::Unknown);
        check(&signed_out, &signed_out, Access::May);
        check(&signed_out, &signed_in, Access::May);
        check(&signed_out, &session("ses_2", "juniper", "ada", Some("acc_1")), Access::Unknown);
        check(&signed_out, &session("ses_2", "juniper", "ada", None), Access::Unknown);
    }

    #[test]
    fn owner_tags_of_different_owners_never_meet() {
        let one = open_action("c", &session("x", "a\",\"b", "c", None), "act", [0; 32]);
        let two = open_action("c", &session("x", "a", "b\",\"c", None), "act", [0; 32]);
        assert_ne!(one.owners, two.owners);
    }
}
