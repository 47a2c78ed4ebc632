//! Pairs the entries of two alignments.

use crate::aligned::{Aligned, Kind, brain_ref_score, shape_distance};
use indexmap::IndexMap;
use neurogauge::align::UnitScore;
use neurogauge::alignment::Unit;
use neurogauge::stats::mean;

/// A quantity of an entry.
pub(super) type Of = fn(&UnitScore) -> Option<f64>;

/// The quantities that are compared, with their names.
pub(super) const QUANTITIES: [(&str, Of); 6] = [
    ("accuracy", |entry| Some(entry.accuracy)),
    ("ProfileMean", UnitScore::profile_mean),
    ("above chance", |entry| entry.recovered.as_ref().ok()?.main_null()?.corrected),
    ("BrainRefScore", brain_ref_score),
    ("noise-corrected BrainRefScore", |entry| entry.recovered.as_ref().ok()?.noise_corrected),
    ("ShapeDist", shape_distance),
];

/// The values in both alignments for one source and one place in the brain.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Paired {
    pub(super) source: String,
    pub(super) kind: Kind,
    /// The target unit; its region is empty if regions are averaged.
    pub(super) unit: Unit,
    /// The values in both alignments, by quantity.
    pub(super) values: Vec<Option<[f64; 2]>>,
}

/// The level at which entries are paired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// By subject, hemisphere and region.
    Unit,
    /// By subject and hemisphere: the mean over regions, if the alignments share no region.
    Hemisphere,
}

/// All pairs, in the order of the first alignment.
pub(super) fn paired(first: &Aligned, second: &Aligned) -> (Level, Vec<Paired>) {
    let shares_units = first.units.iter().any(|unit| second.units.iter().any(|other| other.unit == unit.unit));
    let level = if shares_units { Level::Unit } else { Level::Hemisphere };
    let places = [first, second].map(|aligned| by_place(aligned, level));
    let [one, other] = &places;
    let pairs = one.iter().filter_map(|(key, (kind, values))| {
        let (_, others) = &other.iter().find(|(known, _)| known == key)?.1;
        Some(Paired {
            source: key.0.clone(),
            kind: *kind,
            unit: key.1.clone(),
            values: values.iter().zip(others).map(|(one, other)| Some([(*one)?, (*other)?])).collect(),
        })
    });
    (level, pairs.collect())
}

type Place = ((String, Unit, bool), (Kind, Vec<Option<f64>>));

/// The values for each source and place, averaged over regions at the level of hemispheres.
fn by_place(aligned: &Aligned, level: Level) -> Vec<Place> {
    let mut found: IndexMap<(String, Unit, bool), Vec<&UnitScore>> = IndexMap::new();
    for entry in &aligned.entries {
        let unit = match level {
            Level::Unit => entry.unit.clone(),
            Level::Hemisphere => Unit::new(&entry.unit.subject, &entry.unit.hemisphere, ""),
        };
        found.entry((entry.source.clone(), unit, entry.donor)).or_default().push(entry);
    }
    let places = found.into_iter().map(|(key, entries)| {
        let values = QUANTITIES.iter().map(|(_, of)| mean(entries.iter().filter_map(|entry| of(entry))));
        (key, (aligned.kind_of(entries[0]), values.collect()))
    });
    places.collect()
}
