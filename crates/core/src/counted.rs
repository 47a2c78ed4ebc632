//! Numbers of things in messages.

/// `1 pair`, `2 pairs`: a number and a noun whose plural ends in `s`.
///
/// ```
/// use neurogauge_core::counted;
///
/// assert_eq!(counted(1, "pair"), "1 pair");
/// assert_eq!(counted(0, "pair"), "0 pairs");
/// ```
pub fn counted(n: usize, noun: &str) -> String {
    match n {
        1 => format!("1 {noun}"),
        _ => format!("{n} {noun}s"),
    }
}
