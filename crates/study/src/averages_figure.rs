//! Shows how well averages of two metrics agree with people (SEED, Fig. 8).

use crate::agreement_tables::on_daggers;
use crate::found::{Found, Made, needs};
use crate::rated::Rated;
use crate::shown_metrics::{existing, is_composite};
use neurogauge::Error;
use neurogauge::report::figures::{ColourScale, Heatmap};
use neurogauge::report::{Cell, Table};
use neurogauge::stats::meta::Statistic;

const STATISTIC: Statistic = Statistic::KendallTauB;

/// The heatmap of a rated system, without metrics that are averages themselves.
pub(crate) fn figure(_: &Found<'_>, rated: &Rated<'_>) -> Result<Made, Error> {
    let Some(found) = &rated.meta.record.combinations else {
        return needs("two or more metrics");
    };
    let result = &rated.meta.record.result;
    let averages = &found.averages;
    let shown: Vec<usize> =
        (0..averages.labels.len()).filter(|&place| !is_composite(&averages.labels[place])).collect();
    if shown.len() < 2 {
        return needs("two or more metrics that are no averages themselves");
    }
    let matrix = averages.matrix(STATISTIC);
    let of_row = |&row: &usize| shown.iter().map(|&column| matrix[row][column]).collect();
    let values: Vec<Vec<Option<f64>>> = shown.iter().map(of_row).collect();
    let is_existing = |place: &usize| existing().contains(&averages.labels[shown[*place]].as_str());
    let of_field: Vec<usize> = (0..shown.len()).filter(is_existing).collect();
    let outlined = of_field.iter().flat_map(|&row| of_field.iter().map(move |&column| (row, column)));
    let names: Vec<String> = shown.iter().map(|&place| rated.labelled(&averages.labels[place])).collect();
    let mut notes = vec![
        "Each cell is the average of two metrics as they are, distances negated, over the pairs that have both; on the \
         diagonal the metric alone."
            .to_owned(),
        format!("{} raters, {} rated pairs.", result.n_raters, result.n_items),
    ];
    notes.extend(on_daggers(&names));
    let title = format!("{} of the average of two metrics: {}", STATISTIC.label(), rated.system.name);
    let (table, heatmap) = square(title, "Metric", &names, &values, notes);
    let heatmap = Heatmap {
        outlined: outlined.collect(),
        outline_label: "metrics in use before".to_owned(),
        scale: ColourScale::Sequential,
        value_label: STATISTIC.label().to_owned(),
        ..heatmap
    };
    Ok(Made::Figure(table, heatmap.draw()))
}

/// A number for every two things of one kind, as a table and as a heatmap.
pub(crate) fn square(
    title: String,
    kind: &str,
    names: &[String],
    values: &[Vec<Option<f64>>],
    notes: Vec<String>,
) -> (Table, Heatmap) {
    let heatmap = Heatmap {
        title: title.clone(),
        rows: names.to_vec(),
        columns: names.to_vec(),
        values: values.to_vec(),
        decimals: Cell::DECIMALS,
        caption: notes.join(" "),
        ..Heatmap::default()
    };
    let table = Table::of(title, names.iter().zip(values))
        .column(kind, |(name, _)| Cell::text(*name))
        .columns(names, |(_, values)| values.iter().map(Cell::number))
        .noted(notes);
    (table, heatmap)
}
