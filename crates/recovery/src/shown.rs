//! What the paper's exhibits show of one kind of record: a report of tables and figures. That of scores of stimuli is made
//! here, beside noise ceilings.

use crate::aligned::Aligned;
use crate::preset::paper;
use crate::scores::{StimulusScores, UnitStimuli};
use indexmap::IndexMap;
use itertools::Itertools;
use neurogauge::align::{AlignRequest, Alignment, UnitScore};
use neurogauge::alignment::study::{OTHER_SUBJECTS, simulated};
use neurogauge::core::{Finding, Seed};
use neurogauge::report::{Format, Table};
use neurogauge::{Error, Figures, Progress, Provenance, Report, ResultFiles, RunSettings, is_drawn};
use neurogauge_exhibits::{Made, Records};
use serde::Serialize;
use serde_json::{Value, json};
use std::path::Path;

/// The kinds of records: name among exhibits, version of the layout, files, and how many tables a terminal shows.
const KINDS: [(&str, u32, ResultFiles, usize); 3] = [
    ("compare", 2, ResultFiles::of("compare.json", "compare", &[Format::Markdown, Format::Csv]), 1),
    ("paper", 7, ResultFiles::of("paper.json", "paper", &[Format::Markdown]), usize::MAX),
    ("stimuli", 3, ResultFiles::of("stimuli.json", "stimuli", &[Format::Markdown]), usize::MAX),
];

/// A comparison of alignments.
pub type AlignComparison = Shown<0>;
/// Tables and figures of the paper, from a finished alignment.
pub type PaperReport = Shown<1>;
/// Scores of stimuli along the directions of every target unit.
pub type StimulusReport = Shown<STIMULI>;
const STIMULI: usize = 2;

/// The content of the record's file.
#[derive(Debug, Serialize)]
pub struct ShownRecord {
    #[serde(flatten)]
    pub provenance: Provenance,
    /// What the exhibits show, by the names that they give it.
    #[serde(flatten)]
    pub shown: Value,
}

/// A report of the kind with this number.
#[derive(Debug)]
pub struct Shown<const KIND: usize> {
    pub record: ShownRecord,
    /// Notes for the alignment's own tables.
    pub notes: Vec<String>,
    pub(crate) done: String,
    pub(crate) findings: Vec<Finding>,
    pub(crate) made: Made,
    pub(crate) scores: Option<StimulusScores>,
}

impl<const KIND: usize> Shown<KIND> {
    /// Increased when the layout of the record changes.
    pub(crate) const SCHEMA: u32 = KINDS[KIND].1;

    /// The exhibits of a record, which may show other records too.
    pub(crate) fn new(provenance: Provenance, shown: Value, others: Records, done: String) -> Result<Self, Error> {
        let kind = KINDS[KIND].0;
        Ok(Shown {
            made: paper()?.make(&others.with(kind, &shown)?, Some(kind))?,
            record: ShownRecord { provenance, shown },
            notes: Vec::new(),
            done,
            findings: Vec::new(),
            scores: None,
        })
    }
}

impl<const KIND: usize> Report for Shown<KIND> {
    const FILES: ResultFiles = KINDS[KIND].2;
    const SHOWN: usize = KINDS[KIND].3;
    type Record = ShownRecord;

    fn record(&self) -> &ShownRecord {
        &self.record
    }

    fn findings(&self) -> &[Finding] {
        &self.findings
    }

    fn done(&self) -> String {
        self.done.clone()
    }

    fn tables(&self, _: Format) -> Vec<Table> {
        self.made.tables()
    }

    fn figures(&self) -> Result<Figures, Error> {
        let mut figures = self.made.figures();
        if let Some(scores) = &self.scores {
            scores.add_sheets(&mut figures)?;
        }
        Ok(figures)
    }

    fn has_figure(stem: &str, ending: &str) -> bool {
        let is_exhibit = paper().is_ok_and(|paper| paper.has_figure(KINDS[KIND].0, stem));
        is_exhibit && is_drawn(ending) || KIND == STIMULI && StimulusScores::is_sheet(stem, ending)
    }

