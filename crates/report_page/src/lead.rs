//! The first sentences of a page: what was compared, and the result.

use crate::inputs::Inputs;
use crate::standings::{self, MetricRow};
use maud::{Markup, html};
use neurogauge::SystemComparison;
use neurogauge::core::{Direction, Estimate};
use neurogauge::metrics::Metric;
use neurogauge::stats::{holm, student_exceeds, student_reach};
use neurogauge_guide::methods::listed;

/// At most this many systems are named; others are counted.
const NAMED: usize = 6;

/// Both sentences, about the runs or about systems by the mean over their subjects.
pub(crate) fn lead<'a>(
    inputs: &'a Inputs,
    over_subjects: Option<&'a SystemComparison>,
    rows: &[MetricRow<'a>],
) -> Markup {
    let level = inputs.systems[0].run.record.request.bootstrap.level;
    let answer = match over_subjects {
        Some(found) => {
            let rows: Vec<MetricRow<'_>> =
                rows.iter().filter_map(|row| standings::compared(found, row.metric)).collect();
            answer(&found.systems, &rows, Some(found), level)
        }
        None => answer(&inputs.names(), rows, inputs.comparison.as_ref(), level),
    };
    html! {
        "\n" p.lead { (compared(inputs, over_subjects, rows)) } "\n"
        @if !answer.0.is_empty() { p.answer { (answer) } "\n" }
    }
}

/// Says what was compared.
fn compared(inputs: &Inputs, over_subjects: Option<&SystemComparison>, rows: &[MetricRow<'_>]) -> String {
    let n = inputs.stems.len();
    let names = match over_subjects.and_then(|found| found.subjects.as_ref()) {
        Some(systems) => (systems.iter())
            .map(|own| format!("{} (mean of {} subjects)", own.system, own.subjects.len()))
            .collect(),
        None => inputs.names(),
    };
    let systems = match names.as_slice() {
        [name] => name.clone(),
        names if names.len() > NAMED => format!("{} systems", names.len()),
        names => format!("{} systems, {}", names.len(), listed(names)),
    };
    let n_placeholders = rows.iter().filter(|row| row.metric.stand_in).count();
    let metrics = match rows.len() {
        1 => "one metric".to_owned(),
        n => format!("{n} metrics"),
    };
    let mut out = format!(
        "Reconstructions of {n} {} by {systems}, each compared with its stimulus by {metrics}.",
        if n == 1 { "stimulus" } else { "stimuli" }
    );
    if n_placeholders > 0 && n_placeholders < rows.len() {
        out.push_str(&format!(
            " {n_placeholders} of them rest on placeholder models (†), mean nothing and are not drawn."
        ));
    }
    out
}

/// Says what the result is.
fn answer(names: &[String], rows: &[MetricRow<'_>], tested: Option<&SystemComparison>, level: f64) -> Markup {
    let rows: Vec<&MetricRow<'_>> = rows.iter().filter(|row| !row.metric.stand_in).collect();
    if rows.is_empty() {
        return html! {
            "Every metric rests on a placeholder model (†): the numbers show that the pipeline runs and mean nothing else."
        };
    }
    match names {
        [name] => above_chance(name, &rows, level),
        _ => {
            let is_shown = |metric: &Metric| rows.iter().any(|row| row.metric.id == metric.spec.id);
            html! { (tested.and_then(|found| found.headline(is_shown)).unwrap_or_default()) }
        }
    }
}

/// About a single system: by how many metrics it is shown to be better than chance, after Holm's correction over all
/// metrics whose chance level is known.
fn above_chance(name: &str, rows: &[&MetricRow<'_>], level: f64) -> Markup {
    let of_row = |row: &&MetricRow<'_>| p_above(row.systems[0].0?, row.metric.chance?, row.metric.direction, level);
    let p_values: Vec<f64> = rows.iter().filter_map(of_row).collect();
    let alpha = ((1.0 - level) * 1e9).round() / 1e9;
    let n_above = holm(&p_values).unwrap_or_default().iter().filter(|p| **p <= alpha).count();
    let (n, sign) = (p_values.len(), if n_above > 0 { "≤" } else { ">" });
    html! {
        @if n > 0 {
            @if n_above > 0 { b { (name) } " is better than chance by " (n_above) " of the " }
            @else { "It is not shown that " b { (name) } " is better than chance by any of the " }
            (n) " metrics whose chance level is known (p " (sign) " " (alpha) " after Holm's correction over these)."
        }
    }
}

/// Two-sided p of a mean against chance, from Student's t scaled so that p < 1 − `level` exactly if the mean is better
/// than chance and the interval excludes chance.
fn p_above(estimate: &Estimate, chance: f64, direction: Direction, level: f64) -> Option<f64> {
    let ((low, high), value) = (estimate.interval?, *estimate.value.as_ref().ok()?);
    let (beyond, reach) = match direction {
        Direction::Higher => (value - chance, value - low),
        Direction::Lower => (chance - value, high - value),
    };
    let t = student_reach(estimate.n, level) * beyond / reach;
    let p = 2.0 * student_exceeds(t, estimate.n.saturating_sub(1) as f64);
    Some(if p.is_nan() { 1.0 } else { p.min(1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge::core::synthetic::Synthetic;
    use neurogauge::stats::{mean, standard_deviation};

    /// A run of noise has eight metrics at chance, with Student's intervals.
    #[test]
    fn noise_is_seldom_called_better_than_chance() {
        const RUNS: u64 = 400;
        let n_claimed = |shift: f64| {
            let claims = |run: &u64| {
                let noise = Synthetic::new("at chance", run * 7_919);
                let p_of_metric = |metric: u64| {
                    // Means of twelve uniform values, whose mean is 0.5.
                    let value = |pair: u64| {
                        let parts = (0..12).map(|part| noise.uniform((metric * 20 + pair) * 12 + part));
                        shift + parts.map(f64::from).sum::<f64>() / 12.0
                    };
                    let values: Vec<f64> = (0..20).map(value).collect();
                    let value = mean(values.iter().copied()).unwrap();
                    let reach = student_reach(20, 0.95) * standard_deviation(&values).unwrap() / 20_f64.sqrt();
                    let estimate = Estimate::of(Ok(value), Some((value - reach, value + reach)), 20);
                    let p = p_above(&estimate, 0.5, Direction::Higher, 0.95).unwrap();
                    // For a single metric, p and the interval agree.
                    assert_eq!(p <= 0.05 && value > 0.5, value - reach > 0.5);
                    p
                };
                let p_values: Vec<f64> = (0..8).map(p_of_metric).collect();
                holm(&p_values).unwrap().iter().any(|p| *p <= 0.05)
            };
            (0..RUNS).filter(claims).count()
        };
        // Half of 5% plus four standard errors; without correction it would be 18%.
        assert!(n_claimed(0.0) <= 22, "{}", n_claimed(0.0));
        assert!(n_claimed(0.1) > 350);
    }
}
