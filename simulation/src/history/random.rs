//! Numbers that depend on the seed alone, the same on every machine.

/// A stream of numbers.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn of(seed: u64) -> Self {
        Self(mixed(seed))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// Below `end`; 0 if that is 0.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next().checked_rem(end).unwrap_or(0)
    }

    /// That often in a hundred.
    pub(super) fn percent(&mut self, often: u64) -> bool {
        self.below(100) < often
    }

    /// One of them.
    pub(super) fn one_of<T: Copy>(&mut self, first: T, others: &[T]) -> T {
        let all = u64::try_from(others.len()).unwrap_or(0) + 1;
        let at = usize::try_from(self.below(all)).unwrap_or(0);
        at.checked_sub(1).and_then(|at| others.get(at)).copied().unwrap_or(first)
    }
}

/// One number from several: what is drawn for one event does not depend on the order of the others.
pub(super) fn drawn(parts: &[u64]) -> u64 {
    parts.iter().fold(0, |so_far, part| mixed(so_far ^ mixed(*part)))
}

/// The finaliser of `SplitMix64`.
fn mixed(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
