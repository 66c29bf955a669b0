//! How long people say that something is to wait; one that could never be kept is refused before anything waits.

use std::fmt::{Display, Formatter};
use std::ops::RangeInclusive;
use std::time::Duration;

/// The least of a wait that must not be none: a loop without it would ask without end.
pub(crate) const LEAST: Duration = Duration::from_millis(1);
/// The most of what somebody or something waits for meanwhile.
pub(crate) const DAY: Duration = Duration::from_secs(24 * 3600);
/// The most of what nobody waits for.
pub(crate) const MONTH: Duration = Duration::from_secs(31 * 24 * 3600);

/// A wait as it was set.
pub(crate) struct Wait {
    /// The call that sets it, as it is typed.
    pub(crate) call: &'static str,
    pub(crate) is: Duration,
    pub(crate) may_be: RangeInclusive<Duration>,
    /// What needs it to be in this range.
    pub(crate) why: &'static str,
    /// What to type.
    pub(crate) such_as: &'static str,
}

impl Wait {
    /// What is wrong with it, and what to type.
    pub(crate) fn wrong(&self) -> Option<String> {
        let Self { call, is, may_be, why, such_as } = self;
        let (least, most) = (InWords(*may_be.start()), InWords(*may_be.end()));
        (!may_be.contains(is)).then(|| {
            format!(
                "`{call}` is {is:?}, and may be from {least} to {most}: {why}; type `{such_as}`"
            )
        })
    }
}

/// As people say it, in the largest unit that leaves nothing over.
struct InWords(Duration);

impl Display for InWords {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let seconds = self.0.as_secs();
        let is_whole = self.0.subsec_nanos() == 0;
        if is_whole && self.0 > DAY && seconds.is_multiple_of(DAY.as_secs()) {
            return write!(f, "{} days", seconds / DAY.as_secs());
        }
        if is_whole && seconds > 0 && seconds.is_multiple_of(3600) {
            return write!(f, "{} h", seconds / 3600);
        }
        match self.0 {
            Duration::ZERO => f.write_str("none"),
            is => write!(f, "{} ms", is.as_millis()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(is: Duration) -> Option<String> {
        let (may_be, why, such_as) = (LEAST..=DAY, "others wait for it", ".sleep(a_minute)");
        Wait { call: ".sleep(…)", is, may_be, why, such_as }.wrong()
    }

    #[test]
    fn a_wait_that_cannot_be_kept_is_refused() {
        for kept in [LEAST, Duration::from_secs(60), DAY] {
            assert_eq!(wrong(kept), None);
        }
        for lost in [Duration::ZERO, LEAST / 2, DAY + Duration::from_nanos(1), Duration::MAX] {
            assert!(wrong(lost).is_some(), "{lost:?}");
        }
        insta::assert_snapshot!(
            wrong(Duration::MAX).unwrap_or_default(),
            @"`.sleep(…)` is 18446744073709551615.999999999s, and may be from 1 ms to 24 h: others wait for it; type `.sleep(a_minute)`"
        );
    }

    #[test]
    fn a_bound_is_said_as_people_say_it() {
        for (bound, said) in
            [(Duration::ZERO, "none"), (LEAST, "1 ms"), (DAY, "24 h"), (MONTH, "31 days")]
        {
            assert_eq!(InWords(bound).to_string(), said);
        }
    }
}
