//! Compares SEED with other detectors, captioners and text encoders with people (SEED, Fig. 3).

use crate::agreement::Rows;
use crate::choices::{Combination, Component, ComponentChoices};
use crate::config::StudyConfig;
use crate::found::{ComponentRun, Found, needs};
use crate::rated::Rated;
use crate::scoring::{below, is_stand_in, of_system};
use crate::shown_metrics::COMPOSITE;
use neurogauge::report::marked;
use neurogauge::{Error, Progress, RunSettings, ScoreRequest, file_name};
use serde_json::{Value, json};

/// Scores every combination for every rated system.
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

/// A row for each combination of a rated system.
pub(crate) fn rows(found: &Found<'_>, rated: &Rated<'_>) -> Result<Value, Error> {
    let mut rows = Rows::default();
    let of_system = found.components.iter().filter(|run| run.system == rated.system.name);
    for run in of_system.clone() {
        rows.add(&marked(&run.label, run.stand_in), "", &run.statistics, run.n_items);
    }
    if of_system.count() < 2 {
        return needs(
            "two or more choices of a component: [[choices.detector]], [[choices.captioner]] or \
             [[choices.text_encoder]], each with what it found or a model that runs here",
        );
    }
    let mut rows = rows.value();
    rows["components"] = json!(components(&found.config.choices));
    Ok(rows)
}

/// The components that differ, in the order of the names.
fn components(choices: &ComponentChoices) -> String {
    let chosen = choices.by_component().into_iter().filter(|(_, choices)| !choices.is_empty());
    let names: Vec<String> = chosen.map(|(component, _)| component.key().replace('_', " ")).collect();
    let mut names = names.join(" + ");
    if let Some(first) = names.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    names
}
