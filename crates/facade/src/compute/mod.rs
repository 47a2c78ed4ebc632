//! Turns the inputs of a run into outcomes, one column per metric.

mod alike;
mod caption_words;
mod captions;
mod captions_of_images;
mod comparable_graphs;
mod composites;
mod detections;
mod features;
mod grounded_boxes;
mod identification;
mod items;
mod masks;
mod nothing_seen;
pub use nothing_seen::{empty_by_details, nothing_seen};
mod perceptual;
mod pixels;
mod repeated_stimuli;
mod scene_graphs;
mod vqa_scores;
mod words;

pub(crate) use items::Items;
pub(crate) use scene_graphs::{ExplainedGraphs, GraphComparison};

use crate::Error;
use crate::clusters::ClusterRecord;
use crate::dataset::Dataset;
use crate::execute::FailedItem;
use crate::progress::Progress;
use crate::request::ScoreRequest;
use crate::run_folder::RunFolder;
use crate::run_record::PoolRecord;
use crate::selection::{MetricSource, Selection};
use crate::settings::RunSettings;
use alike::neighbours_are_alike;
use neurogauge_core::{Explained, Finding, LabelList, Outcome, Pair, PairDetails, ScoreTable};
use neurogauge_metrics::{Compute, MetricError};
use pixels::Found;

/// Inputs and settings that all computations of a run share.
pub(crate) struct Context<'a> {
    pub(crate) request: &'a ScoreRequest,
    pub(crate) settings: &'a RunSettings,
    pub(crate) dataset: &'a Dataset,
    /// The items, if the pairs are their parts.
    pub(crate) items: Option<&'a Items>,
    /// The clusters of stimuli that are alike, if any are known.
    pub(crate) clusters: Option<&'a ClusterRecord>,
    pub(crate) labels: &'a LabelList,
    pub(crate) folder: &'a RunFolder,
    pub(crate) progress: &'a dyn Progress,
}

