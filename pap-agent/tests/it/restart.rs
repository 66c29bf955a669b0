//! What is open survives a restart, and so does what was approved.

use std::time::Duration;

use pap_agent::{Asked, Contradiction, Error, Followed, InFile, NotSent, OpenOperations};
use pap_protocol::operation::{ApprovedBy, State};
use serde_json::json;

use crate::company::{Reply, Step};
use crate::host::{
    CONFIRM, Host, READ, ended, exchange, id, in_progress, ok, proposed, revised, succeeded,
};

/// OPS-6-8, OPS-6-9: a crash after the confirm was sent, then a new process.
#[tokio::test]
async fn a_begun_confirm_is_found_again_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("open.json");
    let host = Host::start().await;
    {
        let agent = host.builder().open_operations(InFile::open(&path).unwrap());
        let client = host.client_of(&agent.build().unwrap());
        let proposal = host.proposal(&client).await;
        let approval = host.approval(&client, &proposal).await;
        // at the moment the Company has the request, the file says so
        let (at_confirm, path) = (path.clone(), path.clone());
        let look = move |_: &crate::company::Received| {
            let kept = std::fs::read_to_string(&at_confirm).unwrap();
            assert!(kept.contains(r#""approved_by": "user""#), "{kept}");
        };
        host.company.will(Step::Meanwhile(Box::new(look), ok(&in_progress(proposed()))));
        assert!(matches!(client.confirm(approval).await, Ok(Followed::InProgress(_))));
        assert_eq!(host.company.lines(), [CONFIRM]);
        let kept = std::fs::read_to_string(&path).unwrap();
        assert!(!kept.contains("Stormline") && !kept.contains("70.00"), "{kept}");
    }

    let agent = host.builder().open_operations(InFile::open(&path).unwrap());
    let client = host.client_of(&agent.build().unwrap());
    let open = client.open().await.unwrap();
    let begun = open[0].confirm.clone().unwrap();
    assert_eq!((open[0].state, begun.approved_by), (State::InProgress, ApprovedBy::User));
    let refused = client.ask(&exchange()).await;
    assert!(matches!(refused, Err(Error::NotSent(NotSent::StillOpen(_)))), "{refused:?}");
    assert!(host.company.lines().is_empty());

    host.company.will(ok(&succeeded(proposed())));
    let followed = client.follow(&open[0].operation_id, Duration::from_secs(60)).await.unwrap();
    assert!(matches!(followed, Followed::Final(_)));
    assert_eq!(host.company.lines(), [READ]);
    assert!(client.open().await.unwrap().is_empty());
    host.company.will(Reply::json(202, &json!({ "queued": true })));
    assert!(matches!(client.ask(&exchange()).await, Ok(Asked::Done(_))));
}

/// OPS-6-8: a host that does not wait for the answer is a lost answer, too.
#[tokio::test]
async fn a_confirm_that_nobody_waits_for_any_more_stays_begun() {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::start().await;
    let kept = InFile::open(folder.path().join("open.json")).unwrap();
    let client = host.client_of(&host.builder().open_operations(kept).build().unwrap());
    let proposal = host.proposal(&client).await;
    let approval = host.approval(&client, &proposal).await;
    host.company.will(Step::HoldOn);
    tokio::select! {
        followed = client.confirm(approval) => panic!("{followed:?}"),
        () = async {
            while host.company.received().is_empty() {
                tokio::task::yield_now().await;
            }
        } => {}
    }
    assert!(client.open().await.unwrap()[0].confirm.is_some());
    assert!(matches!(client.ask(&exchange()).await, Err(Error::NotSent(_))));
    host.company.will(ok(&succeeded(proposed())));
    let followed = client.follow(&id(), Duration::from_secs(60)).await;
    assert!(matches!(followed, Ok(Followed::Final(_))));
    assert_eq!(host.company.lines(), [CONFIRM, READ]);
}

/// OPS-6-9: operations of many tasks, one file.
#[tokio::test]
async fn changes_at_the_same_time_are_all_kept() {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::start().await;
    let kept = InFile::open(folder.path().join("open.json")).unwrap();
    let agent = host.builder().open_operations(kept).build().unwrap();
    let client = std::sync::Arc::new(host.client_of(&agent));
    let receiving: Vec<_> = (0..16)
        .map(|number| {
            let client = std::sync::Arc::clone(&client);
            let mut operation = proposed();
            operation["operation_id"] = json!(format!("exc_{number}"));
            let operation = operation.to_string();
            tokio::spawn(async move { client.receive(operation.as_bytes(), None).await.map(drop) })
        })
        .collect();
    for receiving in receiving {
        receiving.await.unwrap().unwrap();
    }
    assert_eq!(client.open().await.unwrap().len(), 16);
}

/// OPS-5.1-1: an approval is not kept, so what was never confirmed needs the User again.
#[tokio::test]
async fn a_confirm_that_never_arrived_needs_a_new_approval_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("open.json");
    let host = Host::start().await;
    let once = |host: &Host| {
        let kept = InFile::open(&path).unwrap();
        let builder = host.builder().open_operations(kept).recover_within(Duration::ZERO);
        host.client_of(&builder.build().unwrap())
    };
    let client = once(&host);
    let proposal = host.proposal(&client).await;
    let approval = host.approval(&client, &proposal).await;
    host.company.will(Step::Drop);
    assert!(matches!(client.confirm(approval).await, Err(Error::OutcomeUnknown { .. })));
    drop(client);

    let client = once(&host);
    host.company.will(ok(&proposed()));
    let followed = client.follow(&id(), Duration::from_secs(60)).await.unwrap();
    let Followed::Proposed(proposal) = followed else { panic!("{followed:?}") };
    let approval = host.approval(&client, &proposal).await;
    assert_eq!(host.screen.shown.lock().unwrap().len(), 2);
    host.company.will(ok(&succeeded(proposed())));
    assert!(matches!(client.confirm(approval).await, Ok(Followed::Final(_))));
}

