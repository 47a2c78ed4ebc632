//! Runs a study, and collects its results: what the papers' exhibits show, which is everything that `exhibits.toml` of SEED
//! and BASIC reads in `study.json`.

use crate::agreement::{STATISTICS, against_effnet, averages, named_categories, parts_and_averages, pooled, rows};
use crate::config::{GROUPS, StudyConfig};
use crate::pages::{Items, Study};
use crate::pairs::{classes, detail_misses, group_cases, near_misses, worst_cases};
use crate::rated::Rated;
use crate::runs::{Job, System};
use crate::shown::{papers, parts, surveys};
use crate::systems::{by_dimension, by_metrics, by_stimuli, is_of_seed, means, options, standings, table_of};
use crate::{basic, pages};
use itertools::Itertools;
use neurogauge::report::Table;
use neurogauge::report::figures::FigureOptions;
use neurogauge::stats::IccForm;
use neurogauge::{Error, Progress, Provenance, Report, RunSettings};
use neurogauge_exhibits::Records;
use neurogauge_report_page::beside_clusters;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Raised when the layout of `study.json` changes.
const SCHEMA: u32 = 3;

/// Scores systems and compares metrics with people, below `settings.out`, to which the [`Report`] is also written;
/// `drawing` has the options of its figures. A finished study there is replaced if the settings ask for it.
///
/// # Errors Errors in the configuration, before anything is computed; errors of a run or a meta-evaluation, which name
/// the system.
pub fn study(
    config: &StudyConfig,
    settings: &RunSettings,
    drawing: &FigureOptions,
    progress: &dyn Progress,
) -> Result<Study, Error> {
    config.check()?;
    // An existing study stays if a system of this one cannot be scored.
    config.check_systems(settings)?;
    match settings.overwrite {
        true => Study::set_unfinished(&settings.out)?,
        false => Study::refuse_other_than(&json!({ "config": config }), &settings.out)?,
    }
    let settings = &settings.with_cache(&settings.out.join("cache"));
    let job = Job {
        config,
        settings,
        drawing,
        progress,
    };
    let systems = job.systems()?;
    let rated = job.rated(&systems)?;
    let of_rated = rated.iter().enumerate().map(|(place, own)| of_rated(&job, own, place == 0));
    let of_rated = of_rated.collect::<Result<Vec<_>, Error>>()?;
    let configured = job.configured(&systems)?;
    let mut provenance = Provenance::new(SCHEMA, "study", Some(config.meta.bootstrap.seed.0));
    for ratings in &config.ratings {
        for file in [&ratings.file].into_iter().chain(&ratings.scores).chain(&ratings.classes) {
            provenance.read(format!("ratings/{}", ratings.system), file)?;
        }
    }
    let mut record = json!(provenance);
    record["config"] = json!(config);
    record["systems"] = systems.iter().map(|system| of_system(config, system)).collect::<Result<_, Error>>()?;
    record["rated"] = json!(of_rated);
    record["components"] = of_rated.iter().filter_map(|own| own["components"].as_array()).flatten().cloned().collect();
    if let Some(basic) = basic::record(config, &systems, &configured)? {
        record["basic"] = basic;
    }
    let tables = of_study(&job, &systems, &rated, &mut record)?;
    let records = Records::default().with("study", &record)?.with_tables(tables);
    let mut items = Items::of(&papers(config)?, &records, &systems, drawing)?;
    let of_ratings = rated.iter().flat_map(|rated| &rated.meta.record.findings);
    let of_audits = systems.iter().filter_map(|system| system.audit.as_ref()).flat_map(|(_, own)| &own.record.findings);
    let mut findings = std::mem::take(&mut items.figures.findings);
    findings.extend(config.left_out.iter().chain(of_ratings).chain(of_audits).cloned());
    record["exhibits"] = items.shown.iter().map(pages::Item::record).collect();
    record["absent"] = json!(items.absent);
    record["findings"] = json!(findings);
    let of_configurations = configured.iter().flat_map(|one| &one.runs).map(|(_, run)| run);
    let runs = systems.iter().map(|system| &system.run).chain(of_configurations);
    let answers = rated.iter().flat_map(|rated| {
        let answers = rated.meta.opening().into_iter();
        answers.map(|answer| format!("{}: {answer}", rated.system.name))
    });
    Ok(Study {
        record,
        findings,
        items,
        latex: settings.latex,
        answers: answers.collect(),
        failed_items: (runs.flat_map(|run| run.record.failed_items()))
            .map(|(what, images)| (what, images.to_vec()))
            .collect(),
        config: config.clone(),
        systems,
    })
}

