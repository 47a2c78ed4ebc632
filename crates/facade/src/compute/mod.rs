//! Turns the inputs of a run into outcomes, one column per metric.

pub(crate) mod alike;
mod averaged;
mod compared;
pub(crate) mod composites;
mod context;
mod graph_comparison;
pub(crate) mod identification;
mod items;
mod nothing_seen;
pub(crate) mod perceptual;
pub(crate) mod pixels;
mod repeated_stimuli;

pub(crate) use compared::{Loaded, Pairs, among_all, both};
pub(crate) use context::Context;
pub(crate) use graph_comparison::{ExplainedGraphs, GraphComparison};
pub(crate) use items::PartedItems;
pub(crate) use nothing_seen::{content, of_scores, sameness};
pub use nothing_seen::{empty_by_details, nothing_seen};

use crate::dataset::Dataset;
use crate::execute::FailedItem;
use crate::run_record::{AveragedIdentification, PoolRecord};
use neurogauge_core::{Finding, Outcome, PairDetails, ScoreTable};

/// The results of computing a selection.
pub(crate) struct Computed {
    pub(crate) scores: ScoreTable,
    /// The jackknife's pseudo-values of identification metrics, and what each pair adds to metrics of all pairs
    /// together.
    pub(crate) pseudo_values: ScoreTable,
    pub(crate) findings: Vec<Finding>,
    /// Images that could not be read; their pairs have no value.
    pub(crate) unreadable: Vec<FailedItem>,
    /// The distractor pools, by metric.
    pub(crate) pools: Vec<PoolRecord>,
    /// Identification by means of trials.
    pub(crate) averaged: Vec<AveragedIdentification>,
    /// Stems of the pairs of each stimulus that more than one pair shows.
    pub(crate) repeated_stimuli: Vec<Vec<String>>,
    /// What each pair matched, missed and invented.
    pub(crate) details: Vec<PairDetails>,
}

impl Computed {
    /// Starts with what the inputs themselves provide.
    pub(crate) fn of_inputs(dataset: &Dataset) -> Self {
        let details = dataset.stems.iter().map(|stem| PairDetails {
            stem: stem.clone(),
            ..PairDetails::default()
        });
        let mut scores = ScoreTable::new(dataset.stems.clone());
        for (id, values) in &dataset.recorded {
            let outcomes = values.iter().map(|(_, outcome)| outcome.clone());
            scores.columns.push(((*id).to_owned(), outcomes.collect()));
        }
        Computed {
            pseudo_values: ScoreTable::new(dataset.stems.clone()),
            scores,
            findings: dataset.findings.clone(),
            unreadable: Vec::new(),
            pools: Vec::new(),
            averaged: Vec::new(),
            repeated_stimuli: Vec::new(),
            details: details.collect(),
        }
    }

    /// Adds the column of one metric.
    pub(crate) fn add_column(&mut self, id: &str, outcomes: Vec<Outcome>) {
        self.scores.columns.push((id.to_owned(), outcomes));
    }

    /// Adds what each pair contributes to the value of a system, or its pseudo-value.
    pub(crate) fn add_pseudo_values(&mut self, id: &str, values: Vec<Outcome>) {
        self.pseudo_values.columns.push((id.to_owned(), values));
    }
}
