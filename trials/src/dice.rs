//! Random choices that a seed repeats.

/// A generator (splitmix64) whose choices depend on its seed alone.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// The choices of this seed.
    pub fn of(seed: u64) -> Self {
        Self(seed)
    }

    /// Another generator, for something that goes on beside this.
    #[must_use]
    pub fn another(&mut self) -> Self {
        Self(self.roll())
    }

    /// The next 64 bits.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`; 0 if that is 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.roll().checked_rem(end).unwrap_or_default()
    }

    /// One of these.
    pub fn one_of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        let at = self.below(u64::try_from(all.len()).unwrap_or_default());
        all.get(usize::try_from(at).unwrap_or_default())
    }

    /// Puts these in another order.
    pub fn shuffle<T>(&mut self, all: &mut [T]) {
        for end in (1..all.len()).rev() {
            let other = self.below(u64::try_from(end).unwrap_or_default().saturating_add(1));
            all.swap(end, usize::try_from(other).unwrap_or_default());
        }
    }
}
