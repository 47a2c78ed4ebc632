//! Scores the systems. Their runs share observations of the stimuli through the cache.

use crate::config::{StudyConfig, StudySystem};
use crate::shown_metrics::label;
use neurogauge::core::Input;
use neurogauge::report::marked;
use neurogauge::{Error, PairViews, Progress, Run, RunSettings, ScoreRequest, file_name, load_run, score};
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(crate) struct System {
    pub(crate) name: String,
    /// Letters and digits of its name, for file names.
    pub(crate) file_name: String,
    /// The run's path, relative to the study's folder or as given.
    pub(crate) place: String,
    /// Its own stimuli; `None` for the shared ones.
    pub(crate) stimuli: Option<PathBuf>,
    /// Its data set, if the configuration names one.
    pub(crate) dataset: Option<String>,
    pub(crate) run: Run,
    /// Images and observations of its pairs, for figures.
    pub(crate) views: PairViews,
}

/// The settings for a place below the study's folder.
pub(crate) fn below(settings: &RunSettings, place: &str) -> RunSettings {
    RunSettings {
        out: settings.out.join(place),
        ..settings.clone()
    }
}

/// Adds the system to an error.
pub(crate) fn of_system(system: impl Into<String>) -> impl FnOnce(Error) -> Error {
    move |source| Error::OfSystem {
        system: system.into(),
        source: Box::new(source),
    }
}

/// Does a run's metric use a placeholder model?
pub(crate) fn is_stand_in(run: &Run, metric: &str) -> bool {
    run.record.metrics.iter().any(|record| record.id == metric && record.stand_in)
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
        done.push(score_one(config, system, settings, progress).map_err(of_system(&system.name))?);
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
            let run = score(&config.request_of(system), &below(settings, &place), progress)?;
            (place, run)
        }
    };
    Ok(System {
        name: system.name.clone(),
        file_name,
        place,
        stimuli: system.inputs.get(Input::GT).map(Path::to_owned),
        dataset: system.dataset.clone(),
        views: PairViews::open(&run)?,
        run,
    })
}

impl System {
    /// Are stimuli of the same name the same in both systems? They are if both have the same data set, or without data
    /// sets, the same folder.
    pub(crate) fn shows_stimuli_of(&self, other: &System) -> bool {
        match (&self.dataset, &other.dataset) {
            (Some(own), Some(other)) => own == other,
            (None, None) => self.stimuli == other.stimuli,
            _ => false,
        }
    }

    /// Does this metric use a placeholder model?
    pub(crate) fn is_stand_in(&self, metric: &str) -> bool {
        is_stand_in(&self.run, metric)
    }

    /// The request of its run, to be changed.
    pub(crate) fn request(&self, config: &StudyConfig) -> ScoreRequest {
        let mut asked = self.run.record.request.clone();
        if asked.models.are_default() {
            asked.models.clone_from(&config.score.models);
        }
        asked
    }

    /// This metric's name in tables, with a dagger if it uses a placeholder model.
    pub(crate) fn labelled(&self, metric: &str) -> String {
        marked(&label(metric), self.is_stand_in(metric))
    }
}
