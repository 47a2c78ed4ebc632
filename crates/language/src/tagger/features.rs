//! The features of the tagger: the word, its neighbours and the two tags before.

use crate::characters::is_digit;

const START: [&str; 2] = ["-START-", "-START2-"];
const END: [&str; 2] = ["-END-", "-END2-"];

/// The words of a sentence as the features see them, with two marks at either end.
pub(super) struct Context(Vec<String>);

impl Context {
    pub(super) fn new(words: &[impl AsRef<str>]) -> Self {
        let normal = words.iter().map(|word| normalised(word.as_ref()));
        Self(START.into_iter().map(str::to_owned).chain(normal).chain(END.map(str::to_owned)).collect())
    }

    /// The tags before the first word: the last one, and the one before it.
    pub(super) fn tags_before() -> [&'static str; 2] {
        START
    }

    /// The features of word `i`, in the order in which their weights are summed.
    pub(super) fn features(&self, i: usize, word: &str, tag1: &str, tag2: &str) -> [String; 14] {
        let around = |offset: usize| self.0.get(i + offset).map_or("", String::as_str);
        let [before2, before, own, after, after2] = [0, 1, 2, 3, 4].map(around);
        let first = word.chars().next().map(String::from).unwrap_or_default();
        [
            "bias".to_owned(),
            format!("i suffix {}", suffix(word)),
            format!("i pref1 {first}"),
            format!("i-1 tag {tag1}"),
            format!("i-2 tag {tag2}"),
            format!("i tag+i-2 tag {tag1} {tag2}"),
            format!("i word {own}"),
            format!("i-1 tag+i word {tag1} {own}"),
            format!("i-1 word {before}"),
            format!("i-1 suffix {}", suffix(before)),
            format!("i-2 word {before2}"),
            format!("i+1 word {after}"),
            format!("i+1 suffix {}", suffix(after)),
            format!("i+2 word {after2}"),
        ]
    }
}

/// The last three characters.
fn suffix(word: &str) -> &str {
    word.char_indices().rev().nth(2).map_or(word, |(byte, _)| &word[byte..])
}

/// The word in lower case; all words with a hyphen inside become one, all years another, and all other numbers a third.
fn normalised(word: &str) -> String {
    if word.contains('-') && !word.starts_with('-') {
        "!HYPHEN".to_owned()
    } else if word.chars().count() == 4 && word.chars().all(is_digit) {
        "!YEAR".to_owned()
    } else if word.starts_with(is_digit) {
        "!DIGITS".to_owned()
    } else {
        word.to_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_kinds() {
        for (word, kind) in [
            ("Cat", "cat"),
            ("well-known", "!HYPHEN"),
            ("-lrb-", "-lrb-"),
            ("1998", "!YEAR"),
            ("19.5", "!DIGITS"),
            ("123", "!DIGITS"),
            ("2nd", "!DIGITS"),
            ("", ""),
        ] {
            assert_eq!(normalised(word), kind);
        }
        assert_eq!(suffix("éclair"), "air");
        assert_eq!(suffix("né"), "né");
    }
}
