//! Recovery profiles: how much of each reference direction a predictive subspace contains.

use crate::error::{check_length, check_space};
use crate::product::product;
use crate::selection::mean;
use crate::{AlignmentError, Matrix, TargetReference};
use neurogauge_core::{Outcome, Undefined};
use neurogauge_stats::quantile;
use serde::{Deserialize, Serialize};

/// The profile of one source, target unit and outer fold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FoldProfile {
    /// DirCov of each reference direction: the squared length of its projection onto the subspace.
    pub directional: Vec<f64>,
    /// TopKCov for k = 1, 2, ...: the weighted mean of DirCov over the first k directions. Beyond the last direction of
    /// positive weight the mean stays constant; k is at most the number of voxels.
    pub top_k: Vec<f64>,
    /// FullRefCov: the weighted mean of DirCov over all directions.
    pub full: f64,
}

impl FoldProfile {
    /// The profile of a subspace with the orthonormal `basis` (n_voxels, rank), up to
    /// k = `n_prefixes`.
    ///
    /// DirCov_j = |Q' u_j|^2; TopKCov_k = sum_(j<=k) w_j DirCov_j / sum_(j<=k) w_j; FullRefCov =
    /// tr(P TargetRef) / tr(TargetRef). All are in \[0, 1\], and higher means more recovered. There
    /// is no zero floor: a source of pure noise induces a subspace of the target's own response
    /// space, so compare with
    /// [`null_profile_reselected`](crate::null_profile_reselected).
    ///
    /// Undefined for a reference without directions, and so for a target without variance.
    ///
    /// ```
    /// use neurogauge_alignment::{FoldProfile, Matrix, TargetReference};
    /// let axes = |n: usize| Matrix::from_fn(3, n, |row, column| f64::from(row == column));
    /// let reference = TargetReference::of_bases(&[[axes(2), axes(2)]])?;
    /// // Halfway between the second axis, which is of the reference, and the third, which is not.
    /// let between = Matrix::from_rows(3, 1, &[0.0, 0.5f64.sqrt(), 0.5f64.sqrt()])?;
    /// let profile = FoldProfile::new(&reference, &between, 2)?.unwrap();
    /// assert!((profile.full - 0.25).abs() < 1e-15);
    /// # Ok::<(), neurogauge_alignment::AlignmentError>(())
    /// ```
    pub fn new(
        reference: &TargetReference,
        basis: &Matrix,
        n_prefixes: usize,
    ) -> Result<Result<Self, Undefined>, AlignmentError> {
        Self::of_directions(&reference.weights, &reference.directions, basis, n_prefixes)
    }

    /// The profile for a reference's `weights` and `directions` (n_voxels, n_directions).
    pub fn of_directions(
        weights: &[f64],
        directions: &Matrix,
        basis: &Matrix,
        n_prefixes: usize,
    ) -> Result<Result<Self, Undefined>, AlignmentError> {
        check_space("the basis", basis.n_rows(), directions.n_rows())?;
        check_length("list of weights", 0, weights.len(), directions.n_columns())?;
        if weights.is_empty() {
            return Ok(Err(Undefined::MissingPart("target reference".to_owned())));
        }
        let projected = product(basis.as_ref().transpose(), directions.as_ref());
        let directional: Vec<f64> =
            (0..projected.ncols()).map(|direction| projected.col(direction).squared_norm_l2()).collect();
        // Allocates no more than needed, since a run keeps very many of these.
        let n_prefixes = n_prefixes.min(directions.n_rows());
        let mut prefixes = Vec::with_capacity(n_prefixes);
        let (mut covered, mut total) = (0.0, 0.0);
        for (weight, coverage) in weights.iter().zip(&directional) {
            covered += weight * coverage;
            total += weight;
            if prefixes.len() < n_prefixes {
                prefixes.push(covered / total);
            }
        }
        let full = covered / total;
        prefixes.resize(n_prefixes, full);
        Ok(Ok(FoldProfile {
            directional,
            top_k: prefixes,
            full,
        }))
    }
}

