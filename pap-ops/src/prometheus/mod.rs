//! What is counted and timed, and what is read off the store, as the page that Prometheus reads.
//!
//! The names are those of [`names`]. A label is `action`, `outcome` or `state`; what else a caller labels with
//! is left out, so that nothing of a User's becomes a time series.

mod gauges;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use pap_protocol::value::Instant;
use pap_runtime::meter::{Label, Meter, names};
use pap_runtime::operators::Operators;
use prometheus_client::encoding::text::{encode_eof, encode_registry};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use gauges::gauges;

use crate::form::OpenLine;

/// The labels that are told.
const LABELS: [&str; 3] = ["action", "outcome", "state"];

/// Every counter, and what it counts.
const COUNTERS: [(&str, &str); 7] = [
    (names::PROPOSALS, "New operations"),
    (names::CONFIRMS, "Answers to confirms"),
    (names::ENDED, "Operations that this process ended after a confirmation"),
    (names::ASKED, "Questions about operations whose outcome nobody knows"),
    (names::ATTENTION, "How often a person was called to look"),
    (names::LATE_OUTCOMES, "Outcomes that came after the end and differ from it"),
    (names::RELEASED, "Revisions of whose end the company was told"),
];

/// Every histogram, and what it times.
const HISTOGRAMS: [(&str, &str); 2] = [
    (names::CONFIRM_SECONDS, "From the confirm to its answer, the handler included"),
    (names::PERFORM_SECONDS, "How long handlers ran"),
];

/// From a commit on a fast disk to a handler that is asked about because it takes so long.
const BUCKETS: [f64; 15] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];

/// A store that has not answered a scrape after this has not answered.
const PATIENCE: Duration = Duration::from_secs(5);

type Labels = Vec<(&'static str, String)>;
type Histograms = Family<Labels, Histogram, fn() -> Histogram>;

/// Counts and times for Prometheus. Clones count together.
///
/// # Examples
///
/// ```
/// use axum::Router;
/// use pap_ops::prometheus::Prometheus;
/// use pap_runtime::Company;
/// use pap_runtime::company::Builder;
///
/// # struct Shop;
/// # async fn start(builder: Builder<Shop>) -> Result<(), Box<dyn std::error::Error>> {
/// let prometheus = Prometheus::new();
/// let company = builder.meter(prometheus.clone()).start().await?;
/// // a port of its own, which only Prometheus reaches
/// let page: Router = prometheus.router(company.operators());
/// let inside = tokio::net::TcpListener::bind("127.0.0.1:9464").await?;
/// axum::serve(inside, page).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Prometheus(Arc<Kept>);

struct Kept {
    counters: BTreeMap<&'static str, Family<Labels, Counter>>,
    histograms: BTreeMap<&'static str, Histograms>,
    registry: Registry,
}

impl Prometheus {
    /// Nothing was counted yet.
    pub fn new() -> Self {
        let mut registry = Registry::default();
        let mut counters = BTreeMap::new();
        for (name, help) in COUNTERS {
            let family = Family::default();
            // the page adds the ending by itself
            registry.register(name.trim_end_matches("_total"), help, Family::clone(&family));
            counters.insert(name, family);
        }
        let mut histograms = BTreeMap::new();
        for (name, help) in HISTOGRAMS {
            let family = Histograms::new_with_constructor(|| Histogram::new(BUCKETS));
            registry.register(name, help, family.clone());
            histograms.insert(name, family);
        }
        Self(Arc::new(Kept { counters, histograms, registry }))
    }

    /// The page: what was counted here, and what is in progress by the store. If the store does not answer,
    /// `pap_store_answers` is 0 and the gauges are left out.
    ///
    /// # Errors
    ///
    /// If the page cannot be written, which is a bug.
    pub async fn page(&self, operators: &Operators) -> Result<String, fmt::Error> {
        let asked = tokio::time::timeout(PATIENCE, operators.open_work()).await;
        let work = match asked {
            Ok(Ok(work)) => Some(work.into_iter().map(OpenLine::of).collect::<Vec<_>>()),
            Ok(Err(error)) => {
                tracing::warn!(%error, "the store did not answer a scrape");
                None
            }
            Err(_late) => {
                tracing::warn!("the store did not answer a scrape in time");
                None
            }
        };
        let mut page = String::new();
        encode_registry(&mut page, &self.0.registry)?;
        page.push_str(&gauges_page(operators.now(), work.as_deref())?);
        Ok(page)
    }

    /// `GET /metrics`. It tells actions and numbers to whoever asks: give it a port that only Prometheus
    /// reaches, or a middleware of your own.
    pub fn router(self, operators: Operators) -> Router {
        Router::new().route("/metrics", get(metrics)).with_state((self, operators))
    }
}

/// The end of a page, with the gauges.
pub(crate) fn gauges_page(now: Instant, work: Option<&[OpenLine]>) -> Result<String, fmt::Error> {
    let mut page = String::new();
    encode_registry(&mut page, &gauges(now, work))?;
    encode_eof(&mut page)?;
    Ok(page)
}

async fn metrics(State((prometheus, operators)): State<(Prometheus, Operators)>) -> Response {
    match prometheus.page(&operators).await {
        Ok(page) => {
            let form = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            ([(CONTENT_TYPE, form)], page).into_response()
        }
        Err(_unwritten) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

impl Meter for Prometheus {
    fn count(&self, name: &'static str, labels: &[Label<'_>]) {
        if let Some(family) = self.0.counters.get(name) {
            family.get_or_create(&told(labels)).inc();
        }
    }

    fn took(&self, name: &'static str, labels: &[Label<'_>], took: Duration) {
        if let Some(family) = self.0.histograms.get(name) {
            family.get_or_create(&told(labels)).observe(took.as_secs_f64());
        }
    }
}

fn told(labels: &[Label<'_>]) -> Labels {
    let known = labels.iter().filter(|(name, _)| LABELS.contains(name));
    known.map(|(name, value)| (*name, (*value).to_owned())).collect()
}

impl Default for Prometheus {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Prometheus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prometheus").finish_non_exhaustive()
    }
}
