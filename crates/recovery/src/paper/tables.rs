//! The paper's results as readable tables.

use super::pair_categories::MAIN_LIMIT;
use super::{PaperRecord, Quartiles, architectures, objectives};
use crate::aligned::{Aligned, cell};
use crate::published::{SOURCE, STUDY};
use itertools::Itertools;
use neurogauge::core::Outcome;
use neurogauge::report::{Cell, Table};

/// The numbers of directions for which cumulative weights are shown.
const SHOWN: [usize; 6] = [1, 2, 3, 5, 10, 20];

/// All tables that have content.
pub(super) fn all(record: &PaperRecord, aligned: &Aligned) -> Vec<Table> {
    let mut tables = published(record, aligned);
    tables.push(weights(record));
    tables.extend(penalties(record));
    tables.extend(matched_case(record));
    tables.push(categories(record));
    tables.extend(seeds(record));
    tables.extend(high_accuracy(record));
    tables.extend(next_fold(record));
    tables.extend(depth(record));
    tables.extend(objectives::table(&record.objectives, aligned));
    tables.extend(architectures::table(&record.architectures));
    tables.extend(shape_distances(record));
    tables.extend(absent(record));
    tables
}

/// Comparisons of the alignment's values with the paper's: with its text and Table 3, with Table 4, and with Table 5.
pub(super) fn published(record: &PaperRecord, aligned: &Aligned) -> Vec<Table> {
    let n_subjects = aligned.units.iter().map(|unit| &unit.unit.subject).unique().count();
    let n_units = aligned.units.len();
    let note = format!("Published: {SOURCE}, of {STUDY}. Here: {n_subjects} subjects, {n_units} target units");
    let of_text = record.published.iter().filter(|own| own.of.is_empty());
    let own = |value: f64, ends: Option<(f64, f64)>, decimals: usize| match ends {
        Some(ends) => Cell::estimate(Some(value), Some(ends)).decimals(decimals),
        None => Cell::Number(value, decimals),
    };
    let of_models = "Values of models and pairs are those of the main text's four architectures";
    let of_text = Table::of("Beside what the paper prints", of_text)
        .column("place", |found| Cell::text(found.place.as_str()))
        .column("quantity", |found| Cell::text(found.quantity.as_str()))
        .column("here", move |found| own(found.here, found.interval, found.decimals))
        .column("published", move |found| own(found.published, found.published_interval, found.decimals))
        .noted(vec![note.clone(), of_models.to_owned()]);
    let of_rows = [("Table 4", "architecture"), ("Table 5", "model")].map(|place| by_row(record, place, &note));
    of_text.filled().into_iter().chain(of_rows.into_iter().flatten()).collect()
}

/// A table with the paper's rows and columns: here, and as published.
fn by_row(record: &PaperRecord, (place, what): (&str, &str), note: &str) -> Option<Table> {
    let own = || record.published.iter().filter(|own| own.place == place && !own.of.is_empty());
    let rows = own().map(|found| found.of.as_str()).dedup();
    let columns = own().map(|found| found.quantity.as_str()).unique();
    let title = format!("Beside the paper's {place}: here / published");
    let table = Table::of(title, rows).column(what, |row| Cell::text(*row));
    let table = columns.fold(table, |table, column| {
        table.column(column, |row| {
            let found = own().find(|own| own.of == *row && own.quantity == column);
            found.map_or(Cell::Missing, |found| {
                let (here, printed, n) = (found.here, found.published, found.decimals);
                Cell::text(format!("{here:.n$} / {printed:.n$}"))
            })
        })
    });
    table.noted(vec![note.to_owned()]).filled()
}

fn absent(record: &PaperRecord) -> Option<Table> {
    Table::of("Tables and figures of the paper that are not here", &record.absent)
        .column("of the paper", |found| Cell::text(found.item))
        .column("shows", |found| Cell::text(found.shows))
        .column("needs", |found| Cell::text(found.needs))
        .noted(Vec::new())
        .filled()
}

fn percent(share: Option<f64>) -> Cell {
    share.map_or(Cell::Missing, |share| Cell::text(format!("{:.1}%", 100.0 * share)))
}

fn words(outcome: &Outcome) -> String {
    match outcome {
        Ok(value) => format!("{value:.3}"),
        Err(reason) => format!("undefined ({reason})"),
    }
}

fn weights(record: &PaperRecord) -> Table {
    let found = &record.references;
    let regions = Some(found.by_region.as_slice()).filter(|regions| regions.len() > 1).unwrap_or_default();
    let shown = SHOWN.into_iter().filter_map(|k| Some((k, *found.cumulative.get(k - 1)?)));
    let median = |what: &str, value: Option<f64>| {
        value.map_or(String::new(), |value| format!("; median {what} of target units {value:.2}"))
    };
    let note = format!(
        "Mean over {} references, one for each target unit and fold{}{}",
        found.n,
        median("effective rank", found.median_effective_rank),
        median("consensus rank", found.median_consensus_rank)
    );
    Table::of("Share of the reference weight in the first k directions", shown)
        .column("k", |(k, _)| Cell::Count(*k))
        .column("share", |(_, share)| percent(Some(*share)))
        .columns(regions.iter().map(|(region, _)| region.clone()), |(k, _)| {
            regions.iter().map(|(_, shares)| shares.get(k - 1).copied()).map(percent).collect::<Vec<Cell>>()
        })
        .noted(vec![note])
}

