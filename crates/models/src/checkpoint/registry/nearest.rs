//! Finds the known name that is most similar to a misspelt one.

/// The known name that is nearest to `name` (the first of several); empty where none is known.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> &'a str {
    known
        .min_by_key(|known| edit_distance(name, known))
        .unwrap_or("")
}

/// The known name that `name` is most likely a slip of; `None` where none is similar.
fn similar<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let found = nearest(name, known);
    is_slip(name, found).then_some(found)
}

/// Is a name most likely a slip of this known one?
pub(crate) fn is_slip(name: &str, known: &str) -> bool {
    // A third of the letters may be wrong (two that change places count twice): beyond that, names have nothing in common.
    let most = name.chars().count().div_ceil(3);
    !name.is_empty() && edit_distance(name, known) <= most
}

/// The question behind a name that is most likely a slip, in brackets; empty where no known name is similar.
///
/// ```
/// use neurogauge_models::registry::did_you_mean;
/// assert_eq!(did_you_mean("sism", &["ssim", "pixcorr"]), " (did you mean \"ssim\"?)");
/// assert_eq!(did_you_mean("loudness", &["ssim", "pixcorr"]), "");
/// ```
pub fn did_you_mean(name: &str, known: &[&str]) -> String {
    match similar(name, known.iter().copied()) {
        Some(meant) => format!(" (did you mean {meant:?}?)"),
        None => String::new(),
    }
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
