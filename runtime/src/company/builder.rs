//! Brings a company up: what can be wrong with its set-up is said here, all at once.

use std::collections::BTreeMap;
use std::fmt::{Debug, Display, Formatter};
use std::marker::PhantomData;
use std::sync::Arc;

use pap_protocol::value::Url;

use super::Company;
use crate::action::Action;
use crate::declaration::{OperationDeclaration, Segment};
use crate::engine::{Engine, Settings, random};
use crate::operations::Operations;
use crate::store::{Life, Store};
use crate::wait::Wait;

/// What the company shows to the outside.
pub(crate) struct Edge {
    pub(crate) name: String,
    /// `https://host`, without a path: what proofs and addresses are built from, never request headers.
    #[cfg(feature = "http")]
    pub(crate) origin: String,
    /// The public address of the operations endpoint.
    #[cfg(feature = "http")]
    pub(crate) endpoint_url: Url,
    /// Path of the operations endpoint within the router.
    #[cfg(feature = "http")]
    pub(crate) endpoint: String,
    /// Tokens must have been issued for this resource, if there is one.
    #[cfg(feature = "http")]
    pub(crate) resource: Option<String>,
    #[cfg(feature = "http")]
    pub(crate) sessions: Option<Arc<dyn crate::sessions::Sessions>>,
    #[cfg(feature = "http")]
    pub(crate) read_proofs: crate::sessions::ReadProofs,
    #[cfg(feature = "http")]
    pub(crate) known_keys: pap_protocol::dpop::KnownKeys,
}

/// Sets a company up; begun by [`Company::builder`].
pub struct Builder<S> {
    state: Arc<S>,
    name: String,
    origin: String,
    mounted_at: String,
    endpoint: String,
    resource: Option<String>,
    #[cfg(feature = "http")]
    sessions: Option<Arc<dyn crate::sessions::Sessions>>,
    store: Option<Arc<dyn Store>>,
    operations: Operations<S>,
    pub(super) settings: Settings,
}

impl<S: Send + Sync + 'static> Builder<S> {
    pub(super) fn new(state: Arc<S>) -> Self {
        Self {
            state,
            name: String::new(),
            origin: String::new(),
            mounted_at: String::new(),
            endpoint: "/poppy/operations".to_owned(),
            resource: None,
            #[cfg(feature = "http")]
            sessions: None,
            store: None,
            operations: Operations::new(),
            settings: Settings::default(),
        }
    }

    /// The company's name. Records in a shared store are kept apart by it: do not change it later.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The public origin, such as `https://api.example.com`: no path, no slash at the end.
    #[must_use]
    pub fn origin(mut self, origin: impl Into<String>) -> Self {
        self.origin = origin.into();
        self
    }

    /// The path under which the company's router is nested, if it is, such as `/api`.
    #[must_use]
    pub fn mounted_at(mut self, path: impl Into<String>) -> Self {
        self.mounted_at = path.into();
        self
    }

    /// The path of the operations endpoint within the router; `/poppy/operations` unless set.
    #[must_use]
    pub fn operations_path(mut self, path: impl Into<String>) -> Self {
        self.endpoint = path.into();
        self
    }

    /// Takes only tokens that were issued for this resource, and says so in the discovery document
    /// (section 2).
    #[must_use]
    pub fn resource(mut self, resource: impl Into<String>) -> Self {
        self.resource = Some(resource.into());
        self
    }

    /// Where Session Tokens are looked up; needed for the HTTP edge.
    #[cfg(feature = "http")]
    #[must_use]
    pub fn sessions(mut self, sessions: impl crate::sessions::Sessions) -> Self {
        self.sessions = Some(Arc::new(sessions));
        self
    }

    /// Where operations are kept.
    #[must_use]
    pub fn store(mut self, store: impl Store) -> Self {
        self.store = Some(Arc::new(store));
        self
    }

    /// The same, for a store that others use too.
    #[must_use]
    pub fn shared_store(mut self, store: Arc<dyn Store>) -> Self {
        self.store = Some(store);
        self
    }

    /// Adds operations; may be called once per list.
    #[must_use]
    pub fn operations(mut self, operations: Operations<S>) -> Self {
        self.operations = self.operations.and(operations);
        self
    }

    /// Begins the life of this process and asks, from now on, about what earlier lives left in progress.
    ///
    /// # Errors
    ///
    /// [`StartError`], with everything that is wrong at once.
    ///
    /// # Crash safety
    ///
    /// What an earlier life had confirmed and not finished is asked about, never performed.
    pub async fn start(self) -> Result<Company<S>, StartError> {
        let (company, tasks) = self.assemble().await?;
        // ends when the last handle of the company is dropped
        tokio::spawn(tasks);
        Ok(company)
    }

    /// The company without its own tasks, for tests that say when to ask.
    pub(crate) async fn assemble(
        self,
    ) -> Result<(Company<S>, impl Future<Output = ()> + Send + 'static), StartError> {
        let mut wrong = self.wrong();
        let Some(store) = self.store.clone() else {
            return Err(StartError { wrong });
        };
        let life = random().map_err(|refusal| StartError { wrong: vec![refusal.to_string()] })?;
        let life = Life(life);
        if wrong.is_empty()
            && let Err(error) = store.begin_life(life).await
        {
            wrong.push(format!("the store does not take this process: {error}"));
        }
        if !wrong.is_empty() {
            return Err(StartError { wrong });
        }
        failpoint!("life.begun", await);
        let endpoint_url = format!("{}{}{}", self.origin, self.mounted_at, self.endpoint);
        let endpoint_url: Url = endpoint_url
            .parse()
            .map_err(|error| StartError { wrong: vec![format!("`{endpoint_url}`: {error}")] })?;
        tracing::info!(company = self.name, endpoint = %endpoint_url, "operations are offered");
        let state = self.state;
        let actions: BTreeMap<&'static str, Arc<dyn Action>> = self
            .operations
            .declared
            .iter()
            .map(|listed| (listed.declaration.action, (listed.bind)(Arc::clone(&state))))
            .collect();
        let engine = Arc::new(Engine::new(self.name.clone(), store, actions, self.settings, life));
        let edge = Edge {
            name: self.name,
            #[cfg(feature = "http")]
            endpoint_url,
            #[cfg(feature = "http")]
            origin: self.origin,
            #[cfg(feature = "http")]
            endpoint: self.endpoint,
            #[cfg(feature = "http")]
            resource: self.resource,
            #[cfg(feature = "http")]
            sessions: self.sessions,
            #[cfg(feature = "http")]
            read_proofs: crate::sessions::ReadProofs::default(),
            #[cfg(feature = "http")]
            known_keys: pap_protocol::dpop::KnownKeys::default(),
        };
        let tasks = super::tasks::run(Arc::downgrade(&engine));
        Ok((Company { engine, edge: Arc::new(edge), state: PhantomData }, tasks))
    }

    /// Everything that is wrong with the set-up.
    fn wrong(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        if self.name.trim().is_empty() {
            wrong.push("the company has no name: add `.name(\"Example Outfitters\")`".to_owned());
        }
        if !is_origin(&self.origin) {
            wrong.push(format!(
                "`{}` is not a public origin: add `.origin(\"https://api.example.com\")`, with no path and no slash at the end",
                self.origin
            ));
        }
        for (what, path) in [("mounted_at", &self.mounted_at), ("operations_path", &self.endpoint)]
        {
            if !(is_path(path) || what == "mounted_at" && path.is_empty()) {
                wrong.push(format!("`{path}` is not a path: `.{what}(\"/poppy/operations\")` begins with a slash, ends without one and has no parameters"));
            }
        }
        if self.store.is_none() {
            wrong.push(
                "the company has no store: add `.store(Sqlite::open(\"operations.db\")?)`"
                    .to_owned(),
            );
        }
        if self.operations.declared.is_empty() {
            wrong.push(
                "the company has no operations: add `.operations(operations![…])`".to_owned(),
            );
        }
        let declared: Vec<_> = self.operations.declarations().collect();
        for (action, limits) in &self.settings.limits {
            if !declared.iter().any(|declaration| declaration.action == action) {
                wrong.push(format!(
                    "`.limits(\"{action}\", …)`: no operation of the list has this action"
                ));
            }
            if limits.lets_nothing_through() {
                wrong.push(format!("`.limits(\"{action}\", …)`: a limit is at least 1; to hold an action back, pause it"));
            }
        }
        if self.settings.dead_after < self.settings.beat_every.saturating_mul(2) {
            wrong.push("`.heartbeat(every, dead_after)`: a process that lives says so at least twice before it may be taken for dead: make `dead_after` at least twice `every`".to_owned());
        }
        wrong.extend(self.settings.waits().iter().filter_map(Wait::wrong));
        for (index, one) in declared.iter().enumerate() {
            let before = declared.iter().take(index);
            wrong.extend(before.filter_map(|other| collision(other, one)));
        }
        wrong
    }
}

