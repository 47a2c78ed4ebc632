//! Every number as a separate line.

use super::{MetaRecord, MetricClasses};
use neurogauge::core::Outcome;
use neurogauge::report::{Cell, Table};
use neurogauge::stats::Icc;
use neurogauge::stats::combination::CombinationResult;
use neurogauge::stats::meta::{
    Figure, IntervalNote, MetaResult, MetricAgreement, MetricDifference, Statistic, StatisticDifference,
    StatisticEstimate,
};
use std::borrow::Cow;

/// The content of a line; missing fields are empty.
#[derive(Clone, Default)]
struct Line<'a> {
    kind: &'a str,
    metric: Cow<'a, str>,
    other: Cow<'a, str>,
    /// The metrics that the number depends on, if they differ from the two names.
    rests_on: &'a [String],
    statistic: &'a str,
    within: &'a str,
    value: Option<f64>,
    interval: Option<(f64, f64)>,
    p: Option<f64>,
    p_holm: Option<f64>,
    chance_mean: Option<f64>,
    chance_percentile_95: Option<f64>,
    epsilon: Option<f64>,
    n_items: Option<usize>,
    n_groups: Option<usize>,
    n_groups_left_out: Option<usize>,
    undefined: String,
    interval_note: Option<IntervalNote>,
}

impl<'a> Line<'a> {
    fn of(kind: &'a str, metric: impl Into<Cow<'a, str>>, n_items: Option<usize>) -> Self {
        Line {
            kind,
            metric: metric.into(),
            n_items,
            ..Line::default()
        }
    }

    fn other(mut self, other: impl Into<Cow<'a, str>>) -> Self {
        self.other = other.into();
        self
    }

    fn within(mut self, grouping: &'a str) -> Self {
        self.within = grouping;
        self
    }

    fn rests_on(mut self, metrics: &'a [String]) -> Self {
        self.rests_on = metrics;
        self
    }

    fn valued(mut self, statistic: &'a str, outcome: &Outcome) -> Self {
        self.statistic = statistic;
        match outcome {
            Ok(value) => self.value = Some(*value),
            Err(reason) => self.undefined = reason.to_string(),
        }
        self
    }

    fn figure<F: Figure>(&self, figure: &F) -> Self {
        Line {
            interval: figure.interval(),
            interval_note: figure.interval_note(),
            ..self.clone().valued(figure.statistic().id(), figure.value())
        }
    }

    /// Makes this line once for each figure.
    fn each<F: Figure>(self, figures: &'a [F]) -> impl Iterator<Item = Line<'a>> {
        figures.iter().map(move |figure| self.figure(figure))
    }
}

pub(super) fn text_table(record: &MetaRecord) -> Table {
    let result = &record.result;
    let mut lines = of_people(result);
    lines.extend(result.metrics.iter().flat_map(of_metric));
    lines.extend(result.differences.iter().flat_map(of_pair));
    lines.extend(record.classes.iter().flat_map(|classes| &classes.metrics).flat_map(of_classes));
    lines.extend(record.combinations.iter().flat_map(of_combinations));
    let level = result.options.bootstrap.level;
    let count = |count: Option<usize>| count.map_or(Cell::Missing, Cell::Count);
    Table::of("", lines)
        .column("kind", |line| Cell::text(line.kind))
        .column("metric", |line| Cell::text(&*line.metric))
        .column("other", |line| Cell::text(&*line.other))
        .column("statistic", |line| Cell::text(line.statistic))
        .column("within", |line| Cell::text(line.within))
        .column("value", |line| Cell::number(line.value))
        .ends(["low", "high"], |line| line.interval)
        .column("level", |line| Cell::number(line.interval.map(|_| level)))
        .column("interval_note", |line| {
            Cell::text(line.interval_note.map_or(String::new(), |note| note.to_string()))
        })
        .column("p", |line| Cell::number(line.p))
        .column("p_holm", |line| Cell::number(line.p_holm))
        .column("chance_mean", |line| Cell::number(line.chance_mean))
        .column("chance_percentile_95", |line| Cell::number(line.chance_percentile_95))
        .column("epsilon", |line| Cell::number(line.epsilon))
        .column("n_items", |line| count(line.n_items))
        .column("n_groups", |line| count(line.n_groups))
        .column("n_groups_left_out", |line| count(line.n_groups_left_out))
        .column("undefined", |line| Cell::text(&line.undefined))
        .column("stand_in", |line| {
            let names = [&*line.metric, &*line.other].into_iter();
            let mut names = names.chain(line.rests_on.iter().map(String::as_str));
            Cell::text(names.any(|name| record.is_stand_in(name)).to_string())
        })
        .noted(Vec::new())
}

fn of_people(result: &MetaResult) -> Vec<Line<'_>> {
    let agreement = &result.agreement;
    let icc = |kind, icc: &Icc, n_items: usize| Line {
        interval: icc.interval,
        p: Some(icc.p_value),
        ..Line::of(kind, "", Some(n_items)).valued(icc.form.label(), &Ok(icc.value))
    };
    let mut lines = Vec::new();
    match &agreement.icc {
        Ok(table) => lines.extend(table.forms.iter().map(|form| icc("raters", form, table.n_items))),
        Err(reason) => lines.push(Line::of("raters", "", None).valued("ICC", &Err(reason.clone()))),
    }
    let of_all = agreement.icc_of_all_ratings.iter().flatten();
    lines.extend(of_all.map(|form| icc("raters_of_all_ratings", form, result.n_items)));
    for (name, alpha) in [("alpha_ordinal", &agreement.alpha_ordinal), ("alpha_interval", &agreement.alpha_interval)] {
        lines.push(Line::of("raters", "", None).valued(name, alpha));
    }
    let whole = [("", &agreement.ceilings, &agreement.one_rater)];
    let grouped = agreement.grouped.iter().map(|own| (own.grouping.as_str(), &own.ceilings, &own.one_rater));
    for (within, ceilings, one_rater) in whole.into_iter().chain(grouped) {
        lines.extend(Line::of("ceiling", "", None).within(within).each(ceilings));
        lines.extend(Line::of("one_rater", "", None).within(within).each(one_rater));
    }
    lines
}

