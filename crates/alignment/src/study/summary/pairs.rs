//! Compares accuracy with recovery, and pretrained with untrained models.

use super::{SourceState, Summarising};
use crate::study::UnitScore;
use crate::{
    ACCURACY_LIMITS, AlignmentError, HumanVariation, MatchedPairs, ScoredSource, Unit, UnitEntry, UnitEstimate,
    human_variation,
};
use neurogauge_core::{Outcome, Undefined};
use neurogauge_stats::{StatsError, mean, pearson, spearman};
use serde::{Deserialize, Serialize};

/// The fewest models for a correlation over them.
const FEWEST_MODELS: usize = 5;

/// Two correlations over the same entries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Correlations {
    pub n: usize,
    /// Pearson's r, or the reason why there is none.
    #[serde(with = "neurogauge_core::recorded")]
    pub pearson: Outcome,
    /// Spearman's rho, or the reason why there is none.
    #[serde(with = "neurogauge_core::recorded")]
    pub spearman: Outcome,
}

/// Pairs of nearly equal accuracy.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Matched {
    /// Accuracies differ by at most this.
    pub limit: f64,
    /// The variation between donors of nearly equal accuracy.
    pub human: HumanVariation,
    /// Pretrained minus untrained.
    pub pairs: MatchedPairs,
    /// Their mean difference.
    pub difference: UnitEstimate,
}

/// Pretrained minus untrained, regardless of accuracy, by the length of the prefix.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sensitivity {
    /// The K of ProfileMean(K).
    pub k: usize,
    /// Mean over all pairs of a pretrained and an untrained model of one architecture (and layer), for one target unit.
    pub difference: UnitEstimate,
}

impl Correlations {
    /// The correlations of two quantities of the same entries.
    pub fn new(x: &[f64], y: &[f64]) -> Correlations {
        let outcome = |found: Result<Outcome, StatsError>| found.unwrap_or(Err(Undefined::TooFewItems));
        Correlations {
            n: x.len(),
            pearson: outcome(pearson(x, y)),
            spearman: outcome(spearman(x, y)),
        }
    }

    /// Are there at least five? Two always lie on a line, and the correlation of three or four can be anything.
    ///
    /// ```
    /// use neurogauge_alignment::study::Correlations;
    /// let of = |n| Correlations { n, pearson: Ok(1.0), spearman: Ok(1.0) };
    /// assert!(!of(4).is_shown() && of(5).is_shown());
    /// ```
    pub fn is_shown(&self) -> bool {
        self.n >= FEWEST_MODELS
    }
}

impl Summarising<'_> {
    pub(super) fn correlations(&self) -> Correlations {
        // Units of one model are not independent models.
        let models = self.sources.iter().filter_map(|model| {
            let entries = self.unit_scores.iter();
            let own = entries.filter(|entry| !entry.donor && entry.source == model.name);
            let values = own.filter_map(|entry| Some((entry.accuracy, entry.profile_mean()?)));
            let (accuracies, means): (Vec<f64>, Vec<f64>) = values.unzip();
            Some((mean(accuracies)?, mean(means)?))
        });
        let (accuracies, means): (Vec<f64>, Vec<f64>) = models.unzip();
        Correlations::new(&accuracies, &means)
    }

    pub(super) fn matched(&self) -> Result<Vec<Matched>, AlignmentError> {
        let scored = |entry: &UnitScore| {
            Some(ScoredSource {
                accuracy: entry.accuracy,
                profile_mean: entry.profile_mean()?,
            })
        };
        let units = || self.units.iter().map(|unit| &unit.unit);
        let donors: Vec<Vec<ScoredSource>> = units()
            .map(|unit| self.unit_scores.iter().filter(|e| e.donor && e.unit == *unit).filter_map(scored).collect())
            .collect();
        let pairs: Vec<Vec<(ScoredSource, ScoredSource)>> = units().map(|unit| self.pairs(unit, &scored)).collect();
        let matched = ACCURACY_LIMITS.iter().map(|&limit| {
            let human = human_variation(&donors, limit)?;
            let pairs = MatchedPairs::new(&pairs, limit, &human);
            Ok(Matched {
                limit,
                human,
                difference: self.mean(of_units(units(), &pairs.differences))?,
                pairs,
            })
        });
        matched.collect()
    }

    /// One result for each length of the prefix; empty without pairs.
    pub(super) fn sensitivity(&self) -> Result<Vec<Sensitivity>, AlignmentError> {
        let mut found = Vec::new();
        for k in self.settings.lengths() {
            let at = |entry: &UnitScore| entry.recovered()?.mean_of(k);
            let units = self
                .units
                .iter()
                .map(|unit| self.pairs(&unit.unit, &at).into_iter().map(|(one, other)| one - other).collect());
            let units: Vec<Vec<f64>> = units.collect();
            if units.iter().any(|differences| !differences.is_empty()) {
                let targets = self.units.iter().map(|unit| &unit.unit);
                let difference = self.mean(of_units(targets, &units))?;
                found.push(Sensitivity { k, difference });
            }
        }
        Ok(found)
    }

    /// The values of each pretrained and each untrained model of one architecture (and layer) for a target unit.
    fn pairs<T: Copy>(&self, unit: &Unit, of: &dyn Fn(&UnitScore) -> Option<T>) -> Vec<(T, T)> {
        let of_model = |name: &str| {
            let mut entries = self.unit_scores.iter();
            entries.find(|e| !e.donor && e.unit == *unit && e.source == name).and_then(of)
        };
        let of_state = |state| self.sources.iter().filter(move |s| s.state == Some(state));
        let pretrained = of_state(SourceState::Pretrained).filter(|one| one.architecture.is_some());
        pretrained
            .flat_map(|one| of_state(SourceState::Random).map(move |other| (one, other)))
            .filter(|(one, other)| (&one.architecture, &one.layer) == (&other.architecture, &other.layer))
            .filter_map(|(one, other)| Some((of_model(&one.name)?, of_model(&other.name)?)))
            .collect()
    }
}

/// The values of each target unit, which come from models.
fn of_units<'a>(units: impl Iterator<Item = &'a Unit>, values: &[Vec<f64>]) -> impl Iterator<Item = UnitEntry<'a>> {
    units.zip(values).flat_map(|(unit, own)| own.iter().map(move |&value| UnitEntry::new(unit, value)))
}
