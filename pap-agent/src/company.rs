//! Step 1 of 6: who the Company is, and where its operations are.

use std::collections::BTreeMap;

use pap_protocol::discovery::{Discovery, PROTOCOL_VERSION};
use pap_protocol::extensions::{ExtensionDescriptor, OperationsEndpoint, operations_endpoint};
use pap_protocol::json::Refused;
use pap_protocol::operation::OperationId;
use url::Url;

/// A Company that uses operations with this agent, as its discovery document says.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Company {
    name: String,
    domain: String,
    issuer: Option<String>,
    endpoint: OperationsEndpoint,
    /// Hosts outside the Company's domain that its API may be at.
    api_hosts: Vec<String>,
}

/// Operations cannot be used with a Company.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotNegotiated {
    /// The document is not what the protocol says.
    #[error("the discovery document cannot be read")]
    Document(#[from] Refused),
    /// The document is for another version of the base protocol.
    #[error("the discovery document is for another version than `{PROTOCOL_VERSION}`")]
    Version,
    /// The document names another domain than the one that served it.
    #[error("the discovery document of `{served_by}` says that it is of another domain")]
    OtherDomain {
        /// The host that served it.
        served_by: String,
    },
    /// The two sides do not both list operations 1 with an `https` endpoint.
    #[error("the Company and this agent do not both list operations 1 with an `https` endpoint")]
    NoOperations,
}

impl Company {
    /// Reads the discovery document that `served_by`, a host, served, and negotiates operations with
    /// what this agent lists. Unknown members and unknown extensions are ignored.
    ///
    /// # Errors
    ///
    /// [`NotNegotiated`] says why operations cannot be used.
    pub fn negotiate(
        served_by: &str,
        document: &[u8],
        agent: &BTreeMap<String, ExtensionDescriptor>,
    ) -> Result<Self, NotNegotiated> {
        let discovery = Discovery::from_json(document)?;
        if discovery.protocol_version != PROTOCOL_VERSION {
            return Err(NotNegotiated::Version);
        }
        if !discovery.organization.domain.eq_ignore_ascii_case(served_by) {
            return Err(NotNegotiated::OtherDomain { served_by: served_by.to_owned() });
        }
        let endpoint = operations_endpoint(&discovery.extensions, agent);
        Ok(Self {
            name: discovery.organization.name,
            domain: discovery.organization.domain.to_ascii_lowercase(),
            issuer: discovery.auth.map(|auth| auth.issuer),
            endpoint: endpoint.ok_or(NotNegotiated::NoOperations)?,
            api_hosts: Vec::new(),
        })
    }

    /// Its API is also at that host, outside its domain: a Session Token may be sent there.
    #[must_use]
    pub fn with_api_at(mut self, host: impl Into<String>) -> Self {
        self.api_hosts.push(host.into().to_ascii_lowercase());
        self
    }

    /// The name it goes by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its domain, in lower case.
    pub fn domain(&self) -> &str {
        &self.domain
    }

    /// The issuer of its tokens, from `auth` alone: no extension's entry changes it.
    pub fn issuer(&self) -> Option<&str> {
        self.issuer.as_deref()
    }

    /// The resource that the operations endpoint wants tokens to be issued for.
    pub fn resource(&self) -> Option<&str> {
        self.endpoint.resource.as_deref()
    }

    /// The one endpoint that operations are read, confirmed and cancelled at.
    pub fn endpoint(&self) -> &str {
        self.endpoint.endpoint.as_str()
    }

    pub(crate) fn operation_url(&self, id: &OperationId) -> String {
        self.endpoint.operation(id)
    }

    pub(crate) fn confirm_url(&self, id: &OperationId) -> String {
        self.endpoint.confirm(id)
    }

    pub(crate) fn cancel_url(&self, id: &OperationId) -> String {
        self.endpoint.cancel(id)
    }

    /// Whether the Session Token may be sent there: the Company's domain and what is below it, the host
    /// of the endpoint, and what the host of the agent added.
    pub(crate) fn is_at(&self, url: &Url) -> bool {
        let Some(host) = url.host_str().map(str::to_ascii_lowercase) else { return false };
        let below = host.strip_suffix(&self.domain).is_some_and(|rest| rest.ends_with('.'));
        host == self.domain
            || below
            || host.eq_ignore_ascii_case(self.endpoint.endpoint.host())
            || self.api_hosts.contains(&host)
    }
}
