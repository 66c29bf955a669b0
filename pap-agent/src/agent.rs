//! What one User's agent brings to every Company.

use std::collections::{BTreeMap, HashSet};
use std::fmt::{Debug, Formatter};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pap_protocol::client_metadata::operations_entry;
use pap_protocol::extensions::{ExtensionDescriptor, OPERATIONS};

use crate::approval::{AnyApprover, Approver};
use crate::client::OperationsClient;
use crate::clock::{Clock, SystemClock};
use crate::company::{Company, NotNegotiated};
use crate::error::NotSent;
use crate::history::History;
use crate::http::{Dial, Transport};
use crate::open::{InMemory, OpenOperations, Table};
use crate::request::ActionKey;
use crate::session::Tokens;

/// One User's Personal Agent, as far as operations go: the interface to the User, the open operations,
/// the clock and the way to reach Companies. Cloning it makes another handle to the same agent.
#[derive(Clone)]
pub struct Agent {
    shared: Arc<Shared>,
}

/// What all clients of an agent share.
pub(crate) struct Shared {
    pub(crate) approver: Box<dyn AnyApprover>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) transport: Transport,
    pub(crate) table: Table,
    pub(crate) history: History,
    pub(crate) recover_within: Duration,
    /// What is being asked for at this moment, by Company and action.
    pub(crate) asking: Mutex<HashSet<(String, ActionKey)>>,
}

impl Agent {
    /// An agent that asks its User through `approver`, the host's own interface.
    pub fn builder(approver: impl Approver + 'static) -> AgentBuilder {
        AgentBuilder {
            approver: Box::new(approver),
            clock: Arc::new(SystemClock),
            table: Table::new(InMemory::new()),
            dial: Dial::default(),
            answer_within: Duration::from_secs(30),
            recover_within: Duration::from_secs(120),
        }
    }

    /// What the agent lists under `extensions` in its client metadata document (section 2): without it,
    /// no Company returns operations to it.
    pub fn extensions() -> BTreeMap<String, ExtensionDescriptor> {
        BTreeMap::from([(OPERATIONS.to_owned(), operations_entry())])
    }

    /// Reads the discovery document that the host `served_by` served, and negotiates operations.
    ///
    /// # Errors
    ///
    /// [`NotNegotiated`] says why operations cannot be used with this Company.
    pub fn negotiate(
        &self,
        served_by: &str,
        document: &[u8],
        tokens: impl Tokens + 'static,
    ) -> Result<OperationsClient, NotNegotiated> {
        let company = Company::negotiate(served_by, document, &Self::extensions())?;
        Ok(self.client(company, tokens))
    }

    /// A client for a Company that operations were negotiated with.
    pub fn client(&self, company: Company, tokens: impl Tokens + 'static) -> OperationsClient {
        OperationsClient::new(Arc::new(company), Arc::clone(&self.shared), Box::new(tokens))
    }
}

impl Debug for Agent {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Agent").field("transport", &self.shared.transport).finish_non_exhaustive()
    }
}

/// Sets up an [`Agent`].
#[must_use]
pub struct AgentBuilder {
    approver: Box<dyn AnyApprover>,
    clock: Arc<dyn Clock>,
    table: Table,
    dial: Dial,
    answer_within: Duration,
    recover_within: Duration,
}

impl AgentBuilder {
    /// Where open operations are kept. Without it, in memory: then a restart forgets what was confirmed.
    pub fn open_operations(mut self, kept: impl OpenOperations + 'static) -> Self {
        self.table = Table::new(kept);
        self
    }

    /// How long one request may take. Without it, 30 seconds: a Company answers a confirm within a few.
    pub fn answer_within(mut self, allowed: Duration) -> Self {
        self.answer_within = allowed;
        self
    }

    /// How long a confirm or cancel whose answer was lost is sent again before it is reported as
    /// unknown. Without it, two minutes.
    pub fn recover_within(mut self, allowed: Duration) -> Self {
        self.recover_within = allowed;
        self
    }

    /// Another clock, for tests.
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Connects to `address` for URLs with that host, and uses no proxy. TLS still authenticates the host,
    /// and proofs are still for the URL. Over TLS, a port in the URL itself wins over the address's.
    pub fn dial(mut self, host: &str, address: SocketAddr) -> Self {
        self.dial.addresses.insert(host.to_ascii_lowercase(), address);
        self
    }

    /// For tests only: hosts that [`dial`](Self::dial) sends to a loopback address are spoken to without
    /// TLS. Whoever can listen there gets the Session Token. URLs stay `https`, and no other address is
    /// reached without TLS.
    pub fn dangerously_allow_plain_http_on_loopback(mut self) -> Self {
        self.dial.plain_on_loopback = true;
        self
    }

    /// The agent.
    ///
    /// # Errors
    ///
    /// [`NotSent::NoHttp`] if the HTTP client cannot be set up.
    pub fn build(self) -> Result<Agent, NotSent> {
        let transport = Transport::new(self.dial, self.answer_within, Arc::clone(&self.clock))?;
        let shared = Shared {
            approver: self.approver,
            clock: self.clock,
            transport,
            table: self.table,
            history: History::default(),
            recover_within: self.recover_within,
            asking: Mutex::default(),
        };
        Ok(Agent { shared: Arc::new(shared) })
    }
}

impl Debug for AgentBuilder {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AgentBuilder").field("dial", &self.dial).finish_non_exhaustive()
    }
}
