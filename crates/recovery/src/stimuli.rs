//! The report of scores of stimuli, beside noise ceilings.

use crate::aligned::Aligned;
use crate::scores::{StimulusScores, UnitStimuli};
use crate::shown::{Shown, StimulusReport};
use indexmap::IndexMap;
use itertools::Itertools;
use neurogauge::align::{AlignRequest, Alignment, UnitScore};
use neurogauge::alignment::study::{OTHER_SUBJECTS, simulated};
use neurogauge::core::Seed;
use neurogauge::{Error, Progress, Provenance, RunSettings};
use neurogauge_exhibits::Records;
use serde_json::{Value, json};

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
