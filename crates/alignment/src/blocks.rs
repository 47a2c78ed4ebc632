//! The contribution of each block of a source's features (a layer) to what the source recovers.

use crate::{
    AlignmentError, FoldPlan, FoldProfile, Matrix, PreparedSource, PreparedTarget, READOUT_ALPHAS, SubspaceOptions,
    TargetReference, cross_validate, directional_prediction, fit, read_out,
};
use neurogauge_core::Undefined;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The most blocks for Shapley values, which need a fit of each set of blocks.
pub const MOST_SHAPLEY_BLOCKS: usize = 6;

/// What some blocks of a source recover without the others, in one outer fold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BlockFit {
    pub blocks: Vec<usize>,
    pub rank: usize,
    /// Mean over voxels of Pearson's r between predicted and measured test responses.
    pub accuracy: f64,
    /// Coverage of the reference, DirCov for the first directions only.
    pub profile: FoldProfile,
    /// Pearson's r between predicted and measured test responses along each of these directions.
    pub prediction: Vec<f64>,
}

/// The fits of sets of blocks in one outer fold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BlockFits {
    /// Every set if there are at most [`MOST_SHAPLEY_BLOCKS`] blocks; otherwise each block alone, all but one, and all.
    pub fits: Vec<BlockFit>,
    /// For each block and draw, the fit of all blocks after the rows of this block were permuted among the training
    /// stimuli, so that it carries no information about the responses.
    pub null: Vec<Vec<BlockFit>>,
}

impl BlockFit {
    /// The recovered variance along each direction: r |r| of predicted and measured test responses. The sign of r
    /// remains, so that the mean is about 0 for a source without information.
    pub fn recovered(&self) -> impl Iterator<Item = f64> {
        self.prediction.iter().map(|r| r * r.abs())
    }
}

impl BlockFits {
    /// The fit of these blocks, given in ascending order.
    pub fn of(&self, blocks: &[usize]) -> Option<&BlockFit> {
        self.fits.iter().find(|fit| fit.blocks == blocks)
    }
}

/// A source's features, their blocks, and the outer fold.
#[derive(Debug, Clone, Copy)]
pub struct BlockedSource<'a> {
    pub name: &'a str,
    /// (n_stimuli, n_features)
    pub features: &'a Matrix,
    /// The columns of each block.
    pub blocks: &'a [Range<usize>],
    pub plan: &'a FoldPlan,
    /// The number of this outer fold.
    pub fold: usize,
}

