//! The tables of combinations made for reading.

use super::MetaRecord;
use super::weight_tables::{fitted, weight_table};
use neurogauge_core::{Outcome, Undefined};
use neurogauge_report::{Cell, TextTable};
use neurogauge_stats::combination::{
    COMBINED_STATISTICS, CombinationResult, CompositeContributions, HeldOut, Scaling,
    StatisticValue,
};
use neurogauge_stats::meta::Statistic;

const DECIMALS: usize = 3;

pub(super) fn text_tables(found: &CombinationResult, record: &MetaRecord) -> Vec<TextTable> {
    let level = format!(
        "{}% interval",
        record.result.options.bootstrap.level * 100.0
    );
    let mut tables = vec![averages(found), subsets(found)];
    if let Ok(weights) = &found.weights.weights {
        tables.push(weight_table(found, weights));
    }
    tables.push(fitted(found));
    let composites = found.composites.iter();
    tables.extend(composites.map(|composite| contributions(composite, found, &level)));
    tables
}

pub(super) fn text(text: impl Into<String>) -> Cell {
    Cell::Text(text.into())
}

pub(super) fn number(value: Option<f64>) -> Cell {
    value.map_or(Cell::Missing, |value| Cell::Number(value, DECIMALS))
}

pub(super) fn headings(first: &[&str], then: impl IntoIterator<Item = String>) -> Vec<String> {
    let first = first.iter().map(|&name| name.to_owned());
    first.chain(then).collect()
}

pub(super) fn scaling(found: &CombinationResult) -> &'static str {
    match found.options.scaling {
        Scaling::Raw => "raw scores",
        Scaling::ZScore => "z-scores",
        Scaling::Rank => "ranks",
    }
}

/// Each reason once.
pub(super) fn reasons<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> Vec<&'a Undefined> {
    let mut reasons: Vec<&Undefined> = Vec::new();
    for reason in outcomes.filter_map(|outcome| outcome.as_ref().err()) {
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    reasons
}

/// ` over 45 items (3 left out: they lack a metric)`.
pub(super) fn over_items(n_items: usize, n_left_out: usize) -> String {
    match n_left_out {
        0 => format!("Over {n_items} items."),
        _ => format!("Over {n_items} items; {n_left_out} lack a metric and are left out."),
    }
}

fn averages(found: &CombinationResult) -> TextTable {
    let statistic = found.options.select_by;
    let averages = &found.averages;
    let matrix = averages.matrix(statistic);
    let rows = averages.labels.iter().zip(&matrix).enumerate();
    let rows = rows.map(|(row, (label, values))| {
        let cells = values.iter().map(|&value| number(value));
        [Cell::Count(row + 1), text(label)]
            .into_iter()
            .chain(cells)
            .collect()
    });
    let mut notes = vec![format!(
        "Each cell: the average of two metrics ({}); on the diagonal one alone. Each over the items \
         that have both. The other statistics are in meta.json and meta.csv.",
        scaling(found)
    )];
    if found.options.scaling == Scaling::Raw {
        notes.push(
            "Averages of raw scores follow the metric of the widest spread; --scaling zscore or rank \
             counts metrics alike."
                .to_owned(),
        );
    }
    if let Some(best) = averages.best(statistic) {
        notes.push(if best.first == best.second {
            format!("Best: {} alone; no average of two is better.", best.first)
        } else {
            format!("Best: the average of {} and {}.", best.first, best.second)
        });
    }
    for cell in &averages.cells {
        let outcomes = cell.statistics.iter().map(|s| &s.value);
        for reason in reasons(outcomes) {
            notes.push(if cell.first == cell.second {
                format!("{}: {reason}", cell.first)
            } else {
                format!("{} with {}: {reason}", cell.first, cell.second)
            });
        }
    }
    TextTable {
        title: format!("Averages of two metrics: {} with people", statistic.label()),
        headings: headings(
            &["", "Metric"],
            (1..=averages.labels.len()).map(|column| column.to_string()),
        ),
        rows: rows.collect(),
        notes,
    }
}

fn of_selection(figures: &[StatisticValue], statistic: Statistic) -> Option<f64> {
    let found = figures
        .iter()
        .find(|figure| figure.statistic == statistic)?;
    found.value.clone().ok()
}

fn held_out(figures: &[HeldOut], statistic: Statistic) -> Option<f64> {
    let found = figures
        .iter()
        .find(|figure| figure.statistic == statistic)?;
    found.value.clone().ok()
}

