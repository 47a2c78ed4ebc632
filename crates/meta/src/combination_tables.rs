//! The readable tables of combinations.

use super::MetaRecord;
use super::record::DAGGER;
use super::text_tables::{estimate, interval_notes};
use neurogauge::core::option_words::option;
use neurogauge::core::{Outcome, Undefined};
use neurogauge::report::{Cell, Table};
use neurogauge::stats::combination::{
    COMBINED_STATISTICS, CombinationResult, CompositeContributions, HeldOut, MetricWeight, PartStatistic, Scaling,
    StatisticValue,
};
use neurogauge::stats::meta::{Figure, Statistic, figure_of};

pub(super) fn text_tables(found: &CombinationResult, record: &MetaRecord) -> Vec<Table> {
    let level = format!("{}% interval", record.result.options.bootstrap.level * 100.0);
    let mut tables = vec![averages(found), subsets(found)];
    if let Ok(weights) = &found.weights.weights {
        tables.push(weight_table(found, weights));
    }
    tables.push(fitted(found));
    tables.extend(found.composites.iter().map(|composite| contributions(composite, found, &level)));
    tables
}

fn scaling(found: &CombinationResult) -> &'static str {
    found.options.scaling.in_words()
}

/// The dagger at the end of a name, if it has one.
fn dagger_of(name: &str) -> &str {
    &name[name.trim_end_matches(DAGGER).len()..]
}

/// The dagger after results that depend on all metrics, if one of them is marked.
fn dagger(found: &CombinationResult) -> &str {
    found.averages.labels.iter().map(|name| dagger_of(name)).max().unwrap_or_default()
}

/// The distinct reasons.
fn reasons<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> Vec<&'a Undefined> {
    let mut reasons: Vec<&Undefined> = Vec::new();
    for reason in outcomes.filter_map(|outcome| outcome.as_ref().err()) {
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    reasons
}

/// The chance level of a combination, for statistics with a fixed one.
const CHANCE: &str = "Chance: 0 for correlations; pairwise accuracy as (chance) in the first table.";

/// Text such as ` over 45 items (3 left out: they lack a metric)`.
fn over_items(n_items: usize, n_left_out: usize) -> String {
    match n_left_out {
        0 => format!("Over {n_items} items. {CHANCE}"),
        _ => format!("Over {n_items} items; {n_left_out} lack a metric and are left out. {CHANCE}"),
    }
}

fn averages(found: &CombinationResult) -> Table {
    let statistic = found.options.select_by;
    let averages = &found.averages;
    let matrix = averages.matrix(statistic);
    let mut notes = vec![format!(
        "Each cell: the average of two metrics ({}); on the diagonal one alone. Each over the items \
         that have both. The other statistics are in meta.json and meta.csv. {CHANCE}",
        scaling(found)
    )];
    if found.options.scaling == Scaling::Raw {
        notes.push(format!(
            "Averages of raw scores follow the metric of the widest spread; {} or rank counts metrics alike.",
            option("scaling", "zscore")
        ));
    }
    if let Some(best) = averages.best(statistic) {
        notes.push(if best.first == best.second {
            format!("Best: {} alone; no average of two is better.", best.first)
        } else {
            format!("Best: the average of {} and {}.", best.first, best.second)
        });
    }
    for cell in &averages.cells {
        for reason in reasons(cell.statistics.iter().map(|s| &s.value)) {
            notes.push(if cell.first == cell.second {
                format!("{}: {reason}", cell.first)
            } else {
                format!("{} with {}: {reason}", cell.first, cell.second)
            });
        }
    }
    let title = format!("Averages of two metrics: {} with people", statistic.label());
    let columns = (1..=averages.labels.len()).map(|column| column.to_string());
    Table::of(title, averages.labels.iter().zip(&matrix).zip(1..))
        .column("", |(_, number)| Cell::Count(*number))
        .column("Metric", |((label, _), _)| Cell::text(*label))
        .columns(columns, |((_, values), _)| values.iter().map(Cell::number))
        .noted(notes)
}

