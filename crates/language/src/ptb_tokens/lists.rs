//! Short lists for splitting captions into words, in lower case unless noted.

use crate::sentences::is_starter;

/// Abbreviations whose full stop belongs to them.
const ABBREVIATIONS: &[&str] = &[
    // Titles.
    "mr", "mrs", "ms", "dr", "prof", "rev", "hon", "sr", "jr", "gov", "sen", "rep", "pres", "messrs", "gen", "col",
    "maj", "capt", "cpl", "lt", "sgt", "adm", // Days and months.
    "mon", "tue", "tues", "wed", "thu", "thurs", "fri", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept",
    "oct", "nov", "dec", // Places, streets, buildings.
    "st", "ste", "ave", "blvd", "rd", "ct", "sq", "mt", "ft", "bldg", "calif", "fla", "mich", "minn", "wis", "va",
    "conn", "ga", "ky", "md", "mo", "okla", "tenn", "vt", "ala", "ariz", "colo", // Companies and offices.
    "co", "corp", "inc", "ltd", "bros", "plc", "dept", "univ", "assn", "assoc", // Other.
    "etc", "vs", "al", "est", "ext", "tel",
];

/// Abbreviations whose full stop belongs to them before a number.
const BEFORE_NUMBERS: &[&str] = &["no", "nos", "fig", "figs", "pp", "art", "ca"];

/// Two words written as one, and the length of the first.
const CONTRACTED: &[(&str, usize)] =
    &[("cannot", 3), ("gonna", 3), ("wanna", 3), ("gotta", 3), ("gimme", 3), ("lemme", 3)];

/// Words that keep the apostrophe within.
pub(super) const WITH_APOSTROPHE: &[&str] = &["c'mon", "cap'n", "e'er", "ev'ry", "li'l", "nat'l", "nor'easter"];

/// Words that begin with an apostrophe.
pub(super) const AFTER_APOSTROPHE: &[&str] = &["'cause", "'em", "'n'", "'n", "'til", "'till"];

/// Suffixes that are split off a word, with their apostrophe.
pub(super) const SUFFIXES: &[&str] = &["'s", "'m", "'d", "'ll", "'re", "'ve"];

pub(super) fn is_abbreviation(word: &str, number_follows: bool) -> bool {
    let small = word.to_lowercase();
    ABBREVIATIONS.contains(&small.as_str()) || number_follows && BEFORE_NUMBERS.contains(&small.as_str())
}

/// Is the word capitalised and one that begins sentences? A single letter before it loses its full stop.
pub(super) fn begins_sentence(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_uppercase()) && is_starter(&word.to_ascii_lowercase())
}

/// Length of the first word, in characters, if `word` is two words written as one.
pub(super) fn contraction(word: &str) -> Option<usize> {
    let small = word.to_lowercase();
    CONTRACTED.iter().find(|(whole, _)| *whole == small).map(|(_, first)| *first)
}
