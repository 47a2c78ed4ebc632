//! How similar the dissimilarities of two sources are.

use super::Dissimilarities;
use super::dissimilarity::pairs_of;
use neurogauge_core::{Outcome, Undefined};
use neurogauge_stats::KendallCounts;
use serde::{Deserialize, Serialize};

/// How two matrices of dissimilarities are compared, over all pairs of stimuli.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RdmComparison {
    /// Spearman's correlation.
    #[default]
    Spearman,
    /// Kendall's (C − D) / P over all P pairs of pairs of stimuli: ties lower it, so a source that predicts ties gains
    /// nothing by them.
    KendallTauA,
    /// Kendall's tau-b, which leaves ties out.
    KendallTauB,
    /// Pearson's correlation.
    Pearson,
    /// x·y / (|x| |y|).
    Cosine,
    /// The cosine after whitening with the covariance that dissimilarities of independent patterns have (Diedrichsen et
    /// al., 2021). Of squared Euclidean distances it is the linear centred kernel alignment.
    WhitenedCosine,
}

impl RdmComparison {
    /// Is the similarity to an unrelated source 0 on average? Cosines are above 0 for all sources, since the mean
    /// dissimilarity of both is, that of repeats (crossnobis), too.
    pub fn has_zero_chance(self) -> bool {
        !matches!(self, RdmComparison::Cosine | RdmComparison::WhitenedCosine)
    }

    /// Transforms values so that their weighted inner product is the similarity. For Kendall's tau, the values stay as
    /// they are, and each occurs as often as its weight.
    pub(super) fn comparable(self, own: &Ordered, weights: &Weights) -> Result<Vec<f64>, Undefined> {
        match self {
            RdmComparison::KendallTauA | RdmComparison::KendallTauB => {
                let of = |(&value, &weight): (&f64, &f64)| std::iter::repeat_n(value, weight as usize);
                Ok(own.values.values().iter().zip(&weights.pairs).flat_map(of).collect())
            }
            _ => self.unit(own, weights),
        }
    }

    fn unit(self, own: &Ordered, weights: &Weights) -> Result<Vec<f64>, Undefined> {
        let Ordered { values: own, order } = own;
        if weights.pairs.iter().filter(|weight| **weight > 0.0).count() < 2 {
            return Err(Undefined::TooFewItems);
        }
        let mut present = own.values().iter().zip(&weights.pairs).filter(|(_, weight)| **weight > 0.0);
        let first = present.next().map_or(0.0, |(value, _)| *value);
        if present.all(|(value, _)| *value == first) && (self.has_zero_chance() || first == 0.0) {
            return Err(Undefined::Because("all dissimilarities are equal".into()));
        }
        let filled = || own.values().iter().map(|value| if value.is_nan() { 0.0 } else { *value }).collect();
        Ok(match self {
            RdmComparison::Spearman => unit(centred(ranks(own, order, weights), weights), weights),
            RdmComparison::WhitenedCosine => whitened(own, weights),
            RdmComparison::Cosine => unit(filled(), weights),
            _ => unit(centred(filled(), weights), weights),
        })
    }

    /// The similarity of two results of [`comparable`](Self::comparable).
    pub(super) fn similarity(self, one: &[f64], other: &[f64]) -> Outcome {
        let counts = || KendallCounts::of(one, other).map_err(|error| Undefined::Because(error.to_string().into()))?;
        match self {
            RdmComparison::KendallTauA => counts()?.tau_a(),
            RdmComparison::KendallTauB => counts()?.tau_b(),
            _ => match one.iter().zip(other).map(|(a, b)| a * b).sum::<f64>() {
                found if found.is_finite() => Ok(found.clamp(-1.0, 1.0)),
                _ => Err(Undefined::Because("dissimilarities without variance after whitening".into())),
            },
        }
    }
}

/// Dissimilarities with the order of their values, which resamples do not change.
pub(super) struct Ordered {
    values: Dissimilarities,
    /// Positions of the pairs that are not missing, by ascending value.
    order: Vec<u32>,
}

impl Ordered {
    pub(super) fn of(values: Dissimilarities) -> Self {
        let all = values.values();
        let mut order: Vec<u32> = (0..all.len() as u32).filter(|&pair| !all[pair as usize].is_nan()).collect();
        order.sort_unstable_by(|&a, &b| all[a as usize].total_cmp(&all[b as usize]));
        Ordered { values, order }
    }

