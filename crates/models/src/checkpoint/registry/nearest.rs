//! Finds the known name that is most similar to a misspelt one.

/// The known name that is nearest to `name` (the first of several); empty where none is known.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> &'a str {
    known
        .min_by_key(|known| edit_distance(name, known))
        .unwrap_or("")
}

/// Levenshtein distance, ignoring ASCII case.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.to_ascii_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.to_ascii_lowercase().chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &to) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edit_distance_counts_insertions_deletions_and_substitutions() {
        assert_eq!(edit_distance("kitten", "sitting"), 3);
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(edit_distance("CLIP", "clip"), 0);
    }

    #[test]
    fn the_nearest_of_several_is_the_first() {
        let layers = ["features.4", "features.11", "classifier.6"];
        assert_eq!(nearest("feature.4", layers.into_iter()), "features.4");
        assert_eq!(nearest("features.5", layers.into_iter()), "features.4");
        assert_eq!(nearest("x", [].into_iter()), "");
    }
}
