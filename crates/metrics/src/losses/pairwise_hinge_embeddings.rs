//! The pairwise hinge loss of predicted embeddings, with its gradient.

use super::{PairwiseHinge, pairwise_hinge};
use crate::MetricError;
use crate::error::check_same_length;
use neurogauge_core::{Side, Undefined};
use neurogauge_stats::similarity::inner_products;
use neurogauge_stats::summation::{sum_over, sum_over_pairs};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The divisor of the sum over reversed triples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HingeNormalisation {
    /// None: the sum, as printed in the equation.
    #[default]
    Sum,
    /// The number of triples that the true embeddings order.
    OrderedTriples,
    /// The number of all triples, n^3.
    AllTriples,
}

/// Choices that the equation leaves open (conventions `pairwise-hinge-anchor`, `pairwise-hinge-normalisation`).
///
/// The predicted similarity of i and j is the cosine of two embeddings; each may be predicted ([`Side::Recon`]) or true
/// ([`Side::Gt`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EmbeddingHingeOptions {
    /// The side of i's embedding.
    pub anchor: Side,
    /// The side of j's and k's embeddings.
    pub neighbours: Side,
    /// May j and k be i?
    pub with_anchor: bool,
    pub normalisation: HingeNormalisation,
}

impl Default for EmbeddingHingeOptions {
    fn default() -> Self {
        EmbeddingHingeOptions {
            anchor: Side::Recon,
            neighbours: Side::Recon,
            with_anchor: true,
            normalisation: HingeNormalisation::Sum,
        }
    }
}

/// The loss of a batch of embeddings.
#[derive(Debug, Clone, PartialEq)]
pub struct EmbeddingHinge {
    pub value: f64,
    /// The derivative of the value with respect to the predicted embeddings: shape (`n`, `n_features`).
    pub gradient: Vec<f64>,
    /// Number of triples that the true embeddings order.
    pub n_ordered: u64,
    /// Number of triples that the predicted embeddings reverse.
    pub n_reversed: u64,
}

/// The pairwise hinge loss of `n` predicted embeddings (SEED, arXiv v1, Eq. 8): for every i, for all j and k with
/// cos(e_i, e_j) > cos(e_i, e_k) for the true ones and the reverse for the predicted ones, the amount by which they are
/// reversed. See [`pairwise_hinge`] for the sum; here its similarities are cosines.
///
/// - Shapes: `truth` and `predicted` are row-major (`n`, `n_features`).
/// - Range: 0 to infinity, lower is better; 0 if no order is reversed.
/// - Conventions: `pairwise-hinge-anchor`, `pairwise-hinge-normalisation`.
/// - Undefined: an embedding that contains NaN or an infinity ([`Undefined::NonFinite`]) or only zeros, and an empty
///   batch ([`Undefined::Empty`]); a mean over ordered triples if there are none ([`Undefined::TooFewItems`],
///   [`Undefined::Because`]).
/// - Errors: the two differ in length; they are not `n` rows; the anchor and the neighbours are both true ones, so that
///   nothing is predicted.
/// - Reference: the triple loop in PyTorch 2.15 and its automatic gradient
///   (`reference/pairwise_hinge_embeddings.py`) to 1e-12.
///
/// ```
/// use neurogauge_metrics::losses::{EmbeddingHingeOptions, pairwise_hinge_of_embeddings};
/// // At 0, 30 and 90 degrees; the prediction swaps the last two.
/// let (s, h) = (0.75f64.sqrt(), 0.5);
/// let truth = [1.0, 0.0, s, h, 0.0, 1.0];
/// let predicted = [1.0, 0.0, 0.0, 1.0, s, h];
/// let options = EmbeddingHingeOptions::default();
/// let loss = pairwise_hinge_of_embeddings(&truth, &predicted, 3, &options).unwrap().unwrap();
/// // The angles to the two others are 30 and 90 degrees and become 90 and 30; 30 and 60, which become
/// // 90 and 60; 90 and 60, which become 30 and 60: (cos 30 - cos 90) + (cos 60 - cos 90) +
/// // (cos 30 - cos 60).
/// assert!((loss.value - 2.0 * s).abs() < 1e-15);
/// assert_eq!(loss.n_reversed, 3);
/// ```
pub fn pairwise_hinge_of_embeddings(
    truth: &[f64],
    predicted: &[f64],
    n: usize,
    options: &EmbeddingHingeOptions,
) -> Result<Result<EmbeddingHinge, Undefined>, MetricError> {
    check_same_length(truth, predicted)?;
    if options.anchor == Side::Gt && options.neighbours == Side::Gt {
        let expected = "the predicted embedding as the anchor, as the neighbours, or as both";
        return Err(MetricError::option("the anchor", "true, as the neighbours are", expected));
    }
    if n == 0 || truth.is_empty() {
        return Ok(Err(Undefined::Empty(Side::Gt)));
    }
    if !truth.len().is_multiple_of(n) {
        let found = format!("{} for {n} embeddings", truth.len());
        let expected = "embeddings of one length";
        return Err(MetricError::option("the number of values", found, expected));
    }
    let n_features = truth.len() / n;
    let (truth, predicted) =
        match (UnitRows::of(truth, n_features, Side::Gt), UnitRows::of(predicted, n_features, Side::Recon)) {
            (Ok(truth), Ok(predicted)) => (truth, predicted),
            (Err(reason), _) | (_, Err(reason)) => return Ok(Err(reason)),
        };
    let of = |side: Side| match side {
        Side::Gt => &truth.rows,
        Side::Recon => &predicted.rows,
    };
    let (anchors, neighbours) = (of(options.anchor), of(options.neighbours));
    let true_similarities = inner_products(&truth.rows, &truth.rows, n_features)?;
    let similarities = inner_products(anchors, neighbours, n_features)?;
    let loss = match pairwise_hinge(&true_similarities, &similarities, n, options.with_anchor)? {
        Ok(loss) => loss,
        Err(reason) => return Ok(Err(reason)),
    };
    let divisor = match options.normalisation {
        HingeNormalisation::Sum => 1.0,
        HingeNormalisation::OrderedTriples => loss.n_ordered as f64,
        HingeNormalisation::AllTriples => (n as f64).powi(3),
    };
    if divisor == 0.0 {
        let n_compared = n - usize::from(!options.with_anchor);
        return Ok(Err(match n_compared < 2 {
            true => Undefined::TooFewItems,
            false => Undefined::Because("no true similarity is greater than another".into()),
        }));
    }
    let along = match (options.anchor, options.neighbours) {
        (Side::Recon, Side::Recon) => mixed(&with_transpose(&loss.gradient, n), &predicted.rows, n, n_features)?,
        (Side::Recon, Side::Gt) => mixed(&loss.gradient, &truth.rows, n, n_features)?,
        (Side::Gt, _) => mixed(&transposed(&loss.gradient, n, n), &truth.rows, n, n_features)?,
    };
    let PairwiseHinge {
        sum,
        n_ordered,
        n_reversed,
        ..
    } = loss;
    Ok(Ok(EmbeddingHinge {
        value: sum / divisor,
        gradient: predicted.through_length(along, divisor),
        n_ordered,
        n_reversed,
    }))
}

