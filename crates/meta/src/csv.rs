//! Every figure as a separate line.

use super::{MetaRecord, MetricClasses, combination_lines};
use neurogauge::core::Outcome;
use neurogauge::report::{Cell, TextTable};
use neurogauge::stats::Icc;
use neurogauge::stats::meta::{
    Figure, IntervalNote, MetricAgreement, MetricDifference, Statistic, StatisticDifference, StatisticEstimate,
};
use std::borrow::Cow;

/// The content of a line; missing fields are empty.
#[derive(Clone, Default)]
pub(super) struct Line<'a> {
    pub(super) kind: &'a str,
    pub(super) metric: Cow<'a, str>,
    pub(super) other: Cow<'a, str>,
    /// The metrics that the number rests on, if these two are not their names.
    pub(super) rests_on: &'a [String],
    pub(super) statistic: &'a str,
    pub(super) within: &'a str,
    pub(super) value: Option<f64>,
    pub(super) interval: Option<(f64, f64)>,
    pub(super) p: Option<f64>,
    pub(super) p_holm: Option<f64>,
    pub(super) chance_mean: Option<f64>,
    pub(super) chance_percentile_95: Option<f64>,
    pub(super) epsilon: Option<f64>,
    pub(super) n_items: Option<usize>,
    pub(super) n_groups: Option<usize>,
    pub(super) n_groups_left_out: Option<usize>,
    pub(super) undefined: String,
    pub(super) interval_note: Option<IntervalNote>,
}

impl Line<'_> {
    pub(super) fn valued(mut self, outcome: &Outcome) -> Self {
        match outcome {
            Ok(value) => self.value = Some(*value),
            Err(reason) => self.undefined = reason.to_string(),
        }
        self
    }

    pub(super) fn inferred<F: Figure>(mut self, figure: &F) -> Self {
        self.interval = figure.interval();
        self.interval_note = figure.interval_note();
        self.valued(figure.value())
    }
}

pub(super) fn text_table(record: &MetaRecord) -> TextTable {
    let result = &record.result;
    let agreement = &result.agreement;
    let mut lines = Vec::new();
    match &agreement.icc {
        Ok(table) => lines.extend(table.forms.iter().map(|icc| of_icc(icc, "raters", table.n_items))),
        Err(reason) => lines.push(Line {
            kind: "raters",
            statistic: "ICC",
            undefined: reason.to_string(),
            ..Line::default()
        }),
    }
    let of_all = agreement.icc_of_all_ratings.iter().flatten();
    lines.extend(of_all.map(|icc| of_icc(icc, "raters_of_all_ratings", result.n_items)));
    for (statistic, alpha) in
        [("alpha_ordinal", &agreement.alpha_ordinal), ("alpha_interval", &agreement.alpha_interval)]
    {
        let line = Line {
            kind: "raters",
            statistic,
            ..Line::default()
        };
        lines.push(line.valued(alpha));
    }
    lines.extend(of_people("ceiling", "", &agreement.ceilings));
    lines.extend(of_people("one_rater", "", &agreement.one_rater));
    for grouped in &agreement.grouped {
        lines.extend(of_people("ceiling", &grouped.grouping, &grouped.ceilings));
        lines.extend(of_people("one_rater", &grouped.grouping, &grouped.one_rater));
    }
    for metric in &result.metrics {
        lines.extend(of_metric(metric));
    }
    for pair in &result.differences {
        lines.extend(of_pair(pair));
    }
    if let Some(classes) = &record.classes {
        classes.metrics.iter().for_each(|metric| push_classes(&mut lines, metric));
    }
    if let Some(found) = &record.combinations {
        combination_lines::add(&mut lines, found);
    }
    let level = result.options.bootstrap.level;
    let count = |count: Option<usize>| count.map_or(Cell::Missing, Cell::Count);
    TextTable::of("", lines)
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

/// `other` names the pairs, `statistic` the quantity of the mean.
fn push_classes<'a>(lines: &mut Vec<Line<'a>>, metric: &'a MetricClasses) {
    let Some(figures) = &metric.figures else {
        lines.push(Line {
            kind: "classes",
            metric: Cow::from(&metric.metric),
            undefined: metric.undefined.unwrap_or_default().to_owned(),
            ..Line::default()
        });
        return;
    };
    let n_all = metric.n_same + metric.n_different;
    for (statistic, contrast) in [
        ("metric_z", &figures.metric_score),
        ("human_z", &figures.human_score),
        ("overestimate", &figures.overestimate),
    ] {
        for (other, mean, n) in [
            ("same", contrast.same, metric.n_same),
            ("different", contrast.different, metric.n_different),
            ("same - different", contrast.difference, n_all),
        ] {
            lines.push(Line {
                kind: "classes",
                metric: Cow::from(&metric.metric),
                other: Cow::from(other),
                statistic,
                value: mean.value,
                interval: mean.interval,
                n_items: Some(n),
                ..Line::default()
            });
        }
    }
}

