//! The orders of images in the official code.

/// Positions of `stems` in the order of `obj_f1.npy`: by the integer before the first full stop.
///
/// `None` if the official code would fail (a stem is not an integer) or if the order depends on the file system (two
/// stems have the same integer).
pub(super) fn by_integer(stems: &[String]) -> Option<Vec<usize>> {
    let numbers: Vec<i128> = stems
        .iter()
        .map(|stem| stem.split('.').next().unwrap_or_default().trim().parse().ok())
        .collect::<Option<_>>()?;
    let mut order: Vec<usize> = (0..stems.len()).collect();
    order.sort_by_key(|&index| numbers[index]);
    order.windows(2).all(|pair| numbers[pair[0]] != numbers[pair[1]]).then_some(order)
}

/// Positions of file names in the order of `effnet.npy` and `cap_sim.npy`: text order by Unicode code point, as in
/// Python.
pub(super) fn by_text(names: &[String]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|&a, &b| names[a].cmp(&names[b]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn numbers_and_texts_differ_without_leading_zeros() {
        assert_eq!(by_integer(&owned(&["10", "2", "1"])), Some(vec![2, 1, 0]));
        assert_eq!(by_text(&owned(&["10.png", "2.png", "1.png"])), [2, 0, 1]);
    }

    #[test]
    fn the_ending_takes_part_in_the_order_of_names() {
        // As a stem, "a" comes before "a-b"; as a file name, "a-b.png" comes first ('-' < '.').
        assert_eq!(by_text(&owned(&["a.png", "a-b.png"])), [1, 0]);
    }

    #[test]
    fn what_python_cannot_sort_by_integer_has_no_such_order() {
        assert_eq!(by_integer(&owned(&["a", "1"])), None);
        assert_eq!(by_integer(&owned(&["1", "01"])), None);
        assert_eq!(by_integer(&owned(&["-1", "+2", "1.x"])), Some(vec![0, 2, 1]));
    }
}
