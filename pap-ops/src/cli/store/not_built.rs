//! A store that this program was built without.

use std::future::{Ready, ready};
use std::sync::Arc;

use pap_runtime::store::{Restored, RestoredBy, Store, WouldRestore};

use super::super::args::Migrate;
use super::super::command::Needs;
use super::super::console::{Console, Stop};
use super::super::exit::Exit;

pub(super) fn open<N: ?Sized>(_: &N, _: Needs) -> Ready<Result<Arc<dyn Store>, Stop>> {
    ready(Err(not_built()))
}

pub(super) fn migrate<N: ?Sized>(
    _: &N,
    _: &Migrate,
    _: &mut Console<'_>,
) -> Ready<Result<Exit, Stop>> {
    ready(Err(not_built()))
}

pub(super) fn would_restore<N: ?Sized>(_: &N) -> Ready<Result<WouldRestore, Stop>> {
    ready(Err(not_built()))
}

pub(super) fn restore<N: ?Sized>(_: &N, _: &RestoredBy) -> Ready<Result<Restored, Stop>> {
    ready(Err(not_built()))
}

fn not_built() -> Stop {
    Stop::usage("this `pap-ops` was built without this kind of store")
        .help("cargo install pap-ops --features sqlite,postgres")
}