/// A profile averaged over outer folds.
///
/// ```
/// use neurogauge_alignment::{FoldProfile, Profile};
/// let fold = |top_k: [f64; 2]| FoldProfile {
///     directional: vec![],
///     top_k: top_k.to_vec(),
///     full: 0.5,
/// };
/// let profile = Profile::of_folds(&[fold([0.75, 0.5]), fold([0.25, 0.5])])?;
/// assert_eq!(profile.top_k, [0.5, 0.5]);
/// assert_eq!(profile.mean(2)?, 0.5);
/// # Ok::<(), neurogauge_alignment::AlignmentError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// TopKCov, averaged over outer folds, for k = 1, 2, ...
    pub top_k: Vec<f64>,
    /// FullRefCov, averaged over outer folds.
    pub full: f64,
}

impl Profile {
    /// The mean of the profiles of all outer folds, by rank within each fold's reference.
    pub fn of_folds(folds: &[FoldProfile]) -> Result<Self, AlignmentError> {
        let curves: Vec<&[f64]> = folds.iter().map(|fold| fold.top_k.as_slice()).collect();
        let n = folds.len() as f64;
        let top_k = by_rank(&curves, |values| Ok(values.iter().sum::<f64>() / n))?;
        Ok(Profile {
            top_k,
            full: folds.iter().map(|fold| fold.full).sum::<f64>() / n,
        })
    }

    /// ProfileMean(K): the mean of TopKCov over k = 1..=K, or over all k of a target with fewer
    /// voxels.
    pub fn mean(&self, k: usize) -> Result<f64, AlignmentError> {
        curve_mean(&self.top_k, k)
    }
}

/// BrainRefScore(K): ProfileMean of a source over the median ProfileMean of the donors (brain
/// sources) of the same target unit.
///
/// 1 means as much as the typical donor. If the source is itself a donor, it is among `donors`. Undefined if the
/// donors' median is 0.
pub fn brain_reference_score(profile: &Profile, donors: &[Profile], k: usize) -> Result<Outcome, AlignmentError> {
    let means = donors.iter().map(|donor| donor.mean(k)).collect::<Result<Vec<_>, _>>()?;
    let median = quantile(&means, 0.5)?;
    let own = profile.mean(k)?;
    let without = || Undefined::MissingPart("human reference".to_owned());
    Ok((median != 0.0).then_some(own / median).ok_or_else(without))
}

/// The median TopKCov of the donors of a target unit, for each k: the human reference curve. With
/// an even number of donors it is the mean of the middle two.
pub fn median_curve(donors: &[Profile]) -> Result<Vec<f64>, AlignmentError> {
    let curves: Vec<&[f64]> = donors.iter().map(|donor| donor.top_k.as_slice()).collect();
    by_rank(&curves, |values| Ok(quantile(values, 0.5)?))
}

/// ShapeDist(K): the root mean square difference of a source's curve and the donors' median curve,
/// each divided by its own mean over k = 1..=K. 0 means the same shape. Undefined if either mean is 0.
pub fn shape_distance(profile: &Profile, donors: &[Profile], k: usize) -> Result<Outcome, AlignmentError> {
    let median = median_curve(donors)?;
    let (own, other) = (profile.mean(k)?, curve_mean(&median, k)?);
    if own == 0.0 || other == 0.0 {
        return Ok(Err(Undefined::MissingPart("shape of a curve".to_owned())));
    }
    let squares: Vec<f64> = profile
        .top_k
        .iter()
        .zip(&median)
        .take(k)
        .map(|(coverage, median)| (coverage / own - median / other).powi(2))
        .collect();
    Ok(Ok(mean(&squares).sqrt()))
}

fn curve_mean(curve: &[f64], k: usize) -> Result<f64, AlignmentError> {
    if k == 0 {
        return Err(AlignmentError::option("K", k, "at least 1"));
    }
    if curve.is_empty() {
        return Err(AlignmentError::empty("value of the curve"));
    }
    Ok(mean(&curve[..k.min(curve.len())]))
}

/// Combines the values of all curves at each rank.
fn by_rank(
    curves: &[&[f64]],
    value: impl Fn(&[f64]) -> Result<f64, AlignmentError>,
) -> Result<Vec<f64>, AlignmentError> {
    let Some(first) = curves.first() else {
        return Err(AlignmentError::empty("profile"));
    };
    for (index, curve) in curves.iter().enumerate() {
        check_length("profile", index, curve.len(), first.len())?;
    }
    (0..first.len())
        .map(|rank| value(&curves.iter().map(|curve| curve[rank]).collect::<Vec<_>>()))
        .collect()
}