impl BlockedSource<'_> {
    /// Fits sets of blocks, each with its own selection of rank and regularisation, as if the others did not exist.
    /// `orders` are draws of the null (positions of training stimuli): in each, training row i of one block becomes its
    /// row `order[i]`.
    ///
    /// Undefined for a reference without directions.
    pub fn fits(
        &self,
        target: &PreparedTarget,
        reference: &TargetReference,
        options: &SubspaceOptions,
        n_directions: usize,
        orders: &[Vec<usize>],
    ) -> Result<Result<BlockFits, Undefined>, AlignmentError> {
        let all: Vec<usize> = (0..self.blocks.len()).collect();
        let one = |blocks: &[usize], permuted: Option<(usize, &[usize])>| {
            let features = self.rows_of(blocks, permuted);
            let source = PreparedSource::new(self.name, &features, self.plan, self.fold)?;
            let selection = cross_validate(&source, target, options)?.select()?;
            let subspace = fit(&source, target, &selection)?;
            let readout = read_out(&source, target, &subspace, &READOUT_ALPHAS)?;
            let profile = match FoldProfile::new(reference, &subspace.basis, n_directions)? {
                Ok(profile) => profile,
                Err(reason) => return Ok(Err(reason)),
            };
            Ok::<_, AlignmentError>(Ok(BlockFit {
                blocks: blocks.to_vec(),
                rank: subspace.rank(),
                accuracy: readout.accuracy,
                prediction: directional_prediction(&source, target, &subspace, &readout, reference, n_directions)?,
                profile: FoldProfile {
                    directional: profile.directional.into_iter().take(n_directions).collect(),
                    ..profile
                },
            }))
        };
        let fits = sets(all.len()).into_iter().map(|blocks| one(&blocks, None));
        let fits = fits.collect::<Result<Result<Vec<_>, Undefined>, AlignmentError>>()?;
        let null = all.iter().map(|&block| {
            let draws = orders.iter().map(|order| one(&all, Some((block, order))));
            draws.collect::<Result<Result<Vec<_>, Undefined>, AlignmentError>>()
        });
        let null = null.collect::<Result<Result<Vec<_>, Undefined>, AlignmentError>>()?;
        Ok(fits.and_then(|fits| Ok(BlockFits { fits, null: null? })))
    }

    /// The features of some blocks, with the training rows of one of them in another order.
    fn rows_of(&self, blocks: &[usize], permuted: Option<(usize, &[usize])>) -> Matrix {
        let training = match self.plan.folds.get(self.fold) {
            Some(fold) => fold.training.stimuli.as_slice(),
            None => &[],
        };
        let columns: Vec<(usize, usize)> = blocks
            .iter()
            .flat_map(|&block| self.blocks[block].clone().map(move |column| (block, column)))
            .collect();
        let mut rows: Vec<usize> = (0..self.features.n_rows()).collect();
        if let Some((_, order)) = permuted {
            for (&stimulus, &from) in training.iter().zip(order) {
                rows[stimulus] = training[from];
            }
        }
        Matrix::from_fn(self.features.n_rows(), columns.len(), |row, place| {
            let (block, column) = columns[place];
            let moves = permuted.is_some_and(|(own, _)| own == block);
            self.features.get(if moves { rows[row] } else { row }, column)
        })
    }
}

/// The sets of blocks to fit, each in ascending order.
pub fn sets(n_blocks: usize) -> Vec<Vec<usize>> {
    let all = 0..n_blocks;
    if n_blocks <= MOST_SHAPLEY_BLOCKS {
        let masks = 1usize..1 << n_blocks;
        return masks.map(|mask| all.clone().filter(|block| mask >> block & 1 == 1).collect()).collect();
    }
    let alone = all.clone().map(|block| vec![block]);
    let without = all.clone().map(|block| all.clone().filter(|own| *own != block).collect());
    alone.chain(without).chain([all.clone().collect()]).collect()
}

/// Shapley values: each block's mean gain over all orders in which blocks can be added, phi_b = sum over sets S without
/// b of
/// |S|! (n - |S| - 1)! / n! (v(S + b) - v(S)), with v of no block 0. They sum to the value of all blocks.
///
/// - Arguments: `value` of a set of blocks, by their positions in ascending order.
/// - Reference: Shapley (1953), A value for n-person games.
///
/// ```
/// // Alone 1 and 2, together 4: the first gains 1 or 4 - 2, the second 2 or 4 - 1.
/// let value = |set: &[usize]| match set { [0] => 1.0, [1] => 2.0, _ => 4.0 };
/// assert_eq!(neurogauge_alignment::shapley_values(2, value), [1.5, 2.5]);
/// ```
pub fn shapley_values(n_blocks: usize, value: impl Fn(&[usize]) -> f64) -> Vec<f64> {
    let of_mask: Vec<f64> = (0..1usize << n_blocks)
        .map(|mask| match mask {
            0 => 0.0,
            _ => {
                let own = (0..n_blocks).filter(|block| mask >> block & 1 == 1);
                value(&own.collect::<Vec<usize>>())
            }
        })
        .collect();
    let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
    let gain = |block: usize| {
        let without = (0..1usize << n_blocks).filter(move |mask| mask >> block & 1 == 0);
        without
            .map(|mask| {
                let size = mask.count_ones() as usize;
                let weight = factorial(size) * factorial(n_blocks - size - 1) / factorial(n_blocks);
                weight * (of_mask[mask | 1 << block] - of_mask[mask])
            })
            .sum()
    };
    (0..n_blocks).map(gain).collect()
}
