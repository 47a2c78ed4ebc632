//! The reproducible target reference: response dimensions of one half of the trials that the other half predicts.

use crate::eigen::leading_turn;
use crate::error::check_space;
use crate::pool_fits::PoolFits;
use crate::product::{gram, product};
use crate::selection::Selection;
use crate::source::SourceFit;
use crate::subspace::{Subspace, cross_validate_fits, fit_outer};
use crate::target::TargetFit;
use crate::{AlignmentError, Matrix, Partitions, Pool, SubspaceOptions, Trials};
use faer::Mat;
use neurogauge_core::parallel;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReferenceOptions {
    /// Candidate ranks and regularisations of the fits between views.
    pub subspace: SubspaceOptions,
    /// A fixed rank for all fits, which replaces the selected ones (a control).
    pub fixed_rank: Option<usize>,
}

/// The reproducible target reference of one target unit and outer fold.
///
/// TargetRef = 1 / (2N) sum over partitions b and both directions of Q Q', whose eigenvectors are
/// the target-reference directions u_j and whose eigenvalues are the reference weights w_j (Section
/// 2.2). Directions of weight zero are left out.
///
/// All dimensions of a target without measurement noise ([`Trials::noiseless`]) are reproducible. There, each half of
/// the stimuli predicts itself, and TargetRef = 1 / (2N) sum over partitions b and both halves of Q diag(s / sum s) Q',
/// where s are the strengths of the fit, the predicted variance along the columns of Q: a dimension counts by its share
/// of the variance, and only to the extent that both halves find it.
#[derive(Debug, Clone)]
pub struct TargetReference {
    /// Reference weights in descending order, all positive.
    pub weights: Vec<f64>,
    /// Target-reference directions as columns: (n_voxels, n_directions).
    pub directions: Matrix,
    /// The selection of each fit: from view 0 to view 1 and back, for each partition. Empty for a reference of given
    /// bases.
    pub selections: Vec<[Selection; 2]>,
    /// The rank of each of these fits; lower than the selected one if dimensions were dropped.
    pub ranks: Vec<[usize; 2]>,
    /// Inner products of the stacked bases of all fits.
    pub(crate) overlaps: Mat<f64>,
    /// Number of stacked columns of each partition.
    pub(crate) widths: Vec<usize>,
}

/// The similarity of two references for the same target.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ReferenceSimilarity {
    /// tr(R R') / (|R| |R'|), Frobenius norms.
    pub soft: f64,
    /// tr(P P') / tr(P) of the consensus subspaces, where P is that of the first reference.
    pub hard: f64,
}

impl TargetReference {
    /// The reference for the stimuli of `pool` (the test chunk of an outer fold).
    ///
    /// The views of a partition are means of the trials with each label. Each view predicts the other, with the fit and
    /// selection used for sources, cross-validated over the inner folds of the pool. Without measurement noise, the
    /// stimuli with each label predict themselves.
    pub fn new(
        trials: &Trials,
        pool: &Pool,
        partitions: &Partitions,
        options: &ReferenceOptions,
    ) -> Result<Self, AlignmentError> {
        Self::watched(trials, pool, partitions, options, || ())
    }

    /// Computes the reference; `after_each` is called after each partition, from any thread.
    pub fn watched(
        trials: &Trials,
        pool: &Pool,
        partitions: &Partitions,
        options: &ReferenceOptions,
        after_each: impl Fn() + Sync,
    ) -> Result<Self, AlignmentError> {
        options.subspace.check()?;
        if partitions.is_empty() {
            return Err(AlignmentError::empty("partition"));
        }
        if let Some(&last) = pool.stimuli.last()
            && last >= trials.n_stimuli()
        {
            return Err(AlignmentError::stimulus_count(trials.unit(), trials.n_stimuli(), last + 1));
        }
        let of_partition = match trials.are_noiseless() {
            true => {
                partitions.check_halves(trials, pool)?;
                within_halves
            }
            false => {
                partitions.check(trials, &pool.stimuli)?;
                between_views
            }
        };
        let fits = parallel::try_map_each(partitions.labels(), |labels| {
            let fits = of_partition(trials, pool, labels, options)?;
            after_each();
            Ok::<_, AlignmentError>(fits)
        })?;
        let (selections, bases): (Vec<_>, Vec<_>) = fits
            .into_iter()
            .map(|fits| {
                let selections = fits.each_ref().map(|(fit, _)| fit.selection.clone());
                (selections, fits.map(|(_, basis)| basis))
            })
            .unzip();
        Ok(TargetReference {
            selections,
            ..Self::of_bases(&bases)?
        })
    }

