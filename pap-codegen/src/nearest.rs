//! The known word that a mistyped one was most likely meant to be.

/// The candidate nearest to `word`, if one is near enough to be worth saying.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// How many letters to insert, remove, replace or swap with their neighbour.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    let mut last = None;
    for (i, letter) in from.chars().enumerate() {
        let mut next = vec![i + 1];
        for (j, other) in to.iter().enumerate() {
            let at = |row: &[usize], index: usize| row.get(index).copied().unwrap_or(usize::MAX);
            let replace = at(&row, j) + usize::from(letter != *other);
            let mut best = replace.min(at(&row, j + 1) + 1).min(at(&next, j) + 1);
            let swapped = j > 0 && last == Some(*other) && to.get(j - 1) == Some(&letter);
            if swapped {
                best = best.min(at(&before, j - 1).saturating_add(1));
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
        last = Some(letter);
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_finds_its_word_and_a_different_word_does_not() {
        let known = ["openapi", "discovery", "docs"];
        assert_eq!(nearest("opneapi", known), Some("openapi"));
        assert_eq!(nearest("doc", known), Some("docs"));
        assert_eq!(nearest("typescript", known), None);
        assert_eq!(distance("ab", "ba"), 1);
        assert_eq!(distance("", "abc"), 3);
    }
}
