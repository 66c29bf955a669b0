//! Stored terms into the code's own: of the same version as they are, of older ones by an upgrade.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::de::DeserializeOwned;

use super::Terms;
use crate::declaration::{Facts, TermsDeclaration};

/// How terms are made from those of one older version.
#[derive(Debug)]
pub struct Upgrade<T> {
    from: &'static TermsDeclaration,
    read: fn(&str) -> Result<T, String>,
    keeps: fn(&str) -> bool,
}

/// The upgrade from `V`, also in a constant.
pub const fn upgrade<V: Terms, T: UpgradesFrom<V>>() -> Upgrade<T> {
    Upgrade {
        from: V::DECLARATION,
        read: |full| T::upgraded(decoded::<V>(full)?),
        keeps: reads_back::<V>,
    }
}

/// The declarations of the older terms.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler; the lengths are one number"
)]
pub const fn older<const N: usize, T>(
    upgrades: &'static [Upgrade<T>],
) -> [&'static TermsDeclaration; N] {
    let mut older = [upgrades[0].from; N];
    let mut index = 0;
    while index < N {
        older[index] = upgrades[index].from;
        index += 1;
    }
    older
}

/// Terms that can be made from older ones: by `From`, or by `TryFrom` where that can fail.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be made from the older `{V}`",
    label = "no upgrade from these terms",
    note = "write `impl From<{V}> for {Self}`, or `TryFrom` if some of the older terms can't be kept to",
    note = "more: pap-codegen explain PAP0027"
)]
pub trait UpgradesFrom<V>: Sized {
    /// The older terms in the new shape.
    ///
    /// # Errors
    ///
    /// Why that cannot be: nothing is performed with them then.
    fn upgraded(older: V) -> Result<Self, String>;
}

#[diagnostic::do_not_recommend]
impl<T, V> UpgradesFrom<V> for T
where
    T: TryFrom<V>,
    T::Error: Display,
{
    fn upgraded(older: V) -> Result<Self, String> {
        Self::try_from(older).map_err(|error| format!("the older terms can't be upgraded: {error}"))
    }
}

/// The stored terms of this version, as the code's own.
///
/// # Errors
///
/// Why they are not read, without repeating any of them.
pub(crate) fn read<T: Terms>(version: u32, full: &str) -> Result<T, String> {
    if version == T::DECLARATION.version {
        return decoded(full);
    }
    let upgrade = upgrade_from::<T>(version);
    let unknown = || format!("this code does not know version {version} of the terms");
    (upgrade.ok_or_else(unknown)?.read)(full)
}

/// Whether stored terms of this version are what a handler may get: what is stored reads back as it is, and
/// an upgrade of it is as good as terms that are proposed now.
pub(crate) fn knows<T: Terms>(version: u32, full: &str) -> bool {
    if version == T::DECLARATION.version {
        return reads_back::<T>(full);
    }
    let Some(upgrade) = upgrade_from::<T>(version) else { return false };
    // an upgrade is the company's code, and runs here for the first time
    let fits = || (upgrade.keeps)(full) && (upgrade.read)(full).is_ok_and(|terms| is_fit(&terms));
    catch_unwind(AssertUnwindSafe(fits)).unwrap_or(false)
}

fn upgrade_from<T: Terms>(version: u32) -> Option<&'static Upgrade<T>> {
    T::UPGRADES.iter().find(|upgrade| upgrade.from.version == version)
}

fn is_fit<T: Terms>(terms: &T) -> bool {
    terms.problem(&Facts::NONE).is_none()
        && serde_json::to_string(terms).is_ok_and(|full| reads_back::<T>(&full))
}

/// Whether decoding and encoding gives the same bytes again.
pub(crate) fn reads_back<T: Terms>(full: &str) -> bool {
    serde_json::from_str::<T>(full)
        .and_then(|terms| serde_json::to_string(&terms))
        .is_ok_and(|again| again == full)
}

fn decoded<T: DeserializeOwned>(full: &str) -> Result<T, String> {
    serde_json::from_str(full).map_err(|error| unreadable(&error))
}

/// Says what is wrong with stored JSON without repeating any of it.
pub(crate) fn unreadable(error: &serde_json::Error) -> String {
    format!("the stored terms do not read back (line {}, column {})", error.line(), error.column())
}
