//! The form of texts in which those that look alike are equal.

use unicode_normalization::UnicodeNormalization;

/// A text in the form in which it is compared with others: compatibility characters become plain ones (Unicode NFKC),
/// letters become lower case, and invisible characters are dropped.
///
/// ```
/// use neurogauge_core::comparable;
/// assert_eq!(comparable("Cafe\u{301}"), "caf\u{e9}");
/// assert_eq!(comparable("\u{ff33}\u{ff34}\u{ff2f}\u{ff30}"), "stop");
/// assert_eq!(comparable("ex\u{200b}it\u{fe0f}"), "exit");
/// ```
pub fn comparable(text: &str) -> String {
    text.nfkc().collect::<String>().to_lowercase().nfkc().filter(|c| !is_invisible(*c)).collect()
}

/// Unicode's format characters (category Cf) and variation selectors.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}' | '\u{891}' | '\u{8e2}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
        | '\u{2066}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}'
        | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0001}'
        | '\u{e0020}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}'
    )
}
