//! Representational similarity analysis: the sources of an alignment beside its subjects, region by region.

use super::{AlignRequest, Study, rsa_tables, run};
use crate::results::Provenance;
use crate::{Error, Progress, Report, ResultFiles, RunSettings};
use indexmap::IndexMap;
use neurogauge_alignment::rsa::{Dissimilarities, Dissimilarity, RdmComparison, RsaResult, evaluate_rsa};
use neurogauge_alignment::{AlignmentError, Trials};
use neurogauge_core::{Finding, Seed, StimulusId, counted};
use neurogauge_report::{Format, Table};
use neurogauge_stats::BootstrapOptions;
use serde::{Deserialize, Serialize};

/// Increased when the layout of `rsa.json` changes.
const SCHEMA: u32 = 1;
/// The code of the finding that a unit lacks stimuli of others.
pub(super) const MISSING_STIMULI: &str = "missing_stimuli";

/// Every option that decides a number, besides what decides responses and features.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RsaSettings {
    /// How dissimilar responses are. Features have the same, or squared Euclidean distances beside crossnobis.
    pub dissimilarity: Dissimilarity,
    pub comparison: RdmComparison,
    /// Resamples of the stimuli.
    pub resamples: usize,
    pub level: f64,
}

impl Default for RsaSettings {
    fn default() -> Self {
        RsaSettings {
            dissimilarity: Dissimilarity::default(),
            comparison: RdmComparison::default(),
            resamples: 1000,
            level: 0.95,
        }
    }
}

/// The responses and sources of an alignment, and how their dissimilarities are compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RsaRequest {
    pub align: AlignRequest,
    pub rsa: RsaSettings,
}

/// The content of `rsa.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RsaRecord {
    #[serde(flatten)]
    pub provenance: Provenance,
    pub request: RsaRequest,
    /// Stimuli that a subject has; one may lack some that others have.
    pub stimuli: Vec<StimulusId>,
    pub findings: Vec<Finding>,
    pub sources: Vec<String>,
    pub regions: Vec<RsaRegion>,
}

/// A region of several subjects.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RsaRegion {
    pub hemisphere: String,
    pub roi: String,
    pub subjects: Vec<String>,
    #[serde(flatten)]
    pub result: RsaResult,
}

impl RsaRegion {
    pub fn name(&self) -> String {
        [self.hemisphere.as_str(), &self.roi].join(" ").trim().to_owned()
    }
}

/// A finished analysis.
#[derive(Debug)]
pub struct RsaRun {
    pub record: RsaRecord,
}

impl RsaRequest {
    /// Reads responses and features, as [`AlignRequest::run`] does, and compares their dissimilarities. Subjects may lack
    /// stimuli that others have.
    ///
    /// # Errors
    /// Errors of the configuration and its files; no source; a stimulus with a single repeat, for crossnobis.
    pub fn run(&self, settings: &RunSettings, progress: &dyn Progress) -> Result<RsaRun, Error> {
        let config = &self.align.config;
        if config.reverse {
            return Err(Error::Usage(
                "RSA has no direction: leave out `reverse` (or --reverse), which makes models the targets".to_owned(),
            ));
        }
        let (study, own, request) = self.opened(settings, progress)?;
        study.check_names()?;
        if study.sources.is_empty() {
            return Err(Error::Usage(
                "RSA compares sources with brains, and there are none: name them as [[sources]]".to_owned(),
            ));
        }
        let mut findings = [study.findings.clone(), request.align.config.stand_ins()].concat();
        let sources = self.of_sources(&study, &mut findings)?;
        let regions = self.regions(&study, &own, &sources, &mut findings, progress)?;
        Ok(RsaRun {
            record: RsaRecord {
                provenance: Provenance {
                    inputs: run::inputs(&study),
                    ..Provenance::new(SCHEMA, "align", Some(config.settings.seed))
                },
                request,
                findings,
                sources: study.sources.iter().map(|source| source.name.clone()).collect(),
                stimuli: study.stimuli,
                regions,
            },
        })
    }

    /// The study, the positions of each unit's stimuli, and the completed request.
    fn opened(&self, settings: &RunSettings, progress: &dyn Progress) -> Result<(Study, Vec<Vec<usize>>, Self), Error> {
        if self.align.simulated.is_some() {
            let (study, config) = self.align.study(settings, progress)?;
            let all = (0..study.stimuli.len()).collect();
            let own = vec![all; study.units.len()];
            return Ok((
                study,
                own,
                self.with(AlignRequest {
                    config,
                    ..self.align.clone()
                }),
            ));
        }
        let config = self.align.config.resolved()?;
        let request = self.with(AlignRequest {
            config,
            simulated: None,
        });
        if !settings.overwrite {
            RsaRun::refuse_other_than(&serde_json::json!({ "request": request }), &settings.out)?;
        }
        let (study, own) = request.align.config.study_of_own_stimuli(settings, progress)?;
        Ok((study, own, request))
    }

