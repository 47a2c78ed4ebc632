//! Compares SEED with other detectors, captioners and text encoders with people (SEED, Fig. 3).

use crate::agreement_tables::{STATISTICS, StatisticsTable, of_people};
use crate::choices::{Combination, Component, ComponentChoices};
use crate::config::StudyConfig;
use crate::found::{ComponentRun, Found, Made, needs};
use crate::rated::Rated;
use crate::scoring::{below, is_stand_in, of_system};
use crate::shown_metrics::COMPOSITE;
use neurogauge::report::figures::{Bar, Bars};
use neurogauge::report::marked;
use neurogauge::stats::meta::figure_of;
use neurogauge::{Error, Progress, RunSettings, ScoreRequest, file_name};

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

/// Figure 3: table and bars of a rated system.
pub(crate) fn figure(found: &Found<'_>, rated: &Rated<'_>) -> Result<Made, Error> {
    let system = &rated.system.name;
    let runs: Vec<&ComponentRun> = found.components.iter().filter(|run| run.system == *system).collect();
    if runs.len() < 2 {
        return needs(
            "two or more choices of a component: [[choices.detector]], [[choices.captioner]] or \
             [[choices.text_encoder]], each with what it found or a model that runs here",
        );
    }
    let (title, components) = (format!("SEED with other components: {system}"), components(&found.config.choices));
    let has_stand_in = runs.iter().any(|run| run.stand_in);
    let bar = |run: &&ComponentRun, statistic| {
        let found = figure_of(&run.statistics, statistic);
        found.map_or_else(Bar::default, |found| Bar::estimate(&found.value, found.interval))
    };
    let mut table = StatisticsTable::new(rated, None);
    for run in &runs {
        table.add(marked(&run.label, run.stand_in), &run.label, "", &run.statistics, run.n_items);
    }
    let note = has_stand_in.then_some("† rests on a placeholder model: the numbers mean nothing.");
    let table = table.finished(title.clone(), &components, note);
    let on_bars = match has_stand_in {
        true => " Some rest on a placeholder model: these bars mean nothing.",
        false => "",
    };
    let bars = Bars {
        title,
        y_label: "agreement with people".to_owned(),
        groups: STATISTICS.map(|statistic| statistic.label().to_owned()).to_vec(),
        series: runs.iter().map(|run| run.label.clone()).collect(),
        bars: STATISTICS.map(|statistic| runs.iter().map(|run| bar(run, statistic)).collect()).to_vec(),
        caption: format!("{components}. {}{on_bars}", of_people(rated)),
    };
    Ok(Made::Figure(table, bars.draw()))
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
