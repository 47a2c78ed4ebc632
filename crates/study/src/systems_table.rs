//! Tables of systems by metrics (SEED, Table 6; BASIC, Tables 2, 3 and S2, and Figure 2), by dimension (BASIC, Table
//! 1), by data set, and beside the papers' values.

use crate::agreement_tables::on_daggers;
use crate::config::{StudyConfig, StudySystem};
use crate::found::Found;
use crate::paper_item::PaperItems;
use crate::published::{PAPERS, SystemValues};
use crate::scoring::System;
use crate::shown_metrics::{asked, shown_of};
use itertools::Itertools;
use neurogauge::metrics::{BASIC_H, papers_of};
use neurogauge::report::figures::SystemFigures;
use neurogauge::report::{Cell, Format, SystemRow, SystemTable, Table, marked};
use neurogauge::stats::SubjectPopulation;
use neurogauge::{CompareOptions, Error, MetricSummary, Run, compare_runs, have_dimensions};

/// Systems that share their stimuli.
pub(crate) struct SystemGroup<'a> {
    pub(crate) systems: Vec<&'a System>,
    /// Their indices among all systems.
    pub(crate) places: Vec<usize>,
    pub(crate) names: Vec<String>,
    /// Suffix of its files' names: empty for the first group, otherwise its first system.
    pub(crate) suffix: String,
}

impl<'a> SystemGroup<'a> {
    fn of(place: usize, systems: Vec<(usize, &'a System)>) -> Self {
        let (places, systems): (Vec<usize>, Vec<&System>) = systems.into_iter().unzip();
        SystemGroup {
            names: systems.iter().map(|system| system.name.clone()).collect(),
            suffix: if place == 0 {
                String::new()
            } else {
                format!("_{}", systems[0].file_name)
            },
            places,
            systems,
        }
    }

    /// What the group's exhibits are about.
    pub(crate) fn about(&self) -> String {
        self.names.join(", ")
    }

    pub(crate) fn runs(&self) -> Vec<&'a Run> {
        self.systems.iter().map(|system| &system.run).collect()
    }
}

/// Groups systems by their stimuli: those that share the study's, those with their own, and those of each data set.
pub(crate) fn by_stimuli(systems: &[System]) -> Vec<SystemGroup<'_>> {
    let mut groups: Vec<Vec<(usize, &System)>> = Vec::new();
    for (place, system) in systems.iter().enumerate() {
        let shares = |group: &&mut Vec<(usize, &System)>| {
            let first = group[0].1;
            first.stimuli == system.stimuli && first.dataset == system.dataset
        };
        match groups.iter_mut().find(shares) {
            Some(group) => group.push((place, system)),
            None => groups.push(vec![(place, system)]),
        }
    }
    groups.into_iter().enumerate().map(|(place, systems)| SystemGroup::of(place, systems)).collect()
}

/// A table for each group of systems.
pub(crate) fn by_metrics(found: &Found<'_>, paper_items: &mut PaperItems) -> Result<(), Error> {
    let config = found.config;
    for group in by_stimuli(found.systems) {
        let mut table = table_of(&group, &group.runs(), config)?;
        meaning_figure(&table, &group.about(), &group.suffix, paper_items);
        keep(&mut table, &asked(config));
        table.order_by_rank();
        table.title = format!("Systems by metrics: {}", table.title);
        let (paper, file) = place_in_papers(config, &table);
        paper_items.add((paper, format!("{file}{}", group.suffix), &group.about()), table.table()?);
    }
    Ok(())
}

/// BASIC-H by dimension, for each group of systems that have it: F1 with intervals, and differences.
pub(crate) fn by_dimension(found: &Found<'_>, paper_items: &mut PaperItems) -> Result<(), Error> {
    for (place, group) in by_stimuli(found.systems).into_iter().enumerate() {
        let mut known = Vec::new();
        for of_group in group.places.into_iter().zip(group.systems) {
            if have_dimensions([&of_group.1.run])? {
                known.push(of_group);
            }
        }
        if known.is_empty() {
            continue;
        }
        let known = SystemGroup::of(place, known);
        let tables: Vec<Table> = match known.runs().as_slice() {
            [alone] => alone.dimension_table()?.into_iter().collect(),
            several => {
                let options = CompareOptions {
                    metrics: vec![BASIC_H.to_owned()],
                    by_dimension: true,
                    ..options(found.config)
                };
                compare_runs(known.names.clone(), several, &options)?.dimension_tables(Format::Markdown)
            }
        };
        for (file, table) in ["table_basic_dimensions", "table_basic_dimension_differences"].into_iter().zip(tables) {
            paper_items.add(("BASIC Table 1", format!("{file}{}", known.suffix), &known.about()), table);
        }
    }
    Ok(())
}

