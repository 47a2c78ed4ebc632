//! Systems that share their stimuli, and their means: side by side, by dimension, by data set, and as published.

use crate::config::{StudyConfig, StudySystem};
use crate::found::{Found, needs};
use crate::scoring::System;
use crate::shown_metrics::{asked, shown_of};
use itertools::Itertools;
use neurogauge::core::Estimate;
use neurogauge::metrics::{BASIC_H, papers_of};
use neurogauge::report::{Format, SystemRow, SystemTable, Table, marked};
use neurogauge::stats::SubjectPopulation;
use neurogauge::{CompareOptions, Error, MetricSummary, Run, compare_runs, have_dimensions};
use serde_json::{Value, json};

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

/// A mean as exhibits read it.
pub(crate) fn estimate(of: &Estimate) -> Value {
    json!({"value": of.value.as_ref().ok(), "interval": of.interval})
}

/// Systems by metrics, best first.
pub(crate) fn by_metrics(group: &SystemGroup<'_>, config: &StudyConfig) -> Result<SystemTable, Error> {
    let mut table = table_of(group, &group.runs(), config)?;
    keep(&mut table, &asked(config));
    table.order_by_rank();
    table.title = format!("Systems by metrics: {}", table.title);
    Ok(table)
}

/// BASIC-H by dimension of the systems of a group that have it: F1 with intervals, and differences.
pub(crate) fn by_dimension(group: &SystemGroup<'_>, config: &StudyConfig) -> Result<Vec<Table>, Error> {
    let mut known = Vec::new();
    for (name, system) in group.names.iter().zip(&group.systems) {
        if have_dimensions([&system.run])? {
            known.push((name.clone(), &system.run));
        }
    }
    let (names, runs): (Vec<String>, Vec<&Run>) = known.into_iter().unzip();
    Ok(match runs.as_slice() {
        [] => Vec::new(),
        [alone] => alone.dimension_table()?.into_iter().collect(),
        several => {
            let options = CompareOptions {
                metrics: vec![BASIC_H.to_owned()],
                by_dimension: true,
                ..options(config)
            };
            compare_runs(names, several, &options)?.dimension_tables(Format::Markdown)
        }
    })
}

/// A row for each method and, for each data set, a column for each metric; null unless the systems name two data sets.
pub(crate) fn by_dataset(found: &Found<'_>) -> Value {
    let named = found.config.systems.iter().zip(found.systems).collect_vec();
    let datasets = named.iter().filter_map(|(own, _)| own.dataset.as_deref()).unique().collect_vec();
    if datasets.len() < 2 {
        return Value::Null;
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
    let row = |method: &&str| {
        let of = |column| {
            let found = summary(method, column)?;
            let mut cell = estimate(&found.estimate);
            cell["decimals"] = json!(found.metric.spec.decimals);
            Some(cell)
        };
        json!({"method": method, "values": columns.iter().map(of).collect_vec()})
    };
    json!({"datasets": datasets, "methods": methods, "headings": crate::found::headings(&headings), "rows": methods.iter().map(row).collect_vec()})
}

/// A row for each metric of each system whose name in the papers is known. Placeholders' numbers are no such means.
pub(crate) fn named_means<'a>(runs: impl Iterator<Item = (&'a StudySystem, &'a Run)>) -> Result<Vec<Value>, Error> {
    let mut rows = Vec::new();
    for (system, run) in runs {
        let Some(name) = &system.published else {
            continue;
        };
        for summary in run.summaries()?.iter().filter(|summary| !summary.stand_in) {
            let spec = &summary.metric.spec;
            rows.push(json!({
                "system": system.name, "published": name, "metric": spec.id,
                "shown": format!("{} {}", summary.label, spec.direction.arrow()),
                "mean": estimate(&summary.estimate), "n": summary.estimate.n,
            }));
        }
    }
    Ok(rows)
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

/// BASIC-H and BASIC-L of each system of a table; null if it has neither.
pub(crate) fn meaning(table: &SystemTable) -> Result<Value, Error> {
    let places = ["basic_l", "basic_h"].map(|id| table.columns.iter().position(|column| column.id == id));
    let [Some(l), Some(h)] = places else {
        return match places {
            [None, None] => Ok(Value::Null),
            _ => needs("basic_l and basic_h of the same systems: masks, and captions or scene graphs"),
        };
    };
    let value = |row: &SystemRow, place: usize| row.estimates[place].value.clone().ok();
    let has_both = |row: &&SystemRow| value(row, l).is_some() && value(row, h).is_some();
    if !table.rows.iter().any(|row| has_both(&row)) {
        return needs("a system with a mean of basic_l and of basic_h");
    }
    let without = table.rows.iter().filter(|row| !has_both(row)).map(SystemRow::name).join(", ");
    let row = |row: &SystemRow| {
        let [basic_l, basic_h] = [l, h].map(|place| {
            let mut cell = estimate(&row.estimates[place]);
            cell["decimals"] = json!(table.columns[place].decimals);
            cell
        });
        json!({"system": row.name(), "basic_l": basic_l, "basic_h": basic_h})
    };
    let label = |place: usize| marked(&table.columns[place].label, table.columns[place].stand_in);
    Ok(json!({
        "rows": table.rows.iter().map(row).collect_vec(), "without": without, "unit": table.unit, "basic_l": label(l),
        "basic_h": label(h),
    }))
}

/// Is it SEED's table of systems? Metrics of BASIC alone are BASIC's.
pub(crate) fn is_of_seed(config: &StudyConfig, table: &SystemTable) -> bool {
    let has = |author: &str| {
        let mut papers = table.columns.iter().map(|column| column.id.as_str()).flat_map(papers_of);
        papers.any(|paper| paper.starts_with(author))
    };
    has("Park et al.") || !(has("Xia and Oztireli") || config.basic.is_some())
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
