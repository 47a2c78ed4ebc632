//! What the papers' exhibits show: everything that `exhibits.toml` of SEED and BASIC reads in `study.json`.

use crate::agreement::{STATISTICS, agreement, averages, named_categories, object_variants, parts_and_averages};
use crate::found::Found;
use crate::group_cases::{by_groups, by_seed};
use crate::pair_cases::{detail_misses, near_misses, worst_cases};
use crate::paper_item::PaperItems;
use crate::rated::Rated;
use crate::scoring::System;
use crate::systems::{
    SystemGroup, by_dataset, by_dimension, by_metrics, by_stimuli, is_of_seed, meaning, named_means, table_of,
};
use crate::{audited, classes, components, pooled};
use neurogauge::Error;
use neurogauge::core::option_words::option;
use neurogauge::report::Table;
use neurogauge::stats::IccForm;
use neurogauge_exhibits::{Paper, Records};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Values by the names that exhibits give them.
type Shown = Map<String, Value>;

/// What exhibits show of a rated system.
pub(crate) fn of_rated(found: &Found<'_>, rated: &Rated<'_>) -> Result<Shown, Error> {
    let n = found.config.examples.n;
    let is_first = found.rated[0].system.name == rated.system.name;
    let place = if is_first { "Table 1" } else { "Table 2" };
    // The paper's ICC(2,n) is of the mean of its n raters.
    let icc = rated.meta.record.result.agreement.icc.as_ref().ok();
    let icc = icc.and_then(|table| table.forms.iter().find(|icc| icc.form == IccForm::AgreementMean));
    let shown = [
        ("file", json!(rated.system.file_name)),
        ("place", rated.survey.map_or_else(|| json!(place), |survey| survey["place"].clone())),
        ("survey", json!(rated.survey)),
        ("people", json!(rated.people())),
        ("raters", json!(icc.map(|icc| [json!({"value": icc.value, "interval": icc.interval})]))),
        ("agreement", agreement(rated)),
        ("named_categories", named_categories(found, rated)?),
        ("object_variants", object_variants(found, rated)?),
        ("parts", parts_and_averages(rated)?),
        ("components", components::rows(found, rated)?),
        ("worst_cases", worst_cases(rated)?),
        ("averages", averages(rated)?),
        ("class_means", classes::means(rated)?),
        ("class_pairs", classes::pairs(n, rated)?),
        ("group_cases", by_groups(found, rated)?),
        ("seed_cases", by_seed(found, rated)?),
    ];
    Ok(named(shown))
}

/// What exhibits show of a system.
pub(crate) fn of_system(found: &Found<'_>, system: &System) -> Result<Shown, Error> {
    let shown = [
        ("file", json!(system.file_name)),
        ("near_misses", near_misses(found, system)?),
        ("detail_misses", detail_misses(found, system)?),
        ("audit", audited::answers(found, system)),
    ];
    Ok(named(shown))
}

/// What exhibits show of all systems, and the tables that other commands make too.
pub(crate) fn of_study(found: &Found<'_>) -> Result<(Shown, BTreeMap<String, Table>), Error> {
    let config = found.config;
    let (mut groups, mut tables) = (Vec::new(), BTreeMap::new());
    for group in by_stimuli(found.systems) {
        let systems = by_metrics(&group, config)?;
        let shared = table_of(&group, &group.runs(), config)?;
        let mut of_group = json!({
            "about": group.about(), "suffix": group.suffix, "first": group.systems[0].file_name, "names": group.names,
            "is_of_seed": is_of_seed(config, &systems), "meaning": meaning(&shared)?,
        });
        let mut add = |name: &str, table: Option<Table>| {
            if let Some(table) = table {
                let key = format!("{name}{}", group.suffix);
                of_group[name] = json!(key);
                tables.insert(key, table);
            }
        };
        add("systems", Some(systems.table()?));
        let mut by_dimension = by_dimension(&group, config)?.into_iter();
        add("dimensions", by_dimension.next());
        add("dimension_differences", by_dimension.next());
        add("by_cluster", audited::by_cluster(found, &group)?);
        groups.push(of_group);
    }
    let ratings = format!(
        "human ratings of a system's reconstructions: [[ratings]] with system and file, or {}",
        option("human", "NAME=FILE")
    );
    let second = "human ratings of a second system, such as one of another dataset (a system may have its own gt)";
    let (ratings, second) = match found.rated {
        [] => (Some(&*ratings), Some(&*ratings)),
        [_] => (None, Some(second)),
        _ => (None, None),
    };
    let named_runs = config.systems.iter().zip(found.systems.iter().map(|system| &system.run));
    let statistic = |of: neurogauge::stats::meta::Statistic| json!({"id": of.id(), "label": of.label()});
    let shown = [
        ("statistics", json!(STATISTICS.map(statistic))),
        ("level", json!(100.0 * config.meta.bootstrap.level)),
        ("needs", json!({"ratings": ratings, "second": second})),
        ("groups", json!(groups)),
        ("pooled", pooled::rows(config, found.rated)?),
        ("datasets", by_dataset(found)),
        ("means", json!(named_means(named_runs)?)),
    ];
    Ok((named(shown), tables))
}

fn named<const N: usize>(shown: [(&str, Value); N]) -> Shown {
    shown.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Makes the exhibits of the papers; those whose inputs are missing are listed with what they need.
pub(crate) fn make(
    papers: &[Paper],
    records: &Records,
    systems: &[System],
    paper_items: &mut PaperItems,
) -> Result<(), Error> {
    let groups = by_stimuli(systems);
    for paper in papers {
        let made = paper.make(records, Some("study"))?;
        for exhibit in made.exhibits {
            let about = exhibit.about.as_str();
            let shown: Vec<&System> = match systems.iter().find(|system| system.name == about) {
                Some(one) => vec![one],
                None => groups
                    .iter()
                    .find(|group| group.about() == about)
                    .map_or_else(Vec::new, |group: &SystemGroup<'_>| group.systems.clone()),
            };
            paper_items.add(paper, exhibit, &shown)?;
        }
        paper_items.absent(paper, made.absent);
    }
    Ok(())
}
