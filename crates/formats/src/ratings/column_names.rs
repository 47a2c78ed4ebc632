//! Recognises columns by their names: means, spreads, counts, labels and the like are not ratings.

/// What a column contains if it does not contain ratings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoRating {
    Mean,
    Spread,
    Count,
    /// A class, a position or another label of the item.
    Label,
    /// A circumstance of the rating or the rater.
    Circumstance,
}

const SPREADS: &str = "sd sds std stds stdev stddev stdv stderr se deviation sos var variance iqr mad ci lower upper \
                       error";
const COUNTS: &str = "n nb num number nraters nratings nvotes count counts vote votes total sum freq frequency";
const CIRCUMSTANCES: &str = "age gender sex time times timestamp date year duration latency rt seconds secs sec ms \
                             millis elapsed width height size zipcode zip";
const MEANS: &str = "mos dmos mean means avg average median mode consensus aggregate";
const LABELS: &str = "class classes category categories label labels cluster index idx id ids trial trials order \
                      position block session fold split row line page group condition system model batch seed rank no \
                      nr flag correct valid";
/// Words that follow "mean" if both form one word.
const OF_MEANS: &[&str] = &["score", "rating", "opinion", "opinionscore", "value", "vote", "quality", "human"];

impl NoRating {
    /// Judges by the words of the name, in any case and with any separators.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        let words = words(name);
        let has = |known: &str| known.split(' ').any(|known| words.iter().any(|word| word == known));
        if has(SPREADS) {
            Some(NoRating::Spread)
        } else if has(COUNTS) {
            Some(NoRating::Count)
        } else if has(CIRCUMSTANCES) {
            Some(NoRating::Circumstance)
        } else if has(MEANS) || words.iter().any(|word| is_joined_mean(word)) {
            Some(NoRating::Mean)
        } else if has(LABELS) {
            Some(NoRating::Label)
        } else {
            None
        }
    }

    pub(super) fn in_words(self) -> &'static str {
        match self {
            NoRating::Mean => "a mean",
            NoRating::Spread => "a spread",
            NoRating::Count => "a count",
            NoRating::Label => "a label",
            NoRating::Circumstance => "a circumstance",
        }
    }
}

fn is_joined_mean(word: &str) -> bool {
    let parts = ["mean", "average", "avg"]
        .iter()
        .find_map(|mean| word.strip_prefix(mean).or_else(|| word.strip_suffix(mean)));
    parts.is_some_and(|rest| OF_MEANS.contains(&rest.strip_suffix('s').unwrap_or(rest)))
}

/// The words of a name in lower case, split at separators, between letters and digits, and before capitals: n, ratings
/// for `nRatings`.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        let begins = before.is_lowercase() && letter.is_uppercase() || before.is_alphabetic() != letter.is_alphabetic();
        if begins || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if letter.is_alphanumeric() {
            words.last_mut().into_iter().for_each(|word| word.extend(letter.to_lowercase()));
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::NoRating::{self, Circumstance, Count, Label, Mean, Spread};

    #[test]
    fn names_of_summaries_and_labels_in_any_spelling() {
        for (names, expected) in [
            ("MOS mos mean Mean-Score meanScore mean_rating avg AverageRating scoremean DMOS median", Mean),
            ("SD std Std.Dev stdDev MOS_std SOS var variance mos-sd CI95 mean_se", Spread),
            ("n N n_ratings nRatings num_votes count Counts votes c_total", Count),
            ("class CLASS class_id categoryId image_index idx trial TrialNo", Label),
            ("age Age time response_time rt duration", Circumstance),
        ] {
            for name in names.split(' ') {
                assert_eq!(NoRating::of_name(name), Some(expected), "{name}");
            }
        }
        for name in ["rater1", "ann", "sem_1", "meaning", "Max", "Norman", "R2", "Sandra", "worker 7", "0", "P03"] {
            assert_eq!(NoRating::of_name(name), None, "{name}");
        }
    }
}