/// A row for each method and, for each data set, a column for each metric, if the systems name at least two data sets.
pub(crate) fn by_dataset(found: &Found<'_>, paper_items: &mut PaperItems) -> Result<(), Error> {
    const PAPER: &str = "BASIC Tables 2, 3 and S2: methods by data sets";
    let named = found.config.systems.iter().zip(found.systems).collect_vec();
    let datasets = named.iter().filter_map(|(own, _)| own.dataset.as_deref()).unique().collect_vec();
    if datasets.len() < 2 {
        return Ok(());
    }
    let methods = named.iter().map(|(own, _)| own.method()).unique().collect_vec();
    let is_of = |own: &StudySystem, dataset: &str| own.dataset.as_deref() == Some(dataset);
    let columns = datasets.iter().flat_map(|&dataset| {
        let of_dataset = named.iter().filter(|(own, _)| is_of(own, dataset));
        let scores = of_dataset.map(|(_, system)| &system.run.scores).collect_vec();
        shown_of(found.config, &scores).into_iter().map(move |metric| (dataset, metric))
    });
    let columns: Vec<(&str, String)> = columns.collect();
    let summary = |method: &str, (dataset, metric): &(&str, String)| -> Option<&MetricSummary> {
        let (_, system) = named.iter().find(|(own, _)| own.method() == method && is_of(own, dataset))?;
        system.summaries.iter().find(|summary| summary.metric.spec.id == metric)
    };
    let headings = columns.iter().map(|column| {
        let summaries = methods.iter().filter_map(|method| summary(method, column)).collect_vec();
        let (label, arrow) = summaries.first().map_or(("", ""), |of| (&*of.label, of.metric.spec.direction.arrow()));
        let is_stand_in = summaries.iter().any(|summary| summary.stand_in);
        marked(&format!("{}: {label} {arrow}", column.0), is_stand_in)
    });
    let headings = headings.collect_vec();
    let mut notes = vec![
        "Means over all pairs of each system's own run, with intervals for new stimuli; numbers of different data sets do not compare. \
         Which method is best is not tested."
            .to_owned(),
    ];
    notes.extend(on_daggers(&headings));
    let table = Table::of(format!("Methods by data sets: {}", datasets.join(", ")), methods.iter().copied())
        .column("Method", |method| Cell::text(*method))
        .columns(headings, |method| {
            let cell = |of: &MetricSummary| {
                Cell::estimate(&of.estimate.value, of.estimate.interval).decimals(of.metric.spec.decimals)
            };
            columns.iter().map(|column| summary(method, column).map_or(Cell::Missing, cell)).collect_vec()
        })
        .noted(notes);
    paper_items.add((PAPER, "table_methods_by_datasets".to_owned(), &methods.join(", ")), table);
    Ok(())
}

/// The table of a group's runs over their shared pairs.
pub(crate) fn table_of(group: &SystemGroup<'_>, runs: &[&Run], config: &StudyConfig) -> Result<SystemTable, Error> {
    match (runs, group.names.as_slice()) {
        ([alone], [name]) => {
            let mut table = alone.table()?.clone();
            for row in &mut table.rows {
                row.system.clone_from(name);
            }
            Ok(table)
        }
        _ => Ok(compare_runs(group.names.clone(), runs, &options(config))?.table),
    }
}

/// How the systems of a study are compared.
fn options(config: &StudyConfig) -> CompareOptions {
    CompareOptions {
        bootstrap: config.score.bootstrap,
        mixed: true,
        subjects: config.subjects.clone(),
        population: match config.new_subjects {
            true => SubjectPopulation::New,
            false => SubjectPopulation::These,
        },
        ..CompareOptions::default()
    }
}

