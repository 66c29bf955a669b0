//! What would be removed or blanked, counted before.

use std::time::Duration;

use pap_protocol::operation::State;

use super::Opens;
use super::bench::{ACTION, Bench, COMPANY, assert_done, kept, revision};
use super::keeping::{erase, purge};
use crate::store::{
    Closing, Count, CountOf, Counted, EndRelease, Erased, NewOperation, OpenAction, Owner, Proposed,
};

/// What would be removed, or blanked, is counted before: exactly what then is, at its moment, of its action or
/// account and company.
pub async fn what_is_counted_is_what_is_removed_or_blanked(open: impl Opens) {
    let bench = Bench::open(open).await;
    bench.proposed().await;
    bench.claimed().await;
    bench.deferred().await;
    let untold = NewOperation { tells_release: true, ..bench.operation() };
    let elsewhere = Owner { account: Some("acct2".to_owned()), ..untold.owner.clone() };
    let others = NewOperation { owner: elsewhere, ..bench.operation() };
    let theirs = bench.of_another(&bench.operation());
    let mut another = bench.operation();
    another.open = OpenAction { action: "orders.return".to_owned(), ..another.open };
    for new in [&untold, &others, &theirs, &another] {
        assert_eq!(kept(bench.store.propose(new.clone()).await), Proposed::New);
        assert_done(bench.close(&new.key, Closing::Cancelled).await, "it is declined");
    }
    for _ in 0..5 {
        bench.ended(State::Succeeded).await;
    }
    bench.clock.advance(Duration::from_secs(1));
    let moment = bench.now();
    for _ in 0..3 {
        bench.ended(State::Failed).await;
    }
    let count = async |company: &str, of| {
        let count = Count { company: company.to_owned(), of };
        kept(bench.keeping().count(count).await)
    };
    let old = |action: &str| CountOf::Purge { action: action.to_owned(), ended_before: moment };
    let of_account = |account: &str| CountOf::Erase { account: account.to_owned() };
    let counted = |would, open| Counted { would, open };
    assert_eq!(count(COMPANY, old(ACTION)).await, counted(6, 4), "those at the moment stay");
    assert_eq!(count(COMPANY, of_account("acct")).await, counted(9, 4));
    assert_eq!(count(COMPANY, of_account("acct2")).await, counted(1, 0));
    for of in [old("orders.nothing"), of_account("nobody")] {
        assert_eq!(count(COMPANY, of).await, counted(0, 0));
    }
    assert_eq!(count("another", old(ACTION)).await, counted(1, 0), "another company's own");

    let before = bench.on_record(&untold.key).await;
    assert_eq!(kept(bench.keeping().purge(purge(moment)).await).removed, 6, "as was counted");
    assert_eq!(count(COMPANY, old(ACTION)).await, counted(0, 4));
    assert_eq!(count(COMPANY, of_account("acct")).await, counted(4, 4), "those that are left");
    let erased = kept(bench.keeping().erase(erase("acct")).await);
    assert_eq!(erased, Erased { erased: 4, open: 4, more: false }, "as was counted");
    assert_eq!(count(COMPANY, of_account("acct")).await, counted(0, 4));
    assert_eq!(bench.on_record(&untold.key).await, before, "counting changes nothing");

    let key = untold.key;
    let end = EndRelease { key, revision: revision(1), again_after: None };
    kept(bench.keeping().end_release(end).await);
    assert_eq!(count(COMPANY, old(ACTION)).await, counted(1, 3), "once it was told, it would go");
    assert_eq!(kept(bench.keeping().purge(purge(moment)).await).removed, 1);
}
