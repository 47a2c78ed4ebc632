//! Systems by metrics (SEED, Table 6; BASIC, Tables 2, 3 and S2, and Figure 2), and beside the papers' values.

use crate::config::{StudyConfig, StudySystem};
use crate::paper_item::PaperItems;
use crate::published::{PAPERS, SystemValues};
use crate::scoring::System;
use crate::shown_metrics::asked;
use neurogauge::metrics::papers_of;
use neurogauge::report::figures::SystemFigures;
use neurogauge::report::{Cell, Row, Table, TextTable};
use neurogauge::stats::SubjectPopulation;
use neurogauge::{CompareOptions, Error, Run, compare_runs};

/// The figure of BASIC-H against BASIC-L.
const MEANING: &str = "BASIC Figure 2";
const BOTH: [&str; 2] = ["basic_l", "basic_h"];

/// A table for each set of systems that share their stimuli.
pub(crate) fn tables(config: &StudyConfig, systems: &[System], paper_items: &mut PaperItems) -> Result<(), Error> {
    for (place, group) in by_stimuli(systems).into_iter().enumerate() {
        let names: Vec<&str> = group.iter().map(|system| system.name.as_str()).collect();
        let runs: Vec<&Run> = group.iter().map(|system| &system.run).collect();
        let mut table = table_of(names.iter().map(|name| (*name).to_owned()).collect(), &runs, &options(config))?;
        let suffix = suffix(place, group[0]);
        meaning_figure(&table, &names.join(", "), &suffix, paper_items);
        keep(&mut table, &asked(config));
        table.order_by_rank();
        table.title = format!("Systems by metrics: {}", table.title);
        let (paper, file) = place_in_papers(config, &table);
        paper_items.add((paper, format!("{file}{suffix}"), &names.join(", ")), table);
    }
    Ok(())
}

/// The table of runs under the names of their systems, over the pairs that they share.
pub(crate) fn table_of(names: Vec<String>, runs: &[&Run], options: &CompareOptions) -> Result<Table, Error> {
    match (runs, names.as_slice()) {
        ([alone], [name]) => {
            let mut table = alone.table()?.clone();
            for row in &mut table.rows {
                row.system.clone_from(name);
            }
            Ok(table)
        }
        _ => Ok(compare_runs(names, runs, options)?.table),
    }
}

/// How the systems of a study are compared.
pub(crate) fn options(config: &StudyConfig) -> CompareOptions {
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

/// BASIC-H against BASIC-L of the systems of a table, a point for each; absent where it lacks one of the two scores, or
/// where no system has both.
pub(crate) fn meaning_figure(table: &Table, about: &str, suffix: &str, paper_items: &mut PaperItems) {
    let place = |id: &str| table.columns.iter().position(|column| column.id == id);
    let places = BOTH.map(place);
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
        paper_items.absent(MEANING, about, needs);
        return;
    };
    if scatter.panels.iter().all(|panel| panel.points.is_empty()) {
        let needs = "a system with a mean of basic_l and of basic_h";
        paper_items.absent(MEANING, about, needs);
        return;
    }
    let cell = |place: usize| {
        move |row: &&Row| {
            let estimate = &row.estimates[place];
            let decimals = table.columns[place].decimals;
            Cell::estimate(&estimate.value, estimate.interval).decimals(decimals)
        }
    };
    let heading = |place: usize| {
        let column = &table.columns[place];
        format!("{}{}", column.label, if column.stand_in { "†" } else { "" })
    };
    let shown = TextTable::of(scatter.title.clone(), &table.rows)
        .column("System", |row| Cell::text(row.name()))
        .column(heading(l), cell(l))
        .column(heading(h), cell(h))
        .noted(vec![scatter.caption.clone()]);
    let name = format!("figure_basic_h_against_basic_l{suffix}");
    paper_items.add_with_figure((MEANING, name, about), shown, scatter.draw());
}

/// The table of the papers that shows such metrics, and the name of its files.
fn place_in_papers(config: &StudyConfig, table: &Table) -> (&'static str, &'static str) {
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
pub(crate) fn beside_published(
    config: &StudyConfig,
    systems: &[System],
    paper_items: &mut PaperItems,
) -> Result<(), Error> {
    let runs = systems.iter().map(|system| &system.run);
    let named: Vec<(&StudySystem, &Run)> = config.systems.iter().zip(runs).collect();
    for paper in &PAPERS {
        let what = "Means beside published ones";
        beside(paper, (what, ""), &named, paper_items)?;
    }
    Ok(())
}

/// Adds the table of the systems and metrics that a paper prints, if it prints any.
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
    let table = TextTable::of(format!("{title}: {names}"), lines)
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

/// What follows the names of the files of a group of systems: nothing for the first, else its first system.
pub(crate) fn suffix(place: usize, first: &System) -> String {
    if place == 0 {
        String::new()
    } else {
        format!("_{}", first.file_name)
    }
}

/// Groups systems by their stimuli: those that share the study's, those with stimuli of their own, and those of each
/// data set.
pub(crate) fn by_stimuli(systems: &[System]) -> Vec<Vec<&System>> {
    let mut groups: Vec<Vec<&System>> = Vec::new();
    for system in systems {
        match groups
            .iter_mut()
            .find(|group| group[0].stimuli == system.stimuli && group[0].dataset == system.dataset)
        {
            Some(group) => group.push(system),
            None => groups.push(vec![system]),
        }
    }
    groups
}

/// Keeps the requested columns, in their order; all if the table has none of them.
fn keep(table: &mut Table, ids: &[&str]) {
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
