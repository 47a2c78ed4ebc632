//! Does high accuracy determine the profile, and does the profile hold on the next fold (Figure 12)?

use crate::aligned::{Aligned, Kind, brain_ref_score};
use neurogauge::Error;
use neurogauge::align::UnitScore;
use neurogauge::core::{Outcome, Undefined};
use neurogauge::report::figures::Dot;
use neurogauge::stats::{mean, pearson, quantile};
use serde::Serialize;

/// Lowest, quartiles and highest of some values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Quartiles {
    pub n: usize,
    pub mean: f64,
    /// 25th, 50th and 75th percentile, by linear interpolation.
    pub quartiles: [f64; 3],
    /// The lowest and the highest.
    pub range: (f64, f64),
}

impl Quartiles {
    /// `None` without a value.
    pub(super) fn of(values: &[f64]) -> Option<Quartiles> {
        let at = |q| quantile(values, q).ok();
        Some(Quartiles {
            n: values.len(),
            mean: mean(values.iter().copied())?,
            quartiles: [at(0.25)?, at(0.5)?, at(0.75)?],
            range: (at(0.0)?, at(1.0)?),
        })
    }

    /// The rows of a figure of groups.
    pub(super) fn rows(groups: &[(String, Quartiles)]) -> Vec<String> {
        groups.iter().map(|(label, of)| format!("{label} (n = {})", of.n)).collect()
    }

    /// A median with quartiles in each row.
    pub(super) fn dots(groups: &[(String, Quartiles)]) -> impl Iterator<Item = Dot> {
        let quartiles = groups.iter().map(|(_, of)| of.quartiles).enumerate();
        quartiles.filter_map(|(row, [low, median, high])| Dot::estimate((row, 0), median, Some((low, high))))
    }
}

/// Models among the most accurate quarter of all entries of models.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HighAccuracy {
    /// The lowest accuracy in that quarter.
    pub threshold: f64,
    /// Number of entries of models that have a BrainRefScore.
    pub n_entries: usize,
    /// BrainRefScore of the entries in that quarter, by kind of model.
    pub brain_ref_score: Vec<(String, Quartiles)>,
}

/// Profiles against the reference of the next fold, compared with those against their own fold's.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NextFold {
    /// Number of entries of models.
    pub n: usize,
    /// Pearson's r of both ProfileMeans, or why there is none.
    #[serde(with = "neurogauge::core::recorded")]
    pub pearson: Outcome,
    /// Mean of next-fold over same-fold ProfileMean; entries whose same-fold value is 0 are left out.
    pub mean_ratio: Option<f64>,
    /// The ratios, by kind of source.
    pub ratios: Vec<(String, Quartiles)>,
}

/// `None` without models that have a BrainRefScore.
pub(super) fn high_accuracy(aligned: &Aligned) -> Result<Option<HighAccuracy>, Error> {
    let scored: Vec<(&UnitScore, f64)> =
        aligned.of_models().filter_map(|entry| Some((entry, brain_ref_score(entry)?))).collect();
    if scored.is_empty() {
        return Ok(None);
    }
    let accuracies: Vec<f64> = scored.iter().map(|(entry, _)| entry.accuracy).collect();
    let threshold = quantile(&accuracies, 0.75)?;
    let of_kind = |kind: Kind| {
        let own = scored.iter().filter(|(entry, _)| entry.accuracy >= threshold && aligned.kind_of(entry) == kind);
        let values: Vec<f64> = own.map(|(_, score)| *score).collect();
        Some((kind.label().to_owned(), Quartiles::of(&values)?))
    };
    Ok(Some(HighAccuracy {
        threshold,
        n_entries: scored.len(),
        brain_ref_score: Kind::ALL.into_iter().filter_map(of_kind).collect(),
    }))
}

/// `None` if no entry has a profile of the next fold.
pub(super) fn next_fold(aligned: &Aligned) -> Option<NextFold> {
    let both = |entry: &UnitScore| {
        let recovered = entry.recovered.as_ref().ok()?;
        Some((recovered.profile_mean()?, recovered.next_fold?))
    };
    let (same, next): (Vec<f64>, Vec<f64>) = aligned.of_models().filter_map(both).unzip();
    let ratio = |(same, next): (f64, f64)| (same != 0.0).then(|| next / same);
    let ratios = Kind::ALL.into_iter().filter_map(|kind| {
        let values: Vec<f64> = aligned.of_kind(kind).filter_map(|entry| ratio(both(entry)?)).collect();
        Some((kind.label().to_owned(), Quartiles::of(&values)?))
    });
    let ratios: Vec<(String, Quartiles)> = ratios.collect();
    (!ratios.is_empty()).then(|| NextFold {
        n: same.len(),
        pearson: pearson(&same, &next).unwrap_or(Err(Undefined::TooFewItems)),
        mean_ratio: mean(aligned.of_models().filter_map(|entry| ratio(both(entry)?))),
        ratios,
    })
}
