//! Stems of words by Porter's rules.

/// Irregular words and their stems.
const IRREGULAR: [(&str, &str); 16] = [
    ("sky", "sky"),
    ("skies", "sky"),
    ("dying", "die"),
    ("lying", "lie"),
    ("tying", "tie"),
    ("news", "news"),
    ("innings", "inning"),
    ("inning", "inning"),
    ("outings", "outing"),
    ("outing", "outing"),
    ("cannings", "canning"),
    ("canning", "canning"),
    ("howe", "howe"),
    ("proceed", "proceed"),
    ("exceed", "exceed"),
    ("succeed", "succeed"),
];

/// Endings and their replacements; the first ending that a word has decides.
type Endings = &'static [(&'static str, &'static str)];

const PLURALS: Endings = &[("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", "")];

/// Replaced if at least one syllable precedes them.
const DOUBLE_SUFFIXES: Endings = &[
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("fulli", "ful"),
];

/// Also replaced if at least one syllable precedes them.
const SUFFIXES: Endings = &[
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
];

/// Removed if more than one syllable precedes them.
const LAST_SUFFIXES: [&str; 19] = [
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
];

/// The stem of an English word in small letters: Porter's algorithm (1980) with the changes that NLTK makes by default.
///
/// Words of one or two letters stay as they are. NLTK's changes: irregular words ("skies" to "sky"), short words in
/// "ies" and "ied" ("dies" to "die"), "y" becomes "i" only after a consonant, and additional endings ("fulli", "logi").
///
/// Reference: `PorterStemmer` of NLTK 3.10.4, exactly, on all lemmas of WordNet's indexes and their inflected forms
/// (`reference/caption_overlap.py`).
pub fn porter_stem(word: &str) -> String {
    let stem = word.to_lowercase();
    if let Some((_, stem)) = IRREGULAR.iter().find(|(irregular, _)| *irregular == stem) {
        return (*stem).to_owned();
    }
    if word.chars().count() <= 2 {
        return stem;
    }
    let stem = without_plural(&stem);
    let stem = without_past_or_ing(&stem);
    let stem = with_i_for_y(&stem);
    let stem = with_single_suffix(&stem);
    let stem = replaced(&stem, SUFFIXES, |before| syllables(before) > 0);
    let stem = without_last_suffix(&stem);
    let stem = without_final_e(&stem);
    match stem.strip_suffix('l') {
        Some(before) if before.ends_with('l') && syllables(before) > 1 => before.to_owned(),
        _ => stem,
    }
}

/// For each letter, whether it is a consonant. "y" is one unless it follows one.
fn consonants(word: &str) -> Vec<bool> {
    let mut found: Vec<bool> = Vec::new();
    for letter in word.chars() {
        found.push(match letter {
            'a' | 'e' | 'i' | 'o' | 'u' => false,
            'y' => !found.last().is_some_and(|&before| before),
            _ => true,
        });
    }
    found
}

/// Porter's measure: how many times a consonant follows a vowel.
fn syllables(stem: &str) -> usize {
    consonants(stem).windows(2).filter(|pair| !pair[0] && pair[1]).count()
}

fn has_vowel(stem: &str) -> bool {
    consonants(stem).contains(&false)
}

/// Does the stem end like "wil" and "hop", or is it like "at" and "in"?
fn ends_short(stem: &str) -> bool {
    match consonants(stem).as_slice() {
        [false, true] => true,
        [.., true, false, true] => !stem.ends_with(['w', 'x', 'y']),
        _ => false,
    }
}

/// The stem before two equal consonants, and the consonant.
fn before_double_consonant(word: &str) -> Option<(&str, char)> {
    let mut letters = word.chars().rev();
    let (last, second) = (letters.next()?, letters.next()?);
    let is_double = last == second && consonants(word).last() == Some(&true);
    is_double.then(|| (&word[..word.len() - 2 * last.len_utf8()], last))
}

/// Replaces the first ending that the word has, if `may` accepts the part before it.
fn replaced(word: &str, endings: Endings, may: impl Fn(&str) -> bool) -> String {
    match endings.iter().filter_map(|(ending, by)| Some((word.strip_suffix(ending)?, *by))).next() {
        Some((before, by)) if may(before) => format!("{before}{by}"),
        _ => word.to_owned(),
    }
}

fn without_plural(word: &str) -> String {
    if word.ends_with("ies") && word.chars().count() == 4 {
        return word[..word.len() - 1].to_owned();
    }
    replaced(word, PLURALS, |_| true)
}

fn without_past_or_ing(word: &str) -> String {
    if let Some(before) = word.strip_suffix("ied") {
        let short = word.chars().count() == 4;
        return format!("{before}{}", if short { "ie" } else { "i" });
    }
    if let Some(before) = word.strip_suffix("eed") {
        return match syllables(before) {
            0 => word.to_owned(),
            _ => format!("{before}ee"),
        };
    }
    let mut cut = ["ed", "ing"].into_iter().filter_map(|ending| word.strip_suffix(ending));
    let Some(stem) = cut.find(|stem| has_vowel(stem)) else {
        return word.to_owned();
    };
    if ["at", "bl", "iz"].iter().any(|end| stem.ends_with(end)) {
        return format!("{stem}e");
    }
    match before_double_consonant(stem) {
        Some((_, 'l' | 's' | 'z')) => stem.to_owned(),
        Some((before, consonant)) => format!("{before}{consonant}"),
        None if syllables(stem) == 1 && ends_short(stem) => format!("{stem}e"),
        None => stem.to_owned(),
    }
}

fn with_i_for_y(word: &str) -> String {
    match word.strip_suffix('y') {
        Some(before) if before.chars().count() > 1 && consonants(before).last() == Some(&true) => {
            format!("{before}i")
        }
        _ => word.to_owned(),
    }
}

fn with_single_suffix(word: &str) -> String {
    if let Some(before) = word.strip_suffix("alli")
        && syllables(before) > 0
    {
        return with_single_suffix(&format!("{before}al"));
    }
    match word.strip_suffix("ogi") {
        // The "l" belongs to the stem.
        Some(before) if before.ends_with('l') && syllables(before) > 0 => format!("{before}og"),
        _ => replaced(word, DOUBLE_SUFFIXES, |before| syllables(before) > 0),
    }
}

fn without_last_suffix(word: &str) -> String {
    match LAST_SUFFIXES.iter().filter_map(|ending| Some((*ending, word.strip_suffix(ending)?))).next() {
        Some((ending, before)) if syllables(before) > 1 && (ending != "ion" || before.ends_with(['s', 't'])) => {
            before.to_owned()
        }
        _ => word.to_owned(),
    }
}

fn without_final_e(word: &str) -> String {
    match word.strip_suffix('e') {
        Some(before) if syllables(before) > 1 => before.to_owned(),
        Some(before) if syllables(before) == 1 && !ends_short(before) => before.to_owned(),
        _ => word.to_owned(),
    }
}
