//! Names that show which stimuli are alike, such as clips of one film or pictures of one concept.

use std::collections::HashSet;

/// The whole that numbered pieces belong to, such as the film in `movie1_clip03`.
const WHOLES: [&str; 9] = ["movie", "film", "video", "vid", "scene", "episode", "sequence", "clip", "shot"];
/// Words for a piece, before its number.
const PIECES: [&str; 8] = ["clip", "shot", "segment", "seg", "frame", "chunk", "part", "window"];
/// Fewer films would say too little about how films differ.
const FEWEST_FILMS: usize = 3;
/// With fewer other first parts, these may as well be splits, subjects or sessions.
const FEWEST_OTHERS: usize = 5;

/// The first part of each name, where several names share one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlikeNames {
    pub clusters: Vec<String>,
    /// Do the names say that these are pieces of films? If not, they may be pictures of a concept, repeats of a
    /// stimulus, or anything else.
    pub are_films: bool,
}

/// Finds groups of names that end in numbers and share the text before them. `None` unless every name belongs to a
/// group, groups have two names or more on average, and there are at least three films (`movie1_clip03`, `scene12_004`)
/// or five groups of another kind (`dog_01`).
pub fn alike_names(names: &[String]) -> Option<AlikeNames> {
    let clusters: Option<Vec<&str>> = names.iter().map(|name| before_number(name)).collect();
    let clusters = clusters?;
    let different: HashSet<&str> = clusters.iter().copied().collect();
    let are_films = different.len() >= FEWEST_FILMS && different.iter().all(|name| is_whole(name));
    let is_shared = names.len() >= 2 * different.len();
    (is_shared && (are_films || different.len() >= FEWEST_OTHERS)).then(|| AlikeNames {
        clusters: clusters.into_iter().map(str::to_owned).collect(),
        are_films,
    })
}

/// The name without the number at its end (a letter may follow, as in `dog_12s` of THINGS), what the number counts, and
/// what separates them. `None` without a number.
fn before_number(name: &str) -> Option<&str> {
    let is_digit = |last: char| last.is_ascii_digit();
    let without_letter = name.strip_suffix(|last: char| last.is_ascii_alphabetic());
    let name = without_letter.filter(|rest| rest.ends_with(is_digit)).unwrap_or(name);
    let head = name.trim_end_matches(|last: char| last.is_ascii_digit());
    let trimmed = head.trim_end_matches(is_separator);
    let is_piece = |word: &&&str| ends_in_word(trimmed, word);
    let piece = PIECES.iter().find(is_piece).map_or(0, |word| word.len());
    let whole = trimmed[..trimmed.len() - piece].trim_end_matches(is_separator);
    (head.len() < name.len()).then_some(whole)
}

/// Does it end in one of [`WHOLES`] and a number?
fn is_whole(name: &str) -> bool {
    let head = name.trim_end_matches(|last: char| last.is_ascii_digit());
    let word = head.trim_end_matches(is_separator);
    head.len() < name.len() && WHOLES.iter().any(|whole| ends_in_word(word, whole))
}

fn ends_in_word(text: &str, word: &str) -> bool {
    let Some((start, end)) = text.len().checked_sub(word.len()).and_then(|at| text.split_at_checked(at)) else {
        return false;
    };
    end.eq_ignore_ascii_case(word) && !start.ends_with(char::is_alphabetic)
}

fn is_separator(letter: char) -> bool {
    matches!(letter, '_' | '-' | '.' | ' ' | '/')
}
