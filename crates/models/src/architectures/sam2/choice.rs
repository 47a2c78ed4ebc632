//! Chooses one of the masks of a prompt.

/// Half-width of the band of logits around 0 in which a stable mask has few pixels.
const MARGIN: f32 = 0.05;
/// Least ratio of the pixels above the band to those above or in it.
const STABLE: f32 = 0.98;

/// The first mask, if it is stable: if nearly as many of its logits are above 0.05 as above -0.05. Otherwise the one of
/// the others with the largest predicted overlap; the first of equal ones wins.
pub(super) fn chosen(masks: &[Vec<f32>], overlaps: &[f32]) -> usize {
    let Some(first) = masks.first() else { return 0 };
    let above = |margin: f32| first.iter().filter(|&&logit| logit > margin).count() as f32;
    let (sure, possible) = (above(MARGIN), above(-MARGIN));
    let stability = if possible > 0.0 { sure / possible } else { 1.0 };
    if stability >= STABLE {
        return 0;
    }
    let mut best = 0;
    for (index, overlap) in overlaps.iter().enumerate().skip(1) {
        if best == 0 || *overlap > overlaps[best] {
            best = index;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masks(n_sure: usize, n_unsure: usize) -> Vec<Vec<f32>> {
        let mut first = vec![1.0; n_sure];
        first.resize(n_sure + n_unsure, 0.01);
        first.push(-3.0);
        vec![first, Vec::new(), Vec::new(), Vec::new()]
    }

    #[test]
    fn a_stable_mask_is_the_first() {
        let overlaps = [0.1, 0.5, 0.9, 0.9];
        assert_eq!(chosen(&masks(98, 2), &overlaps), 0);
        assert_eq!(chosen(&masks(97, 3), &overlaps), 2);
        assert_eq!(chosen(&masks(0, 1), &[0.9, 0.1, 0.2, 0.3]), 3);
    }

    #[test]
    fn an_empty_mask_is_stable() {
        assert_eq!(chosen(&masks(0, 0), &[0.1, 0.5, 0.9, 0.9]), 0);
    }
}
