//! The order in which people sort names with numbers in them.

use std::cmp::Ordering;

/// The positions of names in natural order.
///
/// ```
/// use neurogauge_core::pair::natural_order;
/// assert_eq!(natural_order(&["img10", "img2", "img1"]), [2, 1, 0]);
/// ```
pub fn natural_order(names: &[impl AsRef<str>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|&a, &b| natural_cmp(names[a].as_ref(), names[b].as_ref()));
    order
}

/// Natural order: runs of ASCII digits compare as numbers ("2" before "10"), everything else by Unicode code point;
/// strings that tie ("07" and "7") compare as plain text.
pub fn natural_cmp(a: &str, b: &str) -> Ordering {
    let (mut rest_a, mut rest_b) = (a, b);
    loop {
        let (Some(first_a), Some(first_b)) = (rest_a.chars().next(), rest_b.chars().next()) else {
            return rest_a.len().cmp(&rest_b.len()).then_with(|| a.cmp(b));
        };
        let ordering = if first_a.is_ascii_digit() && first_b.is_ascii_digit() {
            let (digits_a, tail_a) = split_digits(rest_a);
            let (digits_b, tail_b) = split_digits(rest_b);
            (rest_a, rest_b) = (tail_a, tail_b);
            compare_numbers(digits_a, digits_b)
        } else {
            rest_a = &rest_a[first_a.len_utf8()..];
            rest_b = &rest_b[first_b.len_utf8()..];
            first_a.cmp(&first_b)
        };
        if ordering != Ordering::Equal {
            return ordering;
        }
    }
}

fn split_digits(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.split_at(end)
}

fn compare_numbers(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}
