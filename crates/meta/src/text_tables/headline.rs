//! Which metric agrees best with people, in a sentence.

use crate::MetaRecord;
use neurogauge::stats::meta::{Figure, MetricAgreement, Statistic, figure_of};
use std::cmp::Ordering;

/// The statistic of the sentence.
const STATISTIC: Statistic = Statistic::KendallTauB;
const DECIMALS: usize = 3;

pub(crate) fn headline(record: &MetaRecord) -> String {
    let label = STATISTIC.label();
    let result = &record.result;
    let value = |metric: &MetricAgreement| {
        let found = figure_of(&metric.statistics, STATISTIC)?;
        found.value.as_ref().ok().copied()
    };
    let metrics = result.metrics.iter();
    let own: Vec<&MetricAgreement> = metrics.filter(|m| !record.is_stand_in(&m.name)).collect();
    if own.is_empty() {
        return "No metric can be said to agree with people: all of them rest on placeholder models, whose numbers mean nothing."
            .to_owned();
    }
    let mut ranked: Vec<(&MetricAgreement, f64)> = own
        .iter()
        .filter_map(|metric| Some((*metric, value(metric)?)))
        .collect();
    // A stable sort: ties stay in the order of the metrics.
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    let Some(&(best, highest)) = ranked.first() else {
        return format!("No metric has a {label} with people; the notes below the table say why.");
    };
    if highest < 0.0 {
        return format!(
            "No metric agrees with people: {} has the highest {label},{}. If 1 is the best answer of this survey, turn the ratings round \
             (8 - rating, where there are seven answers).",
            best.name,
            with_interval(highest, figure_of(&best.statistics, STATISTIC))
        );
    }
    let names: Vec<&str> = ranked
        .iter()
        .take_while(|(_, value)| *value == highest)
        .map(|(metric, _)| metric.name.as_str())
        .collect();
    let mut sentence = match (ranked.len(), names.as_slice()) {
        (1, _) => format!("{} agrees with people: {label}", best.name),
        (_, [name]) => format!("{name} agrees best with people: {label}"),
        _ => format!("{} agree best with people: {label}", names.join(" and ")),
    };
    sentence.push_str(&with_interval(
        highest,
        figure_of(&best.statistics, STATISTIC),
    ));
    let one_rater = figure_of(&result.agreement.ceilings, STATISTIC);
    if let Some(ceiling) = one_rater.and_then(|ceiling| ceiling.value.as_ref().ok()) {
        let than = match highest.total_cmp(ceiling) {
            Ordering::Greater => "above",
            Ordering::Equal => "equal to",
            Ordering::Less => "below",
        };
        sentence.push_str(&format!(", {than} one rater's {ceiling:.DECIMALS$}"));
    }
    sentence.push('.');
    let next = ranked.get(names.len()).filter(|_| names.len() == 1);
    if let Some((next, value)) = next {
        sentence.push_str(&format!(" Next is {} with {value:.DECIMALS$}", next.name));
        sentence.push_str(&less(record, best, next));
        sentence.push('.');
    }
    sentence
}

/// ` 0.720 [0.680, 0.763]`; without the interval if there is none or a note marks it as doubtful.
fn with_interval<F: Figure>(value: f64, figure: Option<&F>) -> String {
    let sound = figure.filter(|figure| figure.interval_note().is_none());
    match sound.and_then(Figure::interval) {
        Some((low, high)) => format!(" {value:.DECIMALS$} [{low:.DECIMALS$}, {high:.DECIMALS$}]"),
        None => format!(" {value:.DECIMALS$}"),
    }
}

/// ` (difference 0.113 [0.080, 0.146])`, over the items that both have, and whether it is significant.
fn less(record: &MetaRecord, best: &MetricAgreement, next: &MetricAgreement) -> String {
    let found = record.result.differences.iter().find_map(|difference| {
        match (&difference.minuend, &difference.subtrahend) {
            (a, b) if *a == best.name && *b == next.name => Some((difference, 1.0)),
            (a, b) if *a == next.name && *b == best.name => Some((difference, -1.0)),
            _ => None,
        }
    });
    let Some((difference, sign)) = found else {
        return String::new();
    };
    let figure = figure_of(&difference.statistics, STATISTIC);
    let Some(figure) = figure.filter(|figure| figure.interval_note.is_none()) else {
        return String::new();
    };
    let (Ok(value), Some((low, high))) = (&figure.value, figure.interval) else {
        return String::new();
    };
    let value = sign * value;
    let (low, high) = match sign > 0.0 {
        true => (low, high),
        false => (-high, -low),
    };
    let chance = match low <= 0.0 {
        true => ", so it may be chance",
        false => "",
    };
    format!(" (difference {value:.DECIMALS$} [{low:.DECIMALS$}, {high:.DECIMALS$}]{chance})")
}