/// One outcome for each pair, by metric.
pub(crate) type Columns = Vec<(&'static str, Vec<Outcome>)>;

/// The results of a selection.
pub(crate) struct Computed {
    /// Columns in the order of the selection.
    pub(crate) scores: ScoreTable,
    pub(crate) findings: Vec<Finding>,
    /// Images that could not be read; their pairs have no value.
    pub(crate) unreadable: Vec<FailedItem>,
    /// The distractor pools, by metric.
    pub(crate) pools: Vec<PoolRecord>,
    /// The jackknife's pseudo-values of metrics of identification, and what each pair adds to metrics of all pairs.
    pub(crate) pseudo_values: ScoreTable,
    /// Stems of the pairs of each stimulus that several pairs show.
    pub(crate) repeated_stimuli: Vec<Vec<String>>,
    /// What each pair matched, missed and invented; empty where no metric matches anything.
    pub(crate) details: Vec<PairDetails>,
}

/// Compares the images of the pairs that are in the shard of the settings: the only results that are kept
/// pair by pair. Returns the images that could not be read.
pub(crate) fn compare_images(selection: &Selection, context: &Context<'_>) -> Result<Vec<FailedItem>, Error> {
    // The process that finishes the run reads their warnings from the journal.
    let mut found = Found::default();
    pixels::compute(selection, context, &mut found)?;
    perceptual::compute(selection, context, &mut found)?;
    Ok(found.unreadable)
}

/// Computes every selected metric.
pub(crate) fn compute(selection: &Selection, context: &Context<'_>) -> Result<Computed, Error> {
    let mut found = Found {
        findings: context.dataset.findings.clone(),
        unreadable: Vec::new(),
    };
    let recorded = context.dataset.recorded.iter();
    let outcomes = |values: &[(String, Outcome)]| values.iter().map(|(_, o)| o.clone()).collect();
    let mut columns: Columns = recorded.map(|(id, values)| (*id, outcomes(values))).collect();
    columns.extend(pixels::compute(selection, context, &mut found)?);
    columns.extend(perceptual::compute(selection, context, &mut found)?);
    let Found {
        mut findings,
        unreadable,
    } = found;
    let stems = context.dataset.stems.iter();
    let mut details: Vec<PairDetails> = stems
        .map(|stem| PairDetails {
            stem: stem.clone(),
            ..PairDetails::default()
        })
        .collect();
    columns.extend(features::compute(selection, context, &mut details)?);
    let identified = identification::compute(selection, context, &mut findings)?;
    columns.extend(identified.columns);
    let (warned, found) = (&mut findings, &mut details);
    columns.extend(detections::compute(selection, context, warned, found)?);
    columns.extend(words::compute(selection, context, found)?);
    columns.extend(masks::compute(selection, context, warned, found)?);
    columns.extend(captions::compute(selection, context)?);
    columns.extend(captions_of_images::compute(selection, context)?);
    let (of_words, mut shares) = caption_words::compute(selection, context)?;
    columns.extend(of_words);
    let (of_boxes, of_all_boxes) = grounded_boxes::compute(selection, context)?;
    columns.extend(of_boxes);
    shares.extend(of_all_boxes);
    columns.extend(scene_graphs::compute(selection, context, found)?);
    columns.extend(vqa_scores::compute(selection, context));
    composites::compute(selection, context, &mut columns);

    let mut table = ScoreTable::new(context.dataset.stems.clone());
    for selected in &selection.metrics {
        let id = selected.metric.spec.id;
        if let Some(position) = columns.iter().position(|(name, _)| *name == id) {
            let (_, outcomes) = columns.swap_remove(position);
            table.columns.push((id.to_owned(), outcomes));
        }
    }
    findings.extend(nothing_seen::of_inputs(context.dataset));
    findings.extend(nothing_seen::of_scores(selection, context.dataset, &table, &details));
    let alike = neighbours_are_alike(&table, &identified.repeated_stimuli, selection, context);
    findings.extend(alike?);
    if details.iter().all(|pair| pair.metrics.is_empty()) {
        details.clear();
    }
    let mut pseudo_values = ScoreTable::new(context.dataset.stems.clone());
    let of_metrics = identified.pseudo_values.into_iter().chain(shares);
    pseudo_values.columns = of_metrics.map(|(id, column)| (id.to_owned(), column)).collect();
    Ok(Computed {
        scores: table,
        findings,
        unreadable,
        pools: identified.pools,
        pseudo_values,
        repeated_stimuli: identified.repeated_stimuli,
        details,
    })
}

/// The computed metrics of a kind, with their functions.
pub(crate) fn of_kind<F>(selection: &Selection, function: impl Fn(&Compute) -> Option<F>) -> Vec<(&'static str, F)> {
    selection
        .metrics
        .iter()
        .filter(|selected| selected.source == MetricSource::Compared)
        .filter_map(|selected| Some((selected.metric.spec.id, function(&selected.metric.compute)?)))
        .collect()
}

/// The outcome of each metric for a pair.
pub(crate) fn outcomes<F, T>(
    metrics: &[(&'static str, F)],
    pair: &Pair,
    compute: impl Fn(&F) -> Result<T, MetricError>,
) -> Result<Vec<T>, Error> {
    let of_pair = metrics.iter().map(|(metric, function)| {
        compute(function).map_err(|source| Error::Metric {
            pair: pair.stem.clone(),
            metric,
            source,
        })
    });
    of_pair.collect()
}

/// The outcomes of each pair; the matches behind them go to the details.
pub(crate) fn keep_details(rows: Vec<Vec<Explained>>, details: &mut [PairDetails]) -> Vec<Vec<Outcome>> {
    let of_pair = |(row, pair): (Vec<Explained>, &mut PairDetails)| {
        let outcomes = row.into_iter().map(|explained| {
            pair.add(explained.details);
            explained.outcome
        });
        outcomes.collect()
    };
    rows.into_iter().zip(details).map(of_pair).collect()
}

/// From one list of outcomes per pair to one column per metric.
pub(crate) fn transpose(ids: &[&'static str], rows: Vec<Vec<Outcome>>) -> Columns {
    let mut columns: Columns = ids.iter().map(|id| (*id, Vec::with_capacity(rows.len()))).collect();
    for row in rows {
        for ((_, column), outcome) in columns.iter_mut().zip(row) {
            column.push(outcome);
        }
    }
    columns
}