    /// The reference made of given orthonormal bases (n_voxels, rank), two per partition.
    ///
    /// ```
    /// use neurogauge_alignment::{FoldProfile, Matrix, TargetReference};
    /// let axes = |n: usize| Matrix::from_fn(3, n, |row, column| f64::from(row == column));
    /// // The first axis is found twice, the second once: weights 1 and 1/2.
    /// let reference = TargetReference::of_bases(&[[axes(2), axes(1)]])?;
    /// let profile = FoldProfile::new(&reference, &axes(1), 2)?.unwrap();
    /// assert!((profile.top_k[0] - 1.0).abs() < 1e-15);
    /// assert!((profile.top_k[1] - 2.0 / 3.0).abs() < 1e-15);
    /// # Ok::<(), neurogauge_alignment::AlignmentError>(())
    /// ```
    pub fn of_bases(bases: &[[Matrix; 2]]) -> Result<Self, AlignmentError> {
        let Some([first, _]) = bases.first() else {
            return Err(AlignmentError::empty("partition"));
        };
        let n_voxels = first.n_rows();
        for basis in bases.iter().flatten() {
            check_space("a basis", basis.n_rows(), n_voxels)?;
        }
        let ranks: Vec<[usize; 2]> = bases.iter().map(|pair| pair.each_ref().map(Matrix::n_columns)).collect();
        let widths: Vec<usize> = ranks.iter().map(|ranks| ranks.iter().sum()).collect();
        let mut stacked = Mat::zeros(n_voxels, widths.iter().sum());
        let columns =
            bases.iter().flatten().flat_map(|basis| (0..basis.n_columns()).map(|column| basis.column(column)));
        for (place, column) in columns.enumerate() {
            stacked.col_as_slice_mut(place).copy_from_slice(column);
        }
        let overlaps = gram(stacked.transpose());
        let turn = leading_turn(&overlaps, usize::MAX)?;
        let n_bases = 2.0 * bases.len() as f64;
        Ok(TargetReference {
            weights: turn.values.iter().map(|value| value / n_bases).collect(),
            directions: product(stacked.as_ref(), turn.vectors.as_ref()).into(),
            selections: Vec::new(),
            ranks,
            overlaps,
            widths,
        })
    }

    pub fn n_voxels(&self) -> usize {
        self.directions.n_rows()
    }

    pub fn n_partitions(&self) -> usize {
        self.widths.len()
    }

    /// Entropy effective rank: exp(-sum p log p), where p are the weights over their sum. `None` for a
    /// reference without directions.
    pub fn effective_rank(&self) -> Option<f64> {
        entropy_rank(&self.weights)
    }

    /// The similarity to another reference for the same target, for example from other partitions.
    pub fn similarity(&self, other: &Self) -> Result<ReferenceSimilarity, AlignmentError> {
        check_space("the other reference", other.n_voxels(), self.n_voxels())?;
        let crossed = product(self.directions.as_ref().transpose(), other.directions.as_ref());
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

/// A fit, and its basis scaled by the weights of its columns.
type Weighted = (Subspace, Matrix);

/// Each view of the trials predicts the other.
fn between_views(
    trials: &Trials,
    pool: &Pool,
    labels: &[u8],
    options: &ReferenceOptions,
) -> Result<[Weighted; 2], AlignmentError> {
    let local = Pool {
        stimuli: (0..pool.len()).collect(),
        inner: pool.inner.clone(),
    };
    let view = |view: u8| {
        let x = trials.means_of(&pool.stimuli, |trial| labels[trial] == view);
        View::new(&x, &local)
    };
    let (first, second) = (view(0)?, view(1)?);
    let fit = |from: &View, to: &View| {
        let found = from.predict(to, options)?;
        let basis = found.basis.clone();
        Ok::<Weighted, AlignmentError>((found, basis))
    };
    Ok([fit(&first, &second)?, fit(&second, &first)?])
}

/// Each half of the stimuli predicts itself; columns are scaled by the square roots of their shares of the strength.
fn within_halves(
    trials: &Trials,
    pool: &Pool,
    labels: &[u8],
    options: &ReferenceOptions,
) -> Result<[Weighted; 2], AlignmentError> {
    let fit = |half: u8| {
        let is_own = |place: &usize| labels[trials.repeats()[pool.stimuli[*place]][0]] == half;
        let places: Vec<usize> = (0..pool.len()).filter(is_own).collect();
        let stimuli: Vec<usize> = places.iter().map(|&place| pool.stimuli[place]).collect();
        let inner = pool.inner.iter().map(|fold| {
            let own = fold.iter().filter_map(|place| places.binary_search(place).ok());
            own.collect()
        });
        let local = Pool {
            stimuli: (0..places.len()).collect(),
            inner: inner.collect(),
        };
        let view = View::new(&trials.means_of(&stimuli, |_| true), &local)?;
        let found = view.predict(&view, options)?;
        let total: f64 = found.strengths.iter().sum();
        let share = |column: usize| (found.strengths[column] / total).sqrt();
        let basis = Matrix::from_fn(found.basis.n_rows(), found.rank(), |row, column| {
            found.basis.get(row, column) * share(column)
        });
        Ok::<Weighted, AlignmentError>((found, basis))
    };
    Ok([fit(0)?, fit(1)?])
}

/// A view, prepared as a source and as a target.
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

    fn predict(&self, other: &View, options: &ReferenceOptions) -> Result<Subspace, AlignmentError> {
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

/// exp(-sum p log p) of weights over their sum; `None` if none is positive.
pub fn entropy_rank(weights: &[f64]) -> Option<f64> {
    let positive = || weights.iter().copied().filter(|&weight| weight > 0.0);
    let total: f64 = positive().sum();
    let entropy = || positive().map(|w| -(w / total) * (w / total).ln()).sum::<f64>();
    (total > 0.0).then(|| entropy().exp())
}
