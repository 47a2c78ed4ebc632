//! Scores the systems, and audits them: does each decode, or does it classify? Their runs share observations of the
//! stimuli through the cache; finished ones are read back.

use crate::config::{StudyAudit, StudyConfig, StudySystem};
use crate::shown::label;
use neurogauge::core::Input;
use neurogauge::core::option_words::{ConfigTable, in_table};
use neurogauge::core::words::is_default;
use neurogauge::report::figures::FigureOptions;
use neurogauge::report::marked;
use neurogauge::{
    DryRun, Error, ModelLayers, PairViews, Progress, Report, Run, RunSettings, ScoreRequest, Silent, file_name,
    load_run, plan_score, score,
};
use neurogauge_audit::{Audit, AuditRequest, audit};
use std::path::{Path, PathBuf};

const AUDIT: ConfigTable = ConfigTable {
    name: "[audit]",
    keys: &["train", "features", "clusters"],
};
const PAIRING: ConfigTable = ConfigTable {
    name: "[score.pairing]",
    keys: &["pairs", "match"],
};

/// What is asked of a study, and where it goes.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) config: &'a StudyConfig,
    pub(crate) settings: &'a RunSettings,
    pub(crate) drawing: &'a FigureOptions,
    pub(crate) progress: &'a dyn Progress,
}

#[derive(Debug)]
pub(crate) struct System {
    pub(crate) asked: StudySystem,
    pub(crate) name: String,
    /// Letters and digits of its name, for file names.
    pub(crate) file_name: String,
    /// The run's path, relative to the study's folder or as given.
    pub(crate) place: String,
    pub(crate) run: Run,
    /// Images and observations of its pairs, for figures.
    pub(crate) views: PairViews,
    /// The audit's path relative to the study's folder, and its results.
    pub(crate) audit: Option<(String, Audit)>,
}

impl System {
    /// Are stimuli of the same name the same in both systems? They are if both have the same data set, or without data
    /// sets, the same folder.
    pub(crate) fn shows_stimuli_of(&self, other: &System) -> bool {
        let (own, other) = (&self.asked, &other.asked);
        let is_of_data = own.dataset.is_some() && other.dataset.is_some();
        own.dataset == other.dataset && (is_of_data || own.inputs.get(Input::GT) == other.inputs.get(Input::GT))
    }

    /// This metric's name in tables, with a dagger if it uses a placeholder model.
    pub(crate) fn labelled(&self, metric: &str) -> String {
        marked(&label(metric), is_stand_in(&self.run, metric))
    }

    /// The request of its run, to be changed.
    pub(crate) fn request(&self, config: &StudyConfig) -> ScoreRequest {
        let mut asked = self.run.record.request.clone();
        if is_default(&asked.models) {
            asked.models.clone_from(&config.score.models);
        }
        asked
    }
}

/// What scoring would do. Nothing is observed or written.
pub(crate) fn plan(request: &ScoreRequest, settings: &RunSettings) -> Result<DryRun, Error> {
    let mut nowhere = settings.clone();
    nowhere.out = PathBuf::new();
    in_table(&PAIRING, || plan_score(request, &nowhere, &Silent))
}

pub(crate) fn of_system(system: impl Into<String>) -> impl FnOnce(Error) -> Error {
    move |source| Error::OfSystem {
        system: system.into(),
        source: Box::new(source),
    }
}

pub(crate) fn is_stand_in(run: &Run, metric: &str) -> bool {
    run.record.metrics.iter().any(|record| record.id == metric && record.stand_in)
}

impl Job<'_> {
    pub(crate) fn below(&self, place: &str) -> RunSettings {
        let mut settings = self.settings.clone();
        settings.out = settings.out.join(place);
        settings
    }

    pub(crate) fn score(&self, request: &ScoreRequest, place: &str) -> Result<Run, Error> {
        score(request, &self.below(place), self.progress)
    }

    pub(crate) fn systems(&self) -> Result<Vec<System>, Error> {
        let n = self.config.systems.len();
        let scored = |(place, system): (usize, &StudySystem)| {
            self.progress.note(&format!("system {} of {n}: {}", place + 1, system.name));
            self.system(system).map_err(of_system(&system.name))
        };
        self.config.systems.iter().enumerate().map(scored).collect()
    }

    fn system(&self, system: &StudySystem) -> Result<System, Error> {
        let file_name = file_name(&system.name);
        let (place, run) = match &system.run {
            Some(run) => (run.display().to_string(), load_run(run)?),
            None => {
                let place = format!("runs/{file_name}");
                let run = self.score(&self.config.request_of(system), &place)?;
                (place, run)
            }
        };
        Ok(System {
            asked: system.clone(),
            name: system.name.clone(),
            audit: self.config.audit.as_ref().map(|wanted| self.audit(wanted, system, &run)).transpose()?,
            views: PairViews::open(&run)?,
            file_name,
            place,
            run,
        })
    }

    /// Audits a system, and writes the same files as `neurogauge audit`.
    fn audit(&self, wanted: &StudyAudit, system: &StudySystem, run: &Run) -> Result<(String, Audit), Error> {
        let place = format!("audit/{}", file_name(&system.name));
        let settings = self.below(&place);
        let images = [Input::GT, Input::RECON].map(|input| run.record.request.inputs.get(input).map(Path::to_owned));
        let [Some(test), decoded @ Some(_)] = images else {
            return Err(Error::Usage("[audit]: the system has no images, whose features are compared".to_owned()));
        };
        let usual = AuditRequest::new(test);
        let request = AuditRequest {
            train: wanted.train.clone(),
            decoded,
            features: wanted.model()?,
            pairs: run.record.request.pairing.pairs,
            models: self.config.score.models.clone(),
            clusters: wanted.clusters.clone().unwrap_or(usual.clusters.clone()),
            bootstrap: self.config.score.bootstrap,
            ..usual
        };
        let audit = in_table(&AUDIT, || audit(&request, &settings, self.progress))?;
        audit.write_figures(&settings.out, self.drawing)?;
        audit.write(&settings.out, settings.latex)?;
        Ok((place, audit))
    }
}

impl StudyAudit {
    pub(crate) fn model(&self) -> Result<Option<ModelLayers>, Error> {
        let model = self.features.as_deref().map(str::parse).transpose();
        model.map_err(|error| Error::Usage(format!("[audit]: features: {error}")))
    }
}
