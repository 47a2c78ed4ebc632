//! The comparison as a table.

use crate::pool_report;
use crate::score::Run;
use neurogauge_metrics::Metric;
use neurogauge_report::{Column, RankEstimate, Row, Table};
use neurogauge_stats::Comparison;

pub(super) fn table(
    systems: &[String],
    metrics: &[(&'static Metric, Comparison)],
    runs: &[&Run],
    n_shared: usize,
    level: f64,
    notes: Vec<String>,
) -> Table {
    let stand_in = |metric: &Metric| {
        runs.iter().any(|run| {
            run.record
                .metrics
                .iter()
                .any(|record| record.id == metric.spec.id && record.stand_in)
        })
    };
    Table {
        title: format!("{} systems on {n_shared} shared pairs", systems.len()),
        columns: metrics
            .iter()
            .map(|(metric, _)| Column {
                label: pool_report::label(metric, &runs[0].record.request.options.identification),
                ..Column::from_spec(&metric.spec, stand_in(metric))
            })
            .collect(),
        rows: systems
            .iter()
            .enumerate()
            .map(|(s, system)| Row {
                system: system.clone(),
                estimates: metrics
                    .iter()
                    .map(|(_, c)| c.systems[s].estimate.clone())
                    .collect(),
                rank: Some(
                    metrics
                        .iter()
                        .map(|(_, comparison)| {
                            let standing = &comparison.systems[s];
                            Some(RankEstimate {
                                rank: standing.rank?,
                                interval: standing.rank_interval?,
                            })
                        })
                        .collect(),
                ),
                undefined: None,
            })
            .collect(),
        level,
        notes,
    }
}
