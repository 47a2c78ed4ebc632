//! The scores of metrics for reconstructions of other stimuli (convention `shuffled-null`).

use crate::Error;
use crate::compute::{Computed, Context};
use crate::kinds::compute;
use crate::plan::Resolved;
use crate::run_folder::RunFolder;
use crate::run_record::RunRecord;
use crate::selected::{MetricSource, Selection};
use crate::shuffled_null::{NullLevel, ShuffledNull};
use neurogauge_core::option_words::option;
use neurogauge_core::{Outcome, Progress, ScoreTable, Undefined};
use neurogauge_metrics::{Compute, find, parts_among};
use neurogauge_stats::{draw_to_front, estimate_over_stimuli};
use std::collections::{BTreeMap, HashSet};

/// The level of each metric that compares a stimulus with a reconstruction.
///
/// Stimuli are put in a random order with those of a cluster side by side. Each then gets a reconstruction further
/// along, at the same distance for all, far enough to belong to another cluster. The interval is that of the mean of
/// m + (x_k· − m) + (x_·k − m), where x_k· is the mean over pairings with stimulus k and x_·k the mean over pairings
/// with its reconstruction.
pub(super) fn levels(
    ShuffledNull(pairings): ShuffledNull,
    resolved: &mut Resolved,
    (record, folder): (&RunRecord, &RunFolder),
    progress: &dyn Progress,
) -> Result<BTreeMap<String, NullLevel>, Error> {
    let clusters = record.clusters_of(&resolved.inputs.dataset.stems);
    let n = clusters.len();
    keep_two_sided(&mut resolved.selection);
    // For each metric, the values of each stimulus and of each reconstruction.
    let mut found: BTreeMap<String, Vec<[Vec<f64>; 2]>> = BTreeMap::new();
    for draw in 0..pairings as u64 {
        let partners = partners(&clusters, record, draw)?;
        resolved.inputs.dataset.pair_with(&partners);
        let context: Context<'_> = resolved.context(folder, progress);
        let computed = compute(&context);
        let mut own = vec![0; n];
        partners.iter().enumerate().for_each(|(stimulus, &other)| own[other] = stimulus);
        resolved.inputs.dataset.pair_with(&own);
        let Computed { scores, .. } = computed?;
        add(&mut found, scores, &partners);
    }
    let mut levels = BTreeMap::new();
    for (id, values) in found {
        let Some(metric) = find(&id) else {
            continue;
        };
        let all: Vec<f64> = values.iter().flat_map(|[own, _]| own).copied().collect();
        if all.is_empty() || metric.compute.is_of_all_pairs() {
            continue;
        }
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        let of_role = |values: &Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
        let of_stimulus = |roles: &[Vec<f64>; 2]| match roles.iter().any(Vec::is_empty) {
            true => Err(Undefined::NoPairs),
            false => Ok(of_role(&roles[0]) + of_role(&roles[1]) - mean),
        };
        let column: Vec<Outcome> = values.iter().map(of_stimulus).collect();
        let (range, options) = (metric.spec.range, &record.request.bootstrap);
        let interval = estimate_over_stimuli(&[&column], &clusters, range, options)?.interval;
        levels.insert(id, NullLevel { mean, interval });
    }
    Ok(levels)
}

/// Keeps only metrics that compare a stimulus with a reconstruction, and composites of these.
fn keep_two_sided(selection: &mut Selection) {
    let mut kept: HashSet<&str> = HashSet::new();
    selection.metrics.retain(|selected| {
        let is_kept = match selected.metric.compute {
            Compute::Identification { .. } | Compute::Frames { .. } => false,
            Compute::Items(kind, _) if kind.is_of_pairs() => false,
            Compute::Scores { from, .. } => {
                parts_among(from, |part| kept.contains(part)).iter().all(|part| kept.contains(part))
            }
            _ => !matches!(selected.source, MetricSource::Recorded(_)),
        };
        if is_kept {
            kept.insert(selected.metric.spec.id);
        }
        is_kept
    });
}

/// For each stimulus, the position of one in another cluster; each occurs once.
fn partners(clusters: &[usize], record: &RunRecord, draw: u64) -> Result<Vec<usize>, Error> {
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (place, cluster) in clusters.iter().enumerate() {
        members.entry(*cluster).or_default().push(place);
    }
    let mut members: Vec<Vec<usize>> = members.into_values().collect();
    let (n, largest) = (clusters.len(), members.iter().map(Vec::len).max().unwrap_or(0));
    if 2 * largest > n {
        return Err(Error::Usage(format!(
            "{}: {largest} of {n} pairs are of one stimulus or cluster; expected at most half, so that each can get a reconstruction of \
             another",
            option("null", "shuffled")
        )));
    }
    let mut rng = record.request.bootstrap.seed.stream(draw);
    let n_clusters = members.len();
    draw_to_front(&mut members, n_clusters, &mut rng);
    let order = members.concat();
    let mut shifts: Vec<usize> = (largest..=n - largest).collect();
    let shift = draw_to_front(&mut shifts, 1, &mut rng)[0];
    let mut partners = vec![0; n];
    for (place, stimulus) in order.iter().enumerate() {
        partners[*stimulus] = order[(place + shift) % n];
    }
    Ok(partners)
}

fn add(found: &mut BTreeMap<String, Vec<[Vec<f64>; 2]>>, scores: ScoreTable, partners: &[usize]) {
    for (id, column) in scores.columns {
        let values = found.entry(id).or_insert_with(|| vec![<[Vec<f64>; 2]>::default(); partners.len()]);
        for ((stimulus, outcome), partner) in column.into_iter().enumerate().zip(partners) {
            if let Ok(value) = outcome {
                values[stimulus][0].push(value);
                values[*partner][1].push(value);
            }
        }
    }
}
