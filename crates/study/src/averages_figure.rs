//! The agreement of the averages of every two metrics with people (SEED, Fig. 8).

use crate::agreement_tables::on_daggers;
use crate::paper_item::PaperItems;
use crate::rated::Rated;
use crate::shown_metrics::{existing, is_composite};
use neurogauge::report::figures::{ColourScale, Heatmap};
use neurogauge::report::{Cell, TextTable};
use neurogauge::stats::meta::Statistic;

const PAPER: &str = "Figure 8";
const STATISTIC: Statistic = Statistic::KendallTauB;

/// The heatmap of a rated system, without metrics that are averages themselves.
pub(crate) fn figure(rated: &Rated<'_>, paper_items: &mut PaperItems) {
    let about = &rated.system.name;
    let Some(found) = &rated.meta.record.combinations else {
        paper_items.absent(PAPER, about, "two or more metrics");
        return;
    };
    let result = &rated.meta.record.result;
    let averages = &found.averages;
    let shown: Vec<usize> =
        (0..averages.labels.len()).filter(|&place| !is_composite(&averages.labels[place])).collect();
    if shown.len() < 2 {
        let needs = "two or more metrics that are no averages themselves";
        paper_items.absent(PAPER, about, needs);
        return;
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
    let title = format!("{} of the average of two metrics: {about}", STATISTIC.label());
    let heatmap = Heatmap {
        title: title.clone(),
        rows: names.clone(),
        columns: names.clone(),
        values: values.clone(),
        decimals: Cell::DECIMALS,
        outlined: outlined.collect(),
        outline_label: "metrics in use before".to_owned(),
        scale: ColourScale::Sequential,
        value_label: STATISTIC.label().to_owned(),
        caption: notes.join(" "),
    };
    let table = TextTable::of(title, names.iter().zip(&values))
        .column("Metric", |(name, _)| Cell::text(*name))
        .columns(names.clone(), |(_, values)| values.iter().map(Cell::number))
        .noted(notes);
    paper_items.add_with_figure(rated.system.item(PAPER, "figure8_averages"), table, heatmap.draw());
}
