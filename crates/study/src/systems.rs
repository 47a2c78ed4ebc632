//! Systems that share their stimuli, and their means: side by side, by dimension, and for tables of exhibits.

use crate::config::{StudyConfig, StudySystem};
use crate::rows::needs;
use crate::scoring::System;
use crate::shown_metrics::asked;
use itertools::Itertools;
use neurogauge::core::Estimate;
use neurogauge::metrics::{BASIC_H, papers_of};
use neurogauge::report::{Format, SystemRow, SystemTable, Table, marked};
use neurogauge::stats::SubjectPopulation;
use neurogauge::{CompareOptions, Error, Run, compare_runs, have_dimensions};
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

/// The data sets and methods that the systems name; null unless there are two data sets.
pub(crate) fn datasets(systems: &[StudySystem]) -> Value {
    let datasets = systems.iter().filter_map(|system| system.dataset.as_deref()).unique().collect_vec();
    match datasets.len() {
        0 | 1 => Value::Null,
        _ => json!({"datasets": datasets, "methods": systems.iter().map(StudySystem::method).unique().collect_vec()}),
    }
}

/// A row for each metric of each system. Placeholders' numbers are none that a paper prints.
pub(crate) fn means<'a>(
    config: &StudyConfig,
    runs: impl Iterator<Item = (&'a StudySystem, &'a Run)>,
) -> Result<Vec<Value>, Error> {
    let (asked, mut rows) = (asked(config), Vec::new());
    for (system, run) in runs {
        for summary in run.summaries()? {
            let spec = &summary.metric.spec;
            let shown = format!("{} {}", summary.label, spec.direction.arrow());
            rows.push(json!({
                "system": system.name, "dataset": system.dataset, "method": system.method(),
                "published": system.published.as_ref().filter(|_| !summary.stand_in),
                "metric": spec.id, "is_asked": asked.contains(&spec.id), "shown": marked(&shown, summary.stand_in),
                "mean": estimate(&summary.estimate), "n": summary.estimate.n, "decimals": spec.decimals,
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
