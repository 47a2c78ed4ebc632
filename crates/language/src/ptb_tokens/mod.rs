//! Words of a caption, as the field's caption metrics count them.

mod lists;
mod scanner;
mod shapes;
mod signs;

use scanner::Scanner;

/// The words of a caption as COCO's caption evaluation counts them: split by the conventions of the Penn
/// Treebank ("isn't" to "is", "n't"; "cannot" to "can", "not"), in lower case, without punctuation.
///
/// - Hyphens, slashes and the points and commas of numbers stay within a word ("3-year-old", "and/or",
///   "1,000"); so does the full stop of abbreviations ("st.", "t.v.").
/// - Brackets are words ("-lrb-"), and so are other signs ("$", "&") and several marks in a row ("!!").
///   "1 1/2" is one word with a non-breaking space: BLEU and CIDEr split it, ROUGE-L does not.
/// - Emoji and invisible characters (zero-width spaces and joiners, marks of direction, variation selectors) are not
///   words; except for the soft hyphen, they separate words. A combining accent belongs to its letter.
/// - Convention: `caption-words`. Line breaks are spaces, and the end of a caption ends a sentence, so
///   that a single letter loses its full stop there.
/// - Reference: `PTBTokenizer -preserveLines -lowerCase` of Stanford CoreNLP 3.4.1 with the punctuation list of
///   pycocoevalcap 1.2 (`reference/checks/caption_words.py`). The words are the same on BrainHub's 11,787 captions.
///   They differ in 11 of 8,000 random sequences of words, numbers and signs between spaces (two telephone numbers in a
///   row, which the reference joins; "C. Mr."; "No. 2" after several spaces), in 25 of 4,000 captions into which up to
///   three characters were typed or deleted at random (most with "@" or "$" within a word), and in 180 of 4,000 of
///   those sequences run together without spaces.
/// - Left out: emoticons, tags, web addresses with a scheme or a path, e-mail addresses, area codes in
///   brackets, "c++", rarer abbreviations, "c’mon" and the like with a curly apostrophe, letters, marks and
///   digits in orders that no word has, and scripts other than Latin, Greek and Cyrillic.
pub fn ptb_caption_words(caption: &str) -> Vec<String> {
    Scanner::words(&plain_signs(caption)).iter().map(|word| word.to_lowercase()).collect()
}

/// Straightens quotes, turns line breaks and non-breaking spaces into spaces, decodes the signs that HTML writes as
/// names, and removes soft hyphens.
fn plain_signs(caption: &str) -> String {
    let signs = caption.chars().filter_map(|c| match c {
        '\u{ad}' => None,
        '‘' => Some('`'),
        '‛' | '‹' | '›' | '“' | '”' | '«' | '»' => Some('"'),
        c if c.is_whitespace() => Some(' '),
        c => Some(c),
    });
    let mut text: String = signs.collect();
    let named = [("&quot;", "\""), ("&apos;", "'"), ("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
    for (name, sign) in named {
        text = text.replace(name, sign);
    }
    text
}
