//! Methods by data sets (BASIC, Tables 2, 3 and S2): a row for each method, and for each data set its metrics as
//! columns.

use crate::agreement_tables::on_daggers;
use crate::config::{StudyConfig, StudySystem};
use crate::paper_item::PaperItems;
use crate::scoring::System;
use crate::shown_metrics::shown_of;
use itertools::Itertools;
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
    let datasets = named.iter().filter_map(|(own, _)| own.dataset.as_deref()).unique().collect_vec();
    if datasets.len() < 2 {
        return;
    }
    let methods = named.iter().map(|(own, _)| own.method()).unique().collect_vec();
    let columns: Vec<Column<'_>> = (datasets.iter())
        .flat_map(|&dataset| {
            let of_dataset = named.iter().filter(|(own, _)| is_of(own, dataset));
            let scores = of_dataset.map(|(_, system)| &system.run.scores).collect_vec();
            shown_of(config, &scores).into_iter().map(move |metric| Column { dataset, metric })
        })
        .collect();
    let found = |method: &str, column: &Column<'_>| -> Option<&MetricSummary> {
        let mut of_method = named.iter().filter(|(own, _)| own.method() == method && is_of(own, column.dataset));
        let (_, system) = of_method.next()?;
        system.summaries.iter().find(|summary| summary.metric.spec.id == column.metric)
    };
    let headings = columns.iter().map(|column| {
        let summaries = methods.iter().filter_map(|method| found(method, column)).collect_vec();
        let (label, arrow) = summaries.first().map_or(("", ""), |of| (&*of.label, of.metric.spec.direction.arrow()));
        let dagger = if summaries.iter().any(|summary| summary.stand_in) {
            "†"
        } else {
            ""
        };
        format!("{}: {label} {arrow}{dagger}", column.dataset)
    });
    let headings = headings.collect_vec();
    let mut notes = vec![
        "Means over all pairs of each system's own run, with intervals for new stimuli; numbers of different data sets do not compare. \
         Which method is best is not tested."
            .to_owned(),
    ];
    notes.extend(on_daggers(&headings));
    let table = TextTable::of(format!("Methods by data sets: {}", datasets.join(", ")), methods.iter().copied())
        .column("Method", |method| Cell::text(*method))
        .columns(headings, |method| {
            let cell = |of: &MetricSummary| {
                Cell::estimate(&of.estimate.value, of.estimate.interval).decimals(of.metric.spec.decimals)
            };
            columns.iter().map(|column| found(method, column).map_or(Cell::Missing, cell)).collect_vec()
        })
        .noted(notes);
    paper_items.add((PAPER, "table_methods_by_datasets".to_owned(), &methods.join(", ")), table);
}

fn is_of(system: &StudySystem, dataset: &str) -> bool {
    system.dataset.as_deref() == Some(dataset)
}
