//! Methods by data sets (BASIC, Tables 2, 3 and S2): a row for each method, and for each data set its metrics as
//! columns.

use crate::config::{StudyConfig, StudySystem};
use crate::paper_item::PaperItems;
use crate::scoring::System;
use crate::shown_metrics::shown_of;
use neurogauge::MetricSummary;
use neurogauge::report::{Cell, TextTable};

const PAPER: &str = "BASIC Tables 2, 3 and S2: methods by data sets";

/// One number of the table: of a data set, a metric.
struct Column<'a> {
    dataset: &'a str,
    metric: String,
}

/// The table of a study whose systems name two data sets or more.
pub(crate) fn table(config: &StudyConfig, systems: &[System], paper_items: &mut PaperItems) {
    let named: Vec<(&StudySystem, &System)> = config.systems.iter().zip(systems).collect();
    let datasets = distinct(named.iter().filter_map(|(own, _)| own.dataset.as_deref()));
    if datasets.len() < 2 {
        return;
    }
    let methods = distinct(named.iter().map(|(own, _)| own.method()));
    let columns: Vec<Column<'_>> = (datasets.iter())
        .flat_map(|&dataset| {
            let of_dataset = named.iter().filter(|(own, _)| is_of(own, dataset));
            let systems: Vec<&System> = of_dataset.map(|(_, system)| *system).collect();
            shown_of(config, &systems).into_iter().map(move |metric| Column { dataset, metric })
        })
        .collect();
    let found = |method: &str, column: &Column<'_>| -> Option<&MetricSummary> {
        let mut of_method = named.iter().filter(|(own, _)| own.method() == method && is_of(own, column.dataset));
        let (_, system) = of_method.next()?;
        system.summaries.iter().find(|summary| summary.metric.spec.id == column.metric)
    };
    let of_column = |column: &Column<'_>| -> Vec<&MetricSummary> {
        methods.iter().filter_map(|method| found(method, column)).collect()
    };
    let headings = columns.iter().map(|column| {
        let summaries = of_column(column);
        let label = summaries.first().map_or("", |summary| &summary.label);
        let direction = summaries.first().map(|of| of.metric.spec.direction.arrow());
        let dagger = match summaries.iter().any(|summary| summary.stand_in) {
            true => "†",
            false => "",
        };
        let dataset = column.dataset;
        format!("{dataset}: {label} {}{dagger}", direction.unwrap_or_default())
    });
    let headings: Vec<String> = headings.collect();
    let mut notes = vec![
        "Means over all pairs of each system's own run, with intervals for new stimuli; numbers of different data sets do not compare. \
         Which method is best is not tested."
            .to_owned(),
    ];
    if headings.iter().any(|heading| heading.ends_with('†')) {
        notes.push("† rests on a placeholder model: its numbers mean nothing.".to_owned());
    }
    let table = TextTable::of(format!("Methods by data sets: {}", datasets.join(", ")), methods.iter().copied())
        .column("Method", |method| Cell::text(*method))
        .columns(headings, |method| {
            let cells = columns.iter().map(|column| match found(method, column) {
                Some(of) => Cell::estimate(&of.estimate.value, of.estimate.interval).decimals(of.metric.spec.decimals),
                None => Cell::Missing,
            });
            cells.collect::<Vec<Cell>>()
        })
        .noted(notes);
    let name = "table_methods_by_datasets".to_owned();
    paper_items.add(PAPER, name, &methods.join(", "), table);
}

fn is_of(system: &StudySystem, dataset: &str) -> bool {
    system.dataset.as_deref() == Some(dataset)
}

/// Each once, in the order of their first places.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut found = Vec::new();
    for name in names {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}
