//! The alerts that ship with the documents: their metrics are those that there are, and each has a page.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use pap_ops::cli::Exit;
use pap_runtime::meter::names;
use pap_runtime::store::memory::Memory;

use crate::shop::{Shop, opening};

fn docs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

fn read(file: &str) -> String {
    std::fs::read_to_string(docs().join(file)).unwrap()
}

/// Every word of a text that begins as our metrics do.
fn metrics(text: &str) -> Vec<&str> {
    let word = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    text.split(word).filter(|word| word.starts_with("pap_") && *word != "pap_ops").collect()
}

fn is_known(metric: &str) -> bool {
    let of_histogram =
        ["_bucket", "_count", "_sum"].iter().find_map(|end| metric.strip_suffix(end));
    names::ALL.contains(&metric) || of_histogram.is_some_and(|name| names::ALL.contains(&name))
}

#[test]
fn every_metric_of_an_alert_is_counted_somewhere() {
    for file in ["alerts/pap.rules.yml", "alerts/pap.rules.test.yml", "runbook.md"] {
        let text = read(file);
        let metrics = metrics(&text);
        assert!(!metrics.is_empty(), "{file}");
        for metric in metrics {
            assert!(is_known(metric), "{file}: there is no metric `{metric}`");
        }
    }
    assert!(!is_known("pap_needs_attentoin") && is_known("pap_confirm_seconds_bucket"));
}

#[test]
fn every_alert_has_its_page_in_the_runbook() {
    let (rules, runbook) = (read("alerts/pap.rules.yml"), read("runbook.md"));
    let alerts: Vec<&str> =
        rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    assert!(alerts.len() >= 8, "{alerts:?}");
    for alert in alerts {
        let page = format!("runbook.md#{}", alert.to_lowercase());
        assert!(rules.contains(&page), "`{alert}` does not name {page}");
        assert!(
            runbook.contains(&format!("\n### {alert}\n")),
            "the runbook has no page for `{alert}`"
        );
    }
}

#[tokio::test]
async fn what_the_runbook_tells_to_type_is_understood() {
    let clock = opening();
    let store = Memory::on_clock(Arc::new(clock.clone()));
    let shop = Shop::open(Arc::new(store), clock).with_all().await;
    let (runbook, lost) = (read("runbook.md"), shop.id("lost").to_string());
    let typed: Vec<&str> =
        runbook.lines().filter_map(|line| line.trim().strip_prefix("$ pap-ops ")).collect();
    assert!(typed.len() > 20, "{typed:?}");
    for line in typed {
        let said = shop.types_and_answers(&line.replace("exc_5Rt2", &lost), "no").await;
        // these two are about a store, of which there is none here
        let of_a_store = line.starts_with("migrate") || line.starts_with("restore");
        let expected = of_a_store && said.err.contains("no store was named");
        assert!(expected || said.exit != Exit::Usage, "{line}: {said:?}");
    }
}

#[test]
fn prometheus_itself_accepts_the_rules_and_fires_them() {
    let promtool = std::env::var("PROMTOOL").unwrap_or_else(|_| "promtool".to_owned());
    let alerts = docs().join("alerts");
    for arguments in [["check", "rules", "pap.rules.yml"], ["test", "rules", "pap.rules.test.yml"]]
    {
        let ran = Command::new(&promtool).args(arguments).current_dir(&alerts).output();
        let said = ran.expect(
            "this test needs promtool: `apt-get install prometheus`, or `PROMTOOL` names it",
        );
        assert!(said.status.success(), "{arguments:?}: {said:?}");
    }
}