fn subsets(found: &CombinationResult) -> TextTable {
    let search = &found.subsets;
    let statistic = search.select_by;
    let sizes = search.sizes.iter().enumerate();
    let sizes = sizes.map(|(place, subset)| ((place + 1).to_string(), subset));
    let rows = sizes.chain([("any".to_owned(), &search.overall)]);
    let rows = rows.map(|(size, subset)| {
        vec![
            text(size),
            text(subset.metrics.join(" + ")),
            Cell::Count(subset.n_subsets as usize),
            number(of_selection(&subset.in_sample, statistic)),
            number(held_out(&subset.cross_validated, statistic)),
        ]
    });
    let mut notes = vec![
        over_items(search.n_items, search.n_left_out),
        format!(
            "The best of many is good partly by chance, so the figure on the items it was chosen on is \
             too high. Held out: chosen anew on the other folds and measured within each of {} folds; \
             the mean.",
            found.options.folds
        ),
    ];
    if search.sizes.len() < search.n_metrics {
        notes.push(format!(
            "With {} metrics only subsets of up to {} were looked at.",
            search.n_metrics,
            search.sizes.len()
        ));
    }
    notes.extend(why_missing(
        &search.overall.in_sample,
        &search.overall.cross_validated,
    ));
    TextTable {
        title: format!("Best averages of k metrics ({})", scaling(found)),
        headings: headings(
            &["k", "Best subset", "of"],
            [
                statistic.label().to_owned(),
                format!("{}, held out", statistic.label()),
            ],
        ),
        rows: rows.collect(),
        notes,
    }
}

pub(super) fn why_missing(
    in_sample: &[StatisticValue],
    cross_validated: &[HeldOut],
) -> Vec<String> {
    let mut notes = Vec::new();
    for reason in reasons(in_sample.iter().map(|figure| &figure.value)) {
        notes.push(format!("No figure: {reason}."));
    }
    for reason in reasons(cross_validated.iter().map(|figure| &figure.value)) {
        notes.push(format!("No held-out figure: {reason}."));
    }
    let undefined = cross_validated.iter().map(HeldOut::n_undefined_folds).max();
    let has_some = cross_validated.iter().any(|figure| figure.value.is_ok());
    if let Some(undefined @ 1..) = undefined
        && has_some
    {
        notes.push(format!(
            "Up to {undefined} folds have no value; means are over the others."
        ));
    }
    notes
}

pub(super) fn labels() -> impl Iterator<Item = String> {
    let all = COMBINED_STATISTICS.into_iter();
    all.map(|statistic| statistic.label().to_owned())
}

fn contributions(
    composite: &CompositeContributions,
    found: &CombinationResult,
    level: &str,
) -> TextTable {
    let estimate = |value: &Outcome, ends: Option<(f64, f64)>| match (value, ends) {
        (Ok(value), Some(ends)) => Cell::Estimate(*value, ends, DECIMALS),
        (Ok(value), None) => Cell::Number(*value, DECIMALS),
        (Err(_), _) => Cell::Missing,
    };
    let whole = composite.statistics.iter();
    let whole = whole.map(|figure| estimate(&figure.value, figure.interval));
    let mut rows: Vec<Vec<Cell>> = vec![[text("(all parts)")].into_iter().chain(whole).collect()];
    for part in &composite.contributions {
        let added = part.statistics.iter();
        let added = added.map(|figure| estimate(&figure.value, figure.interval));
        rows.push(
            [text(format!("+ {}", part.part))]
                .into_iter()
                .chain(added)
                .collect(),
        );
    }
    let mut notes = vec![
        over_items(composite.n_items, composite.n_left_out),
        format!(
            "(all parts): the average ({}). Below: what each part adds, the average of all minus that \
             of the others, with its {level} (the same resamples as above). Positive: the part helps. \
             p values are in meta.json and meta.csv.",
            scaling(found)
        ),
    ];
    let parts = composite.contributions.iter();
    let outcomes = parts.flat_map(|part| part.statistics.iter().map(|figure| &figure.value));
    let whole = composite.statistics.iter().map(|figure| &figure.value);
    let reasons = reasons(whole.chain(outcomes));
    notes.extend(reasons.iter().map(|reason| format!("No figure: {reason}.")));
    TextTable {
        title: format!(
            "What each part of {} adds ({})",
            composite.name,
            composite.parts.join(" + ")
        ),
        headings: headings(&["Part"], labels()),
        rows,
        notes,
    }
}
