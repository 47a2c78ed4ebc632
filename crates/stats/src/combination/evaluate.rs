//! Every analysis of combinations of a survey's metrics.

use super::contributions::contributions;
use super::{
    CombinationOptions, Composite, CompositeContributions, FittedWeights, Folds, PairwiseAverages, ScoreTable,
    SubsetSearch, best_subsets, fit_weights, pairwise_averages,
};
use crate::meta::{Grouping, HumanScores, MetaOptions, MetricColumn, Units};
use crate::{Ratings, StatsError};
use serde::Serialize;

/// The result of [`combine_metrics`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CombinationResult {
    pub options: CombinationOptions,
    pub averages: PairwiseAverages,
    pub subsets: SubsetSearch,
    pub weights: FittedWeights,
    pub composites: Vec<CompositeContributions>,
}

/// Pairwise averages, best subsets, fitted weights, and what each part of a composite adds (SEED,
/// sections C.2 and C.3).
///
/// - Shapes: a survey of n items by k raters; each metric has n scores or gaps, in the order of the
///   items; composites name at least two different metrics by position.
/// - Intervals, seed and human scores as in [`evaluate_metrics`](crate::meta::evaluate_metrics): the resamples are the
///   same, so the figures of both are paired. Composites use the scales of the whole survey in every resample.
/// - `stimuli` as in [`evaluate_metrics_within`](crate::meta::evaluate_metrics_within): items of a stimulus are drawn
///   together and are in the same fold.
/// - Conventions: `combination-scaling`, `combination-selection`, `combination-weights`,
///   `human-score`, `meta-bootstrap`.
/// - Undefined: figure by figure, with the reason.
/// - Errors: also a composite with fewer than two parts, a duplicate part or an unknown metric; samples of different
///   lengths.
///
/// ```
/// use neurogauge_core::Direction::{Higher, Lower};
/// use neurogauge_stats::Ratings;
/// use neurogauge_stats::combination::{Composite, CombinationOptions, combine_metrics};
/// use neurogauge_stats::meta::{MetaOptions, MetricColumn};
/// let ratings = [1, 1, 2, 2, 3, 3, 4, 4].map(|v| Some(f64::from(v)));
/// let ratings = Ratings::new(2, ratings.to_vec()).unwrap();
/// let metric = |name: &str, direction, scores: [f64; 4]| MetricColumn {
///     name: name.into(),
///     direction,
///     scores: scores.map(Some).to_vec(),
/// };
/// let metrics = [
///     metric("a", Higher, [2.0, 1.0, 5.0, 8.0]),
///     metric("b", Lower, [0.0, -3.0, -7.0, -6.0]),
/// ];
/// let both = Composite { name: "a+b".into(), parts: vec![0, 1] };
/// let options = CombinationOptions::default();
/// let found =
///     combine_metrics((&ratings, None), &metrics, &[both], &MetaOptions::default(), &options)
///         .unwrap();
/// // Tau-b of the average is 1, of each part 4/6: either part adds 2/6.
/// let added = &found.composites[0].contributions[0].statistics[1];
/// assert!((added.value.clone().unwrap() - 2.0 / 6.0).abs() < 1e-15);
/// ```
pub fn combine_metrics(
    (ratings, stimuli): (&Ratings, Option<&Grouping>),
    metrics: &[MetricColumn],
    composites: &[Composite],
    meta: &MetaOptions,
    options: &CombinationOptions,
) -> Result<CombinationResult, StatsError> {
    let all: Vec<usize> = (0..metrics.len()).collect();
    combine_among((ratings, stimuli), (metrics, &all), composites, meta, options)
}

/// [`combine_metrics`] where averages, subsets and weights use only the metrics at these positions; composites may use
/// others.
pub fn combine_among(
    (ratings, stimuli): (&Ratings, Option<&Grouping>),
    (metrics, among): (&[MetricColumn], &[usize]),
    composites: &[Composite],
    meta: &MetaOptions,
    options: &CombinationOptions,
) -> Result<CombinationResult, StatsError> {
    meta.check()?;
    options.check()?;
    composites.iter().try_for_each(|c| check(c, metrics.len()))?;
    let human = HumanScores::new(ratings, meta.human_score);
    let units = Units::new(&human, &[], stimuli, meta.resampled)?;
    let table = ScoreTable::new(metrics, human.means(&units.all().raters))?;
    let complete = table.complete(among);
    let of_stimuli = units.stimuli_of(&complete.items);
    let folds = match &of_stimuli {
        None => Folds::seeded(complete.items.len(), options.folds, meta.bootstrap.seed),
        Some(stimuli) => Folds::of_stimuli(stimuli, options.folds, meta.bootstrap.seed),
    }?;
    Ok(CombinationResult {
        options: *options,
        averages: pairwise_averages(&table.only(among), options.scaling)?,
        subsets: best_subsets(&complete, &folds, options.scaling, options.select_by)?,
        weights: fit_weights(&complete, &folds, options.scaling)?,
        composites: composites
            .iter()
            .map(|composite| contributions(&table, composite, options.scaling, &human, &units, meta))
            .collect::<Result<_, StatsError>>()?,
    })
}

fn check(composite: &Composite, n_metrics: usize) -> Result<(), StatsError> {
    let parts = &composite.parts;
    let twice = parts.iter().enumerate().any(|(i, part)| parts[..i].contains(part));
    if parts.len() < 2 || twice || parts.iter().any(|&part| part >= n_metrics) {
        let found = format!("{} of the metrics {parts:?}", composite.name);
        let expected = "two or more different metrics, by position from 0";
        return Err(StatsError::option("composite", found, expected));
    }
    Ok(())
}
