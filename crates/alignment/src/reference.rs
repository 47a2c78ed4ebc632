//! The reproducible target reference: response dimensions that one half of the trials predicts of
//! the other.

use crate::eigen::all_eigenpairs;
use crate::pool_fits::PoolFits;
use crate::product::{gram, leading, product, scale_columns};
use crate::selection::Selection;
use crate::source::SourceFit;
use crate::subspace::{Subspace, cross_validate_fits, fit_outer};
use crate::target::TargetFit;
use crate::{AlignmentError, Matrix, Partitions, Pool, SubspaceOptions, Trials};
use faer::Mat;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Reference weights that are this share of the first, or less, are rounding of zero.
const LEAST_WEIGHT: f64 = 1e-10;

/// A smaller difference of neighbouring weights is a tie.
const LEAST_GAP: f64 = 1e-10;

/// How a reference is made.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReferenceOptions {
    /// Candidate ranks and regularisations of the fits between views.
    pub subspace: SubspaceOptions,
    /// A rank for all fits, instead of the selected ones (a control).
    pub fixed_rank: Option<usize>,
}

/// The reproducible target reference of one target unit and outer fold.
///
/// TargetRef = 1 / (2N) sum over partitions b and both directions of Q Q', whose eigenvectors are
/// the target-reference directions u_j and whose eigenvalues are the reference weights w_j (Section
/// 2.2). Directions of weight zero are left out.
#[derive(Debug, Clone)]
pub struct TargetReference {
    /// Reference weights in descending order, all positive.
    pub weights: Vec<f64>,
    /// Target-reference directions as columns: (n_voxels, n_directions).
    pub directions: Matrix,
    /// What each fit selected: view 0 to view 1, and view 1 to view 0, per partition.
    pub selections: Vec<[Selection; 2]>,
    /// The rank of each of these fits; lower than the selected one where dimensions were dropped.
    pub ranks: Vec<[usize; 2]>,
    /// Inner products of the stacked bases of all fits.
    overlaps: Mat<f64>,
    /// Number of stacked columns of each partition.
    widths: Vec<usize>,
}

/// A hard consensus subspace: the leading directions, as many as the mean rank of the fits.
#[derive(Debug, Clone, PartialEq)]
pub struct Consensus {
    /// Its rank: the mean of the ranks of the fits, half rounded to even, at least 1; fewer where
    /// the reference has no more directions.
    pub rank: usize,
    /// Weight of its last direction less that of the first left out. Without a gap (1e-10) the
    /// subspace is not determined.
    pub gap: f64,
    /// An orthonormal basis in the coordinates of the stacked bases.
    basis: Mat<f64>,
}

/// How near the consensus of some partitions is to that of all. Coverage and purity are `None` where
/// one of the two is not determined, the ratio where the reference has no direction.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Convergence {
    /// tr(P_m P_N) / tr(P_N): how much of the consensus of all the few cover.
    pub coverage: Option<f64>,
    /// tr(P_m P_N) / tr(P_m): how much of the few lies in the consensus of all.
    pub purity: Option<f64>,
    /// tr(P_m) / tr(P_N).
    pub rank_ratio: Option<f64>,
}

/// How alike two references of one target are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ReferenceSimilarity {
    /// tr(R R') / (|R| |R'|), Frobenius norms.
    pub soft: f64,
    /// tr(P P') / tr(P) of the consensus subspaces, P being that of the first.
    pub hard: f64,
}

impl TargetReference {
    /// The reference of the stimuli of `pool` (the test chunk of an outer fold).
    ///
    /// The views of a partition are means of the trials with each label. Each view predicts the other by
    /// the same fit and selection that sources undergo, cross-validated over the inner folds of
    /// the pool.
    ///
    /// # Errors
    /// [`AlignmentError::TooFewRepeats`] and [`AlignmentError::EmptyView`], with the unit and the
    /// stimulus; [`AlignmentError::Empty`] without a partition.
    pub fn new(
        trials: &Trials,
        pool: &Pool,
        partitions: &Partitions,
        options: &ReferenceOptions,
    ) -> Result<Self, AlignmentError> {
        options.subspace.check()?;
        if partitions.is_empty() {
            return Err(AlignmentError::Empty { what: "partition" });
        }
        if let Some(&last) = pool.stimuli.last()
            && last >= trials.n_stimuli()
        {
            return Err(AlignmentError::StimulusCount {
                name: trials.unit().to_string(),
                found: trials.n_stimuli(),
                expected: last + 1,
            });
        }
        partitions.check(trials, &pool.stimuli)?;
        let local = Pool {
            stimuli: (0..pool.len()).collect(),
            inner: pool.inner.clone(),
        };
        let fits = partitions
            .labels()
            .par_iter()
            .map(|labels| {
                let view = |view: u8| {
                    let x = trials.means_of(&pool.stimuli, |trial| labels[trial] == view);
                    View::new(&x, &local)
                };
                let (first, second) = (view(0)?, view(1)?);
                Ok([
                    first.predict(&second, options)?,
                    second.predict(&first, options)?,
                ])
            })
            .collect::<Result<Vec<_>, AlignmentError>>()?;
        Self::from_fits(trials.n_voxels(), &fits)
    }

