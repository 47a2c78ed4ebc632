//! Splits a sentence into words and punctuation.

use crate::characters::{is_alphanumeric, is_python_space, is_word};
use crate::patterns::compiled;
use crate::sentences::SentenceSplitter;
use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// A pattern and its replacement.
type Rule = (&'static str, &'static str);

const OPENING_QUOTES: &[Rule] =
    &[("([«“‘„]|`+)", " $1 "), ("^\"", "``"), ("``", " `` "), (r#"([ (\[{<])("|'{2})"#, "$1 `` ")];

const PUNCTUATION: &[Rule] = &[
    // The full stop that ends the sentence, with the closing marks after it.
    (r#"([^.])\.([\])}>"'»”’ ]*)\s*$"#, "$1 . $2 "),
    (r"([:,])(\D)", " $1 $2"),
    (r"([:,])$", " $1 "),
    (r"\.{2,}", " $0 "),
    ("[;@#$%&]", " $0 "),
    (r"[\u{2012}-\u{2015}]", " $0 "),
    (r#"([^.])\.([\])}>"']*)\s*$"#, "$1 .$2 "),
    ("[?!]", " $0 "),
    ("([^'])' ", "$1 ' "),
    (r"\*", " $0 "),
    (r"[\]\[(){}<>]", " $0 "),
    ("--", " -- "),
];

const CLOSING_QUOTES: &[Rule] = &[
    ("[»”’]", " $0 "),
    ("''", " '' "),
    ("\"", " '' "),
    (r"\s+", " "),
    ("([^' ])('[sS]|'[mM]|'[dD]|') ", "$1 $2 "),
    ("([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", "$1 $2 "),
];

/// Two words written as one. If the pattern has a space, it is removed.
const CONTRACTIONS: &[&str] = &[
    "(?i)(can)(not)",
    "(?i)(d)('ye)",
    "(?i)(gim)(me)",
    "(?i)(gon)(na)",
    "(?i)(got)(ta)",
    "(?i)(lem)(me)",
    "(?i)(more)('n)",
    "(?i) ('t)(is)",
    "(?i) ('t)(was)",
];

/// These are two words only before a space.
const CONTRACTION_BEFORE_SPACE: &str = "(?i)(wan)(na)";

struct Rules {
    opening_quotes: Vec<(Regex, &'static str)>,
    /// Endings that keep their apostrophe, so that it does not open a quotation.
    ending: Regex,
    punctuation: Vec<(Regex, &'static str)>,
    /// Rules for the sentence with a space before and after it.
    closing: Vec<(Regex, &'static str)>,
    contractions: Vec<Regex>,
    contraction_before_space: Regex,
}

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let all = |rules: &[Rule]| rules.iter().map(|&(pattern, by): &Rule| (compiled(pattern), by)).collect();
    Rules {
        opening_quotes: all(OPENING_QUOTES),
        ending: compiled(r"(?i)^(?:re|ve|ll|m|t|s|d|n)\b"),
        punctuation: all(PUNCTUATION),
        closing: all(CLOSING_QUOTES),
        contractions: CONTRACTIONS.iter().map(|pattern| compiled(pattern)).collect(),
        contraction_before_space: compiled(CONTRACTION_BEFORE_SPACE),
    }
});

/// Words and punctuation marks of one sentence, by the rules of the Penn Treebank with NLTK's extensions: contractions
/// are split ("isn't" to "is", "n't"), double quotes become `` and '', and only the last full stop is split off.
/// Nothing else is changed.
///
/// Convention: `word-tokens`.
///
/// Reference: `NLTKWordTokenizer.tokenize` of NLTK 3.10.4 (`word_tokenize` of a line kept whole), exactly.
pub fn word_tokens(sentence: &str) -> Vec<String> {
    let rules = &*RULES;
    let text = apply(&rules.opening_quotes, sentence.to_owned());
    let text = detach_apostrophes(&text, &rules.ending);
    let text = apply(&rules.punctuation, text);
    let mut text = apply(&rules.closing, format!(" {text} "));
    for pattern in &rules.contractions {
        text = take_apart(text, pattern, |next| !next.is_some_and(is_alphanumeric));
    }
    let before_space = |next: Option<char>| next.is_some_and(is_python_space);
    let text = take_apart(text, &rules.contraction_before_space, before_space);
    text.split(is_python_space).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Words of all sentences of `text` (NLTK's `word_tokenize`).
pub fn word_tokens_of_text(text: &str, splitter: &SentenceSplitter) -> Vec<String> {
    splitter.split(text).sentences.into_iter().flat_map(word_tokens).collect()
}

fn apply(rules: &[(Regex, &'static str)], mut text: String) -> String {
    for (pattern, by) in rules {
        if let Cow::Owned(changed) = pattern.replace_all(&text, *by) {
            text = changed;
        }
    }
    text
}

/// Puts spaces around both halves of every match that begins a word (or begins with a space), if `may_follow` accepts
/// the character after it.
fn take_apart(text: String, pattern: &Regex, may_follow: impl Fn(Option<char>) -> bool) -> String {
    let (mut apart, mut copied, mut search) = (String::new(), 0, 0);
    while let Some(found) = pattern.captures_at(&text, search) {
        let (whole, [first, second]) = found.extract();
        let start = found.get_match().start();
        let before = text[..start].chars().next_back();
        let begins = whole.starts_with(' ') || !before.is_some_and(is_alphanumeric);
        let end = start + whole.len();
        if begins && may_follow(text[end..].chars().next()) {
            apart += &text[copied..start];
            apart += &format!(" {first} {second} ");
            copied = end;
            search = end;
        } else {
            // Every match begins with an ASCII character.
            search = start + 1;
        }
    }
    if copied == 0 {
        return text;
    }
    apart + &text[copied..]
}

/// Puts a space after every apostrophe that begins a word, unless the word is an ending.
fn detach_apostrophes(text: &str, ending: &Regex) -> String {
    let mut detached = String::with_capacity(text.len());
    let mut before = None;
    for (byte, c) in text.char_indices() {
        detached.push(c);
        let rest = &text[byte + c.len_utf8()..];
        if c == '\'' && !before.is_some_and(is_word) && rest.starts_with(is_word) && !ending.is_match(rest) {
            detached.push(' ');
        }
        before = Some(c);
    }
    detached
}
