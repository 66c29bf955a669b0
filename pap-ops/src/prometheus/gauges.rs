//! What is read off the store at each scrape.

use std::sync::atomic::AtomicU64;

use pap_protocol::value::Instant;
use pap_runtime::meter::names;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use crate::form::OpenLine;

type Counts = Family<Vec<(&'static str, String)>, Gauge>;
type Count = fn(&OpenLine) -> u64;
type Seconds = Family<Vec<(&'static str, String)>, Gauge<f64, AtomicU64>>;

/// The gauges of what is in progress at this moment; `None`: the store did not answer.
pub(crate) fn gauges(now: Instant, work: Option<&[OpenLine]>) -> Registry {
    let mut registry = Registry::default();
    let answers = Gauge::<i64>::default();
    answers.set(i64::from(work.is_some()));
    registry.register(names::STORE_ANSWERS, "Whether the store answered this scrape", answers);
    let Some(work) = work else { return registry };
    let counted: [(_, _, Count); 4] = [
        (names::IN_PROGRESS, "Operations in progress", |open| open.in_progress),
        (names::NEEDS_ATTENTION, "Those that a person has to look at", |open| open.attention),
        (names::DEFERRED, "Confirmed operations that wait to be started", |open| open.deferred),
        (names::HANDED_OVER, "Operations that others finish", |open| open.handed_over),
    ];
    for (name, help, count) in counted {
        let family = Counts::default();
        for open in work {
            let count = i64::try_from(count(open)).unwrap_or(i64::MAX);
            family.get_or_create(&of(open)).set(count);
        }
        registry.register(name, help, family);
    }
    let oldest = Seconds::default();
    for open in work {
        let age = open.oldest.map_or(0, |since| age_millis(since, now));
        oldest.get_or_create(&of(open)).set(seconds(age));
    }
    let help = "Age of the oldest operation in progress";
    registry.register(names::OLDEST_SECONDS, help, oldest);
    registry
}

fn of(open: &OpenLine) -> Vec<(&'static str, String)> {
    vec![("action", open.action.clone())]
}

fn age_millis(since: Instant, now: Instant) -> u64 {
    u64::try_from(now.as_millis().saturating_sub(since.as_millis())).unwrap_or(0)
}

fn seconds(millis: u64) -> f64 {
    std::time::Duration::from_millis(millis).as_secs_f64()
}
