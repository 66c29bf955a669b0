//! Medians, and how far what was measured is apart.

/// What many slices came to.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Spread {
    /// The spread of some values; zeros of none.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = values.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let at = |index: usize| sorted.get(index).copied().unwrap_or_default();
        let (half, last) = (sorted.len() / 2, sorted.len().saturating_sub(1));
        let median = if sorted.len().is_multiple_of(2) {
            f64::midpoint(at(half.saturating_sub(1)), at(half))
        } else {
            at(half)
        };
        Self { median, least: at(0), most: at(last) }
    }
}

#[cfg(test)]
mod tests {
    use super::Spread;

    #[test]
    fn the_median_is_the_middle_of_what_was_measured() {
        let close = |spread: Spread, (median, least, most): (f64, f64, f64)| {
            let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
            near(spread.median, median) && near(spread.least, least) && near(spread.most, most)
        };
        assert!(close(Spread::of([3.0, 1.0, 2.0]), (2.0, 1.0, 3.0)));
        assert!(close(Spread::of([4.0, 1.0, 2.0, 3.0]), (2.5, 1.0, 4.0)));
        assert!(close(Spread::of([]), (0.0, 0.0, 0.0)));
    }
}
