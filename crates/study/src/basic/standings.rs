//! The systems' values and ranks under a configuration.

use crate::scoring::is_stand_in;
use crate::systems::estimate;
use neurogauge::core::Estimate;
use neurogauge::metrics::Metric;
use neurogauge::report::marked;
use neurogauge::stats::{BootstrapOptions, Comparison};
use neurogauge::{CompareOptions, Error, MetricSummary, Run, compare_runs};
use serde_json::{Value, json};

/// A system's value and rank by a metric.
#[derive(Debug, Clone)]
pub(crate) struct Standing {
    pub(crate) estimate: Estimate,
    /// 1 is best; `None` for a single system, or one without a value.
    pub(crate) rank: Option<f64>,
    pub(crate) stand_in: bool,
}

/// All systems of a configuration, metric by metric.
#[derive(Debug)]
pub(crate) struct Standings {
    /// The name of the configuration in tables.
    pub(crate) name: String,
    pub(crate) is_crossed: bool,
    by_metric: Vec<(&'static Metric, Vec<Standing>)>,
}

impl Standing {
    /// As exhibits read it; bars of one group stand side by side.
    pub(crate) fn value(&self, group: &str) -> Value {
        let decimals = usize::from(self.rank.is_some_and(|rank| rank.fract() != 0.0));
        json!({"group": group, "mean": estimate(&self.estimate), "rank": {"value": self.rank, "decimals": decimals}})
    }
}

impl Standings {
    /// Standings of runs over their shared pairs, as in `neurogauge compare`.
    pub(crate) fn of(
        (name, is_crossed): (&str, bool),
        systems: &[String],
        runs: &[&Run],
        options: &BootstrapOptions,
    ) -> Result<Standings, Error> {
        let by_metric = match runs {
            [run] => {
                let of = |summary: &MetricSummary| {
                    let standing = Standing {
                        estimate: summary.estimate.clone(),
                        rank: None,
                        stand_in: summary.stand_in,
                    };
                    (summary.metric, vec![standing])
                };
                run.summaries()?.iter().map(of).collect()
            }
            runs => {
                let options = CompareOptions {
                    mixed: true,
                    bootstrap: *options,
                    ..CompareOptions::default()
                };
                let compared = compare_runs(systems.to_vec(), runs, &options)?;
                let of = |(metric, found): (&'static Metric, Comparison)| {
                    let standings = found.systems.into_iter().zip(runs).map(|(system, run)| Standing {
                        estimate: system.estimate,
                        rank: system.rank,
                        stand_in: is_stand_in(run, metric.spec.id),
                    });
                    (metric, standings.collect())
                };
                compared.metrics.into_iter().map(of).collect()
            }
        };
        Ok(Standings {
            name: name.to_owned(),
            is_crossed,
            by_metric,
        })
    }

    /// A metric and the systems' standings by it.
    pub(crate) fn find(&self, id: &str) -> Option<(&'static Metric, &[Standing])> {
        let found = self.by_metric.iter().find(|(metric, _)| metric.spec.id == id)?;
        Some((found.0, &found.1))
    }

    /// The name, with a dagger if any of these metrics uses a placeholder model.
    pub(crate) fn marked(&self, ids: &[&str]) -> String {
        let found = ids.iter().filter_map(|id| self.find(id));
        let is_stand_in = found.flat_map(|(_, standings)| standings).any(|standing| standing.stand_in);
        marked(&self.name, is_stand_in)
    }
}
