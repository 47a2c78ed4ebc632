//! SEED with other detectors, captioners and text encoders, each compared with people (SEED, Fig. 3).

use crate::choices::{Combination, Component};
use crate::config::StudyConfig;
use crate::rated::{Rated, request};
use crate::shown_metrics::COMPOSITE;
use neurogauge::stats::meta::StatisticEstimate;
use neurogauge::{Error, MetricRecord, Progress, RunSettings, file_name, score};
use neurogauge_meta::{MetaRequest, meta};
use serde::Serialize;

/// SEED of one system under one combination of choices.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComponentRun {
    pub system: String,
    /// The names of the choices.
    pub label: String,
    /// The detector, if there is a choice.
    pub detector: Option<String>,
    pub captioner: Option<String>,
    pub text_encoder: Option<String>,
    /// Its run, below the study's folder.
    pub run: String,
    pub fingerprint: String,
    /// Does it use a placeholder model?
    pub stand_in: bool,
    /// Rated pairs with a score.
    pub n_items: usize,
    /// How well it agrees with people.
    pub statistics: Vec<StatisticEstimate>,
}

/// Every combination for every rated system.
pub(crate) fn evaluate(
    config: &StudyConfig,
    rated: &[Rated<'_>],
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<ComponentRun>, Error> {
    let combinations = config.choices.combinations();
    let mut found = Vec::new();
    for of_system in rated {
        for (place, combination) in combinations.iter().enumerate() {
            let (system, label) = (&of_system.system.name, combination.label());
            progress.note(&format!("{system}, components {} of {}: {label}", place + 1, combinations.len()));
            let folder = format!("{:02}-{}", place + 1, file_name(&label));
            let run = format!("components/{}/{folder}", of_system.system.file_name);
            let settings = RunSettings {
                out: settings.out.join(&run),
                ..settings.clone()
            };
            let one = evaluate_one(config, of_system, combination, run, &settings, progress);
            found.push(one.map_err(|source| Error::OfSystem {
                system: format!("{system} with {label}"),
                source: Box::new(source),
            })?);
        }
    }
    Ok(found)
}

fn evaluate_one(
    config: &StudyConfig,
    rated: &Rated<'_>,
    combination: &Combination<'_>,
    place: String,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<ComponentRun, Error> {
    let system = rated.system;
    let mut asked = system.run.record.request.clone();
    if asked.models.are_default() {
        asked.models.clone_from(&config.score.models);
    }
    combination.apply(&system.name, &mut asked);
    asked.metrics = Some(vec![COMPOSITE.to_owned()]);
    let run = score(&asked, settings, progress)?;
    let stand_in = |record: &MetricRecord| record.id == COMPOSITE && record.stand_in;
    let meta = meta(&MetaRequest {
        metrics: vec![settings.out.clone()],
        only: vec![COMPOSITE.to_owned()],
        ..request(config, rated.ratings)
    })?;
    let name_of = |component| combination.name_of(component).map(str::to_owned);
    let measured = meta.record.result.metrics.into_iter().next();
    let (n_items, statistics) = measured.map_or_else(Default::default, |metric| (metric.n_items, metric.statistics));
    Ok(ComponentRun {
        system: system.name.clone(),
        label: combination.label(),
        detector: name_of(Component::Detector),
        captioner: name_of(Component::Captioner),
        text_encoder: name_of(Component::TextEncoder),
        run: place,
        fingerprint: run.record.fingerprint.clone(),
        stand_in: run.record.metrics.iter().any(stand_in),
        n_items,
        statistics,
    })
}
