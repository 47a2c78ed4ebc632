//! The loss on reversed orders of similarity (SEED, arXiv version, Section 5).

use super::inversions::balance;
use crate::MetricError;
use crate::error::check_same_length;
use neurogauge_core::stopping::stop_if_asked;
use neurogauge_core::{Side, Undefined};
use rayon::prelude::*;

/// A loss over a batch, the number of summed triples, and its derivative with respect to each similarity.
#[derive(Debug, Clone, PartialEq)]
pub struct PairwiseHinge {
    /// The sum, over all reversed triples, of the amount by which they are reversed.
    pub sum: f64,
    /// Number of triples (i, j, k) that the true similarities order, which divides the sum for a mean.
    pub n_ordered: u64,
    /// Number of triples that the predicted similarities reverse.
    pub n_reversed: u64,
    /// The derivative of the sum with respect to each predicted similarity: shape (`n`, `n`), whole
    /// numbers.
    pub gradient: Vec<f64>,
}

/// The pairwise hinge loss: for every anchor i, for all j and k that the true similarities order one way and the
/// predicted ones the other, the amount by which they are reversed (SEED, arXiv v1, Eq. 8),
///
/// Σ_i Σ_{j, k : s_ij > s_ik} max(0, ŝ_ik − ŝ_ij).
///
/// Each row is sorted by its true similarities, and its inversions are counted by a merge sort: time
/// O(n² log n), memory O(n²), instead of O(n³) for the plain triple loop.
///
/// - Shapes: `true_similarities` and `predicted_similarities` are row-major (`n`, `n`); row i belongs
///   to anchor i.
/// - Range: 0 to infinity, lower is better; 0 if no order is reversed. Equal similarities on either side are not
///   reversed.
/// - Conventions: `pairwise-hinge-anchor`. If `with_anchor` is false, j and k differ from i.
/// - Undefined: a similarity that is NaN or infinite ([`Undefined::NonFinite`]); an empty batch.
/// - Errors: the two matrices differ in length;
///   they are not (`n`, `n`).
/// - Reference: the triple loop in NumPy 2.4.6 (`reference/pairwise_hinge.py`) to 1e-12, relative.
///
/// ```
/// use neurogauge_metrics::losses::pairwise_hinge;
/// // Anchor 0 is truly nearer to 1 than to 2, and is predicted nearer to 2 by 0.3.
/// let truth = [1.0, 0.8, 0.1, 0.8, 1.0, 0.5, 0.1, 0.5, 1.0];
/// let predicted = [1.0, 0.2, 0.5, 0.9, 1.0, 0.5, 0.1, 0.5, 1.0];
/// let loss = pairwise_hinge(&truth, &predicted, 3, true).unwrap().unwrap();
/// assert!((loss.sum - 0.3).abs() < 1e-15);
/// assert_eq!((loss.n_ordered, loss.n_reversed), (9, 1));
/// assert_eq!(loss.gradient[..3], [0.0, -1.0, 1.0]);
/// ```
pub fn pairwise_hinge(
    true_similarities: &[f64],
    predicted_similarities: &[f64],
    n: usize,
    with_anchor: bool,
) -> Result<Result<PairwiseHinge, Undefined>, MetricError> {
    check_same_length(true_similarities, predicted_similarities)?;
    if n.checked_mul(n) != Some(true_similarities.len()) || u32::try_from(n).is_err() {
        let expected = "a square: one row and one column for each item of the batch";
        return Err(MetricError::option("the number of similarities", true_similarities.len(), expected));
    }
    if n == 0 {
        return Ok(Err(Undefined::Empty(Side::Gt)));
    }
    for (side, values) in [(Side::Gt, true_similarities), (Side::Recon, predicted_similarities)] {
        if values.iter().any(|value| !value.is_finite()) {
            return Ok(Err(Undefined::NonFinite(side)));
        }
    }

    let mut gradient = vec![0.0; n * n];
    let rows: Vec<Row> = gradient
        .par_chunks_mut(n)
        .zip(true_similarities.par_chunks(n).zip(predicted_similarities.par_chunks(n)))
        .enumerate()
        .map_init(Scratch::default, |scratch, (anchor, (out, (truth, predicted)))| {
            stop_if_asked();
            scratch.row(truth, predicted, (!with_anchor).then_some(anchor), out)
        })
        .collect();
    Ok(Ok(PairwiseHinge {
        sum: rows.iter().map(|row| row.sum).sum(),
        n_ordered: rows.iter().map(|row| row.n_ordered).sum(),
        n_reversed: rows.iter().map(|row| row.n_reversed).sum(),
        gradient,
    }))
}

/// The contribution of one anchor.
struct Row {
    sum: f64,
    n_ordered: u64,
    n_reversed: u64,
}

/// Working memory of one thread.
#[derive(Default)]
struct Scratch {
    items: Vec<(f64, f64, u32)>,
    sequence: Vec<(f64, u32)>,
    merged: Vec<(f64, u32)>,
    balance: Vec<i64>,
}

impl Scratch {
    fn row(&mut self, truth: &[f64], predicted: &[f64], left_out: Option<usize>, out: &mut [f64]) -> Row {
        let items = (0..truth.len()).filter(|&item| Some(item) != left_out);
        // Adding zero gives both zeros the same sign; the order below would distinguish them.
        self.items.clear();
        self.items.extend(items.map(|item| (truth[item] + 0.0, predicted[item] + 0.0, item as u32)));
        // Equal true similarities are sorted by ascending predicted ones, so that no pair of them is an inversion.
        self.items.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        self.sequence.clear();
        self.sequence.extend(self.items.iter().map(|&(_, value, item)| (value, item)));
        self.balance.resize(truth.len(), 0);
        let n_reversed = balance(&mut self.sequence, &mut self.merged, &mut self.balance);

        // The weights add up to zero, so any centre may be subtracted; the mean keeps rounding small.
        let centre = predicted.iter().sum::<f64>() / predicted.len() as f64;
        let mut sum = 0.0;
        for ((out, &weight), &value) in out.iter_mut().zip(&self.balance).zip(predicted) {
            *out = weight as f64;
            sum += weight as f64 * (value - centre);
        }
        Row {
            sum,
            n_ordered: n_ordered(&self.items),
            n_reversed,
        }
    }
}

/// The number of pairs with unequal true similarity, for items sorted by it.
fn n_ordered(items: &[(f64, f64, u32)]) -> u64 {
    items
        .chunk_by(|a, b| a.0 == b.0)
        .scan(0, |before, ties| {
            let pairs = *before * ties.len() as u64;
            *before += ties.len() as u64;
            Some(pairs)
        })
        .sum()
}