/// Embeddings divided by their lengths.
struct UnitRows {
    rows: Vec<f64>,
    lengths: Vec<f64>,
    n_features: usize,
}

impl UnitRows {
    fn of(values: &[f64], n_features: usize, side: Side) -> Result<Self, Undefined> {
        let mut rows = values.to_vec();
        let lengths = rows
            .par_chunks_mut(n_features)
            .map(|row| {
                if row.iter().any(|value| !value.is_finite()) {
                    return Err(Undefined::NonFinite(side));
                }
                // Divided by the largest value first, whose square might be out of range.
                let largest = row.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
                if largest == 0.0 {
                    return Err(Undefined::Empty(side));
                }
                row.iter_mut().for_each(|value| *value /= largest);
                let length = sum_over(row, |value| value * value).sqrt();
                row.iter_mut().for_each(|value| *value /= length);
                Ok(largest * length)
            })
            .collect::<Result<Vec<f64>, Undefined>>()?;
        Ok(UnitRows {
            rows,
            lengths,
            n_features,
        })
    }

    /// The derivative with respect to the embeddings, from that with respect to their unit rows, divided by `divisor`:
    /// the component along a row does not rotate it.
    fn through_length(&self, mut gradient: Vec<f64>, divisor: f64) -> Vec<f64> {
        let rows = self.rows.par_chunks(self.n_features);
        gradient
            .par_chunks_mut(self.n_features)
            .zip(rows.zip(&self.lengths))
            .for_each(|(gradient, (row, length))| {
                let along = sum_over_pairs(gradient, row, |g, x| g * x);
                for (gradient, value) in gradient.iter_mut().zip(row) {
                    *gradient = (*gradient - along * value) / length / divisor;
                }
            });
        gradient
    }
}

/// `weights` (n, n) times `rows` (n, n_features).
fn mixed(weights: &[f64], rows: &[f64], n: usize, n_features: usize) -> Result<Vec<f64>, MetricError> {
    Ok(inner_products(weights, &transposed(rows, n, n_features), n)?)
}

fn transposed(values: &[f64], n_rows: usize, n_columns: usize) -> Vec<f64> {
    let mut turned = vec![0.0; values.len()];
    turned.par_chunks_mut(n_rows).enumerate().for_each(|(column, turned)| {
        let column = values[column..].iter().step_by(n_columns);
        turned.iter_mut().zip(column).for_each(|(to, from)| *to = *from);
    });
    turned
}

/// A square matrix plus its transpose.
fn with_transpose(values: &[f64], n: usize) -> Vec<f64> {
    let mut sum = transposed(values, n, n);
    sum.iter_mut().zip(values).for_each(|(to, from)| *to += from);
    sum
}
