//! Every metric alone, and averaged with every other one.

use super::agreement::{StatisticValue, Target};
use super::scaling::Scaled;
use super::{Scaling, ScoreTable};
use crate::StatsError;
use crate::meta::Statistic;
use neurogauge_core::parallel;
use neurogauge_core::stopping::stop_if_asked;
use serde::Serialize;

/// The averages of every two metrics: a heatmap for each statistic.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairwiseAverages {
    pub labels: Vec<String>,
    /// The diagonal and the cells to its right, row by row.
    pub cells: Vec<AverageOfTwo>,
}

/// The average of two metrics, or one metric alone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AverageOfTwo {
    /// The metric of the row.
    pub first: String,
    /// The metric of the column; on the diagonal, that of the row.
    pub second: String,
    /// Items that people and both metrics have a score for.
    pub n_items: usize,
    /// One value for each of [`COMBINED_STATISTICS`](super::COMBINED_STATISTICS).
    pub statistics: Vec<StatisticValue>,
}

impl PairwiseAverages {
    /// The whole heatmap of a statistic, row by row; `None` in cells without a value, and everywhere for a statistic
    /// that is not in [`COMBINED_STATISTICS`](super::COMBINED_STATISTICS).
    pub fn matrix(&self, statistic: Statistic) -> Vec<Vec<Option<f64>>> {
        let n = self.labels.len();
        let mut matrix = vec![vec![None; n]; n];
        for ((row, column), cell) in (0..n).flat_map(|row| (row..n).map(move |column| (row, column))).zip(&self.cells) {
            let value = cell.value(statistic);
            matrix[row][column] = value;
            matrix[column][row] = value;
        }
        matrix
    }

    /// The best cell of a statistic; ties go to single metrics, then to the first in order.
    pub fn best(&self, statistic: Statistic) -> Option<&AverageOfTwo> {
        let (alone, averaged): (Vec<_>, Vec<_>) = self.cells.iter().partition(|cell| cell.first == cell.second);
        let mut best: Option<(&AverageOfTwo, f64)> = None;
        for cell in alone.into_iter().chain(averaged) {
            if let Some(value) = cell.value(statistic)
                && best.is_none_or(|(_, highest)| value > highest)
            {
                best = Some((cell, value));
            }
        }
        best.map(|(cell, _)| cell)
    }
}

impl AverageOfTwo {
    pub fn value(&self, statistic: Statistic) -> Option<f64> {
        self.statistics.iter().find(|s| s.statistic == statistic)?.value.clone().ok()
    }
}

/// How well the average of every two metrics, and on the diagonal each metric alone, agrees with people (SEED, section
/// C.3 and Fig. 8).
///
/// - Shapes: m metrics over n items; m(m + 1)/2 cells.
/// - Items: those that people and the two metrics of the cell have scores for; scales are learnt from the same items.
///   If metrics have gaps, cells use different items; each cell has its own number of items.
/// - Range: see [`Statistic`].
/// - Conventions: `combination-scaling`.
/// - Undefined, cell by cell: a constant metric (z-scores; alone), fewer than two items, all ratings
///   tied.
/// - Reference: `scipy.stats` 1.17.1 on averages by numpy, to 1e-12.
///
/// ```
/// use neurogauge_core::Direction::Higher;
/// use neurogauge_stats::combination::{Scaling, ScoreTable, pairwise_averages};
/// use neurogauge_stats::meta::{MetricColumn, Statistic};
/// let metric = |name: &str, scores: [f64; 4]| MetricColumn {
///     name: name.into(),
///     direction: Higher,
///     scores: scores.map(Some).to_vec(),
/// };
/// // Each metric has two neighbours the wrong way round, their mean has none.
/// let metrics = [metric("a", [2.0, 1.0, 5.0, 8.0]), metric("b", [0.0, 3.0, 7.0, 6.0])];
/// let table = ScoreTable::new(&metrics, [1.0, 2.0, 3.0, 4.0].map(Some).to_vec()).unwrap();
/// let found = pairwise_averages(&table, Scaling::Raw).unwrap();
/// let tau = found.matrix(Statistic::KendallTauB);
/// assert_eq!(tau[0][1], Some(1.0));
/// assert!((tau[0][0].unwrap() - 4.0 / 6.0).abs() < 1e-15);
/// ```
pub fn pairwise_averages(table: &ScoreTable, scaling: Scaling) -> Result<PairwiseAverages, StatsError> {
    let n = table.names().len();
    let places: Vec<(usize, usize)> = (0..n).flat_map(|row| (row..n).map(move |column| (row, column))).collect();
    let cells = parallel::try_map_each(&places, |&(row, column)| {
        stop_if_asked();
        let parts: &[usize] = if row == column { &[row] } else { &[row, column] };
        let scores = table.complete(parts);
        let positions: Vec<usize> = (0..parts.len()).collect();
        let combined = Scaled::own(&scores.columns, scaling).sum(&positions);
        Ok::<_, StatsError>(AverageOfTwo {
            first: table.names()[row].clone(),
            second: table.names()[column].clone(),
            n_items: scores.items.len(),
            statistics: Target::new(scores.human)?.agreements(&combined)?,
        })
    })?;
    Ok(PairwiseAverages {
        labels: table.names().to_vec(),
        cells,
    })
}