fn subsets(found: &CombinationResult) -> Table {
    let search = &found.subsets;
    let statistic = search.select_by;
    let sizes = search.sizes.iter().enumerate().map(|(place, subset)| ((place + 1).to_string(), subset));
    let rows = sizes.chain([("any".to_owned(), &search.overall)]);
    let mut notes = vec![
        over_items(search.n_items, search.n_left_out),
        format!(
            "The best of many is good partly by chance, so the figure on the items it was chosen on is \
             too high. Held out: chosen again on the other folds and measured within each of {} folds; \
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
    notes.extend(why_missing(&search.overall.in_sample, &search.overall.cross_validated));
    let label = statistic.label();
    Table::of(format!("Best averages of k metrics ({})", scaling(found)), rows)
        .column("k", |(size, _)| Cell::text(size))
        .column("Best subset", |(_, subset)| Cell::text(subset.metrics.join(" + ")))
        .column("of", |(_, subset)| Cell::Count(subset.n_subsets as usize))
        .column(label, |(_, subset)| value(&subset.in_sample, statistic))
        .column(format!("{label}, held out{}", dagger(found)), |(_, subset)| {
            value(&subset.cross_validated, statistic)
        })
        .noted(notes)
}

fn value<F: Figure>(figures: &[F], statistic: Statistic) -> Cell {
    figure_of(figures, statistic).map_or(Cell::Missing, |found| Cell::number(found.value()))
}

fn why_missing(in_sample: &[StatisticValue], cross_validated: &[HeldOut]) -> Vec<String> {
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
        notes.push(format!("Up to {undefined} folds have no value; means are over the others."));
    }
    notes
}

fn labels() -> impl Iterator<Item = String> {
    COMBINED_STATISTICS.into_iter().map(|statistic| statistic.label().to_owned())
}

fn contributions(composite: &CompositeContributions, found: &CombinationResult, level: &str) -> Table {
    let cells = |figures: &[PartStatistic]| figures.iter().map(estimate).collect();
    let whole = composite.statistics.iter();
    let mut rows: Vec<(String, Vec<Cell>)> =
        vec![(format!("(all parts){}", dagger_of(&composite.name)), whole.clone().map(estimate).collect())];
    for part in &composite.contributions {
        rows.push((format!("+ {}", part.part), cells(&part.statistics)));
    }
    let parts = composite.contributions.iter();
    let added = parts.flat_map(|part| part.statistics.iter().map(|f| (part.part.as_str(), f)));
    let mut notes = vec![
        over_items(composite.n_items, composite.n_left_out),
        format!(
            "(all parts): the average ({}). Below: what each part adds, the average of all minus that \
             of the others, with its {level} (made as above; chance: 0). Positive: the part helps. \
             p values are in meta.json and meta.csv.",
            scaling(found)
        ),
    ];
    let reasons = reasons(whole.clone().map(|f| &f.value).chain(added.clone().map(|(_, f)| &f.value)));
    notes.extend(interval_notes(whole.map(|figure| ("(all parts)", figure))));
    notes.extend(interval_notes(added));
    notes.extend(reasons.iter().map(|reason| format!("No figure: {reason}.")));
    Table::of(format!("What each part of {} adds ({})", composite.name, composite.parts.join(" + ")), &rows)
        .column("Part", |(part, _)| Cell::text(part))
        .columns(labels(), |(_, cells)| cells.clone())
        .noted(notes)
}

fn weight_table(found: &CombinationResult, weights: &[MetricWeight]) -> Table {
    let in_folds = |weight: &MetricWeight, of: fn(f64, f64) -> f64| {
        Cell::number(weight.in_folds.iter().flatten().copied().reduce(of))
    };
    Table::of(format!("Weights that follow people ({})", scaling(found)), weights)
        .column("Metric", |weight| Cell::text(&weight.metric))
        .column("weight", |weight| Cell::number(weight.weight))
        .column("lowest in folds", |weight| in_folds(weight, f64::min))
        .column("highest in folds", |weight| in_folds(weight, f64::max))
        .noted(vec![
            "Not negative, adding up to 1; least squares of the human score. Lowest and highest: fitted \
             without each fold in turn."
                .to_owned(),
        ])
}

fn fitted(found: &CombinationResult) -> Table {
    let weights = &found.weights;
    let rows = [
        ("fitted weights, on what they were fitted to", values(&weights.in_sample)),
        ("fitted weights, held out", values(&weights.cross_validated)),
        ("equal weights", values(&weights.equal)),
        ("equal weights, held out", values(&weights.equal_cross_validated)),
    ];
    let mut notes = vec![
        over_items(weights.n_items, weights.n_left_out),
        format!(
            "Held out: each of {} folds is scored by weights and scales from the others, and measured \
             for itself; the mean over folds. Compare the two held-out lines with each other.",
            found.options.folds
        ),
    ];
    notes.extend(why_missing(&weights.in_sample, &weights.cross_validated));
    let of_equal = reasons(weights.equal.iter().map(|figure| &figure.value));
    notes.extend(of_equal.iter().map(|reason| format!("Equal weights: {reason}.")));
    Table::of("Average of all metrics, with fitted and with equal weights", rows)
        .column("Weights", |(name, _)| Cell::text(format!("{name}{}", dagger(found))))
        .columns(labels(), |(_, values)| values.clone())
        .noted(notes)
}

fn values<F: Figure>(figures: &[F]) -> Vec<Cell> {
    figures.iter().map(|figure| Cell::number(figure.value())).collect()
}
