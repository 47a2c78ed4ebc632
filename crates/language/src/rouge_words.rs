//! Words of a caption, as ROUGE counts them.

use crate::porter::porter_stem;

/// Words of at most this many letters are never stemmed.
const LONGEST_UNSTEMMED: usize = 3;

/// The words of a text as Google's rouge-score counts them: runs of a to z and 0 to 9 in lower case. Everything else
/// separates words, including letters with accents ("café" is "caf"). If `stemmed`, words of more than three letters
/// are replaced by their Porter stems.
///
/// - Convention: `rouge-words`.
/// - Reference: `rouge_score.tokenize` of rouge-score 0.1.2, exactly.
pub fn rouge_words(text: &str, stemmed: bool) -> Vec<String> {
    let text = text.to_lowercase();
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words
        .map(|word| match stemmed && word.len() > LONGEST_UNSTEMMED {
            true => porter_stem(word),
            false => word.to_owned(),
        })
        .collect()
}