#[tokio::test]
async fn a_company_that_changes_its_word_during_the_restart_is_caught() {
    let mut dearer = in_progress(proposed());
    dearer["terms"]["price_difference"]["amount"] = json!("700.00");
    for (before, after) in [
        (in_progress(proposed()), dearer),
        (in_progress(proposed()), proposed()),
        (in_progress(proposed()), ended(proposed(), "expired", "Nothing was done.")),
        (revised(), proposed()),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("open.json");
        let host = Host::start().await;
        for (is_after, answer) in [(false, &before), (true, &after)] {
            let agent = host.builder().open_operations(InFile::open(&path).unwrap());
            let client = host.client_of(&agent.build().unwrap());
            host.company.will(ok(answer));
            let read = client.read(&id()).await;
            assert_eq!(read.is_err(), is_after, "{answer}: {read:?}");
            if let Err(error) = read {
                assert!(matches!(error, Error::Contradiction(_)), "{error:?}");
            }
        }
        let kept = InFile::open(&path).unwrap().of("example.com").await.unwrap();
        assert_eq!(kept[0].state.as_str(), before["state"].as_str().unwrap());
    }
}

#[tokio::test]
async fn changed_terms_are_named_as_such() {
    let host = Host::start().await;
    let client = host.client();
    host.proposal(&client).await;
    let mut dearer = proposed();
    dearer["terms"]["price_difference"]["amount"] = json!("700.00");
    host.company.will(ok(&dearer));
    let read = client.read(&id()).await;
    let Err(Error::Contradiction(Contradiction::ChangedTerms { revision, .. })) = read else {
        panic!("{read:?}")
    };
    assert_eq!(revision.get(), 1);
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_not_taken_for_an_empty_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("open.json");
    for content in ["", "{", "[]", r#"{"format":2,"open":[]}"#, r#"{"format":1,"open":[{}]}"#] {
        std::fs::write(&path, content).unwrap();
        assert!(InFile::open(&path).is_err(), "{content}");
    }
    // also when it breaks later: nothing is asked for without knowing what is open
    std::fs::remove_file(&path).unwrap();
    let host = Host::start().await;
    let agent = host.builder().open_operations(InFile::open(&path).unwrap()).build().unwrap();
    let client = host.client_of(&agent);
    std::fs::write(&path, "{").unwrap();
    let refused = client.ask(&exchange()).await;
    assert!(matches!(refused, Err(Error::NotKept(_))), "{refused:?}");
    assert!(host.company.lines().is_empty());
}

#[tokio::test]
async fn what_cannot_be_kept_is_not_confirmed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("open.json");
    let host = Host::start().await;
    let agent = host.builder().open_operations(InFile::open(&path).unwrap()).build().unwrap();
    let client = host.client_of(&agent);
    let proposal = host.proposal(&client).await;
    let approval = host.approval(&client, &proposal).await;
    // the file beside it cannot be written any more
    std::fs::create_dir(folder.path().join("open.json.new")).unwrap();
    let refused = client.confirm(approval).await;
    assert!(matches!(refused, Err(Error::NotKept(_))), "{refused:?}");
    assert!(host.company.lines().is_empty());
}

#[cfg(unix)]
#[tokio::test]
async fn the_file_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("open.json");
    let host = Host::start().await;
    let agent = host.builder().open_operations(InFile::open(&path).unwrap()).build().unwrap();
    host.proposal(&host.client_of(&agent)).await;
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}
