//! Whether high accuracy determines the profile, and whether the profile holds on the next fold (Figure 12).

use crate::aligned::{Aligned, Kind, brain_ref_score};
use neurogauge::Error;
use neurogauge::align::UnitScore;
use neurogauge::core::{Outcome, Undefined};
use neurogauge::stats::{mean, pearson, quantile};
use serde::Serialize;

/// Lowest value, quartiles and highest value.
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
    /// The quartiles; `None` without a value.
    pub(super) fn of(values: &[f64]) -> Option<Quartiles> {
        let at = |q| quantile(values, q).ok();
        Some(Quartiles {
            n: values.len(),
            mean: mean(values.iter().copied())?,
            quartiles: [at(0.25)?, at(0.5)?, at(0.75)?],
            range: (at(0.0)?, at(1.0)?),
        })
    }

    /// A value of entries, grouped by kind of source; kinds without a value are left out.
    pub(super) fn by_kind(
        aligned: &Aligned,
        kinds: &[Kind],
        of: impl Fn(&UnitScore) -> Option<f64>,
    ) -> Vec<(String, Quartiles)> {
        let of_kind = |kind: &Kind| {
            let values: Vec<f64> = aligned.of_kind(*kind).filter_map(&of).collect();
            Some((kind.label().to_owned(), Quartiles::of(&values)?))
        };
        kinds.iter().filter_map(of_kind).collect()
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

/// Profiles against the next fold's reference, compared with those against their own fold's.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NextFold {
    /// Number of entries of models.
    pub n: usize,
    /// Pearson's r of both ProfileMeans, or the reason why there is none.
    #[serde(with = "neurogauge::core::recorded")]
    pub pearson: Outcome,
    /// Mean ratio of next-fold to same-fold ProfileMean; entries whose same-fold value is 0 are left out.
    pub mean_ratio: Option<f64>,
    /// The ratios, by kind of source.
    pub ratios: Vec<(String, Quartiles)>,
}

/// The summary; `None` without models that have a BrainRefScore.
pub(super) fn high_accuracy(aligned: &Aligned) -> Result<Option<HighAccuracy>, Error> {
    let scored = aligned.of_models().filter(|entry| brain_ref_score(entry).is_some());
    let accuracies: Vec<f64> = scored.map(|entry| entry.accuracy).collect();
    if accuracies.is_empty() {
        return Ok(None);
    }
    let threshold = quantile(&accuracies, 0.75)?;
    let score = |entry: &UnitScore| brain_ref_score(entry).filter(|_| entry.accuracy >= threshold);
    Ok(Some(HighAccuracy {
        threshold,
        n_entries: accuracies.len(),
        brain_ref_score: Quartiles::by_kind(aligned, &Kind::MODELS, score),
    }))
}

/// ProfileMean of an entry against the reference of its own fold and of the next one.
pub(super) fn of_both_folds(entry: &UnitScore) -> Option<(f64, f64)> {
    let recovered = entry.recovered.as_ref().ok()?;
    Some((recovered.profile_mean()?, recovered.next_fold?))
}

/// The comparison; `None` if no entry has a profile against the next fold.
pub(super) fn next_fold(aligned: &Aligned) -> Option<NextFold> {
    let (same, next): (Vec<f64>, Vec<f64>) = aligned.of_models().filter_map(of_both_folds).unzip();
    let ratio =
        |entry: &UnitScore| of_both_folds(entry).filter(|(same, _)| *same != 0.0).map(|(same, next)| next / same);
    let ratios = Quartiles::by_kind(aligned, &Kind::ALL, ratio);
    (!ratios.is_empty()).then(|| NextFold {
        n: same.len(),
        pearson: pearson(&same, &next).unwrap_or(Err(Undefined::TooFewItems)),
        mean_ratio: mean(aligned.of_models().filter_map(ratio)),
        ratios,
    })
}