    /// The values as they are averaged over subjects for ceilings: ranks, z-scores, or divided by their root mean square.
    pub(super) fn pooled_form(&self, comparison: RdmComparison, weights: &Weights) -> Result<Vec<f64>, Undefined> {
        match comparison {
            // Without scaling, so that equal sums of ranks stay equal.
            RdmComparison::Spearman | RdmComparison::KendallTauA | RdmComparison::KendallTauB => {
                RdmComparison::Spearman.unit(self, weights)?;
                Ok(ranks(&self.values, &self.order, weights))
            }
            RdmComparison::WhitenedCosine => RdmComparison::Cosine.unit(self, weights),
            RdmComparison::Pearson | RdmComparison::Cosine => comparison.unit(self, weights),
        }
    }
}

/// How often a resample has each stimulus and each pair of different stimuli.
pub(super) struct Weights {
    stimuli: Vec<f64>,
    pairs: Vec<f64>,
    roots: Vec<f64>,
}

impl Weights {
    /// Of the stimuli that are there, in a resample with `counts` copies of each.
    pub(super) fn of(counts: &[u32], are_there: &[bool]) -> Self {
        let stimuli = counts.iter().zip(are_there).map(|(&count, &is_there)| f64::from(count * u32::from(is_there)));
        let stimuli: Vec<f64> = stimuli.collect();
        let pairs: Vec<f64> = pairs_of(stimuli.len()).map(|(i, j)| stimuli[i] * stimuli[j]).collect();
        let roots = pairs.iter().map(|weight| weight.sqrt()).collect();
        Weights { stimuli, pairs, roots }
    }
}

/// Average ranks; a pair of weight w counts as w equal values.
fn ranks(own: &Dissimilarities, order: &[u32], weights: &Weights) -> Vec<f64> {
    let values = own.values();
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0.0;
    for tied in order.chunk_by(|&a, &b| values[a as usize] == values[b as usize]) {
        let weight: f64 = tied.iter().map(|&pair| weights.pairs[pair as usize]).sum();
        tied.iter().for_each(|&pair| ranks[pair as usize] = before + (weight + 1.0) / 2.0);
        before += weight;
    }
    ranks
}

fn centred(mut values: Vec<f64>, weights: &Weights) -> Vec<f64> {
    let total: f64 = weights.pairs.iter().sum();
    let mean = values.iter().zip(&weights.pairs).map(|(value, weight)| value * weight).sum::<f64>() / total;
    values.iter_mut().for_each(|value| *value -= mean);
    values
}

/// Multiplied by the roots of the weights, and of length 1.
fn unit(mut values: Vec<f64>, weights: &Weights) -> Vec<f64> {
    values.iter_mut().zip(&weights.roots).for_each(|(value, root)| *value *= root);
    scaled_to_one(values)
}

fn scaled_to_one(mut values: Vec<f64>) -> Vec<f64> {
    let size = values.iter().map(|value| value * value).sum::<f64>().sqrt();
    values.iter_mut().for_each(|value| *value /= size);
    values
}

/// Dissimilarities in the space in which those of independent patterns are uncorrelated, and of length 1.
///
/// That is the centred matrix of inner products, −½ (d_ij − u_i − u_j) with d_ii = 0, whose off-diagonal entries count
/// twice. The u make its rows sum to zero over the entries that a resample has. Copies of a stimulus have no
/// dissimilarity from each other, so the row of a stimulus with w_i of W copies says
/// u_i (W − 2 w_i + 2) + Σ_j w_j u_j = Σ_j w_j d_ij.
fn whitened(own: &Dissimilarities, weights: &Weights) -> Vec<f64> {
    let (n, copies) = (own.n_stimuli(), &weights.stimuli);
    let mut sums = vec![0.0; n];
    for (place, (i, j)) in pairs_of(n).enumerate().filter(|(place, _)| weights.pairs[*place] > 0.0) {
        sums[i] += copies[j] * own.values()[place];
        sums[j] += copies[i] * own.values()[place];
    }
    let total: f64 = copies.iter().sum();
    let factors: Vec<f64> = copies.iter().map(|own| total - 2.0 * own + 2.0).collect();
    let over = |of: &dyn Fn(usize) -> f64| (0..n).map(|i| copies[i] * of(i) / factors[i]).sum::<f64>();
    let shared = over(&|i| sums[i]) / (1.0 + over(&|_| 1.0));
    let offsets: Vec<f64> = (0..n).map(|i| (sums[i] - shared) / factors[i]).collect();
    let off_diagonal = pairs_of(n).enumerate().map(|(place, (i, j))| match weights.roots[place] {
        root if root > 0.0 => root * (own.values()[place] - offsets[i] - offsets[j]),
        _ => 0.0,
    });
    // The diagonal counts once, the others twice.
    let diagonal = (0..n).map(|i| -(2.0 * copies[i]).sqrt() * offsets[i]);
    scaled_to_one(off_diagonal.chain(diagonal).collect())
}
