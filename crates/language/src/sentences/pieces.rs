//! Splits a line into Punkt's own words, which keep their full stop, and punctuation.

/// Characters that may end a sentence.
pub(super) const ENDS: [char; 3] = ['.', '?', '!'];

/// Characters that always end a word.
pub(super) fn ends_word(c: char) -> bool {
    matches!(
        c,
        ')' | '"'
            | ';'
            | '}'
            | ']'
            | '*'
            | ':'
            | '@'
            | '\''
            | '('
            | '{'
            | '['
            | '?'
            | '!'
            | '\u{2018}'
            | '\u{2019}'
            | '\u{201c}'
            | '\u{201d}'
            | '\u{ab}'
            | '\u{bb}'
    )
}

fn may_begin_word(c: char) -> bool {
    !matches!(c, '(' | '"' | '`' | '{' | '[' | ':' | ';' | '&' | '#' | '*' | '@' | ')' | '}' | ']' | '-' | ',')
}

pub(super) fn pieces(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = marks(rest).unwrap_or_else(|| {
            let after_first = first.len_utf8();
            if may_begin_word(first) {
                after_first + word_end(&rest[after_first..])
            } else {
                after_first
            }
        });
        found.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    found
}

/// Length in bytes of the rest of a word whose first character has been read.
fn word_end(rest: &str) -> usize {
    let ends = |at: &str| {
        let Some(c) = at.chars().next() else {
            return true;
        };
        c.is_whitespace() || ends_word(c) || marks(at).is_some()
    };
    rest.char_indices()
        .map(|(byte, _)| byte)
        .find(|&byte| {
            let at = &rest[byte..];
            ends(at) || at.strip_prefix(',').is_some_and(ends)
        })
        .unwrap_or(rest.len())
}

/// Length in bytes of the dashes at the beginning of `at`, or of the full stops with or without spaces between them.
fn marks(at: &str) -> Option<usize> {
    for mark in ['-', '.'] {
        let run = at.len() - at.trim_start_matches(mark).len();
        if run >= 2 {
            return Some(run);
        }
    }
    let (mut rest, mut spaced) = (at, 0);
    while let Some(after) = rest.strip_prefix('.') {
        match after.chars().next() {
            Some(space) if space.is_whitespace() => {
                rest = &after[space.len_utf8()..];
                spaced += 1;
            }
            // The last full stop needs no space after it.
            _ => return (spaced >= 2).then(|| at.len() - after.len()),
        }
    }
    // A space came last, so the marks end with the full stop before it.
    let stops = at[..at.len() - rest.len()].trim_end();
    (spaced >= 3).then_some(stops.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_full_stops_and_lose_other_punctuation() {
        for (line, expected) in [
            ("Mr. Hay's cat, asleep.", &["Mr.", "Hay", "'s", "cat", ",", "asleep."][..]),
            ("(a dog) runs -- fast", &["(", "a", "dog", ")", "runs", "--", "fast"]),
            ("well-known 1,000.5 -x", &["well-known", "1,000.5", "-", "x"]),
            ("so... on", &["so", "...", "on"]),
            ("so . . . on", &["so", ". . .", "on"]),
            ("so . . on", &["so", ".", ".", "on"]),
            ("a . . . . b", &["a", ". . . .", "b"]),
            ("x,y z,\" 'tis", &["x,y", "z", ",", "\"", "'tis"]),
            ("", &[]),
            (" \t", &[]),
        ] {
            assert_eq!(pieces(line), expected, "{line:?}");
        }
    }
}
