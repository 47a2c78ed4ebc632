//! The runs of the systems. They share observations of the stimuli through the cache.

use crate::config::{StudyConfig, StudySystem};
use crate::shown_metrics::label;
use neurogauge::core::Input;
use neurogauge::{Error, MetricSummary, PairViews, Progress, Run, RunSettings, file_name, load_run, score};
use std::path::{Path, PathBuf};

/// A system with its run.
#[derive(Debug)]
pub(crate) struct System {
    pub(crate) name: String,
    /// Letters and digits of its name, for files.
    pub(crate) file_name: String,
    /// The run's path: below the study's folder, or as given.
    pub(crate) place: String,
    /// Its own stimuli; `None` for the shared ones.
    pub(crate) stimuli: Option<PathBuf>,
    /// Its data set, if the configuration names it.
    pub(crate) dataset: Option<String>,
    pub(crate) run: Run,
    /// Those of its run.
    pub(crate) summaries: Vec<MetricSummary>,
    /// Images and observations of its pairs, for figures.
    pub(crate) views: PairViews,
}

/// Scores all systems, in order. Finished runs are read back.
pub(crate) fn score_all(
    config: &StudyConfig,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<System>, Error> {
    let mut done: Vec<System> = Vec::with_capacity(config.systems.len());
    for system in &config.systems {
        progress.note(&format!("system {} of {}: {}", done.len() + 1, config.systems.len(), system.name));
        done.push(score_one(config, system, settings, progress).map_err(|source| Error::OfSystem {
            system: system.name.clone(),
            source: Box::new(source),
        })?);
    }
    Ok(done)
}

fn score_one(
    config: &StudyConfig,
    system: &StudySystem,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<System, Error> {
    let file_name = file_name(&system.name);
    let (place, run) = match &system.run {
        Some(run) => (run.display().to_string(), load_run(run)?),
        None => {
            let place = format!("runs/{file_name}");
            let settings = RunSettings {
                out: settings.out.join(&place),
                ..settings.clone()
            };
            let request = config.request_of(system);
            (place, score(&request, &settings, progress)?)
        }
    };
    Ok(System {
        name: system.name.clone(),
        file_name,
        place,
        stimuli: system.inputs.get(Input::GT).map(Path::to_owned),
        dataset: system.dataset.clone(),
        views: PairViews::open(&run)?,
        summaries: run.summaries()?.to_vec(),
        run,
    })
}

impl System {
    /// Are stimuli of one name the same in both? They are in one data set; where none is named, in one folder.
    pub(crate) fn shows_stimuli_of(&self, other: &System) -> bool {
        match (&self.dataset, &other.dataset) {
            (Some(own), Some(other)) => own == other,
            (None, None) => self.stimuli == other.stimuli,
            _ => false,
        }
    }

    /// Does this metric use a placeholder model?
    pub(crate) fn is_stand_in(&self, metric: &str) -> bool {
        self.run.record.metrics.iter().any(|record| record.id == metric && record.stand_in)
    }

    /// The dagger behind the numbers of this metric if it uses a placeholder model.
    pub(crate) fn dagger(&self, metric: &str) -> &'static str {
        if self.is_stand_in(metric) { "†" } else { "" }
    }

    /// The name of this metric in tables, with that dagger.
    pub(crate) fn labelled(&self, metric: &str) -> String {
        format!("{}{}", label(metric), self.dagger(metric))
    }
}