fn of_metric(metric: &MetricAgreement) -> Vec<Line<'_>> {
    let line = |figure: &StatisticEstimate, epsilon: Option<f64>| Line {
        chance_mean: figure.chance.mean,
        chance_percentile_95: figure.chance.percentile_95,
        // Only this statistic is calibrated.
        epsilon: epsilon.filter(|_| figure.statistic == Statistic::CalibratedAccuracy),
        ..Line::of("metric", &metric.name, Some(metric.n_items)).figure(figure)
    };
    let mut lines: Vec<Line> = metric.statistics.iter().map(|figure| line(figure, metric.epsilon)).collect();
    for grouped in &metric.grouped {
        lines.extend(grouped.statistics.iter().map(|figure| Line {
            within: &grouped.grouping,
            n_groups: Some(grouped.n_groups),
            n_groups_left_out: Some(figure.n_groups_left_out),
            ..line(&figure.estimate, grouped.epsilon)
        }));
    }
    lines
}

fn of_pair(pair: &MetricDifference) -> Vec<Line<'_>> {
    let line = || Line::of("difference", &pair.minuend, Some(pair.n_items)).other(&pair.subtrahend);
    let of_figure = |within, figure: &StatisticDifference| Line {
        p: figure.p_value,
        p_holm: figure.p_holm,
        ..line().within(within).figure(figure)
    };
    let mut lines: Vec<Line> = pair.statistics.iter().map(|figure| of_figure("", figure)).collect();
    let test = pair.williams.as_ref();
    lines.push(Line {
        p: test.ok().map(|test| test.p_value),
        p_holm: test.ok().map(|test| test.p_holm),
        ..line().valued("williams_t", &test.map(|test| test.t).map_err(Clone::clone))
    });
    for grouped in &pair.grouped {
        lines.extend(grouped.statistics.iter().map(|figure| of_figure(&grouped.grouping, figure)));
    }
    lines
}

/// `other` names the pairs, `statistic` the quantity that is averaged.
fn of_classes(metric: &MetricClasses) -> Vec<Line<'_>> {
    let Some(figures) = &metric.figures else {
        return vec![Line {
            undefined: metric.undefined.unwrap_or_default().to_owned(),
            ..Line::of("classes", &metric.metric, None)
        }];
    };
    let contrasts = [
        ("metric_z", &figures.metric_score),
        ("human_z", &figures.human_score),
        ("overestimate", &figures.overestimate),
    ];
    let means = contrasts.into_iter().flat_map(|(statistic, contrast)| {
        let means = [
            ("same", contrast.same, metric.n_same),
            ("different", contrast.different, metric.n_different),
            ("same - different", contrast.difference, metric.n_same + metric.n_different),
        ];
        means.map(|(pairs, mean, n)| Line {
            statistic,
            value: mean.value,
            interval: mean.interval,
            ..Line::of("classes", &metric.metric, Some(n)).other(pairs)
        })
    });
    means.collect()
}

fn of_combinations(found: &CombinationResult) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    for cell in &found.averages.cells {
        lines.extend(Line::of("average", &cell.first, Some(cell.n_items)).other(&cell.second).each(&cell.statistics));
    }
    let all = &found.averages.labels;
    let search = &found.subsets;
    let sizes = search.sizes.iter().enumerate().map(|(place, subset)| ((place + 1).to_string(), subset));
    for (size, subset) in sizes.chain([("any".to_owned(), &search.overall)]) {
        let of = |kind, metric: String| Line::of(kind, metric, Some(search.n_items)).other(size.clone());
        let chosen = of("best_subset", subset.metrics.join("+")).rests_on(&subset.metrics);
        lines.extend(chosen.each(&subset.in_sample));
        // Each fold may select a different subset.
        let held_out = of("best_subset_held_out", String::new()).rests_on(all);
        lines.extend(held_out.each(&subset.cross_validated));
    }
    let weights = &found.weights;
    for weight in weights.weights.iter().flatten() {
        lines.push(Line::of("weight", &weight.metric, Some(weights.n_items)).valued("weight", &Ok(weight.weight)));
    }
    let of_all = |kind| Line::of(kind, "", Some(weights.n_items)).rests_on(all);
    lines.extend(of_all("fitted_weights").each(&weights.in_sample));
    lines.extend(of_all("fitted_weights_held_out").each(&weights.cross_validated));
    lines.extend(of_all("equal_weights").each(&weights.equal));
    lines.extend(of_all("equal_weights_held_out").each(&weights.equal_cross_validated));
    for composite in &found.composites {
        let line = |kind| Line::of(kind, &composite.name, Some(composite.n_items)).rests_on(&composite.parts);
        lines.extend(line("composite").each(&composite.statistics));
        for part in &composite.contributions {
            lines.extend(part.statistics.iter().map(|figure| Line {
                p: figure.p_value,
                p_holm: figure.p_holm,
                ..line("contribution").other(&part.part).figure(figure)
            }));
        }
    }
    lines
}
