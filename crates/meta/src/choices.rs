//! Choices in place of ratings: the share of choices that each metric makes as people do.

use super::record::DAGGER;
use super::strengths::Strengths;
use super::{MetaRecord, MetricRole};
use neurogauge::core::{Finding, counted};
use neurogauge::report::{Cell, Ranked, Ranking, Table, TestedDifference};
use neurogauge::stats::meta::{ChoiceAgreement, ChoiceShare, Resampled};
use serde::Serialize;

const DECIMALS: usize = 3;

/// A metric that chooses at random agrees with this share of choices.
const CHANCE: f64 = 0.5;

/// What is known from choices, in `meta.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChoiceRecord {
    #[serde(flatten)]
    pub agreement: ChoiceAgreement,
    #[serde(flatten)]
    pub human: Strengths,
}

/// The metrics, the one that agrees most first; those without a value last.
fn in_order(found: &ChoiceRecord) -> Vec<&ChoiceShare> {
    let mut shares: Vec<&ChoiceShare> = found.agreement.metrics.iter().collect();
    let value = |share: &ChoiceShare| share.value.as_ref().map_or(f64::NEG_INFINITY, |value| *value);
    shares.sort_by(|a, b| value(b).total_cmp(&value(a)));
    shares
}

pub(super) fn headline(found: &ChoiceRecord, record: &MetaRecord) -> String {
    let own: Vec<&ChoiceShare> = in_order(found)
        .into_iter()
        .filter(|share| !record.is_stand_in(&share.name) && share.value.is_ok())
        .collect();
    let ranked = own.iter().map(|share| Ranked {
        name: &share.name,
        value: share.value.clone().unwrap_or_default(),
        interval: share.interval,
    });
    let ranked: Vec<Ranked<'_>> = ranked.collect();
    let Some(best) = ranked.first() else {
        return "No metric has scores of two items between which people chose.".to_owned();
    };
    let share = |of: &Ranked<'_>| {
        let ends = of.interval.map(|(low, high)| format!(" [{low:.DECIMALS$}, {high:.DECIMALS$}]"));
        format!("{:.DECIMALS$}{} of choices", of.value, ends.unwrap_or_default())
    };
    let agrees = |of: &Ranked<'_>| of.interval.is_some_and(|(low, _)| low > CHANCE);
    let n_agreeing = ranked.iter().filter(|of| agrees(of)).count();
    let mut said = match (n_agreeing, ranked.len()) {
        (0, 1) => {
            format!("It is not shown that {} chooses as people do: {}, and chance is 0.5.", best.name, share(best))
        }
        (0, _) => format!(
            "It is not shown that any metric chooses as people do: the highest is {} with {}, and chance is 0.5.",
            best.name,
            share(best)
        ),
        (_, 1) => format!("{} chooses as people do in {}; chance is 0.5.", best.name, share(best)),
        _ => Ranking {
            kind: "metric",
            claim: "agrees best with people's choices",
            quantity: "share of choices",
            correction: &format!("Holm, {}", counted(found.agreement.differences.len(), "difference")),
            alpha: 1.0 - record.result.options.bootstrap.level,
            decimals: DECIMALS,
        }
        .sentence(&ranked, |other| difference(found, best.name, ranked[other].name).filter(|_| agrees(best))),
    };
    if let Ok(people) = found.agreement.people {
        said += &format!(" A person agrees with the majority of the others in {people:.DECIMALS$}.");
    }
    said
}

/// The first metric minus the other.
fn difference(found: &ChoiceRecord, first: &str, other: &str) -> Option<TestedDifference> {
    let own =
        found
            .agreement
            .differences
            .iter()
            .find_map(|own| match (own.minuend.as_str(), own.subtrahend.as_str()) {
                (a, b) if a == first && b == other => Some((own, 1.0)),
                (a, b) if a == other && b == first => Some((own, -1.0)),
                _ => None,
            });
    let (own, sign) = own?;
    let ends = |(low, high): (f64, f64)| if sign > 0.0 { (low, high) } else { (-high, -low) };
    Some(TestedDifference {
        value: sign * own.value.as_ref().ok()?,
        interval: own.interval.map(ends),
        p: own.p_holm,
    })
}

pub(super) fn text_tables(found: &ChoiceRecord, record: &MetaRecord) -> Vec<Table> {
    let agreement = &found.agreement;
    let level = format!("{}% interval", record.result.options.bootstrap.level * 100.0);
    let items = if record.result.n_stimuli.is_some() {
        "stimuli"
    } else {
        "items"
    };
    let drawn = match record.result.options.resampled {
        Resampled::Items => format!("new {items} of this kind, these raters"),
        Resampled::Raters => format!("new raters of this kind, these {items}"),
        Resampled::Both => format!("new {items} and raters of this kind"),
    };
    let arrow = |role: &MetricRole| role.direction.arrow();
    let shown = |name: &str| {
        let role = record.metrics.iter().find(|role| role.name == name.trim_end_matches(DAGGER));
        format!("{name} {}", role.map_or("", arrow)).trim_end().to_owned()
    };
    let metrics = in_order(found).into_iter().map(|share| {
        let value = Cell::estimate(&share.value, share.interval);
        (shown(&share.name), value, Cell::Count(share.n_choices))
    });
    let below = [
        ("(a person)".to_owned(), Cell::number(&agreement.people), Cell::Missing),
        ("(chance)".to_owned(), Cell::number(CHANCE), Cell::Missing),
    ];
    let mut notes = vec![
        format!(
            "{} between {} by {}, {} of them ties.",
            counted(agreement.n_choices, "choice"),
            counted(agreement.n_items, "item"),
            counted(agreement.n_raters, "rater"),
            agreement.n_ties
        ),
        "Share of choices in which the metric scores the preferred item higher; ties of either count one half. (a person): \
         agreement with the majority of the others who chose between the same items, which a metric may exceed."
            .to_owned(),
        format!("Intervals: {drawn}; choices that share one are dependent."),
    ];
    notes.extend(agreement.people.as_ref().err().map(|_| {
        "(a person): no two people chose between the same items, so how well people agree is unknown.".to_owned()
    }));
    notes.extend(
        record
            .findings
            .iter()
            .filter(|finding| finding.is_shown() && found.human.no_strengths.is_some())
            .map(Finding::below_table),
    );
    let shares = Table::of("Agreement of metrics with people's choices", metrics.chain(below))
        .column("Metric", |row| Cell::text(&row.0))
        .column(format!("share [{level}]"), |row| row.1.clone())
        .column("choices", |row| row.2.clone())
        .noted(notes);
    let mut tables = vec![shares];
    if !agreement.differences.is_empty() {
        let pairs = Table::of("Differences between metrics in people's choices", &agreement.differences)
            .column("Metrics", |own| Cell::text(format!("{} - {}", own.minuend, own.subtrahend)))
            .column(format!("difference [{level}]"), |own| Cell::estimate(&own.value, own.interval))
            .column("p", |own| Cell::p_value(own.p_value))
            .column("p, Holm", |own| Cell::p_value(own.p_holm))
            .column("choices", |own| Cell::Count(own.n_choices))
            .noted(vec![format!("Holm's correction is over the pairs of metrics: {}.", agreement.differences.len())]);
        tables.push(pairs);
    }
    tables
}
