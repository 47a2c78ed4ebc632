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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rounds_to_zero_has_no_sign() {
        assert_eq!(fixed(-0.0, 3), "0.000");
        assert_eq!(fixed(-0.0004, 3), "0.000");
        assert_eq!(fixed(-0.0006, 3), "-0.001");
        assert_eq!(fixed(-0.4, 0), "0");
        assert_eq!(fixed(1.5, 70_000).len(), 19);
        assert_eq!(shortest(-0.0), "0.0");
    }

    #[test]
    fn shortest_reads_back_to_the_same_bits() {
        for value in [0.1, 1.0 / 3.0, -2.5e-300, 6.02e23, f64::MIN_POSITIVE] {
            assert_eq!(shortest(value).parse::<f64>().unwrap().to_bits(), value.to_bits());
        }
        assert_eq!(shortest(0.1), "0.1");
        assert_eq!(shortest(12.0), "12.0");
    }

    #[test]
    fn levels_and_ranks_drop_what_says_nothing() {
        assert_eq!(percentage(0.95), "95");
        assert_eq!(percentage(0.999), "99.9");
        assert_eq!(percentage(0.9), "90");
        assert_eq!(rank(10.0), "10");
        assert_eq!(rank(1.5), "1.5");
        assert_eq!(rank(2.0 / 3.0), "0.67");
    }
}