fn is_origin(origin: &str) -> bool {
    origin.parse::<Url>().is_ok()
        && origin
            .strip_prefix("https://")
            .is_some_and(|host| !host.is_empty() && !host.contains(['/', '?', '#', '@']))
}

fn is_path(path: &str) -> bool {
    path.starts_with('/')
        && !path.ends_with('/')
        && !path.contains("//")
        && path.chars().all(|c| c.is_ascii_alphanumeric() || "/-._~".contains(c))
}

/// What two operations of one company must not share.
fn collision(one: &OperationDeclaration, other: &OperationDeclaration) -> Option<String> {
    let (a, b) = (one.origin, other.origin);
    if one.action == other.action {
        return Some(format!("`{a}` and `{b}` both use the action `{}`", one.action));
    }
    if one.tool == other.tool {
        return Some(format!("`{a}` and `{b}` both use the tool name `{}`", one.tool));
    }
    let (Some(left), Some(right)) = (&one.route, &other.route) else { return None };
    let same = left.method == right.method
        && left.segments.len() == right.segments.len()
        && left.segments.iter().zip(right.segments).all(|pair| match pair {
            (Segment::Fixed(left), Segment::Fixed(right)) => left == right,
            (Segment::Parameter(_), Segment::Parameter(_)) => true,
            (Segment::Fixed(_), Segment::Parameter(_))
            | (Segment::Parameter(_), Segment::Fixed(_)) => false,
        });
    same.then(|| format!("`{a}` and `{b}` both use the route `{} {}`", left.method, left.path))
}

impl<S> Debug for Builder<S> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builder").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A company was not started; nothing was changed.
pub struct StartError {
    wrong: Vec<String>,
}

impl StartError {
    /// Everything that is wrong, one line each.
    pub fn wrong(&self) -> &[String] {
        &self.wrong
    }
}

impl Display for StartError {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("the company was not started:")?;
        self.wrong.iter().try_for_each(|line| write!(f, "\n  - {line}"))
    }
}

/// A `main` that returns an error prints this, so it is for people, too.
impl Debug for StartError {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        Display::fmt(self, f)
    }
}

impl std::error::Error for StartError {}
