//! The one-standard-error rule over ranks and regularisations.

use crate::AlignmentError;
use crate::error::check_length;
use serde::{Deserialize, Serialize};

/// Means that differ by less count as equal.
pub(crate) const TIE: f64 = 1e-12;

/// Rank, position of the regularisation, and mean score.
type Candidate = (usize, usize, f64);

/// A selected rank and regularisation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Selection {
    pub rank: usize,
    /// The regularisation of the subspace.
    pub alpha: f64,
    /// Mean validation score of the selected candidate.
    pub score: f64,
    /// Mean validation score of the best candidate.
    pub best_score: f64,
    /// Standard error of the best candidate over inner folds.
    pub standard_error: f64,
    /// Do all regularisations of this rank score the same? If so, the data do not determine the choice, and the
    /// smallest is used.
    #[serde(default)]
    pub alpha_is_tied: bool,
}

/// Validation scores of every candidate in every inner fold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CandidateScores {
    alphas: Vec<f64>,
    max_rank: usize,
    /// For each fold, the scores in the order of ranks, and within a rank in the order of alphas.
    folds: Vec<Vec<f64>>,
}

impl CandidateScores {
    /// Without any inner fold yet.
    pub fn new(alphas: &[f64], max_rank: usize) -> Self {
        CandidateScores {
            alphas: alphas.to_vec(),
            max_rank,
            folds: Vec::new(),
        }
    }

    /// Scores given as `table[rank - 1][alpha][inner fold]`.
    pub fn of_table(alphas: &[f64], table: &[Vec<Vec<f64>>]) -> Result<Self, AlignmentError> {
        let n_folds = table.first().and_then(|rank| rank.first()).map_or(0, Vec::len);
        if n_folds < 2 {
            return Err(AlignmentError::empty("pair of inner folds"));
        }
        for (index, rank) in table.iter().enumerate() {
            let lengths = rank.iter().map(|scores| (scores.len(), n_folds));
            let lengths = std::iter::once((rank.len(), alphas.len())).chain(lengths);
            for (found, expected) in lengths {
                check_length("rank of the table", index, found, expected)?;
            }
        }
        let fold = |fold| table.iter().flatten().map(move |scores| scores[fold]);
        Ok(CandidateScores {
            alphas: alphas.to_vec(),
            max_rank: table.len(),
            folds: (0..n_folds).map(|place| fold(place).collect()).collect(),
        })
    }

    /// Adds the scores of one inner fold: for each alpha, the scores of its fit's ranks. A rank above the last one
    /// predicts what the last one does; without any rank, nothing is predicted, and the score is 0.
    pub fn push_fold(&mut self, by_alpha: &[Vec<f64>]) {
        let ranks = 0..self.max_rank;
        let scores = ranks.flat_map(|rank| {
            by_alpha.iter().map(move |scores| scores.get(rank).or(scores.last()).copied().unwrap_or(0.0))
        });
        self.folds.push(scores.collect());
    }

    /// The candidates of these ranks, up to the highest.
    #[must_use]
    pub fn up_to(&self, max_rank: usize) -> Self {
        let max_rank = max_rank.min(self.max_rank);
        let kept = |scores: &Vec<f64>| scores[..max_rank * self.alphas.len()].to_vec();
        CandidateScores {
            max_rank,
            alphas: self.alphas.clone(),
            folds: self.folds.iter().map(kept).collect(),
        }
    }

    pub fn alphas(&self) -> &[f64] {
        &self.alphas
    }

    /// The highest rank.
    pub fn max_rank(&self) -> usize {
        self.max_rank
    }

    /// Scores of the candidate of rank `rank` (from 1) and the alpha at position `alpha`, one per
    /// inner fold.
    pub fn of(&self, rank: usize, alpha: usize) -> Vec<f64> {
        let place = (rank - 1) * self.alphas.len() + alpha;
        self.folds.iter().map(|scores| scores[place]).collect()
    }

    /// Selects rank and regularisation by the one-standard-error rule.
    ///
    /// The best candidate has the highest mean over inner folds; its standard error is their standard deviation
    /// (divisor n - 1) over the square root of their number. Among the candidates with a mean of at least best - SE,
    /// those with the smallest rank are kept; of these, the one with the highest mean wins, then the one with the
    /// smallest alpha. Means within 1e-12 count as equal; among equal candidates, the best has the smallest rank, then
    /// the smallest alpha.
    pub fn select(&self) -> Result<Selection, AlignmentError> {
        self.select_among(1..=self.max_rank)
    }

    /// Selects the regularisation for a fixed rank (or for the highest available rank, if lower).
    pub fn select_alpha(&self, rank: usize) -> Result<Selection, AlignmentError> {
        let rank = rank.clamp(1, self.max_rank);
        self.select_among(rank..=rank)
    }

    fn select_among(&self, ranks: std::ops::RangeInclusive<usize>) -> Result<Selection, AlignmentError> {
        let candidates: Vec<Candidate> = ranks
            .flat_map(|rank| (0..self.alphas.len()).map(move |alpha| (rank, alpha)))
            .map(|(rank, alpha)| (rank, alpha, mean(&self.of(rank, alpha))))
            .collect();
        let highest = |kept: &dyn Fn(&Candidate) -> bool| {
            let means = candidates.iter().filter(|c| kept(c)).map(|c| c.2);
            let best = means.fold(f64::NEG_INFINITY, f64::max);
            // Among equal candidates, the first has the lowest rank and the smallest alpha.
            candidates.iter().find(|c| kept(c) && c.2 >= best - TIE)
        };
        let nothing = || AlignmentError::empty("candidate rank and regularisation");
        let best = highest(&|_| true).ok_or_else(nothing)?;
        let standard_error = standard_error(&self.of(best.0, best.1));
        let threshold = best.2 - standard_error - TIE;
        let first = candidates.iter().find(|c| c.2 >= threshold).unwrap_or(best);
        let selected = highest(&|c| c.0 == first.0 && c.2 >= threshold).unwrap_or(best);
        let of_rank: Vec<f64> = candidates.iter().filter(|c| c.0 == selected.0).map(|c| c.2).collect();
        Ok(Selection {
            alpha_is_tied: are_tied(&of_rank),
            rank: selected.0,
            alpha: self.alphas[selected.1],
            score: selected.2,
            best_score: best.2,
            standard_error,
        })
    }
}

/// Are there several candidates, all with equal scores?
pub(crate) fn are_tied(scores: &[f64]) -> bool {
    let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    scores.len() > 1 && scores.iter().all(|score| *score >= highest - TIE)
}

/// The mean of at least one value.
pub(crate) fn mean(values: &[f64]) -> f64 {
    neurogauge_stats::mean(values.iter().copied()).unwrap_or(0.0)
}

/// Standard deviation (divisor n - 1) over the square root of n; 0 for a single value.
pub(crate) fn standard_error(values: &[f64]) -> f64 {
    let deviation = neurogauge_stats::standard_deviation(values).unwrap_or(0.0);
    deviation / (values.len() as f64).sqrt()
}
