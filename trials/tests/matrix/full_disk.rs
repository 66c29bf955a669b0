//! A device that is full: a small file system of its own, filled by another file.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use pap_trials::place::Place;
use serde_json::json;
use tempfile::TempDir;

use crate::trial::{Trial, until};

/// A mounted file system of 4 MB; unmounted when it is dropped.
struct Small(PathBuf);

impl Small {
    /// `None` where this program may not mount anything: what it then says is shown also when the test passes,
    /// and a store that says that it is full stands for the device (`…_a_store_that_is_full_…`, always tried).
    fn mounted(at: &Path) -> Option<Self> {
        std::fs::create_dir(at).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=4m", "pap"]).arg(at);
        let why = match mount.output() {
            Ok(mounted) if mounted.status.success() => return Some(Self(at.to_owned())),
            Ok(refused) => String::from_utf8_lossy(&refused.stderr).trim().to_owned(),
            Err(missing) => missing.to_string(),
        };
        // not by a macro, whose words are kept back when a test passes
        let mut err = std::io::stderr();
        writeln!(err, "NOT TRIED on a full device: no file system can be mounted here ({why})")
            .unwrap();
        None
    }

    /// Leaves no room for anything.
    fn fill(&self) {
        // it stops where there is no room left, and what was written until then stays
        std::fs::write(self.0.join("filler"), vec![0_u8; 8 << 20]).expect_err("it is too large");
    }

    fn free(&self) {
        std::fs::remove_file(self.0.join("filler")).unwrap();
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        drop(Command::new("umount").arg("--lazy").arg(&self.0).output());
    }
}

async fn on_a_small_device() -> Option<(Trial, Small)> {
    let folder = tempfile::tempdir().unwrap();
    let small = Small::mounted(&folder.path().join("small"))?;
    let place = Place::Sqlite(small.0.join("operations.db"));
    Some((over(place, folder).await, small))
}

async fn over(place: Place, folder: TempDir) -> Trial {
    let mut trial = Trial::over(place, folder).await;
    trial.street.options.answer_within = std::time::Duration::from_millis(200);
    trial
}

#[tokio::test]
async fn e5_a_claim_on_a_full_device_is_refused_and_performs_nothing() {
    let Some((trial, small)) = on_a_small_device().await else { return };
    let node = trial.node().await;
    let asked = trial.ask(&node, "fenced", json!({})).await;
    small.fill();
    for _ in 0..3 {
        let refused = trial.confirm(&node, &asked).await;
        assert_eq!((refused.status, refused.error()), (503, "temporarily_unavailable"));
        assert_eq!(trial.read(&node, &asked).await.state(), "proposed", "reading goes on");
    }
    assert_eq!(trial.effects(&asked), 0);
    small.free();
    until("a claim, now that there is room", async || {
        matches!(trial.confirm(&node, &asked).await.state(), "in_progress" | "succeeded")
    })
    .await;
    trial.until(&node, &asked, "succeeded").await;
    assert_eq!(trial.effects(&asked), 1);
    trial.holds(node).await;
}

#[tokio::test]
async fn e6_a_finish_on_a_full_device_is_tried_again_and_told_when_it_is_durable() {
    for dies in [false, true] {
        let Some((trial, small)) = on_a_small_device().await else { return };
        let node = trial.waiting_at("handler.before_effect", "go").await;
        let asked = trial.ask(&node, "unfenced", json!({})).await;
        assert_eq!(trial.confirm(&node, &asked).await.state(), "in_progress");
        small.fill();
        trial.let_go("go");
        trial.logged("the store did not take how it ended", 2).await;
        assert_eq!(trial.effects(&asked), 1);
        assert_eq!(trial.read(&node, &asked).await.state(), "in_progress", "nothing final is told");
        let node = if dies {
            node.kill().await.unwrap();
            small.free();
            trial.node().await
        } else {
            small.free();
            node
        };
        trial.until(&node, &asked, "succeeded").await;
        assert_eq!(trial.effects(&asked), 1);
        trial.holds(node).await;
    }
}
