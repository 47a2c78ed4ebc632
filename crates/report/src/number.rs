//! Formats numbers.

/// An f64 has no more significant decimals than this.
const MAX_DECIMALS: usize = 17;

/// A number with a fixed number of decimals; one that rounds to zero has no sign.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.*}", decimals.min(MAX_DECIMALS));
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) => digits.to_owned(),
        _ => text,
    }
}

/// A p value in a sentence: `p = 0.012`.
///
/// ```
/// use neurogauge_report::p_in_words;
/// assert_eq!((p_in_words(0.0123), p_in_words(0.0001)), ("p = 0.012".to_owned(), "p < 0.001".to_owned()));
/// ```
pub fn p_in_words(p: f64) -> String {
    match p < 0.001 {
        true => "p < 0.001".to_owned(),
        false => format!("p = {}", fixed(p, 3)),
    }
}

/// The shortest decimals that read back as the same number; zero has no sign.
pub(crate) fn shortest(value: f64) -> String {
    format!("{:?}", unsigned_zero(value))
}

/// Turns negative zero into zero.
pub(crate) fn unsigned_zero(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value }
}

/// `[low, high]` with a fixed number of decimals.
pub(crate) fn interval((low, high): (f64, f64), decimals: usize) -> String {
    format!("[{}, {}]", fixed(low, decimals), fixed(high, decimals))
}

/// A share as a percentage with at most one decimal: 0.95 is `95`.
pub(crate) fn percentage(share: f64) -> String {
    trimmed(share * 100.0, 1)
}

/// A rank with at most two decimals.
pub(crate) fn rank(value: f64) -> String {
    trimmed(value, 2)
}

fn trimmed(value: f64, max_decimals: usize) -> String {
    fixed(value, max_decimals).trim_end_matches('0').trim_end_matches('.').to_owned()
}
