//! Each write of the contract: put in words by the caller, decided inside the writer's transaction.
//!
//! A function here does what needs no database (JSON, digests, checks) and gives back what the writer is
//! to do.

mod act;
mod ask;
mod close;
mod confirm;
mod erase;
mod finish;
mod life;
mod note;
mod pause;
mod proof;
mod propose;
mod purge;
mod release;
mod revise;
mod stop;

pub(super) use ask::{Taken, ask_later, take_askable};
pub(super) use close::close_proposed;
pub(super) use confirm::{claim, start};
pub(super) use erase::{Erasing, erase};
pub(super) use finish::{finish, finish_with, record_late};
pub(super) use life::{begin_life, end_life, lives};
pub(super) use note::write_note;
pub(super) use pause::{pause, resume};
pub(super) use proof::record_proof;
pub(super) use propose::propose;
pub(super) use purge::{Removing, purge};
pub(super) use release::{Expiring, Told, end_release, expire_due, take_releases};
pub(super) use revise::revise;
pub(super) use stop::request_stop;

use super::transaction::Transaction;
use crate::store::Error;

/// What the writer is to do; again, if everything was undone.
pub(super) trait Work<T>: Fn(&Transaction<'_>) -> Result<T, Error> + Send + 'static {}

impl<T, F> Work<T> for F where F: Fn(&Transaction<'_>) -> Result<T, Error> + Send + 'static {}
