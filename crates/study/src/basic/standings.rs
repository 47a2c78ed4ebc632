//! The systems' values and ranks under a configuration, and how similarly two configurations rank them.

use crate::rows::square;
use crate::scoring::is_stand_in;
use crate::shown_metrics::label;
use crate::systems::estimate;
use neurogauge::core::{Estimate, Undefined};
use neurogauge::metrics::Metric;
use neurogauge::report::marked;
use neurogauge::stats::{BootstrapOptions, Comparison, kendall_tau_b};
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

/// Kendall's tau-b between the rankings of every two configurations by a score, for the record and as rows; or what it
/// needs.
pub(crate) fn rankings(names: &[String], id: &str, found: &[&Standings]) -> Result<(Value, Value), String> {
    let ranked = found.iter().filter_map(|standings| {
        let (_, all) = standings.find(id)?;
        let ranks: Option<Vec<f64>> = all.iter().map(|standing| standing.rank).collect();
        Some((*standings, ranks?))
    });
    let ranked: Vec<(&Standings, Vec<f64>)> = ranked.collect();
    if ranked.len() < 2 {
        return Err(match names.len() {
            1 => "a second system that shares the stimuli".to_owned(),
            _ => format!("two configurations under which every system has a mean of {}", label(id)),
        });
    }
    let is_ranked = |name: &str| ranked.iter().any(|(standings, _)| standings.name == name);
    let unranked = found.iter().filter(|standings| !is_ranked(&standings.name));
    let mut notes: Vec<String> =
        unranked.map(|standings| format!("{} is left out: a system has no mean.", standings.name)).collect();
    let mut values = vec![vec![None; ranked.len()]; ranked.len()];
    for (a, (first, x)) in ranked.iter().enumerate() {
        for (b, (second, y)) in ranked.iter().enumerate().take(a + 1) {
            // Ranks increase from best to worst on both sides, so this tau equals the tau of the means.
            let tau = kendall_tau_b(x, y).unwrap_or_else(|error| Err(Undefined::Because(error.to_string().into())));
            if let Err(reason) = &tau {
                notes.push(format!("{}, {}: {reason}", first.name, second.name));
            }
            values[a][b] = tau.ok();
            values[b][a] = values[a][b];
        }
    }
    let shown: Vec<String> = ranked.iter().map(|(standings, _)| standings.marked(&[id])).collect();
    let mut shown = square(&shown, &values);
    shown["notes"] = json!(notes);
    shown["n_systems"] = json!(names.len());
    let (configurations, ranks): (Vec<&str>, Vec<&Vec<f64>>) =
        ranked.iter().map(|(standings, ranks)| (standings.name.as_str(), ranks)).unzip();
    let recorded = json!({
        "metric": id, "systems": names, "configurations": configurations, "ranks": ranks, "kendall_tau_b": values,
    });
    Ok((recorded, shown))
}
