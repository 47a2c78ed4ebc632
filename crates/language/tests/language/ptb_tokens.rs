//! Words of captions equal those of Stanford's PTBTokenizer and COCO's caption evaluation.

use crate::read;
use neurogauge_language::ptb_caption_words;
use proptest::prelude::*;

#[test]
fn captions_fall_into_the_words_of_pycocoevalcap() {
    let cases: Vec<(String, Vec<String>)> = serde_json::from_value(read("captioning/words.json")).unwrap();
    assert!(cases.len() > 150);
    for (text, expected) in cases {
        assert_eq!(ptb_caption_words(&text), expected, "{text:?}");
    }
}

#[test]
fn line_breaks_are_spaces_and_the_end_of_a_caption_is_the_end_of_a_sentence() {
    assert_eq!(ptb_caption_words("a\ndog\r\nruns"), ["a", "dog", "runs"]);
    assert_eq!(ptb_caption_words("vitamin C."), ["vitamin", "c"]);
    assert_eq!(ptb_caption_words("in the U.S."), ["in", "the", "u.s."]);
    assert!(ptb_caption_words(" ... ? \u{1f600}").is_empty());
}

#[test]
fn a_full_stop_belongs_to_abbreviations_and_initials() {
    assert_eq!(ptb_caption_words("a dog. St. Louis"), ["a", "dog", "st.", "louis"]);
    assert_eq!(ptb_caption_words("plan B. The dog"), ["plan", "b", "the", "dog"]);
    assert_eq!(ptb_caption_words("plan B. dog"), ["plan", "b.", "dog"]);
    assert_eq!(ptb_caption_words("No. 5, no. five"), ["no.", "5", "no", "five"]);
}

proptest! {
    #[test]
    fn any_text_has_words_in_small_letters(text in "\\PC{0,60}") {
        for word in ptb_caption_words(&text) {
            prop_assert!(!word.is_empty() && !word.contains(' '));
            prop_assert_eq!(word.to_lowercase(), word.clone());
        }
    }

    #[test]
    fn plain_words_stay(words in prop::collection::vec("[b-z]{5,9}", 0..9)) {
        let contracted = ["gonna", "gotta", "wanna", "cannot", "gimme", "lemme"];
        let words: Vec<String> = words
            .into_iter()
            .filter(|word| !contracted.contains(&word.as_str()))
            .collect();
        prop_assert_eq!(ptb_caption_words(&words.join("  ")), words);
    }
}
