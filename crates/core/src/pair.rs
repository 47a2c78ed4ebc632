//! Pairing of stimuli with reconstructions by file stem.

use crate::Side;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// A stimulus and its reconstruction: positions in the two sources they come from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pair {
    /// The stem that both share.
    pub stem: String,
    /// Position in the stimulus source.
    pub gt: usize,
    /// Position in the reconstruction source.
    pub recon: usize,
}

impl Pair {
    /// Position in the source of a side.
    pub fn of(&self, side: Side) -> usize {
        match side {
            Side::Gt => self.gt,
            Side::Recon => self.recon,
        }
    }
}

/// Why two lists of stems could not be paired.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PairingError {
    /// Some stems exist on one side only.
    #[error(
        "{count} of the {present} stems have no partner among the {absent} stems: {examples}; \
         every stem must be on both sides"
    )]
    MissingPartner {
        /// The side that has them.
        present: &'static str,
        /// The side that lacks them.
        absent: &'static str,
        /// How many.
        count: usize,
        /// The first few, comma separated.
        examples: String,
    },
    /// The same stem stands twice on one side.
    #[error("stem {stem:?} occurs twice among the {side} stems; stems must be unique")]
    DuplicateStem {
        /// The side that repeats it.
        side: &'static str,
        /// The stem.
        stem: String,
    },
}

/// Pairs two lists of stems; the result is in natural order (convention `pairing-stem`).
pub fn pair_by_stem(gt: &[String], recon: &[String]) -> Result<Vec<Pair>, PairingError> {
    let gt_order = sorted_unique(gt, "gt")?;
    let recon_order = sorted_unique(recon, "recon")?;
    let recon_index: std::collections::HashMap<&str, usize> = recon_order
        .iter()
        .map(|&i| (recon[i].as_str(), i))
        .collect();
    let gt_stems: std::collections::HashSet<&str> = gt.iter().map(String::as_str).collect();

    let mut pairs = Vec::with_capacity(gt.len());
    let mut lonely_gt = Vec::new();
    for &i in &gt_order {
        match recon_index.get(gt[i].as_str()) {
            Some(&j) => pairs.push(Pair {
                stem: gt[i].clone(),
                gt: i,
                recon: j,
            }),
            None => lonely_gt.push(gt[i].as_str()),
        }
    }
    if !lonely_gt.is_empty() {
        return Err(missing("gt", "recon", &lonely_gt));
    }
    let lonely_recon: Vec<&str> = recon_order
        .iter()
        .map(|&i| recon[i].as_str())
        .filter(|stem| !gt_stems.contains(stem))
        .collect();
    if !lonely_recon.is_empty() {
        return Err(missing("recon", "gt", &lonely_recon));
    }
    Ok(pairs)
}

fn missing(present: &'static str, absent: &'static str, stems: &[&str]) -> PairingError {
    const SHOWN: usize = 5;
    let mut examples = stems
        .iter()
        .take(SHOWN)
        .copied()
        .collect::<Vec<_>>()
        .join(", ");
    if stems.len() > SHOWN {
        examples.push_str(", ...");
    }
    PairingError::MissingPartner {
        present,
        absent,
        count: stems.len(),
        examples,
    }
}

fn sorted_unique(stems: &[String], side: &'static str) -> Result<Vec<usize>, PairingError> {
    let mut order: Vec<usize> = (0..stems.len()).collect();
    order.sort_by(|&a, &b| natural_cmp(&stems[a], &stems[b]));
    for neighbours in order.windows(2) {
        if stems[neighbours[0]] == stems[neighbours[1]] {
            return Err(PairingError::DuplicateStem {
                side,
                stem: stems[neighbours[0]].clone(),
            });
        }
    }
    Ok(order)
}

/// Natural order: runs of ASCII digits compare as numbers ("2" before "10"), everything else by
/// Unicode code point; strings that are equal that way ("07" and "7") compare as plain text.
///
/// ```
/// use neurogauge_core::natural_cmp;
/// let mut stems = ["img10", "img2", "img1"];
/// stems.sort_by(|a, b| natural_cmp(a, b));
/// assert_eq!(stems, ["img1", "img2", "img10"]);
/// ```
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
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    text.split_at(end)
}

fn compare_numbers(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stems(names: &[&str]) -> Vec<String> {
        names.iter().map(|s| (*s).to_owned()).collect()
    }

    #[test]
    fn pairs_in_natural_order_whatever_the_input_order() {
        let pairs = pair_by_stem(&stems(&["10", "2", "1"]), &stems(&["1", "10", "2"])).unwrap();
        let order: Vec<_> = pairs
            .iter()
            .map(|p| (p.stem.as_str(), p.gt, p.recon))
            .collect();
        assert_eq!(order, [("1", 2, 0), ("2", 1, 2), ("10", 0, 1)]);
    }

    #[test]
    fn a_lonely_stem_is_named_with_its_side() {
        let error = pair_by_stem(&stems(&["a", "b"]), &stems(&["a"])).unwrap_err();
        assert!(
            error.to_string().contains("gt stems have no partner"),
            "{error}"
        );
        assert!(error.to_string().contains(": b;"), "{error}");
        let error = pair_by_stem(&stems(&["a"]), &stems(&["a", "c"])).unwrap_err();
        assert!(
            error.to_string().starts_with("1 of the recon stems"),
            "{error}"
        );
    }

    #[test]
    fn a_repeated_stem_is_refused() {
        let error = pair_by_stem(&stems(&["a", "a"]), &stems(&["a"])).unwrap_err();
        assert_eq!(
            error,
            PairingError::DuplicateStem {
                side: "gt",
                stem: "a".into()
            }
        );
    }

    #[test]
    fn natural_order_is_total_on_numbers_beyond_u64_and_leading_zeros() {
        assert_eq!(
            natural_cmp("9", "99999999999999999999999999"),
            Ordering::Less
        );
        assert_eq!(natural_cmp("007", "7"), Ordering::Less);
        assert_eq!(
            natural_cmp("a7b", "a07b"),
            natural_cmp("a07b", "a7b").reverse()
        );
        assert_eq!(
            natural_cmp("shared0001_nsd02951", "shared0001_nsd10000"),
            Ordering::Less
        );
        assert_eq!(natural_cmp("é", "e"), Ordering::Greater);
    }
}