fn penalties(record: &PaperRecord) -> Option<Table> {
    let found = record.penalties.as_ref()?;
    let rows = [("subspace", &found.subspace), ("readout", &found.readout)];
    let quartile = |place: usize| move |(_, of): &(&str, &Quartiles)| Cell::text(format!("{:e}", of.quartiles[place]));
    Table::of("Selected regularisations", rows)
        .column("of the", |(name, _)| Cell::text(*name))
        .column("median", quartile(1))
        .column("lower quartile", quartile(0))
        .column("upper quartile", quartile(2))
        .noted(vec![format!(
            "{} fits of sources; equal in {:.1}% of them. Of the logarithms: Pearson's r {}, Spearman's rho {}",
            found.n,
            100.0 * found.equal,
            words(&found.pearson),
            words(&found.spearman)
        )])
        .filled()
}

fn matched_case(record: &PaperRecord) -> Option<Table> {
    let found = record.matched_case.as_ref()?;
    Table::of(format!("The best matched pair: {}", found.unit), [0, 1])
        .column("source", |place| Cell::text(found.sources[*place].as_str()))
        .column("accuracy", |place| Cell::Number(found.accuracy[*place], 4))
        .column("ProfileMean", |place| Cell::number(found.profile_mean[*place]))
        .noted(vec![
            "The pretrained and the untrained model of one architecture whose accuracies for a target unit are \
             nearest; chosen by accuracy alone"
                .to_owned(),
        ])
        .filled()
}

fn categories(record: &PaperRecord) -> Table {
    let shown = record.pair_categories.iter().filter(|found| found.limit == MAIN_LIMIT);
    Table::of(format!("Pairs of sources whose accuracies differ by at most {MAIN_LIMIT}"), shown)
        .column("pairs", |found| Cell::text(found.pairs.as_str()))
        .column("n", |found| Cell::Count(found.difference.n))
        .column("Δ accuracy", |found| Cell::number(found.accuracy_difference).decimals(4))
        .column("Δ ProfileMean", |found| cell(&found.difference))
        .column("beyond threshold", |found| percent(found.beyond))
        .column("in favour", |found| percent(found.beyond_in_favour))
        .noted(vec![
            "Differences are absolute, but pretrained less untrained in the last two rows. Threshold: 90th percentile of \
             the differences between two subjects. In favour: beyond it, and the pretrained model recovers more. One \
             untrained model of each architecture, that of seed 42 where there is one"
                .to_owned(),
        ])
}

fn seeds(record: &PaperRecord) -> Option<Table> {
    Table::of("Untrained models over their seeds, ProfileMean", &record.seeds)
        .column("architecture", |found| Cell::text(found.architecture.as_str()))
        .column("pretrained", |found| Cell::number(found.pretrained))
        .column("seeds", |found| Cell::Count(found.n_seeds))
        .column("mean", |found| Cell::number(found.mean))
        .column("SD", |found| Cell::number(found.sd))
        .column("lowest", |found| Cell::number(found.range.0))
        .column("highest", |found| Cell::number(found.range.1))
        .column("gap", |found| Cell::number(found.gap))
        .column("SD / gap", |found| Cell::number(found.sd_over_gap))
        .noted(vec![
            "Gap: pretrained less the mean of the seeds. SD over seeds, divisor n - 1; overall: over the seeds' means of \
             all rows"
                .to_owned(),
        ])
        .filled()
}

fn quartile_table(title: &str, rows: &[(String, Quartiles)], note: String) -> Table {
    Table::of(title, rows)
        .column("sources", |(name, _)| Cell::text(name.as_str()))
        .column("n", |(_, of)| Cell::Count(of.n))
        .column("mean", |(_, of)| Cell::number(of.mean))
        .column("median", |(_, of)| Cell::number(of.quartiles[1]))
        .column("lower quartile", |(_, of)| Cell::number(of.quartiles[0]))
        .column("upper quartile", |(_, of)| Cell::number(of.quartiles[2]))
        .column("lowest", |(_, of)| Cell::number(of.range.0))
        .column("highest", |(_, of)| Cell::number(of.range.1))
        .noted(vec![note])
}

fn high_accuracy(record: &PaperRecord) -> Option<Table> {
    let found = record.high_accuracy.as_ref()?;
    let note = format!(
        "Entries of models with an accuracy of {:.3} or more, the highest quarter of {}",
        found.threshold, found.n_entries
    );
    Some(quartile_table("BrainRefScore where accuracy is highest", &found.brain_ref_score, note))
}

fn shape_distances(record: &PaperRecord) -> Option<Table> {
    let found = &record.shape_distances;
    let note = "Entries of models; 0 for the shape of the median curve of other subjects";
    quartile_table("Distances of shape", found, note.to_owned()).filled()
}

fn next_fold(record: &PaperRecord) -> Option<Table> {
    let found = record.next_fold.as_ref()?;
    let note = format!(
        "Against the reference of the next fold, over that of their own. Models: n = {}, Pearson's r of the two {}{}",
        found.n,
        words(&found.pearson),
        found.mean_ratio.map_or(String::new(), |ratio| format!(", mean ratio {ratio:.3}"))
    );
    Some(quartile_table("ProfileMean of the next fold over the same fold's", &found.ratios, note))
}

fn depth(record: &PaperRecord) -> Option<Table> {
    let rows = record.depth.iter().flat_map(|found| found.layers.iter().map(move |layer| (&found.model, layer)));
    Table::of("Each layer as a source", rows)
        .column_of_groups("model", |(model, _)| (*model).clone())
        .column("layer", |(_, found)| Cell::text(found.layer.as_str()))
        .column("depth", |(_, found)| Cell::Number(found.depth, 2))
        .column("accuracy", |(_, found)| cell(&found.accuracy))
        .column("ProfileMean", |(_, found)| cell(&found.profile_mean))
        .column("BrainRefScore", |(_, found)| cell(&found.brain_ref_score))
        .noted(vec!["Depth: place among the named layers, 0 for the first and 1 for the last".to_owned()])
        .filled()
}