fn of_rated(job: &Job<'_>, rated: &Rated<'_>, is_first: bool) -> Result<Value, Error> {
    let (config, n) = (job.config, job.config.examples.n);
    let survey = surveys().find(|(id, _)| rated.ratings.published.as_deref() == Some(id)).map(|(_, survey)| survey);
    let result = &rated.meta.record.result;
    // The paper's ICC(2,n) is of the mean of its n raters.
    let icc = result.agreement.icc.as_ref().ok();
    let icc = icc.and_then(|table| table.forms.iter().find(|icc| icc.form == IccForm::AgreementMean));
    let groups = match config.metric_groups.as_slice() {
        [] => GROUPS.map(|(name, metrics)| (name, metrics.to_vec())).to_vec(),
        own => own.iter().map(|of| (&*of.name, of.metrics.iter().map(|id| &**id).collect())).collect(),
    };
    Ok(json!({
        "system": rated.system.name,
        "folder": rated.place,
        "n_raters": result.n_raters,
        "n_items": result.n_items,
        "file": rated.system.file_name,
        "place": survey.map_or_else(|| json!(if is_first { "Table 1" } else { "Table 2" }), |survey| survey["place"].clone()),
        "survey": survey,
        "intervals": result.options.in_words("pairs"),
        "raters": icc.map(|icc| [json!({"value": icc.value, "interval": icc.interval})]),
        "agreement": {"rows": rows(rated, &result.metrics)},
        "against_effnet": against_effnet(rated),
        "named_categories": named_categories(config, rated)?,
        "components": job.components(rated)?,
        "object_variants": job.objects(rated)?,
        "parts": parts_and_averages(rated),
        "worst_cases": worst_cases(rated)?,
        "averages": averages(rated),
        "classes": classes(rated, n)?,
        "group_cases": group_cases(rated, &groups, n),
        "seed_cases": group_cases(rated, &[("parts of SEED", parts(&rated.system.run.scores))], n),
    }))
}

fn of_system(config: &StudyConfig, system: &System) -> Result<Value, Error> {
    let (record, n) = (&system.run.record, config.examples.n);
    Ok(json!({
        "name": system.name,
        "run": system.place,
        "fingerprint": record.fingerprint,
        "n_pairs": record.n_pairs,
        "metrics": system.run.summary()?,
        "file": system.file_name,
        "near_misses": near_misses(system, n)?,
        "detail_misses": detail_misses(system, n),
        "audit": system.audit.as_ref().map(|(place, audit)| json!({"place": place, "rows": audit.record.sections})),
    }))
}

/// Adds what exhibits show of all systems, and returns the tables that other commands make too.
fn of_study(
    job: &Job<'_>,
    systems: &[System],
    rated: &[Rated<'_>],
    record: &mut Value,
) -> Result<BTreeMap<String, Table>, Error> {
    let config = job.config;
    let (mut groups, mut tables) = (Vec::new(), BTreeMap::new());
    for group in by_stimuli(systems) {
        let shared = table_of(&group, &group.runs(), &options(config))?;
        let by_metrics = by_metrics(shared.clone(), config);
        let mut of_group = json!({
            "about": group.about(), "suffix": group.suffix, "first": group.systems[0].file_name, "names": group.names,
            "is_of_seed": is_of_seed(config, &by_metrics), "standings": standings(&shared), "unit": shared.unit,
        });
        // Clusters are of the stimuli, which the systems of the group share.
        let audit = group.systems.iter().find_map(|system| system.audit.as_ref());
        let runs = group.systems.iter().map(|system| (system.name.as_str(), &system.run)).collect_vec();
        let by_cluster = audit.map(|(place, _)| beside_clusters(&runs, &job.settings.out.join(place))).transpose()?;
        let mut by_dimension = by_dimension(&group, config)?.into_iter();
        for (name, table) in [
            ("systems", Some(by_metrics.table()?)),
            ("dimensions", by_dimension.next()),
            ("dimension_differences", by_dimension.next()),
            ("by_cluster", by_cluster.flatten()),
        ] {
            let key = format!("{name}{}", group.suffix);
            if let Some(table) = table {
                of_group[name] = json!(key);
                tables.insert(key, table);
            }
        }
        groups.push(of_group);
    }
    record["statistics"] = json!(STATISTICS.map(|of| json!({"id": of.id(), "label": of.label()})));
    record["level"] = json!(100.0 * config.meta.bootstrap.level);
    record["groups"] = json!(groups);
    record["pooled"] = pooled(config, rated)?;
    record["means"] = json!(means(config, systems.iter().map(|system| (system, &system.run)))?);
    Ok(tables)
}