/// A point for each system of a table, BASIC-H against BASIC-L; listed as absent if the table lacks one of the scores,
/// or if no system has both.
pub(crate) fn meaning_figure(table: &SystemTable, about: &str, suffix: &str, paper_items: &mut PaperItems) {
    const PAPER: &str = "BASIC Figure 2";
    let places = ["basic_l", "basic_h"].map(|id| table.columns.iter().position(|column| column.id == id));
    if places == [None, None] {
        return;
    }
    let figures = SystemFigures {
        table,
        differences: Vec::new(),
        pairs: Vec::new(),
    };
    let ([Some(l), Some(h)], Some(scatter)) = (places, figures.meaning_against_structure()) else {
        let needs = "basic_l and basic_h of the same systems: masks, and captions or scene graphs";
        return paper_items.absent(PAPER, about, needs);
    };
    if scatter.panels.iter().all(|panel| panel.points.is_empty()) {
        return paper_items.absent(PAPER, about, "a system with a mean of basic_l and of basic_h");
    }
    let headings = [l, h].map(|place| {
        let column = &table.columns[place];
        marked(&column.label, column.stand_in)
    });
    let shown = Table::of(scatter.title.clone(), &table.rows)
        .column("System", |row| Cell::text(row.name()))
        .columns(headings, |row: &&SystemRow| {
            [l, h].map(|place| {
                let (estimate, decimals) = (&row.estimates[place], table.columns[place].decimals);
                Cell::estimate(&estimate.value, estimate.interval).decimals(decimals)
            })
        })
        .noted(vec![scatter.caption.clone()]);
    let name = format!("figure_basic_h_against_basic_l{suffix}");
    paper_items.add_with_figure((PAPER, name, about), shown, scatter.draw());
}

/// The papers' table that shows such metrics, and the name of its files.
fn place_in_papers(config: &StudyConfig, table: &SystemTable) -> (&'static str, &'static str) {
    let has = |author: &str| {
        let mut papers = table.columns.iter().map(|column| column.id.as_str()).flat_map(papers_of);
        papers.any(|paper| paper.starts_with(author))
    };
    let is_of_basic = has("Xia and Oztireli") || config.basic.is_some();
    match (has("Park et al."), is_of_basic) {
        (true, true) => ("Table 6, BASIC Tables 2, 3 and S2", "table6_systems"),
        (false, true) => ("BASIC Tables 2, 3 and S2", "table_basic_systems"),
        (_, false) => ("Table 6", "table6_systems"),
    }
}

/// The means of systems that also have published values.
pub(crate) fn beside_published(found: &Found<'_>, paper_items: &mut PaperItems) -> Result<(), Error> {
    let runs = found.systems.iter().map(|system| &system.run);
    let named: Vec<(&StudySystem, &Run)> = found.config.systems.iter().zip(runs).collect();
    PAPERS
        .iter()
        .try_for_each(|paper| beside(paper, ("Means beside published ones", ""), &named, paper_items))
}

/// Adds the table of systems and metrics that a paper prints, if there are any.
pub(crate) fn beside(
    paper: &SystemValues,
    (title, suffix): (&str, &str),
    runs: &[(&StudySystem, &Run)],
    paper_items: &mut PaperItems,
) -> Result<(), Error> {
    let mut lines = Vec::new();
    for (system, run) in runs {
        let Some(name) = &system.published else {
            continue;
        };
        for summary in run.summaries()? {
            let printed = paper.of(name, summary.metric.spec.id);
            if let (Some(printed), false) = (printed, summary.stand_in) {
                lines.push((system, summary, printed));
            }
        }
    }
    if lines.is_empty() {
        return Ok(());
    }
    let mut names: Vec<&str> = lines.iter().map(|(system, ..)| system.name.as_str()).collect();
    names.dedup();
    let names = names.join(", ");
    let table = Table::of(format!("{title}: {names}"), lines)
        .column_of_groups("System", |(system, ..)| system.name.clone())
        .column("Metric", |(_, summary, _)| {
            let direction = summary.metric.spec.direction.arrow();
            Cell::text(format!("{} {direction}", summary.label))
        })
        .column("mean", |(_, summary, _)| Cell::estimate(&summary.estimate.value, summary.estimate.interval))
        .column("n", |(_, summary, _)| Cell::Count(summary.estimate.n))
        .column("published", |(.., (printed, decimals))| Cell::Number(*printed, *decimals))
        .noted(vec![paper.note.to_owned()]);
    paper_items.add((paper.paper, format!("{}{suffix}", paper.file), &names), table);
    Ok(())
}

/// Keeps the requested columns in their order; keeps all if the table has none of them.
fn keep(table: &mut SystemTable, ids: &[&str]) {
    let places: Vec<usize> =
        ids.iter().filter_map(|id| table.columns.iter().position(|column| column.id == *id)).collect();
    if places.is_empty() {
        return;
    }
    table.columns = places.iter().map(|&place| table.columns[place].clone()).collect();
    for row in &mut table.rows {
        row.estimates = places.iter().map(|&place| row.estimates[place].clone()).collect();
        if let Some(ranks) = &mut row.rank {
            *ranks = places.iter().map(|&place| ranks[place]).collect();
        }
        if let Some(reasons) = &mut row.undefined {
            *reasons = places.iter().map(|&place| reasons[place].clone()).collect();
        }
    }
}
