//! Hard consensus subspaces, and their convergence with the number of partitions.

use crate::eigen::leading_turn;
use crate::product::{leading, product};
use crate::{AlignmentError, Matrix, TargetReference};
use faer::Mat;
use serde::{Deserialize, Serialize};

/// Neighbouring weights that differ by less are tied.
const LEAST_GAP: f64 = 1e-10;

/// A hard consensus subspace: the leading directions, as many as the mean rank of the fits.
#[derive(Debug, Clone, PartialEq)]
pub struct Consensus {
    /// Its rank: the mean of the ranks of the fits, half rounded to even, at least 1, and at most the number of the
    /// reference's directions.
    pub rank: usize,
    /// The weight of its last direction minus the weight of the first one left out. Without a gap (1e-10) the
    /// subspace is not determined.
    pub gap: f64,
    /// An orthonormal basis in the coordinates of the stacked bases.
    basis: Mat<f64>,
}

/// How close the consensus of some partitions is to that of all. Coverage and purity are `None` if either consensus is
/// undetermined, and the ratio if the reference has no direction.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Convergence {
    /// tr(P_m P_N) / tr(P_N): the share of the consensus of all partitions that the consensus of m partitions covers.
    pub coverage: Option<f64>,
    /// tr(P_m P_N) / tr(P_m): the share of the consensus of m partitions that is in the consensus of all.
    pub purity: Option<f64>,
    /// tr(P_m) / tr(P_N).
    pub rank_ratio: Option<f64>,
}

impl TargetReference {
    /// The consensus of all partitions.
    pub fn consensus(&self) -> Result<Consensus, AlignmentError> {
        let all: Vec<usize> = (0..self.n_partitions()).collect();
        self.consensus_of(&all)
    }

    /// The consensus of the partitions at these positions.
    pub fn consensus_of(&self, partitions: &[usize]) -> Result<Consensus, AlignmentError> {
        let n_partitions = self.n_partitions();
        if partitions.is_empty() || partitions.iter().any(|&place| place >= n_partitions) {
            return Err(AlignmentError::option(
                "partitions",
                format!("{partitions:?}"),
                "one or more positions of partitions, counted from 0",
            ));
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
        let overlaps =
            Mat::from_fn(columns.len(), columns.len(), |row, column| self.overlaps[(columns[row], columns[column])]);
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

    /// How close the consensus of the partitions at these positions is to the consensus of all partitions.
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
}