    fn data(&self) -> Vec<String> {
        self.scores.iter().map(|_| StimulusScores::file()).collect()
    }

    fn write_data(&self, folder: &Path) -> Result<(), Error> {
        self.scores.as_ref().map_or(Ok(()), |scores| scores.write(folder))
    }
}

impl StimulusReport {
    /// The report for a finished alignment of this request: responses are read again, but no model runs.
    ///
    /// # Errors
    /// Errors of the alignment when it reads responses.
    pub fn of(
        alignment: &Alignment,
        request: &AlignRequest,
        settings: &RunSettings,
        progress: &dyn Progress,
    ) -> Result<StimulusReport, Error> {
        let aligned = Aligned::of(alignment);
        let mut config = request.config.clone();
        config.sources.clear();
        let study = match request.simulated {
            Some(size) => simulated(size, Seed(config.settings.seed))?.0,
            None => config.study(settings, progress)?,
        };
        progress.start("scoring stimuli", study.units.len() as u64, 0);
        let mut units = Vec::new();
        for unit in &study.units {
            units.push(UnitStimuli::of(&unit.trials, &alignment.run.plan, &aligned.config.settings)?);
            progress.advance(1);
        }
        progress.finish();
        let shown = json!({
            "fingerprint": alignment.record.fingerprint,
            "units": units,
            "sources": beside_ceiling(&aligned, &units)?,
        });
        let provenance = Provenance::new(Self::SCHEMA, "align", Some(aligned.config.settings.seed));
        let done = format!("stimuli scored on the directions of {} target units", units.len());
        let scores = StimulusScores {
            units,
            stimuli: study.stimuli,
            images: request.config.sources.iter().find_map(|source| source.images.clone()),
        };
        Ok(Shown {
            scores: Some(scores),
            ..Shown::new(provenance, shown, Records::default(), done)?
        })
    }
}

/// A score of an entry, and its ceiling.
type ScoreWithCeiling = (&'static str, fn(&UnitScore) -> Option<f64>, fn(&UnitStimuli) -> Option<f64>);

const SCORES_WITH_CEILINGS: [ScoreWithCeiling; 3] = [
    ("accuracy", |entry| Some(entry.accuracy), |unit| unit.noise_ceiling),
    ("ProfileMean", UnitScore::profile_mean, |unit| unit.itself.profile_mean),
    ("FullRefCov", |entry| Some(entry.recovered()?.profile.full), |unit| unit.itself.full_ref_cov),
];

fn beside_ceiling(aligned: &Aligned, units: &[UnitStimuli]) -> Result<Vec<Value>, Error> {
    let mut groups: IndexMap<(bool, &str), Vec<(&UnitScore, &UnitStimuli)>> = IndexMap::new();
    for entry in &aligned.entries {
        let name = if entry.donor { OTHER_SUBJECTS } else { &entry.source };
        let own = units.iter().find(|unit| unit.unit == entry.unit);
        groups.entry((entry.donor, name)).or_default().extend(own.map(|unit| (entry, unit)));
    }
    let mut found = Vec::new();
    for (((_, source), entries), (score, of_entry, of_unit)) in groups.iter().cartesian_product(SCORES_WITH_CEILINGS) {
        let estimate = |of: fn(f64, f64) -> Option<f64>| {
            let value = |(entry, unit): &(&UnitScore, &UnitStimuli)| of(of_entry(entry)?, of_unit(unit)?);
            aligned.estimate(entries.iter().filter_map(|own| Some(own.0.entry(value(own)?))))
        };
        found.push(json!({
            "source": source,
            "score": score,
            "value": estimate(|value, _| Some(value))?,
            "ceiling": estimate(|_, ceiling| Some(ceiling))?,
            "share": estimate(|value, ceiling| (ceiling > 0.0).then(|| value / ceiling))?,
        }));
    }
    Ok(found)
}
