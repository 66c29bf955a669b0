//! What is done with operations beside their path: the end of proposals, what operators ask for, and what
//! is kept for how long.

use std::fmt::Debug;

use super::{
    Act, Count, Counted, EndRelease, Erase, Erased, Feed, OpenWork, Page, Pause, Paused, Pending,
    Purge, Purged, ReadActs, ReadFeed, Resume, Search, TakeReleases, TakenReleases,
};

/// The other half of a [`Store`](super::Store): reached through [`Store::keeping`](super::Store::keeping).
///
/// Nothing here decides whether an action may be performed. Each write is there whole or not at all.
pub trait Keeping: Send + Sync + Debug {
    /// Records the expiry of proposals that were not confirmed in time, at most `limit`, and answers how
    /// many. [`EXPIRED`](super::EXPIRED) is the summary of their result.
    ///
    /// # Crash safety
    ///
    /// As [`Store::close_proposed`](super::Store::close_proposed), for each.
    fn expire_due<'a>(&'a self, company: &'a str, limit: u32) -> Pending<'a, u32>;

    /// Takes what hung on revisions that will not be performed and is to be released: written with the end
    /// of a proposal or with its next revision, if [`NewOperation::tells_release`](super::NewOperation)
    /// asked for it. Those that wait longest come first.
    ///
    /// # Crash safety
    ///
    /// What was taken and not ended by [`Keeping::end_release`] is taken again after `lease`.
    fn take_releases(&self, take: TakeReleases) -> Pending<'_, TakenReleases>;

    /// Says that a release was told, or when to tell it again. One that is not there changes nothing.
    ///
    /// # Crash safety
    ///
    /// Until it returns, the release may be told again.
    fn end_release(&self, end: EndRelease) -> Pending<'_, ()>;

    /// From when it returns, no process of this company proposes, or claims, operations of this action.
    /// Pausing what is paused keeps the first, and is no [`Act`].
    ///
    /// # Crash safety
    ///
    /// Durable when it returns, with its act; it holds until [`Keeping::resume`].
    fn pause(&self, pause: Pause) -> Pending<'_, ()>;

    /// Ends a pause; `false` if there was none, which is no [`Act`].
    ///
    /// # Crash safety
    ///
    /// Durable when it returns, with its act.
    fn resume(&self, resume: Resume) -> Pending<'_, bool>;

    /// The pauses of a company, oldest first.
    fn pauses<'a>(&'a self, company: &'a str) -> Pending<'a, Vec<Paused>>;

    /// What happened after a cursor, oldest first: ids, kinds and moments only. The events of one operation
    /// come in their order, every event comes once, and none is passed over, also while others are being
    /// written. Events of operations that were purged are gone.
    fn feed(&self, read: ReadFeed) -> Pending<'_, Feed>;

    /// Operations by what is known about them, in proposal order.
    fn search(&self, search: Search) -> Pending<'_, Page>;

    /// Removes operations that ended before a moment, with everything on record about them. One in progress,
    /// one that is proposed, and one with a release that was not told stay, however old they are.
    ///
    /// # Crash safety
    ///
    /// Each operation is there whole or gone. Its id is never issued again. The act of [`Purge::by`] is there with
    /// the first that is gone, and tells of as many as are.
    fn purge(&self, purge: Purge) -> Pending<'_, Purged>;

    /// Blanks what the final operations of an account say: who, terms, summaries, notes, results, and the
    /// details of events. Id, action, state, moments and digests stay; each digest becomes
    /// [`salted`](super::salted) with 32 random bytes that are kept beside it. An operation that is not
    /// final, or has a release that was not told, stays as it is.
    ///
    /// # Crash safety
    ///
    /// Each operation is as it was or blanked. The act of [`Erase::by`] is there with the first that is blanked, and
    /// tells of as many as are; nothing in it tells whose they were.
    fn erase(&self, erase: Erase) -> Pending<'_, Erased>;

    /// What operators did, oldest first. It is never changed but for the count of one that is going on, and never
    /// removed. How an operation was settled is in its own events.
    fn acts(&self, read: ReadActs) -> Pending<'_, Vec<Act>>;

    /// How many operations a purge, or an erasure, would touch now: by the same rules, and without reading what
    /// they say. Nothing is changed.
    fn count(&self, count: Count) -> Pending<'_, Counted>;

    /// What is in progress, action by action.
    fn open_work<'a>(&'a self, company: &'a str) -> Pending<'a, Vec<OpenWork>>;

    /// Looks whether everything on record about a company fits together, and says what does not, one line
    /// each. Nothing is changed.
    fn verify<'a>(&'a self, company: &'a str) -> Pending<'a, Vec<String>>;
}
