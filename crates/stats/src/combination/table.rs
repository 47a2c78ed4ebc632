//! Scores of several metrics and of people for the same items.

use crate::StatsError;
use crate::error::check_lengths;
use crate::meta::{MetricColumn, oriented};

/// Scores of metrics, oriented so that higher is better, with the human score of each item; any score may be missing.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreTable {
    names: Vec<String>,
    columns: Vec<Vec<Option<f64>>>,
    human: Vec<Option<f64>>,
}

/// The items of a [`ScoreTable`] that have every score.
#[derive(Debug, Clone, PartialEq)]
pub struct CompleteScores {
    pub names: Vec<String>,
    /// Positions of the items in the table, ascending.
    pub items: Vec<u32>,
    /// For each metric one score per item, higher is better.
    pub columns: Vec<Vec<f64>>,
    pub human: Vec<f64>,
    /// Items with a human score that lack a metric.
    pub n_left_out: usize,
}

impl ScoreTable {
    /// Negates the scores of metrics for which lower is better. A NaN or an infinity counts as missing.
    ///
    /// - Shapes: each metric has one score, or none, for each of the n items; so do people.
    /// - Errors: samples of different lengths, more than 2³² items.
    ///
    /// ```
    /// use neurogauge_core::Direction;
    /// use neurogauge_stats::combination::ScoreTable;
    /// use neurogauge_stats::meta::MetricColumn;
    /// let distance = MetricColumn {
    ///     name: "d".into(),
    ///     direction: Direction::Lower,
    ///     scores: vec![Some(0.5), None, Some(0.25)],
    /// };
    /// let table = ScoreTable::new(&[distance], vec![Some(1.0), Some(2.0), Some(3.0)]).unwrap();
    /// let complete = table.complete(&[0]);
    /// assert_eq!(complete.columns, [[-0.5, -0.25]]);
    /// assert_eq!((complete.human, complete.n_left_out), (vec![1.0, 3.0], 1));
    /// ```
    pub fn new(metrics: &[MetricColumn], human: Vec<Option<f64>>) -> Result<Self, StatsError> {
        if u32::try_from(human.len()).is_err() {
            return Err(StatsError::too_many_items(human.len()));
        }
        for metric in metrics {
            check_lengths(metric.scores.len(), human.len())?;
        }
        Ok(ScoreTable {
            names: metrics.iter().map(|metric| metric.name.clone()).collect(),
            columns: metrics.iter().map(oriented).collect(),
            human: human.into_iter().map(|score| score.filter(|s| s.is_finite())).collect(),
        })
    }

    /// The table of only the metrics at these positions.
    pub(crate) fn only(&self, metrics: &[usize]) -> Self {
        ScoreTable {
            names: metrics.iter().map(|&m| self.names[m].clone()).collect(),
            columns: metrics.iter().map(|&m| self.columns[m].clone()).collect(),
            human: self.human.clone(),
        }
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub fn n_items(&self) -> usize {
        self.human.len()
    }

    /// The items that people and all of `metrics` (positions, in the requested order) have a score for.
    pub fn complete(&self, metrics: &[usize]) -> CompleteScores {
        let rated: Vec<u32> = (0_u32..).zip(&self.human).filter_map(|(item, score)| score.map(|_| item)).collect();
        let has_all = |item: &u32| metrics.iter().all(|&m| self.columns[m][*item as usize].is_some());
        let items: Vec<u32> = rated.iter().copied().filter(has_all).collect();
        let of =
            |scores: &[Option<f64>]| -> Vec<f64> { items.iter().filter_map(|&item| scores[item as usize]).collect() };
        CompleteScores {
            names: metrics.iter().map(|&m| self.names[m].clone()).collect(),
            columns: metrics.iter().map(|&m| of(&self.columns[m])).collect(),
            human: of(&self.human),
            n_left_out: rated.len() - items.len(),
            items,
        }
    }
}

impl CompleteScores {
    /// The scores of the items at these positions, for all metrics.
    pub(crate) fn only(&self, places: &[usize]) -> (Vec<Vec<f64>>, Vec<f64>) {
        let of = |scores: &[f64]| -> Vec<f64> { places.iter().map(|&p| scores[p]).collect() };
        let columns = self.columns.iter().map(|column| of(column)).collect();
        (columns, of(&self.human))
    }

    /// Positions of the metrics in the order of their names.
    pub(crate) fn by_name(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|&a, &b| self.names[a].cmp(&self.names[b]).then(a.cmp(&b)));
        order
    }
}
