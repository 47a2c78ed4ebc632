//! Words equal those of NLTK's word tokenizer.

use crate::read;
use neurogauge_language::{SentenceSplitter, word_tokens, word_tokens_of_text};
use proptest::prelude::*;

#[test]
fn sentences_fall_into_the_words_of_nltk() {
    let cases: Vec<(String, Vec<String>)> = serde_json::from_value(read("words.json")).unwrap();
    assert!(cases.len() > 500);
    for (text, expected) in cases {
        assert_eq!(word_tokens(&text), expected, "{text:?}");
    }
}

#[test]
fn every_sentence_of_a_text_loses_its_full_stop() {
    let splitter = SentenceSplitter::with_own_rules();
    assert_eq!(
        word_tokens_of_text("A dog sits. It's brown.", &splitter),
        ["A", "dog", "sits", ".", "It", "'s", "brown", "."]
    );
    assert_eq!(word_tokens("A dog sits. It's brown."), ["A", "dog", "sits.", "It", "'s", "brown", "."]);
}

proptest! {
    #[test]
    fn only_double_quotes_are_rewritten(text in "[ a-dA-D.,:;?!()'0-9\u{2019}\u{a0}-]{0,40}") {
        let visible: String = text.split_whitespace().collect();
        let visible_words = word_tokens(&text).concat().replace("``", "''");
        prop_assert_eq!(visible_words, visible);
    }

    #[test]
    fn any_text_has_words_without_spaces(text in "\\PC{0,60}") {
        for word in word_tokens(&text) {
            prop_assert!(!word.is_empty() && !word.contains(char::is_whitespace));
        }
    }
}
