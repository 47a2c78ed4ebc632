//! Finds the known name that is most similar to a misspelt one.

/// The known name whose beginning is closest to `name`; ties go to the closest whole name, then to the first. Empty if
/// no names are known.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> &'a str {
    known
        .min_by_key(|known| {
            let Distance { beginning, whole } = Distance::of(name, known);
            (beginning, whole)
        })
        .unwrap_or("")
}

/// The known name that `name` is most likely a misspelling of; `None` if none is similar.
fn similar<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let found = nearest(name, known);
    is_slip(name, found).then_some(found)
}

/// Is `name` most likely a misspelling of `known`, or of its beginning?
pub(crate) fn is_slip(name: &str, known: &str) -> bool {
    let length = name.chars().count();
    let Distance { beginning, whole } = Distance::of(name, known);
    // At most a third of the letters may be wrong (two swapped ones count twice); beyond that, names have nothing in
    // common. Many names share a beginning, so less of it may be wrong.
    length > 1 && (whole <= length.div_ceil(3) || beginning <= length / 4)
}

/// A question in brackets that follows a misspelt name; empty if no known name is similar.
///
/// ```
/// use neurogauge_models::registry::did_you_mean;
/// assert_eq!(did_you_mean("sism", &["ssim", "pixcorr"]), " (did you mean \"ssim\"?)");
/// assert_eq!(did_you_mean("clip-vit", &["vgg16", "clip_vit_l_14"]), " (did you mean \"clip_vit_l_14\"?)");
/// assert_eq!(did_you_mean("loudness", &["ssim", "pixcorr"]), "");
/// ```
pub fn did_you_mean(name: &str, known: &[&str]) -> String {
    match similar(name, known.iter().copied()) {
        Some(meant) => format!(" (did you mean {meant:?}?)"),
        None => String::new(),
    }
}

/// Levenshtein distances of a name, ignoring ASCII case.
struct Distance {
    /// Distance from the nearest beginning of the known name; 0 if `name` is a part of it.
    beginning: usize,
    /// Distance from the whole known name.
    whole: usize,
}

impl Distance {
    fn of(name: &str, known: &str) -> Self {
        let (name, known) = (name.to_ascii_lowercase(), known.to_ascii_lowercase());
        let is_part = name.len() > 2 && known.contains(&name);
        let known: Vec<char> = known.chars().collect();
        // The distance of the processed part of `name` from each prefix of `known`.
        let mut row: Vec<usize> = (0..=known.len()).collect();
        for (i, from) in name.chars().enumerate() {
            let mut diagonal = row[0];
            row[0] = i + 1;
            for (j, &to) in known.iter().enumerate() {
                let substituted = diagonal + usize::from(from != to);
                diagonal = row[j + 1];
                row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
            }
        }
        Distance {
            beginning: match is_part {
                true => 0,
                false => row.iter().copied().min().unwrap_or(0),
            },
            whole: row[known.len()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edit_distance_counts_insertions_deletions_and_substitutions() {
        let distances = |name, known| {
            let Distance { beginning, whole } = Distance::of(name, known);
            (beginning, whole)
        };
        assert_eq!(distances("kitten", "sitting"), (2, 3));
        assert_eq!(distances("", "abc"), (0, 3));
        assert_eq!(distances("CLIP", "clip"), (0, 0));
        assert_eq!(distances("clip-v", "clip_vit"), (1, 3));
    }

    #[test]
    fn the_nearest_of_several_is_the_first() {
        let layers = ["features.4", "features.11", "classifier.6"];
        assert_eq!(nearest("feature.4", layers.into_iter()), "features.4");
        assert_eq!(nearest("features.5", layers.into_iter()), "features.4");
        assert_eq!(nearest("x", [].into_iter()), "");
    }

    #[test]
    fn a_shared_beginning_counts_more_than_a_short_name() {
        let models = ["vgg16", "clip_vit_l_14", "clip_rn50", "dinov2_vit_b_14"];
        assert_eq!(nearest("clipp", models.into_iter()), "clip_rn50");
        assert!(is_slip("clipp", "clip_rn50") && !is_slip("clipp", "vgg16"));
        assert_eq!(similar("dinov2", models.into_iter()), Some("dinov2_vit_b_14"));
        assert_eq!(similar("vit_b_14", models.into_iter()), Some("dinov2_vit_b_14"));
        assert_eq!(similar("loudness", models.into_iter()), None);
    }
}
