//! Who asks: the Session a request was made in (section 3.2).

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt::{Debug, Formatter};
use std::sync::Arc;

use pap_protocol::extensions::{ExtensionDescriptor, lists_operations};

/// A Session of a Personal Agent with this company, as a Session Token stands for it.
///
/// A company makes one in its [`crate::http::Sessions`] implementation, or hands one to
/// [`crate::Company::propose`] for channels of its own.
#[derive(Clone)]
pub struct Session {
    pub(crate) id: String,
    pub(crate) client: String,
    pub(crate) user: String,
    pub(crate) account: Option<String>,
    pub(crate) scopes: Vec<String>,
    pub(crate) key_thumbprint: String,
    pub(crate) extensions: BTreeMap<String, ExtensionDescriptor>,
    pub(crate) resource: Option<String>,
    pub(crate) context: Option<Arc<dyn Any + Send + Sync>>,
}

impl Session {
    /// A signed-out Session: its id, the agent's `client_id`, and the agent's identifier of the User
    /// at this company (the Session assertion's `sub`).
    pub fn new(id: impl Into<String>, client: impl Into<String>, user: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            client: client.into(),
            user: user.into(),
            account: None,
            scopes: Vec::new(),
            key_thumbprint: String::new(),
            extensions: BTreeMap::new(),
            resource: None,
            context: None,
        }
    }

    /// Signed in to this account, with these scopes.
    #[must_use]
    pub fn signed_in<I, T>(mut self, account: impl Into<String>, scopes: I) -> Self
    where
        I: IntoIterator<Item = T>,
        T: Into<String>,
    {
        self.account = Some(account.into());
        self.scopes = scopes.into_iter().map(Into::into).collect();
        self
    }

    /// Bound to the key with this RFC 7638 thumbprint: only its holder may use the token.
    #[must_use]
    pub fn bound_to(mut self, key_thumbprint: impl Into<String>) -> Self {
        self.key_thumbprint = key_thumbprint.into();
        self
    }

    /// The extensions that the agent's client metadata lists.
    #[must_use]
    pub fn with_extensions(mut self, extensions: BTreeMap<String, ExtensionDescriptor>) -> Self {
        self.extensions = extensions;
        self
    }

    /// The token was issued for this resource and works there only.
    #[must_use]
    pub fn issued_for(mut self, resource: impl Into<String>) -> Self {
        self.resource = Some(resource.into());
        self
    }

    /// Carries something of the company's own, which its functions read back by
    /// [`Session::context`].
    #[must_use]
    pub fn with_context<C: Any + Send + Sync>(mut self, context: C) -> Self {
        self.context = Some(Arc::new(context));
        self
    }

    /// The Session's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The agent's `client_id`.
    pub fn client(&self) -> &str {
        &self.client
    }

    /// The agent's identifier of the User at this company.
    pub fn user(&self) -> &str {
        &self.user
    }

    /// The account the Session is signed in to now.
    pub fn account(&self) -> Option<&str> {
        self.account.as_deref()
    }

    /// Whether the token has this scope.
    pub fn has_scope(&self, scope: &str) -> bool {
        self.scopes.iter().any(|held| held == scope)
    }

    /// What the company attached, if it is of this type.
    pub fn context<C: Any>(&self) -> Option<&C> {
        self.context.as_deref().and_then(|context| context.downcast_ref())
    }

    /// Whether the agent lists the operations extension in the version this runtime speaks.
    pub fn lists_operations(&self) -> bool {
        lists_operations(&self.extensions)
    }
}

impl Debug for Session {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("id", &self.id).finish_non_exhaustive()
    }
}
