//! Checks that all runs identified a metric's pairs within the same pool.

use crate::option_names::POOL;
use crate::pool_report::label;
use crate::score::Run;
use itertools::Itertools;
use neurogauge_core::{ImageSet, ObservationKind, Role};
use neurogauge_metrics::{Compute, Metric};

/// A warning about a metric whose pairs were identified within different pools in different runs; `None` if the pool
/// was the same.
pub(super) fn difference(metric: &Metric, runs: &[&Run], systems: &[String]) -> Option<String> {
    let id = metric.spec.id;
    let label = label(metric, &runs.first()?.record.request.options.identification);
    let sizes = |runs: &[&Run]| {
        let size = |run: &Run| run.record.pool_of(id).map(|pool| pool.n_others);
        let words = |run| size(run).map_or("unknown".to_owned(), |size| size.to_string());
        runs.iter().zip(systems).map(|(run, system)| format!("{system}: {}", words(run))).join(", ")
    };
    let Compute::Identification { .. } = metric.compute else {
        return None;
    };
    let first = &runs[0];
    if metric.compute.needs_pool() {
        let hash = |run: &Run| {
            let origin = run.record.metrics.iter().find(|record| record.id == id)?;
            let (_, features) = origin.origin.split_once('/')?;
            let given = run.record.input(Role::new(ImageSet::Pool, ObservationKind::Features).file(features));
            Some(given.or(run.record.input(Role::POOL_IMAGES))?.sha256.clone())
        };
        let differs = runs.iter().any(|run| hash(run) != hash(first));
        return differs.then(|| {
            format!("{label}: the pools of the runs are not the same ({}); score all with one {POOL}", sizes(runs))
        });
    }
    let differs = runs
        .iter()
        .any(|run| run.record.pool_of(id) != first.record.pool_of(id) || run.stems() != first.stems());
    differs.then(|| {
        format!(
            "{label}: the distractors were the other pairs of each run, which are not the same \
             ({}), so these figures do not compare; score all with one {POOL}, or compare the \
             pool-free correlations",
            sizes(runs)
        )
    })
}
