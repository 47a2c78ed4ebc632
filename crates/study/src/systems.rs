//! Systems that share their stimuli, and their means: side by side, by dimension, and for tables of exhibits.

use crate::config::StudyConfig;
use crate::runs::System;
use crate::shown::asked;
use itertools::Itertools;
use neurogauge::core::Input;
use neurogauge::metrics::{BASIC_H, papers_of};
use neurogauge::report::{Format, MetricColumn, SystemRow, SystemTable, Table, marked};
use neurogauge::stats::SubjectPopulation;
use neurogauge::{CompareOptions, Error, Run, compare_runs, have_dimensions};
use serde_json::{Value, json};
use std::path::Path;

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
    pub(crate) fn about(&self) -> String {
        self.names.join(", ")
    }

    pub(crate) fn runs(&self) -> Vec<&'a Run> {
        self.systems.iter().map(|system| &system.run).collect()
    }
}

/// Groups systems by their stimuli: those that share the study's, those with their own, and those of each data set.
pub(crate) fn by_stimuli(systems: &[System]) -> Vec<SystemGroup<'_>> {
    let stimuli =
        |(_, own): &(usize, &System)| (own.asked.inputs.get(Input::GT).map(Path::to_owned), own.asked.dataset.clone());
    let by_key = systems.iter().enumerate().into_group_map_by(stimuli).into_values();
    let groups = by_key.sorted_by_key(|own| own[0].0).enumerate().map(|(number, own)| {
        let (places, systems): (_, Vec<&System>) = own.into_iter().unzip();
        SystemGroup {
            names: systems.iter().map(|system| system.name.clone()).collect(),
            suffix: Some(format!("_{}", systems[0].file_name)).filter(|_| number > 0).unwrap_or_default(),
            places,
            systems,
        }
    });
    groups.collect()
}

/// A table of systems with the requested metrics, in the order in which they are requested, and the best systems first. It
/// keeps all metrics if it has none of these.
pub(crate) fn by_metrics(mut table: SystemTable, config: &StudyConfig) -> SystemTable {
    let place = |id: &&str| table.columns.iter().position(|column| column.id == **id);
    let mut places = asked(config).iter().filter_map(place).collect_vec();
    if places.is_empty() {
        places.extend(0..table.columns.len());
    }

    fn kept<T: Clone>(all: &[T], places: &[usize]) -> Vec<T> {
        places.iter().map(|&place| all[place].clone()).collect()
    }
    table.columns = kept(&table.columns, &places);
    for row in &mut table.rows {
        row.estimates = kept(&row.estimates, &places);
        row.rank = row.rank.as_deref().map(|ranks| kept(ranks, &places));
        row.undefined = row.undefined.as_deref().map(|reasons| kept(reasons, &places));
    }
    table.order_by_rank();
    table.title = format!("Systems by metrics: {}", table.title);
    table
}

/// BASIC-H by dimension of the systems of a group that have it: F1 with intervals, and differences.
pub(crate) fn by_dimension(group: &SystemGroup<'_>, config: &StudyConfig) -> Result<Vec<Table>, Error> {
    let (mut names, mut runs) = (Vec::new(), Vec::new());
    for system in &group.systems {
        if have_dimensions([&system.run])? {
            names.push(system.name.clone());
            runs.push(&system.run);
        }
    }
    Ok(match runs.as_slice() {
        [] => Vec::new(),
        [alone] => alone.dimension_table()?.into_iter().collect(),
        several => {
            let mut options = options(config);
            (options.metrics, options.by_dimension) = (vec![BASIC_H.to_owned()], true);
            compare_runs(names, several, &options)?.dimension_tables(Format::Markdown)
        }
    })
}

/// A row for each metric of each system. Placeholders' numbers are none that a paper prints.
pub(crate) fn means<'a>(
    config: &StudyConfig,
    runs: impl Iterator<Item = (&'a System, &'a Run)>,
) -> Result<Vec<Value>, Error> {
    let (asked, mut rows) = (asked(config), Vec::new());
    for (system, run) in runs {
        for summary in run.summaries()? {
            let (spec, mean) = (&summary.metric.spec, &summary.estimate);
            let shown = format!("{} {}", summary.label, spec.direction.arrow());
            rows.push(json!({
                "system": system.name, "dataset": system.asked.dataset,
                "method": system.asked.method.as_ref().unwrap_or(&system.name),
                "published": system.asked.published.as_ref().filter(|_| !summary.stand_in),
                "metric": spec.id, "is_asked": asked.contains(&spec.id), "shown": marked(&shown, summary.stand_in),
                "mean": {"value": mean.value.as_ref().ok(), "interval": mean.interval}, "n": mean.n,
                "decimals": spec.decimals,
            }));
        }
    }
    Ok(rows)
}

/// The table of a group's runs over their shared pairs.
pub(crate) fn table_of(group: &SystemGroup<'_>, runs: &[&Run], options: &CompareOptions) -> Result<SystemTable, Error> {
    let ([alone], [name]) = (runs, group.names.as_slice()) else {
        return Ok(compare_runs(group.names.clone(), runs, options)?.table);
    };
    let mut table = alone.table()?.clone();
    table.rows.iter_mut().for_each(|row| row.system.clone_from(name));
    Ok(table)
}

/// How the systems of a study are compared.
pub(crate) fn options(config: &StudyConfig) -> CompareOptions {
    CompareOptions {
        subjects: config.subjects.clone(),
        population: match config.new_subjects {
            true => SubjectPopulation::New,
            false => SubjectPopulation::These,
        },
        bootstrap: config.score.bootstrap,
        mixed: true,
        ..CompareOptions::default()
    }
}

/// For each system of a table and each metric: the mean or why there is none, and the rank (1 is best).
pub(crate) fn standings(table: &SystemTable) -> Value {
    let columns = || table.columns.iter().enumerate();
    let standing = |(row, (place, column)): (&SystemRow, (usize, &MetricColumn))| {
        let (mean, rank) = (&row.estimates[place], row.rank.as_ref().and_then(|ranks| Some(ranks[place]?.rank)));
        let level = column.label.trim_start_matches("BASIC ").trim_end_matches(" IoU").trim_end_matches(" F1");
        let [label, level] = [&*column.label, level].map(|name| marked(name, column.stand_in));
        json!({
            "system": row.name(), "metric": column.id, "label": label, "level": level, "stand_in": column.stand_in,
            "mean": {"value": mean.value.as_ref().ok(), "interval": mean.interval},
            "undefined": mean.value.as_ref().err().map(ToString::to_string),
            "rank": {"value": rank, "decimals": usize::from(rank.is_some_and(|rank| rank.fract() != 0.0))},
            "decimals": column.decimals,
        })
    };
    table.rows.iter().flat_map(|row| columns().map(move |column| (row, column))).map(standing).collect()
}

/// Is it SEED's table of systems? Metrics of BASIC alone are BASIC's.
pub(crate) fn is_of_seed(config: &StudyConfig, table: &SystemTable) -> bool {
    let papers = table.columns.iter().flat_map(|column| papers_of(&column.id)).collect_vec();
    let has = |author: &str| papers.iter().any(|paper| paper.starts_with(author));
    has("Park et al.") || !(has("Xia and Oztireli") || config.basic.is_some())
}