    fn from_fits(n_voxels: usize, fits: &[[Subspace; 2]]) -> Result<Self, AlignmentError> {
        let widths: Vec<usize> = fits
            .iter()
            .map(|fits| fits.iter().map(Subspace::rank).sum())
            .collect();
        let mut stacked = Mat::zeros(n_voxels, widths.iter().sum());
        let columns = fits.iter().flatten().flat_map(|fit| {
            let basis = &fit.basis;
            (0..basis.n_columns()).map(|column| basis.column(column))
        });
        for (place, column) in columns.enumerate() {
            stacked.col_as_slice_mut(place).copy_from_slice(column);
        }
        let overlaps = gram(stacked.transpose());
        let turn = leading_turn(&overlaps, usize::MAX)?;
        let n_fits = 2.0 * fits.len() as f64;
        Ok(TargetReference {
            weights: turn.values.iter().map(|value| value / n_fits).collect(),
            directions: product(stacked.as_ref(), turn.vectors.as_ref()).into(),
            selections: fits
                .iter()
                .map(|[to, back]| [to.selection.clone(), back.selection.clone()])
                .collect(),
            ranks: fits
                .iter()
                .map(|[to, back]| [to.rank(), back.rank()])
                .collect(),
            overlaps,
            widths,
        })
    }

    /// Number of voxels of the target.
    pub fn n_voxels(&self) -> usize {
        self.directions.n_rows()
    }

    /// Number of partitions.
    pub fn n_partitions(&self) -> usize {
        self.widths.len()
    }

    /// Entropy effective rank: exp(-sum p log p), p being the weights over their sum. 0 for a
    /// reference without directions.
    pub fn effective_rank(&self) -> f64 {
        entropy_rank(&self.weights)
    }

    /// The consensus of all partitions.
    pub fn consensus(&self) -> Result<Consensus, AlignmentError> {
        let all: Vec<usize> = (0..self.n_partitions()).collect();
        self.consensus_of(&all)
    }

    /// The consensus of the partitions at these positions.
    pub fn consensus_of(&self, partitions: &[usize]) -> Result<Consensus, AlignmentError> {
        let n_partitions = self.n_partitions();
        if partitions.is_empty() || partitions.iter().any(|&place| place >= n_partitions) {
            return Err(AlignmentError::InvalidOption {
                option: "partitions",
                found: format!("{partitions:?}"),
                expected: "one or more positions of partitions, counted from 0",
            });
        }
        let ranks: usize = partitions.iter().map(|&place| self.widths[place]).sum();
        let mean = ranks as f64 / (2 * partitions.len()) as f64;
        let columns: Vec<usize> = partitions
            .iter()
            .flat_map(|&partition| {
                let first: usize = self.widths[..partition].iter().sum();
                first..first + self.widths[partition]
            })
            .collect();
        let overlaps = Mat::from_fn(columns.len(), columns.len(), |row, column| {
            self.overlaps[(columns[row], columns[column])]
        });
        let rank = (mean.round_ties_even() as usize).max(1);
        let turn = leading_turn(&overlaps, rank + 1)?;
        let n_fits = (2 * partitions.len()) as f64;
        let weight = |place: usize| turn.values.get(place).map_or(0.0, |value| value / n_fits);
        let rank = rank.min(turn.values.len());
        let mut basis = Mat::zeros(self.overlaps.nrows(), rank);
        for place in 0..rank {
            for (row, &column) in columns.iter().enumerate() {
                basis[(column, place)] = turn.vectors[(row, place)];
            }
        }
        Ok(Consensus {
            rank,
            gap: weight(rank.saturating_sub(1)) - weight(rank),
            basis,
        })
    }

    /// An orthonormal basis of the consensus of all partitions: (n_voxels, rank).
    pub fn consensus_basis(&self) -> Result<Matrix, AlignmentError> {
        let rank = self.consensus()?.rank;
        Ok(leading(self.directions.as_ref(), rank).to_owned().into())
    }

    /// How near the consensus of the partitions at these positions is to that of all partitions.
    pub fn convergence_of(&self, partitions: &[usize]) -> Result<Convergence, AlignmentError> {
        let (few, all) = (self.consensus_of(partitions)?, self.consensus()?);
        let turned = product(self.overlaps.as_ref(), all.basis.as_ref());
        let shared = product(few.basis.transpose(), turned.as_ref()).squared_norm_l2();
        let (of_few, of_all) = (few.rank as f64, all.rank as f64);
        let determined = few.gap > LEAST_GAP && all.gap > LEAST_GAP;
        Ok(Convergence {
            coverage: determined.then_some(shared / of_all),
            purity: determined.then_some(shared / of_few),
            rank_ratio: (all.rank > 0).then_some(of_few / of_all),
        })
    }

