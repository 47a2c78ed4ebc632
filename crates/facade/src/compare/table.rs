//! The tables of a comparison.

use super::decidable::{Design, undecidable_ranks};
use super::options::Compared;
use super::shared_runs::ComparedMetric;
use super::{CompareOptions, Differences, NamedDifference, SystemSubjects};
use crate::interval_notes::{IdentifiedInterval, Over, Skew, interval_notes, skewness_notes};
use crate::pool_report;
use crate::score::Run;
use itertools::Itertools;
use neurogauge_core::{Dimension, Estimate};
use neurogauge_metrics::Metric;
use neurogauge_report::{Cell, RankEstimate, RowSubject, SystemRow, SystemTable, Table, marked};
use neurogauge_stats::{Comparison, POWER, PairedTest, Standing, Verdict, sign_test};

/// What was compared: each metric, the differences, and the subjects if they are known.
type Found<'a> = (&'a [(&'static Metric, ComparedMetric)], &'a Differences, Option<&'a [SystemSubjects]>);

pub(super) fn table(
    systems: &[String],
    (found, differences, subjects): Found<'_>,
    (runs, compared): (&[&Run], &Compared),
    (n_shared, unit): (usize, &'static str),
    options: &CompareOptions,
    mut notes: Vec<String>,
) -> SystemTable {
    let choices = &runs[0].record.request.options;
    let metrics: Vec<(&Metric, &Comparison)> =
        found.iter().map(|(metric, own)| (*metric, &own.found.comparison)).collect();
    let labels: Vec<String> =
        (metrics.iter()).map(|(metric, _)| pool_report::label(metric, &choices.identification)).collect();
    let over = Over {
        n_stimuli: (metrics.iter())
            .filter(|(_, found)| found.n_stimuli < found.n_shared)
            .map(|(_, found)| found.n_stimuli)
            .min(),
        is_of_clusters: runs.iter().any(|run| run.record.clusters.is_some()),
        is_of_items: unit == "items",
        subjects: subjects.map(|_| options.population),
        is_of_scored: metrics.iter().any(|(_, found)| found.n_dropped > 0),
    };
    // Tests and intervals of composites cover all pairs that any part has.
    let over_pairs = metrics.iter().map(|(_, found)| {
        let estimates = found.systems.iter().map(|s| s.estimate.clone());
        let n = found.n_shared;
        estimates.map(|estimate| Estimate { n, ..estimate }).collect()
    });
    let over_pairs: Vec<Vec<Estimate>> = over_pairs.collect();
    let standings = found.iter().zip(&over_pairs).zip(&labels);
    let standings = standings.flat_map(|(((metric, own), estimates), label)| {
        let identified = own.is_over_stimuli.then(|| IdentifiedInterval {
            of_pool: metric.compute.needs_pool(),
            n_clusters: over.n_clusters(),
            ..IdentifiedInterval::default()
        });
        (estimates.iter()).map(move |estimate| (label.as_str(), estimate, identified))
    });
    notes.extend(interval_notes(&options.bootstrap, over, standings));
    let skewed = metrics.iter().map(|(metric, comparison)| {
        let standings = comparison.systems.iter();
        let strongest = standings.filter_map(|standing| standing.strong_skewness);
        let strongest = strongest.max_by(|a, b| a.abs().total_cmp(&b.abs()));
        Skew::of(metric.spec.label, metric, strongest, comparison.n_stimuli)
    });
    notes.extend(skewness_notes(&skewed.collect::<Vec<_>>(), options.bootstrap.level));
    notes.extend(undecidable_ranks(&metrics, (differences, unit), options));
    let rank = |standing: &Standing| {
        let (rank, interval) = (standing.rank?, standing.rank_interval?);
        Some(RankEstimate { rank, interval })
    };
    let mut table = SystemTable {
        title: match systems.len() {
            1 => format!("Subjects on {n_shared} shared {unit}"),
            n => format!("{n} systems on {n_shared} shared {unit}"),
        },
        columns: metrics
            .iter()
            .map(|(metric, _)| pool_report::column(metric, &runs[0].record, compared.is_placeholder(metric)))
            .collect(),
        rows: systems
            .iter()
            .enumerate()
            .map(|(s, system)| SystemRow {
                system: system.clone(),
                subject: subjects.map(|of| RowSubject::Mean(of[s].subjects.len())),
                estimates: metrics.iter().map(|(_, c)| c.systems[s].estimate.clone()).collect(),
                rank: (systems.len() > 1).then(|| metrics.iter().map(|(_, own)| rank(&own.systems[s])).collect()),
                undefined: None,
            })
            .collect(),
        level: options.bootstrap.level,
        notes,
        unit,
    };
    for (s, system) in subjects.into_iter().flatten().enumerate() {
        let place = table.rows.iter().position(|row| row.system == system.system).unwrap_or(table.rows.len());
        let rows = system.subjects.iter().enumerate().map(|(place, subject)| SystemRow {
            system: system.system.clone(),
            subject: Some(RowSubject::One(subject.clone())),
            estimates: found.iter().map(|(_, own)| own.found.subjects[s][place].clone()).collect(),
            rank: None,
            undefined: None,
        });
        table.rows.splice(place..place, rows);
    }
    table.order_by_rank();
    table
}

/// Decimals of a difference: one more than for most metrics.
const DECIMALS: usize = 4;

/// At most this many differences are printed.
const MOST_ROWS: usize = 1000;

/// The differences as a readable table.
pub(super) fn differences(
    all: &Differences,
    is_placeholder: impl Fn(&NamedDifference) -> bool,
    table: &SystemTable,
    options: &CompareOptions,
) -> Table {
    let unit = table.unit;
    let found: Vec<NamedDifference> = all.iter().take(MOST_ROWS).collect();
    let heading = format!("difference [{}%]", 100.0 * table.level);
    let by = by(found.first());
    let (title, file) = match by {
        "dimension" => ("Differences by dimension".to_owned(), "dimension_differences.csv"),
        _ => (format!("Differences on the shared {unit}"), "differences.csv"),
    };
    let mut notes = vec![format!(
        "p and interval: {} of the {unit}' differences, uncorrected; p (Holm): corrected {} of this table",
        options.test_label(),
        correction(all, options)
    )];
    if found.iter().any(|found| found.d_z.is_some()) {
        notes.push(format!(
            "d_z: the difference / the standard deviation of the {unit}' differences; {file} (or --format csv) also has the share of {unit} at \
             which the first is better, and the smallest difference that so many {unit} show with a power of {}%",
            100.0 * POWER
        ));
    }
    let one_sided = found.iter().find_map(|found| found.equivalence.as_ref());
    notes.extend(one_sided.map(|found| {
        format!(
            "equivalent: two one-sided tests, each at {:.2}% ({}% {} of this table), show a difference within ±{}",
            50.0 * (1.0 - found.level),
            (100.0 * (1.0 - table.level)).round(),
            correction(all, options),
            found.bound
        )
    }));
    let is_undecidable = |found: &NamedDifference| found.verdict == Some(Verdict::NotDecidable);
    notes.extend(all.iter().find(is_undecidable).map(|found| {
        let design = Design::of(&found, all, unit, options);
        format!("‡ not decidable here: {design}")
    }));
    notes.extend(skewed_differences(all, options.test));
    let untested = all.iter().filter(|found| found.p_value.is_none() && found.interval.is_some());
    let untested = untested.map(|found| found.metric).dedup().join(", ");
    if !untested.is_empty() {
        notes.push(format!(
            "not tested: {untested}: reported along with another metric (--metrics tests it) or resting on a placeholder model (†)"
        ));
    }
    if found.iter().any(|found| found.difference.is_some() && found.interval.is_none()) {
        notes.push(format!(
            "no interval: too few {unit} to rule out any difference, or the same difference in all of them"
        ));
    }
    if found.len() < all.len() {
        notes.push(format!(
            "the first {} of {} differences; {file} and compare.json, or --format csv, have all",
            found.len(),
            all.len()
        ));
    }
    let table = Table::of(title, &found)
        .column(by, |found| Cell::text(marked(&found.by(), is_placeholder(found))))
        .column("system", |found| Cell::text(&*found.minuend))
        .column("minus", |found| Cell::text(&*found.subtrahend))
        .column(heading, |found| Cell::estimate(found.difference, found.interval).decimals(DECIMALS))
        .column("p", |found| Cell::p_value(found.p_value))
        .column("p (Holm)", |found| Cell::p_value(found.p_holm).doubtful_if(is_undecidable(found)))
        .column("d_z", |found| Cell::number(found.d_z).decimals(2))
        .column("n", |found| Cell::Count(found.n_stimuli.unwrap_or(found.n)));
    match one_sided {
        Some(of) => table.column(format!("±{}", of.bound), |found| match &found.equivalence {
            Some(found) if found.is_shown => Cell::text("equivalent"),
            Some(_) => Cell::text("not shown"),
            None => Cell::Missing,
        }),
        None => table,
    }
    .noted(notes)
}

/// Describes the correction of p values, in words.
pub(super) fn correction(all: &Differences, options: &CompareOptions) -> String {
    options.holm.words(all.n_tests(None), by(all.iter().next().as_ref()))
}

/// The heading of what differences compare: metrics or dimensions.
fn by(first: Option<&NamedDifference>) -> &'static str {
    match first.is_some_and(|found| found.dimension.is_some()) {
        true => "dimension",
        false => "metric",
    }
}

/// The differences of each subject; `None` if subjects are not distinguished.
pub(super) fn differences_of_subjects(all: &Differences, table: &SystemTable) -> Option<Table> {
    let all: Vec<NamedDifference> = all.iter().take(MOST_ROWS).collect();
    let first = all.first().filter(|found| !found.subjects.is_empty())?;
    let subjects = first.subjects.iter().enumerate();
    let mut described = Table::of("Differences of each subject", &all)
        .column("metric", |found| Cell::text(marked(found.metric, is_placeholder(table, found))))
        .column("system", |found| Cell::text(&*found.minuend))
        .column("minus", |found| Cell::text(&*found.subtrahend));
    for (place, subject) in subjects {
        described = described
            .column(&subject.subject, |found| Cell::number(found.subjects[place].difference).decimals(DECIMALS));
    }
    let n = first.subjects.len();
    Some(
        described
            .column("same direction", |found| {
                found.same_direction.as_ref().map_or(Cell::Missing, |of| Cell::text(format!("{} of {}", of.n, of.of)))
            })
            .column("p", |found| Cell::p_value(found.same_direction.as_ref().map(|of| of.p_value)))
            .noted(vec![format!(
                "p: exact two-sided sign test of the subjects' directions, uncorrected; {n} subjects cannot give less than {:.4}. Each \
                 subject's interval and p, for this subject and new stimuli, are in subject_differences.csv",
                sign_test(n, n)
            )]),
    )
}

/// The differences of each subject in full precision, with a row for each difference and subject.
pub(super) fn all_differences_of_subjects(all: &Differences) -> Table {
    let all: Vec<NamedDifference> = all.iter().collect();
    let rows = all.iter().flat_map(|found| found.subjects.iter().map(move |of| (found, of)));
    Table::of("Differences of each subject", rows)
        .column("metric", |row| Cell::text(row.0.metric))
        .column("minuend", |row| Cell::text(&*row.0.minuend))
        .column("subtrahend", |row| Cell::text(&*row.0.subtrahend))
        .column("subject", |row| Cell::text(&row.1.subject))
        .column("difference", |row| Cell::number(row.1.difference))
        .ends(["low", "high"], |row| row.1.interval)
        .column("p_value", |row| Cell::number(row.1.p_value))
        .noted(Vec::new())
}

/// Does the difference's metric use a placeholder model?
pub(super) fn is_placeholder(table: &SystemTable, found: &NamedDifference) -> bool {
    let mut columns = table.columns.iter();
    columns.any(|column| column.id == found.metric && column.stand_in)
}

/// A note that strongly skewed differences violate the assumption of the sign-flip test.
fn skewed_differences(all: &Differences, test: PairedTest) -> Option<String> {
    let is_skewed = |found: &NamedDifference| found.strong_skewness.is_some() && found.p_value.is_some();
    let mut skewed = all.iter().filter(is_skewed);
    let first = skewed.next().filter(|_| test == PairedTest::SignFlip)?;
    let named = format!("{}: {} − {}", first.by(), first.minuend, first.subtrahend);
    let more = match skewed.count() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    Some(format!(
        "strongly skewed differences ({named}{more}): the sign-flip test supposes symmetry, and errs more often than its level; --test \
         studentized does not suppose it"
    ))
}

/// Are there equivalence tests, which take three more columns?
pub(super) fn has_bound(found: &Differences) -> bool {
    found.iter().any(|found| found.equivalence.is_some())
}

/// The differences in full precision, with the ends of intervals in separate columns.
pub(super) fn all_differences(
    found: &[NamedDifference],
    has_bound: bool,
    is_placeholder: impl Fn(&NamedDifference) -> bool,
) -> Table {
    let table = Table::of("Differences", found)
        .column(by(found.first()), |found| {
            Cell::text(found.dimension.map_or(found.metric.to_owned(), Dimension::id))
        })
        .column("minuend", |found| Cell::text(&*found.minuend))
        .column("subtrahend", |found| Cell::text(&*found.subtrahend))
        .column("difference", |found| Cell::number(found.difference))
        .ends(["low", "high"], |found| found.interval)
        .column("p_value", |found| Cell::number(found.p_value))
        .column("p_holm", |found| Cell::number(found.p_holm))
        .column("verdict", |found| found.verdict.map_or(Cell::Missing, |verdict| Cell::text(verdict.id())))
        .column("stand_in", |found| Cell::text(is_placeholder(found).to_string()))
        .column("n", |found| Cell::Count(found.n_stimuli.unwrap_or(found.n)))
        .column("test", |found| Cell::text(found.test))
        .column("d_z", |found| Cell::number(found.d_z))
        .column("share_better", |found| Cell::number(found.share_better))
        .column("detectable", |found| Cell::number(found.detectable));
    match has_bound {
        true => table
            .ends(["one_sided_low", "one_sided_high"], |found| found.equivalence.as_ref()?.interval)
            .column("equivalent", |found| {
                found.equivalence.as_ref().map_or(Cell::Missing, |of| Cell::text(of.is_shown.to_string()))
            }),
        false => table,
    }
    .noted(Vec::new())
}
