//! How long a proof is good: the only arithmetic about it.

/// How far a proof's `iat` may be from the clock, in seconds, to either side.
pub const WINDOW_S: i64 = 60;

/// How far the clocks of a Company's nodes may be apart, in seconds, without a proof being forgotten
/// by one node while another still accepts it.
const CLOCKS_APART_S: i64 = 60;

/// Whether a proof made at `iat` is accepted at `now`, both in seconds since 1970.
pub(super) fn accepts(iat: i64, now: i64) -> bool {
    iat.abs_diff(now) <= WINDOW_S.unsigned_abs()
}

/// The second, since 1970, from which on a proof made at `iat` may be forgotten: no clock accepts it any
/// more.
///
/// The first second outside the window (a clock that shows fractions is inside it until then), and a
/// minute more for nodes whose clocks differ.
///
/// It is of the proof alone, and must not become later for the same proof: whoever forgets proofs may keep
/// only up to when those were good, and refuse what is not good for longer.
///
/// # Examples
///
/// ```
/// use pap_protocol::dpop::{WINDOW_S, replay_until};
///
/// let iat = 1_793_000_100;
/// assert!(replay_until(iat) > iat + WINDOW_S);
/// ```
pub fn replay_until(iat: i64) -> i64 {
    iat.saturating_add(WINDOW_S + 1 + CLOCKS_APART_S)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{WINDOW_S, accepts, replay_until};

    proptest! {
        /// EXT-18
        #[test]
        fn a_proof_that_some_clock_accepts_is_remembered(
            iat in -100_000_000_000_i64..100_000_000_000,
            late_s in -100_i64..100,
            millis in 0_i64..1000,
        ) {
            let now = iat + late_s;
            // a clock in milliseconds shows the same second until the next one begins
            let now_millis = now * 1000 + millis;
            prop_assert_eq!(accepts(iat, now), late_s.abs() <= WINDOW_S);
            prop_assert!(!accepts(iat, now) || now < replay_until(iat));
            prop_assert!(!accepts(iat, now) || now_millis < replay_until(iat) * 1000);
        }

        #[test]
        fn no_time_is_out_of_the_arithmetics_range(iat: i64, now: i64) {
            prop_assert!(!accepts(iat, now) || now <= replay_until(iat));
        }
    }

    /// EXT-18
    #[test]
    fn a_node_that_is_a_minute_ahead_forgets_nothing_that_another_accepts() {
        let iat = 1_793_000_100;
        let last_accepted = iat + WINDOW_S;
        assert!(accepts(iat, last_accepted));
        assert!(last_accepted + 60 < replay_until(iat));
    }
}
