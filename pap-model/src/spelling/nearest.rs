//! Which known name a misspelled one probably means.

/// The known name that is so near that it is probably meant.
pub fn nearest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (given.chars().count() / 3).max(1);
    // `order` for `order_id`, `orderid` for `order_id`
    let begins = |name: &str| given.len() > 2 && name.starts_with(given);
    known
        .into_iter()
        .map(|name| (if begins(name) { 1 } else { distance(given, name) }, name))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// How many letters to insert, remove, replace or swap to get from one name to the other.
pub fn distance(from: &str, to: &str) -> usize {
    let from: Vec<char> = from.chars().collect();
    let to: Vec<char> = to.chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let cell = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX - 1);
            let replaced = cell(&last, j) + usize::from(a != b);
            let mut best = replaced.min(cell(&last, j + 1) + 1).min(cell(&row, j) + 1);
            let swapped = i > 0 && j > 0 && from.get(i - 1) == Some(b) && to.get(j - 1) == Some(a);
            if swapped {
                best = best.min(cell(&before_last, j - 1) + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or_default()
}