fn of_people<'a, F: Figure>(kind: &'a str, within: &'a str, figures: &'a [F]) -> impl Iterator<Item = Line<'a>> {
    figures.iter().map(move |figure| {
        let line = Line {
            kind,
            statistic: figure.statistic().id(),
            within,
            ..Line::default()
        };
        line.valued(figure.value())
    })
}

fn of_icc<'a>(icc: &Icc, kind: &'a str, n_items: usize) -> Line<'a> {
    Line {
        kind,
        statistic: icc.form.label(),
        value: Some(icc.value),
        interval: icc.interval,
        p: Some(icc.p_value),
        n_items: Some(n_items),
        ..Line::default()
    }
}

fn of_metric(metric: &MetricAgreement) -> Vec<Line<'_>> {
    let line = |figure: &StatisticEstimate, epsilon: Option<f64>| Line {
        kind: "metric",
        metric: Cow::from(&metric.name),
        statistic: figure.statistic.id(),
        chance_mean: figure.chance.mean,
        chance_percentile_95: figure.chance.percentile_95,
        // Only this statistic is calibrated.
        epsilon: epsilon.filter(|_| figure.statistic == Statistic::CalibratedAccuracy),
        n_items: Some(metric.n_items),
        ..Line::default()
    };
    let figures = metric.statistics.iter();
    let mut lines: Vec<Line> = figures.map(|figure| line(figure, metric.epsilon).inferred(figure)).collect();
    for grouped in &metric.grouped {
        lines.extend(grouped.statistics.iter().map(|figure| {
            let line = Line {
                within: &grouped.grouping,
                n_groups: Some(grouped.n_groups),
                n_groups_left_out: Some(figure.n_groups_left_out),
                ..line(&figure.estimate, grouped.epsilon)
            };
            line.inferred(&figure.estimate)
        }));
    }
    lines
}

fn of_pair(pair: &MetricDifference) -> Vec<Line<'_>> {
    let line = || Line {
        kind: "difference",
        metric: Cow::from(&pair.minuend),
        other: Cow::from(&pair.subtrahend),
        n_items: Some(pair.n_items),
        ..Line::default()
    };
    let of_figure = |within, figure: &StatisticDifference| {
        let line = Line {
            statistic: figure.statistic.id(),
            within,
            p: figure.p_value,
            p_holm: figure.p_holm,
            ..line()
        };
        line.inferred(figure)
    };
    let mut lines: Vec<Line> = pair.statistics.iter().map(|f| of_figure("", f)).collect();
    let test = pair.williams.as_ref();
    let williams = Line {
        statistic: "williams_t",
        p: test.ok().map(|test| test.p_value),
        p_holm: test.ok().map(|test| test.p_holm),
        ..line()
    };
    lines.push(williams.valued(&test.map(|test| test.t).map_err(Clone::clone)));
    for grouped in &pair.grouped {
        lines.extend(grouped.statistics.iter().map(|figure| of_figure(&grouped.grouping, figure)));
    }
    lines
}
