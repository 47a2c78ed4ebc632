//! Classes of characters, as Python and its `regex` package define them.

use crate::patterns::compiled;
use regex::Regex;
use std::sync::LazyLock;

static WORD: LazyLock<Regex> = LazyLock::new(|| compiled(r"^\w"));
static ALPHANUMERIC: LazyLock<Regex> = LazyLock::new(|| compiled(r"^[\p{L}\p{N}]"));
static DECIMAL: LazyLock<Regex> = LazyLock::new(|| compiled(r"^\d"));

/// Does `\w` match? It matches letters, marks, decimal digits and connectors.
pub(crate) fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    WORD.is_match(c.encode_utf8(&mut [0; 4]))
}

/// Does `\w` of Python's own `re` match? It matches all numbers and no marks.
pub(crate) fn is_alphanumeric(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    ALPHANUMERIC.is_match(c.encode_utf8(&mut [0; 4]))
}

/// Does `\d` match? It matches decimal digits of any script.
pub(crate) fn is_decimal(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_digit();
    }
    DECIMAL.is_match(c.encode_utf8(&mut [0; 4]))
}

/// Is Python's `str.isdigit` true? It is for decimal digits, and for raised, lowered or circled digits and digits in
/// brackets or before a full stop.
pub(crate) fn is_digit(c: char) -> bool {
    const OTHERS: &[(char, char)] = &[
        ('\u{b2}', '\u{b3}'),
        ('\u{b9}', '\u{b9}'),
        ('\u{1369}', '\u{1371}'),
        ('\u{19da}', '\u{19da}'),
        ('\u{2070}', '\u{2070}'),
        ('\u{2074}', '\u{2079}'),
        ('\u{2080}', '\u{2089}'),
        ('\u{2460}', '\u{2468}'),
        ('\u{2474}', '\u{247c}'),
        ('\u{2488}', '\u{2490}'),
        ('\u{24ea}', '\u{24ea}'),
        ('\u{24f5}', '\u{24fd}'),
        ('\u{24ff}', '\u{24ff}'),
        ('\u{2776}', '\u{277e}'),
        ('\u{2780}', '\u{2788}'),
        ('\u{278a}', '\u{2792}'),
        ('\u{10a40}', '\u{10a43}'),
        ('\u{10e60}', '\u{10e68}'),
        ('\u{11052}', '\u{1105a}'),
        ('\u{1f100}', '\u{1f10a}'),
    ];
    is_decimal(c) || OTHERS.iter().any(|&(first, last)| first <= c && c <= last)
}

/// Is Python's `str.isspace` true? It also accepts four control characters that `\s` does not.
pub(crate) fn is_python_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_single_characters() {
        assert!("aZ0_é中\u{301}९".chars().all(is_word));
        assert!(!"-.' ’²".chars().any(is_word));
        assert!("aZ0_é中²½".chars().all(is_alphanumeric) && !"\u{301}-".chars().any(is_alphanumeric));
        assert!("09९".chars().all(is_decimal) && !"a²Ⅷ½".chars().any(is_decimal));
        assert!("09९²①⒈".chars().all(is_digit) && !"aⅧ½".chars().any(is_digit));
        assert!(is_python_space('\u{1c}') && is_python_space('\u{a0}') && !is_python_space('x'));
    }
}
