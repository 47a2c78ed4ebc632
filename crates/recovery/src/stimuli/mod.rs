//! Scores of stimuli along reproducible directions, the stimuli at both ends, and noise ceilings.

mod scores;
mod sheets;
#[cfg(test)]
mod tests;

pub use scores::{OwnRecovery, ScoredDirection, UnitStimuli};

use crate::aligned::Aligned;
use crate::published::paper;
use itertools::Itertools;
use neurogauge::align::{AlignRequest, Alignment, UnitScore};
use neurogauge::alignment::study::{OTHER_SUBJECTS, simulated};
use neurogauge::core::{Seed, StimulusId};
use neurogauge::formats::columns_parquet::{self, ColumnTable};
use neurogauge::report::{Format, Table};
use neurogauge::{Error, Figures, Progress, Provenance, Report, ResultFiles, RunSettings, is_drawn, is_sheet};
use neurogauge_exhibits::{Made, Records};
use serde::Serialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Increased when the layout of `stimuli.json` changes.
const SCHEMA: u32 = 3;
/// The kind of its record among the paper's exhibits.
const RECORDS: &str = "stimuli";
/// The name of the scores' file, without ending.
const SCORES: &str = "stimulus_scores";

/// The content of `stimuli.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StimulusRecord {
    /// The program and the seed of the intervals.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// SHA-256 of everything that affects the alignment.
    pub fingerprint: String,
    pub units: Vec<UnitStimuli>,
    /// The `value` of accuracy, ProfileMean and FullRefCov of other subjects together, then of each model, over the entries
    /// that have a ceiling: for the accuracy its noise ceiling, for the others the target's recovery of itself. `share` is
    /// their ratio, entry by entry (convention `recovery-aggregates`).
    pub sources: Vec<Value>,
}

/// Scores of stimuli along the directions of every target unit.
#[derive(Debug)]
pub struct StimulusReport {
    /// Everything except the scores themselves.
    pub record: StimulusRecord,
    made: Made,
    stimuli: Vec<StimulusId>,
    /// The path of the stimuli's images, if a source names one.
    images: Option<PathBuf>,
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
        let plan = &alignment.run.plan;
        progress.start("scoring stimuli", study.units.len() as u64, 0);
        let mut units = Vec::new();
        for unit in &study.units {
            units.push(UnitStimuli::of(&unit.trials, plan, aligned.settings())?);
            progress.advance(1);
        }
        progress.finish();
        let images = request.config.sources.iter().find_map(|source| source.images.clone());
        let record = StimulusRecord {
            provenance: Provenance::new(SCHEMA, "align", Some(aligned.settings().seed)),
            fingerprint: alignment.record.fingerprint.clone(),
            sources: beside_ceiling(&aligned, &units)?,
            units,
        };
        let records = Records::default().with(RECORDS, &record)?;
        Ok(StimulusReport {
            made: paper()?.make(&records, Some(RECORDS))?,
            record,
            stimuli: study.stimuli,
            images,
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
    let name_of = |entry: &UnitScore| {
        if entry.donor {
            OTHER_SUBJECTS.to_owned()
        } else {
            entry.source.clone()
        }
    };
    let groups = aligned.entries.iter().map(|entry| (entry.donor, name_of(entry))).unique();
    let mut found = Vec::new();
    for (group, (score, of_entry, of_unit)) in groups.cartesian_product(SCORES_WITH_CEILINGS) {
        let own = aligned.entries.iter().filter(|entry| (entry.donor, name_of(entry)) == group);
        let own = own.filter_map(|entry| {
            let unit = units.iter().find(|unit| unit.unit == entry.unit)?;
            Some((entry, of_entry(entry)?, of_unit(unit)?))
        });
        let own = own.collect_vec();
        let shares = own.iter().filter(|(.., ceiling)| *ceiling > 0.0);
        found.push(json!({
            "source": group.1,
            "score": score,
            "value": aligned.estimate(own.iter().map(|(entry, value, _)| entry.entry(*value)))?,
            "ceiling": aligned.estimate(own.iter().map(|(entry, _, ceiling)| entry.entry(*ceiling)))?,
            "share": aligned.estimate(shares.map(|(entry, value, of)| entry.entry(value / of)))?,
        }));
    }
    Ok(found)
}

impl Report for StimulusReport {
    const FILES: ResultFiles = ResultFiles::of("stimuli.json", "stimuli", &[Format::Markdown]);
    type Record = StimulusRecord;

    fn record(&self) -> &StimulusRecord {
        &self.record
    }

    fn done(&self) -> String {
        format!("stimuli scored on the directions of {} target units", self.record.units.len())
    }

    fn tables(&self, _: Format) -> Vec<Table> {
        self.made.tables()
    }

    fn figures(&self) -> Result<Figures, Error> {
        let mut figures = sheets::figures(&self.record.units, &self.stimuli, self.images.as_deref())?;
        let drawn = self.made.figures();
        figures.pictures.extend(drawn.pictures);
        figures.findings.extend(drawn.findings);
        Ok(figures)
    }

    fn has_figure(stem: &str, ending: &str) -> bool {
        let is_sheet = stem.starts_with(sheets::STEM) && is_sheet(ending);
        is_sheet || (paper().is_ok_and(|paper| paper.has_figure(RECORDS, stem)) && is_drawn(ending))
    }

    fn data(&self) -> Vec<String> {
        vec![format!("{SCORES}.parquet")]
    }

    fn write_data(&self, folder: &Path) -> Result<(), Error> {
        let rows = self.record.units.iter().flat_map(|unit| {
            unit.directions.iter().enumerate().flat_map(move |(place, direction)| {
                let scores = direction.scores.iter().zip(&self.stimuli);
                scores.map(move |(&score, stimulus)| (&unit.unit, place, direction, stimulus, score))
            })
        });
        let table = ColumnTable::of(rows)
            .text("subject", |(unit, ..)| unit.subject.clone())
            .text("hemisphere", |(unit, ..)| unit.hemisphere.clone())
            .text("roi", |(unit, ..)| unit.roi.clone())
            .whole("direction", |(_, place, ..)| place + 1)
            .number("weight", |(_, _, direction, ..)| Some(direction.weight))
            .number("reliability", |(_, _, direction, ..)| direction.reliability);
        let number = |stimulus: &StimulusId| match stimulus {
            StimulusId::Number(number) => Some(*number as usize),
            StimulusId::Name(_) => None,
        };
        let table = match self.stimuli.iter().all(|own| number(own).is_some()) {
            true => table.whole("stimulus", |(.., own, _)| number(own).unwrap_or_default()),
            false => table.text("stimulus", |(.., own, _)| own.to_string()),
        };
        let columns = table.number("score", |(.., score)| Some(*score)).into_columns();
        Ok(columns_parquet::write(&folder.join(format!("{SCORES}.parquet")), SCORES, &columns)?)
    }
}
