//! Is a reconstruction more like its own stimulus than like others?

mod draws;
mod options;
mod standing;

pub use options::{Draws, IdentificationDirection, IdentificationOptions, Ties};
pub use standing::Standing;

use crate::MetricError;
use neurogauge_core::{Outcome, Side};
use neurogauge_stats::{RowDefect, Similarity, SimilarityMatrix, similarities};
use rayon::prelude::*;

/// Outcomes of [`identify`], and what they were told from.
#[derive(Debug, Clone, PartialEq)]
pub struct Identification {
    /// One for each pair.
    pub outcomes: Vec<Outcome>,
    /// Size of the pool: the number of others that the own one of each pair is told from.
    pub n_others: usize,
    /// Positions of the others that are similar to none and were left out of the pool, and why.
    pub left_out: Vec<(usize, RowDefect)>,
}

/// Two-way identification, and n-way top-k identification: the probability that a reconstruction is
/// more like its own stimulus than like others, by Pearson's correlation of feature vectors.
///
/// With r_ij the correlation of stimulus i and reconstruction j, and n stimuli, two-way
/// identification of reconstruction j is
///
/// s_j = #{i ≠ j : r_ij < r_jj} / (n − 1).
///
/// With n ways and top k, n − 1 others are drawn and s_j is the probability that fewer than k of them
/// are more like the reconstruction than its own stimulus is: in closed form over all draws
/// (hypergeometric), or as the share of seeded draws ([`IdentificationOptions::draws`]).
///
/// - Shapes: `pairs` holds (stimulus, reconstruction), `pool` the others if they are not those of the
///   other pairs; all vectors have `n_features` values.
/// - Range: 0 to 1, higher is better; chance level k/n: 0.5 for two ways.
/// - Conventions: `identification-direction`, `identification-ties`, `identification-pool`,
///   `identification-ways`.
/// - Undefined: a stimulus or reconstruction that is empty, constant or not finite (NumPy's NaN
///   compares as false there and counts as a failure); `EmptyPool` where there is no other. A
///   member of the pool that is similar to none is left out, of the size of the pool too.
/// - Errors: [`MetricError::Stats`] unless all vectors have one length;
///   [`MetricError::InvalidOption`] for more ways than the pool allows, or a k that all n reach.
/// - Reference: `numpy.corrcoef` 2.4.6 and comparison of its rows with its diagonal: equal
///   counts. `scipy.stats.hypergeom` 1.17.1 to 1e-12 for n ways.
///
/// ```
/// use neurogauge_metrics::decoding::identification::{IdentificationOptions, identify};
/// let (up, down, bent) = ([1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [1.0, 3.0, 2.0]);
/// // The second reconstruction is less like its own stimulus than like either other.
/// let recon = [[1.0, 2.0, 4.0], [1.0, 2.0, 2.5], [0.0, 1.0, 0.9]];
/// let pairs: [(&[f32], &[f32]); 3] =
///     [(&up, &recon[0]), (&down, &recon[1]), (&bent, &recon[2])];
/// let identified = identify(&pairs, None, &IdentificationOptions::default()).unwrap();
/// assert_eq!(identified.outcomes, [Ok(1.0), Ok(0.0), Ok(1.0)]);
/// assert_eq!(identified.n_others, 2);
/// ```
pub fn identify(
    pairs: &[(&[f32], &[f32])],
    pool: Option<&[&[f32]]>,
    options: &IdentificationOptions,
) -> Result<Identification, MetricError> {
    let (gt, recon): (Vec<&[f32]>, Vec<&[f32]>) = pairs.iter().copied().unzip();
    let (queries, own, sides) = match options.direction {
        IdentificationDirection::Reconstruction => (recon, gt, (Side::Recon, Side::Gt)),
        IdentificationDirection::Stimulus => (gt, recon, (Side::Gt, Side::Recon)),
    };
    let to_others = similarities(&queries, pool.unwrap_or(&own), Similarity::Correlation)?;
    // An entry depends on its two rows alone, so these are what the diagonal of one product would be.
    let to_own = match pool {
        None => None,
        Some(_) => Some(
            queries
                .par_iter()
                .zip(&own)
                .map(|(query, own)| similarities(&[query], &[own], Similarity::Correlation))
                .collect::<Result<Vec<SimilarityMatrix>, _>>()?,
        ),
    };
    let left_out: Vec<(usize, RowDefect)> = (0..to_others.n_y())
        .filter_map(|other| Some((other, to_others.y_defect(other)?)))
        .collect();
    let n_usable = to_others.n_y() - left_out.len();
    let n_others = if pool.is_some() {
        n_usable
    } else {
        n_usable.saturating_sub(1)
    };
    options.check(n_others)?;
    let outcomes = (0..pairs.len())
        .into_par_iter()
        .map(|pair| {
            let (own, own_defect) = match &to_own {
                Some(alone) => (alone[pair].get(0, 0), alone[pair].y_defect(0)),
                None => (to_others.get(pair, pair), to_others.y_defect(pair)),
            };
            if let Some(defect) = to_others.x_defect(pair) {
                return Err(defect.of(sides.0));
            }
            if let Some(defect) = own_defect {
                return Err(defect.of(sides.1));
            }
            let others: Vec<f64> = (0..to_others.n_y())
                .filter(|&other| pool.is_some() || other != pair)
                .filter(|&other| to_others.y_defect(other).is_none())
                .map(|other| to_others.get(pair, other))
                .collect();
            options.outcome(pair, own, &others)
        })
        .collect();
    Ok(Identification {
        outcomes,
        n_others,
        left_out,
    })
}