    fn with(&self, align: AlignRequest) -> Self {
        RsaRequest { align, rsa: self.rsa }
    }

    fn of_sources(&self, study: &Study, findings: &mut Vec<Finding>) -> Result<Vec<Dissimilarities>, Error> {
        let kind = self.rsa.dissimilarity.of_features();
        let of = |source: &super::SourceFeatures| {
            let found = Dissimilarities::of(&source.features, kind)
                .map_err(|error| AlignmentError::Data(format!("source {:?}: {error}", source.name)))?;
            findings.extend(left_out(&source.name, &found));
            Ok(found)
        };
        study.sources.iter().map(of).collect()
    }

    /// Crossnobis needs two repeats of each stimulus that a unit has.
    fn check_repeats(&self, trials: &Trials, own: &[usize], stimuli: &[StimulusId]) -> Result<(), Error> {
        let is_single = |repeats: &Vec<usize>| repeats.len() < 2;
        match trials.repeats().iter().position(is_single) {
            Some(place) if self.rsa.dissimilarity == Dissimilarity::Crossnobis => {
                let reason = format!(
                    "{}: 1 trial of stimulus {}; crossnobis needs two of each, so write `repeats = 2` at the top of the \
                     configuration, or choose another --dissimilarity",
                    trials.unit(),
                    stimuli[own[place]]
                );
                Err(AlignmentError::Data(reason).into())
            }
            _ => Ok(()),
        }
    }

    /// The regions, one at a time.
    fn regions(
        &self,
        study: &Study,
        own: &[Vec<usize>],
        sources: &[Dissimilarities],
        findings: &mut Vec<Finding>,
        progress: &dyn Progress,
    ) -> Result<Vec<RsaRegion>, Error> {
        let options = BootstrapOptions {
            resamples: self.rsa.resamples,
            level: self.rsa.level,
            seed: Seed(self.align.config.settings.seed),
            ..BootstrapOptions::default()
        };
        let n_stimuli = study.stimuli.len();
        let mut groups: IndexMap<(&str, &str), Vec<usize>> = IndexMap::new();
        for (place, unit) in study.units.iter().enumerate() {
            groups.entry(unit.trials.unit().region()).or_default().push(place);
        }
        progress.start("comparing dissimilarities", groups.len() as u64, 0);
        let mut regions = Vec::new();
        for ((hemisphere, roi), units) in groups {
            let mut subjects = Vec::new();
            for &place in &units {
                let trials = &study.units[place].trials;
                self.check_repeats(trials, &own[place], &study.stimuli)?;
                let found = Dissimilarities::of_trials(trials, self.rsa.dissimilarity)?;
                let name = trials.unit().to_string();
                findings.extend(left_out(&name, &found));
                let n_missing = n_stimuli - own[place].len();
                if n_missing > 0 {
                    let lacks = format!("lacks {n_missing} of {n_stimuli} stimuli, and is compared over its own");
                    findings.push(Finding::note(MISSING_STIMULI, name, lacks));
                }
                subjects.push(found.among(&own[place], n_stimuli));
            }
            let is_crossvalidated = self.rsa.dissimilarity == Dissimilarity::Crossnobis;
            let names = units.iter().map(|&place| study.units[place].trials.unit().subject.clone());
            regions.push(RsaRegion {
                hemisphere: hemisphere.to_owned(),
                roi: roi.to_owned(),
                subjects: names.collect(),
                result: evaluate_rsa(&subjects, sources, self.rsa.comparison, is_crossvalidated, &options)?,
            });
            progress.advance(1);
        }
        progress.finish();
        Ok(regions)
    }
}

/// Says how many stimuli have a pattern without dissimilarity.
fn left_out(name: &str, found: &Dissimilarities) -> Option<Finding> {
    let n = found.is_present().iter().filter(|is_present| !**is_present).count();
    let message = match n {
        0 => return None,
        1 => "1 stimulus is left out: its pattern is constant or zero, and has no dissimilarity".to_owned(),
        _ => format!("{n} stimuli are left out: their patterns are constant or zero, and have no dissimilarity"),
    };
    Some(Finding::warning("constant_patterns", name, message))
}

impl Report for RsaRun {
    const FILES: ResultFiles = ResultFiles::of("rsa.json", "rsa", &[Format::Markdown, Format::Csv]);
    type Record = RsaRecord;

    fn record(&self) -> &RsaRecord {
        &self.record
    }

    fn findings(&self) -> &[Finding] {
        &self.record.findings
    }

    fn done(&self) -> String {
        let sources = counted(self.record.sources.len(), "source");
        let regions = counted(self.record.regions.len(), "region");
        format!("{sources} compared with {regions} by dissimilarities")
    }

    fn opening(&self) -> Vec<String> {
        rsa_tables::opening(&self.record)
    }

    fn tables(&self, _: Format) -> Vec<Table> {
        rsa_tables::tables(&self.record)
    }
}
