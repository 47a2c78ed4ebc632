//! SEED with other detectors, captioners and text encoders, each compared with people (SEED, Fig. 3).

use crate::choices::{Combination, Component};
use crate::config::StudyConfig;
use crate::rated::Rated;
use crate::scoring::{below, is_stand_in, of_system};
use crate::shown_metrics::COMPOSITE;
use neurogauge::stats::meta::StatisticEstimate;
use neurogauge::{Error, Progress, RunSettings, ScoreRequest, file_name};
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
    for rated in rated {
        for (place, combination) in combinations.iter().enumerate() {
            let (system, label) = (&rated.system.name, combination.label());
            progress.note(&format!("{system}, components {} of {}: {label}", place + 1, combinations.len()));
            let folder = format!("{:02}-{}", place + 1, file_name(&label));
            let run = format!("components/{}/{folder}", rated.system.file_name);
            let settings = below(settings, &run);
            let one = evaluate_one(config, rated, combination, run, &settings, progress);
            found.push(one.map_err(of_system(format!("{system} with {label}")))?);
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
    let choose = |asked: &mut ScoreRequest| combination.apply(&system.name, asked);
    let found = rated.variant(config, COMPOSITE, choose, settings, progress)?;
    let name_of = |component| combination.name_of(component).map(str::to_owned);
    Ok(ComponentRun {
        system: system.name.clone(),
        label: combination.label(),
        detector: name_of(Component::Detector),
        captioner: name_of(Component::Captioner),
        text_encoder: name_of(Component::TextEncoder),
        run: place,
        fingerprint: found.run.record.fingerprint.clone(),
        stand_in: is_stand_in(&found.run, COMPOSITE),
        n_items: found.n_items,
        statistics: found.statistics,
    })
}
