//! Every figure of combinations on a line of its own.

use neurogauge_core::Outcome;
use neurogauge_report::{Cell, TextTable};
use neurogauge_stats::combination::{CombinationResult, HeldOut, StatisticValue};

/// What stands in a line; what is not given is left empty.
#[derive(Default)]
struct Line<'a> {
    kind: &'a str,
    metric: &'a str,
    other: &'a str,
    statistic: &'a str,
    interval: Option<(f64, f64)>,
    p: Option<f64>,
    p_holm: Option<f64>,
    n_items: usize,
}

/// Adds the lines to those of the metrics, under the same headings.
pub(super) fn add(table: &mut TextTable, found: &CombinationResult, level: f64) {
    let mut lines = Lines { table, level };
    for cell in &found.averages.cells {
        lines.values(
            "average",
            (&cell.first, &cell.second),
            &cell.statistics,
            cell.n_items,
        );
    }
    let search = &found.subsets;
    let sizes = search.sizes.iter().enumerate();
    let sizes = sizes.map(|(place, subset)| ((place + 1).to_string(), subset));
    for (size, subset) in sizes.chain([("any".to_owned(), &search.overall)]) {
        let names = (subset.metrics.join("+"), size);
        let names = (names.0.as_str(), names.1.as_str());
        lines.values("best_subset", names, &subset.in_sample, search.n_items);
        // In each fold another one may have been chosen.
        let kind = "best_subset_held_out";
        lines.held_out(kind, ("", names.1), &subset.cross_validated, search.n_items);
    }
    let weights = &found.weights;
    for weight in weights.weights.iter().flatten() {
        let line = Line {
            kind: "weight",
            metric: &weight.metric,
            statistic: "weight",
            n_items: weights.n_items,
            ..Line::default()
        };
        lines.push(&line, &Ok(weight.weight));
    }
    let n = weights.n_items;
    lines.values("fitted_weights", ("", ""), &weights.in_sample, n);
    lines.held_out(
        "fitted_weights_held_out",
        ("", ""),
        &weights.cross_validated,
        n,
    );
    lines.values("equal_weights", ("", ""), &weights.equal, n);
    lines.held_out(
        "equal_weights_held_out",
        ("", ""),
        &weights.equal_cross_validated,
        n,
    );
    for composite in &found.composites {
        for figure in &composite.statistics {
            let line = Line {
                kind: "composite",
                metric: &composite.name,
                statistic: figure.statistic.id(),
                interval: figure.interval,
                n_items: composite.n_items,
                ..Line::default()
            };
            lines.push(&line, &figure.value);
        }
        for part in &composite.contributions {
            for figure in &part.statistics {
                let line = Line {
                    kind: "contribution",
                    metric: &composite.name,
                    other: &part.part,
                    statistic: figure.statistic.id(),
                    interval: figure.interval,
                    p: figure.p_value,
                    p_holm: figure.p_holm,
                    n_items: composite.n_items,
                };
                lines.push(&line, &figure.value);
            }
        }
    }
}

struct Lines<'a> {
    table: &'a mut TextTable,
    level: f64,
}

impl Lines<'_> {
    fn values(
        &mut self,
        kind: &str,
        (metric, other): (&str, &str),
        figures: &[StatisticValue],
        n_items: usize,
    ) {
        for figure in figures {
            let line = Line {
                kind,
                metric,
                other,
                statistic: figure.statistic.id(),
                n_items,
                ..Line::default()
            };
            self.push(&line, &figure.value);
        }
    }

    fn held_out(
        &mut self,
        kind: &str,
        (metric, other): (&str, &str),
        figures: &[HeldOut],
        n_items: usize,
    ) {
        for figure in figures {
            let line = Line {
                kind,
                metric,
                other,
                statistic: figure.statistic.id(),
                n_items,
                ..Line::default()
            };
            self.push(&line, &figure.value);
        }
    }

    /// Puts what there is under the heading of its name.
    fn push(&mut self, line: &Line, outcome: &Outcome) {
        let number = |value: Option<f64>| value.map_or(Cell::Missing, |v| Cell::Number(v, 0));
        let (low, high) = line.interval.unzip();
        let headings = self.table.headings.iter();
        let cells = headings.map(|heading| match heading.as_str() {
            "kind" => Cell::Text(line.kind.to_owned()),
            "metric" => Cell::Text(line.metric.to_owned()),
            "other" => Cell::Text(line.other.to_owned()),
            "statistic" => Cell::Text(line.statistic.to_owned()),
            "value" => number(outcome.as_ref().ok().copied()),
            "low" => number(low),
            "high" => number(high),
            "level" => number(low.map(|_| self.level)),
            "p" => number(line.p),
            "p_holm" => number(line.p_holm),
            "n_items" => Cell::Count(line.n_items),
            "undefined" => Cell::Text(
                outcome
                    .as_ref()
                    .err()
                    .map_or_else(String::new, ToString::to_string),
            ),
            _ => Cell::Missing,
        });
        let cells = cells.collect();
        self.table.rows.push(cells);
    }
}
