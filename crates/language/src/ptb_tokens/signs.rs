//! Characters that are neither letters nor digits.

/// Characters that are not words but separate words, alone or in a row.
fn is_silent(c: char) -> bool {
    matches!(c, '\'' | '’' | '"' | '`' | '.' | ',' | ';' | ':' | '-' | '–' | '—' | '…' | '‐' | '‑')
}

/// The spelling of a sign that is a word.
pub(super) fn sign(c: char) -> Option<String> {
    let named = match c {
        '(' => "-LRB-",
        ')' => "-RRB-",
        '[' => "-LSB-",
        ']' => "-RSB-",
        '{' => "-LCB-",
        '}' => "-RCB-",
        '¼' => "1/4",
        '½' => "1/2",
        '¾' => "3/4",
        '⅓' => "1/3",
        '⅔' => "2/3",
        '¢' => "cents",
        '£' => "#",
        '€' => "$",
        _ if is_silent(c) || !is_sign(c) => return None,
        _ => return Some(c.to_string()),
    };
    Some(named.to_owned())
}

/// The signs that are words. All other characters except letters and digits only separate words: invisible characters,
/// emoji, variants of signs, and many signs. Measured for each character of the basic plane
/// (`reference/checks/caption_words.py`).
fn is_sign(c: char) -> bool {
    matches!(c,
        '\u{21}'..='\u{7e}' | '\u{a1}'..='\u{bf}' | '\u{d7}' | '\u{f7}' | '\u{37e}' | '\u{387}' | '\u{589}' | '\u{5be}' | '\u{5c0}'
        | '\u{5c3}' | '\u{5c6}' | '\u{5f3}' | '\u{5f4}' | '\u{600}'..='\u{603}' | '\u{606}'..='\u{60c}' | '\u{614}' | '\u{61b}'
        | '\u{61e}' | '\u{61f}' | '\u{66a}' | '\u{66d}' | '\u{6d4}' | '\u{700}'..='\u{70d}' | '\u{7f6}'..='\u{7f8}' | '\u{964}'
        | '\u{965}' | '\u{e3f}' | '\u{e4f}' | '\u{1fbd}' | '\u{2016}' | '\u{2017}' | '\u{201a}' | '\u{201e}'..='\u{2023}'
        | '\u{2030}'..='\u{2038}' | '\u{203b}' | '\u{203e}'..='\u{2042}' | '\u{2044}' | '\u{2070}'..='\u{208e}' | '\u{20a4}'
        | '\u{2100}'..='\u{214f}' | '\u{2155}'..='\u{215e}' | '\u{2190}'..='\u{2bff}' | '\u{3001}' | '\u{3002}' | '\u{3012}' | '\u{30fb}'
        | '\u{ff01}'..='\u{ff65}' | '\u{ffe0}' | '\u{ffe1}' | '\u{ffe5}' | '\u{ffe6}'
    ) && !matches!(c, '\u{ad}' | '\u{2107}' | '\u{2141}')
}
