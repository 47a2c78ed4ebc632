//! What the papers' exhibits show: everything that `exhibits.toml` of SEED and BASIC reads in `study.json`.

use crate::agreement::{
    STATISTICS, against_effnet, averages, named_categories, parts_and_averages, pooled, rows, variants,
};
use crate::audited::{self, Audited};
use crate::config::{MetricGroup, groups_of_paper};
use crate::pairs::{classes, detail_misses, group_cases, near_misses, worst_cases};
use crate::published::surveys;
use crate::rated::Rated;
use crate::runs::{Job, System};
use crate::shown_metrics::parts;
use crate::systems::{by_dimension, by_metrics, by_stimuli, datasets, is_of_seed, meaning, means, options, table_of};
use crate::variants::VariantRun;
use itertools::Itertools;
use neurogauge::Error;
use neurogauge::core::option_words::option;
use neurogauge::report::Table;
use neurogauge::stats::IccForm;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The results of a study, from which its exhibits are made.
pub(crate) struct Found<'a> {
    pub(crate) job: Job<'a>,
    pub(crate) systems: &'a [System],
    pub(crate) rated: &'a [Rated<'a>],
    pub(crate) components: &'a [VariantRun],
    pub(crate) objects: &'a [VariantRun],
    pub(crate) audits: &'a [Audited<'a>],
}

pub(crate) fn of_rated(found: &Found<'_>, rated: &Rated<'_>) -> Result<Value, Error> {
    let (config, n) = (found.job.config, found.job.config.examples.n);
    let place = if found.rated[0].system.name == rated.system.name {
        "Table 1"
    } else {
        "Table 2"
    };
    let survey = surveys().find(|(id, _)| rated.ratings.published.as_deref() == Some(id)).map(|(_, survey)| survey);
    let result = &rated.meta.record.result;
    // The paper's ICC(2,n) is of the mean of its n raters.
    let icc = result.agreement.icc.as_ref().ok();
    let icc = icc.and_then(|table| table.forms.iter().find(|icc| icc.form == IccForm::AgreementMean));
    let groups = match config.metric_groups.as_slice() {
        [] => (groups_of_paper(), "PixCorr, SSIM and AlexNet; Inception and CLIP; EffNet and SwAV".to_owned()),
        named => (named.to_vec(), named.iter().map(|group| group.metrics.join(" and ")).join("; ")),
    };
    let of_seed = MetricGroup::of("parts of SEED", &parts(&rated.system.run.scores));
    let chosen = config.choices.by_component().into_iter().filter(|(_, choices)| !choices.is_empty());
    let mut chosen = chosen.map(|(component, _)| component.replace('_', " ")).join(" + ");
    chosen.get_mut(..1).into_iter().for_each(str::make_ascii_uppercase);
    let lacking = "two or more choices of a component: [[choices.detector]], [[choices.captioner]] or \
                   [[choices.text_encoder]], each with what it found or a model that runs here";
    Ok(json!({
        "system": rated.system.name,
        "folder": rated.place,
        "n_raters": result.n_raters,
        "n_items": result.n_items,
        "file": rated.system.file_name,
        "place": survey.map_or_else(|| json!(place), |survey| survey["place"].clone()),
        "survey": survey,
        "people": rated.people(),
        "raters": icc.map(|icc| [json!({"value": icc.value, "interval": icc.interval})]),
        "agreement": {"rows": rows(rated, &result.metrics)},
        "against_effnet": against_effnet(rated),
        "named_categories": named_categories(config, rated)?,
        "object_variants": variants(found.objects, rated, 1, "boxes and images of both sides"),
        "parts": parts_and_averages(rated),
        "components": variants(found.components, rated, 2, lacking),
        "chosen": chosen,
        "worst_cases": worst_cases(rated)?,
        "averages": averages(rated),
        "classes": classes(rated, n)?,
        "group_cases": group_cases(rated, &groups.0, n, &format!("two metrics of a group ({})", groups.1)),
        "seed_cases": group_cases(rated, &[of_seed], n, "two parts of SEED (object_f1, cap_sim, effnet)"),
    }))
}

pub(crate) fn of_system(found: &Found<'_>, system: &System) -> Result<Value, Error> {
    let (record, n) = (&system.run.record, found.job.config.examples.n);
    Ok(json!({
        "name": system.name,
        "run": system.place,
        "fingerprint": record.fingerprint,
        "n_pairs": record.n_pairs,
        "metrics": system.run.summary()?,
        "file": system.file_name,
        "near_misses": near_misses(system, n)?,
        "detail_misses": detail_misses(system, n),
        "audit": audited::answers(found.audits, system),
    }))
}

/// What exhibits show of all systems, and the tables that other commands make too.
pub(crate) fn of_study(found: &Found<'_>) -> Result<(Value, BTreeMap<String, Table>), Error> {
    let config = found.job.config;
    let (mut groups, mut tables) = (Vec::new(), BTreeMap::new());
    for group in by_stimuli(found.systems) {
        let shared = table_of(&group, &group.runs(), &options(config))?;
        let systems = by_metrics(shared.clone(), config);
        let mut of_group = json!({
            "about": group.about(), "suffix": group.suffix, "first": group.systems[0].file_name, "names": group.names,
            "is_of_seed": is_of_seed(config, &systems), "meaning": meaning(&shared),
        });
        let mut by_dimension = by_dimension(&group, config)?.into_iter();
        for (name, table) in [
            ("systems", Some(systems.table()?)),
            ("dimensions", by_dimension.next()),
            ("dimension_differences", by_dimension.next()),
            ("by_cluster", audited::by_cluster(found.audits, &group, &found.job.settings.out)?),
        ] {
            let key = format!("{name}{}", group.suffix);
            if let Some(table) = table {
                of_group[name] = json!(key);
                tables.insert(key, table);
            }
        }
        groups.push(of_group);
    }
    let ratings = format!(
        "human ratings of a system's reconstructions: [[ratings]] with system and file, or {}",
        option("human", "NAME=FILE")
    );
    let second = "human ratings of a second system, such as one of another dataset (a system may have its own gt)";
    let needed = match found.rated {
        [] => json!({"ratings": ratings, "second": ratings}),
        [_] => json!({"ratings": null, "second": second}),
        _ => json!({"ratings": null, "second": null}),
    };
    let shown = json!({
        "statistics": STATISTICS.map(|of| json!({"id": of.id(), "label": of.label()})),
        "level": 100.0 * config.meta.bootstrap.level,
        "needs": needed,
        "groups": groups,
        "pooled": pooled(config, found.rated)?,
        "datasets": datasets(&config.systems),
        "means": means(config, found.systems.iter().map(|system| (system, &system.run)))?,
    });
    Ok((shown, tables))
}
