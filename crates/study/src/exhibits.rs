//! What the papers' exhibits show: everything that `exhibits.toml` of SEED and BASIC reads in `study.json`.

use crate::agreement::{agreement, averages, named_categories, parts_and_averages};
use crate::group_cases::{by_groups, by_seed};
use crate::pair_cases::{detail_misses, near_misses, worst_cases};
use crate::rated::Rated;
use crate::record::Found;
use crate::rows::STATISTICS;
use crate::scoring::System;
use crate::systems::{by_dimension, by_metrics, by_stimuli, datasets, is_of_seed, meaning, means, table_of};
use crate::variants::{component_rows, object_rows};
use crate::{audited, classes, pooled};
use neurogauge::Error;
use neurogauge::core::option_words::option;
use neurogauge::report::Table;
use neurogauge::stats::IccForm;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A rated system, and what exhibits show of it.
pub(crate) fn of_rated(found: &Found<'_>, rated: &Rated<'_>) -> Result<Value, Error> {
    let n = found.config.examples.n;
    let is_first = found.rated[0].system.name == rated.system.name;
    let place = if is_first { "Table 1" } else { "Table 2" };
    let result = &rated.meta.record.result;
    // The paper's ICC(2,n) is of the mean of its n raters.
    let icc = result.agreement.icc.as_ref().ok();
    let icc = icc.and_then(|table| table.forms.iter().find(|icc| icc.form == IccForm::AgreementMean));
    Ok(json!({
        "system": rated.system.name,
        "folder": rated.place,
        "n_raters": result.n_raters,
        "n_items": result.n_items,
        "file": rated.system.file_name,
        "place": rated.survey.map_or_else(|| json!(place), |survey| survey["place"].clone()),
        "survey": rated.survey,
        "people": rated.people(),
        "raters": icc.map(|icc| [json!({"value": icc.value, "interval": icc.interval})]),
        "agreement": agreement(rated),
        "named_categories": named_categories(found, rated)?,
        "object_variants": object_rows(found.objects, rated)?,
        "parts": parts_and_averages(rated)?,
        "components": component_rows(&found.config.choices, found.components, rated)?,
        "worst_cases": worst_cases(rated)?,
        "averages": averages(rated)?,
        "class_means": classes::means(rated)?,
        "class_pairs": classes::pairs(n, rated)?,
        "group_cases": by_groups(found, rated)?,
        "seed_cases": by_seed(found, rated)?,
    }))
}

/// A system, and what exhibits show of it.
pub(crate) fn of_system(found: &Found<'_>, system: &System) -> Result<Value, Error> {
    let record = &system.run.record;
    Ok(json!({
        "name": system.name,
        "run": system.place,
        "fingerprint": record.fingerprint,
        "n_pairs": record.n_pairs,
        "metrics": system.run.summary()?,
        "file": system.file_name,
        "near_misses": near_misses(found, system)?,
        "detail_misses": detail_misses(found, system)?,
        "audit": audited::answers(found.audits, system),
    }))
}

/// What exhibits show of all systems, and the tables that other commands make too.
pub(crate) fn of_study(found: &Found<'_>) -> Result<(Value, BTreeMap<String, Table>), Error> {
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
        add("by_cluster", audited::by_cluster(found.audits, &group, &found.settings.out)?);
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
    let shown = json!({
        "statistics": STATISTICS.map(statistic),
        "level": 100.0 * config.meta.bootstrap.level,
        "needs": {"ratings": ratings, "second": second},
        "groups": groups,
        "pooled": pooled::rows(config, found.rated)?,
        "datasets": datasets(&config.systems),
        "means": means(config, named_runs)?,
    });
    Ok((shown, tables))
}
