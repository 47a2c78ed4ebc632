//! The per-pair outcomes of a run.

use crate::Outcome;

/// One outcome for each (metric, pair), metric by metric in the order of the run.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreTable {
    /// Stems of the pairs, natural order.
    pub pairs: Vec<String>,
    /// Metric ids with one outcome for each pair.
    pub columns: Vec<(String, Vec<Outcome>)>,
}

impl ScoreTable {
    /// A table of these pairs without any column yet.
    pub fn new(pairs: Vec<String>) -> Self {
        ScoreTable {
            pairs,
            columns: Vec::new(),
        }
    }

    /// The outcomes of a metric, in the order of [`pairs`](Self::pairs).
    pub fn column(&self, metric: &str) -> Option<&[Outcome]> {
        self.columns.iter().find(|(id, _)| id == metric).map(|(_, outcomes)| outcomes.as_slice())
    }
}