    /// How alike this reference and another of the same target are: made of other partitions, say.
    ///
    /// # Errors
    /// [`AlignmentError::OtherSpace`] for a reference of another number of voxels.
    pub fn similarity(&self, other: &Self) -> Result<ReferenceSimilarity, AlignmentError> {
        if self.n_voxels() != other.n_voxels() {
            return Err(AlignmentError::OtherSpace {
                what: "the other reference",
                found: other.n_voxels(),
                expected: self.n_voxels(),
            });
        }
        let crossed = product(
            self.directions.as_ref().transpose(),
            other.directions.as_ref(),
        );
        let mut shared = 0.0;
        for (column, weight) in other.weights.iter().enumerate() {
            for (row, own) in self.weights.iter().enumerate() {
                shared += own * weight * crossed[(row, column)].powi(2);
            }
        }
        let norm = |weights: &[f64]| weights.iter().map(|w| w * w).sum::<f64>().sqrt();
        let (rank, other_rank) = (self.consensus()?.rank, other.consensus()?.rank);
        let captured = crossed.get(..rank, ..other_rank).squared_norm_l2();
        Ok(ReferenceSimilarity {
            soft: shared / (norm(&self.weights) * norm(&other.weights)),
            hard: captured / rank as f64,
        })
    }
}

/// A view, ready to predict and to be predicted.
struct View {
    n_stimuli: usize,
    n_voxels: usize,
    source: PoolFits<SourceFit>,
    target: PoolFits<TargetFit>,
}

impl View {
    fn new(x: &Matrix, pool: &Pool) -> Result<Self, AlignmentError> {
        let scores = PoolFits::new(x, pool, &[]);
        Ok(View {
            n_stimuli: x.n_rows(),
            n_voxels: x.n_columns(),
            source: scores.try_map(SourceFit::new)?,
            target: scores.map(TargetFit::new),
        })
    }

    fn predict(
        &self,
        other: &View,
        options: &ReferenceOptions,
    ) -> Result<Subspace, AlignmentError> {
        let subspace = &options.subspace;
        let max_rank = subspace.rank_limit(self.n_voxels, other.n_voxels, self.n_stimuli);
        let scores = cross_validate_fits(&self.source, &other.target, subspace, max_rank)?;
        let selection = match options.fixed_rank {
            Some(rank) => scores.select_alpha(rank)?,
            None => scores.select()?,
        };
        fit_outer(&self.source.outer, &other.target.outer, &selection)
    }
}

/// Eigenvalues of the sum of the stacked projectors, and what turns the stacked bases into its
/// orthonormal eigenvectors.
struct Turn {
    values: Vec<f64>,
    vectors: Mat<f64>,
}

fn leading_turn(overlaps: &Mat<f64>, count: usize) -> Result<Turn, AlignmentError> {
    let pairs = all_eigenpairs(overlaps)?;
    let least = LEAST_WEIGHT * pairs.values.first().copied().unwrap_or(0.0);
    let values: Vec<f64> = pairs
        .values
        .iter()
        .copied()
        .take(count)
        .take_while(|&value| value > least && value > 0.0)
        .collect();
    let mut vectors = pairs.vectors.get(.., ..values.len()).to_owned();
    let inverse_roots: Vec<f64> = values.iter().map(|value| 1.0 / value.sqrt()).collect();
    scale_columns(&mut vectors, &inverse_roots);
    Ok(Turn { values, vectors })
}

/// exp(-sum p log p) of weights over their sum; 0 if none is positive.
pub(crate) fn entropy_rank(weights: &[f64]) -> f64 {
    let positive = || weights.iter().copied().filter(|&weight| weight > 0.0);
    let total: f64 = positive().sum();
    if total == 0.0 {
        return 0.0;
    }
    let entropy: f64 = positive().map(|w| -(w / total) * (w / total).ln()).sum();
    entropy.exp()
}

#[cfg(test)]
mod tests {
    use super::entropy_rank;

    #[test]
    fn effective_rank_counts_equal_weights() {
        assert!((entropy_rank(&[0.5, 0.5, 0.5, 0.0]) - 3.0).abs() < 1e-14);
        assert_eq!(entropy_rank(&[]), 0.0);
        // 2^(3/2): p = 1/2, 1/4, 1/4 has an entropy of 1.5 bits.
        assert!((entropy_rank(&[2.0, 1.0, 1.0]) - 8f64.sqrt()).abs() < 1e-14);
    }
}
