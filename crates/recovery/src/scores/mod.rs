//! Scores of stimuli along reproducible directions, as a table for other programs and as sheets of the stimuli at both ends.

mod sheets;
#[cfg(test)]
mod tests;
mod unit;

pub(crate) use unit::UnitStimuli;

use neurogauge::Error;
use neurogauge::core::StimulusId;
use neurogauge::formats::columns_parquet::{self, ColumnTable};
use std::path::{Path, PathBuf};

/// The name of the scores' file, without ending.
const SCORES: &str = "stimulus_scores";

/// The scores of all stimuli in all target units.
#[derive(Debug)]
pub(crate) struct StimulusScores {
    pub(crate) units: Vec<UnitStimuli>,
    pub(crate) stimuli: Vec<StimulusId>,
    /// The path of the stimuli's images, if a source names one.
    pub(crate) images: Option<PathBuf>,
}

impl StimulusScores {
    pub(crate) fn file() -> String {
        format!("{SCORES}.parquet")
    }

    pub(crate) fn write(&self, folder: &Path) -> Result<(), Error> {
        let rows = self.units.iter().flat_map(|unit| {
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
        Ok(columns_parquet::write(&folder.join(StimulusScores::file()), SCORES, &columns)?)
    }
}
