//! Tests over all target units: whether a source recovers more than chance, and more than another source.

use super::Summarising;
use crate::study::unit_result::SourceResult;
use crate::{AlignmentError, NullP, NullSummary, Unit, UnitEstimate, UnitInterval};
use neurogauge_stats::{holm, mean, standard_deviation};
use serde::Serialize;

/// Two models compared over the target units that both have a score for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SourceDifference {
    /// The difference is the first minus the second.
    pub sources: [String; 2],
    /// The difference of the corrected ProfileMean, or of ProfileMean without a null, with its interval over subjects
    /// and folds.
    pub difference: UnitEstimate,
    /// Two-sided p of no difference; `None` without an interval.
    pub p: Option<f64>,
    /// p after Holm's correction over all differences that have one.
    pub p_corrected: Option<f64>,
}

impl SourceDifference {
    /// The other source, and this one's score minus that of the other; `None` if the difference does not involve this
    /// source.
    pub fn of(&self, source: &str) -> Option<(&str, UnitEstimate)> {
        let [first, second] = &self.sources;
        let found = self.difference;
        let turned = UnitEstimate {
            mean: found.mean.map(|mean| -mean),
            interval: found.interval.map(|(low, high)| (-high, -low)),
            ..found
        };
        match source {
            _ if source == first => Some((second, found)),
            _ if source == second => Some((first, turned)),
            _ => None,
        }
    }
}

/// p values of ProfileMean over all target units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct GroupNull {
    /// The probability that a source without information reaches the mean over units.
    pub p: Option<f64>,
    /// The probability that any of the models does if none has information.
    pub p_corrected: Option<f64>,
}

impl Summarising<'_> {
    /// The results of a model, unit by unit.
    fn of_model<'b>(&'b self, name: &'b str) -> impl Iterator<Item = (&'b Unit, &'b SourceResult)> {
        self.units.iter().filter_map(move |unit| {
            let mut sources = unit.sources.iter();
            let own = sources.find(|source| !source.donor && source.source == name)?;
            Some((&unit.unit, own))
        })
    }

    /// The scores of the folds, whose mean is the unit's score: ProfileMean, corrected by the null if there is one.
    fn scores_of_folds(&self, source: &SourceResult) -> Option<Vec<f64>> {
        let k = self.settings.main_length();
        let of = |curve: &[f64]| mean(curve.iter().take(k).copied());
        let folds = source.fits.iter().map(|fit| {
            let own = of(&fit.profile.as_ref().ok()?.top_k)?;
            Some((own, mean(fit.null.iter().filter_map(|curve| of(curve)))))
        });
        let folds: Vec<(f64, Option<f64>)> = folds.collect::<Option<_>>()?;
        let Some(null) = mean(folds.iter().filter_map(|(_, null)| *null)) else {
            return Some(folds.into_iter().map(|(own, _)| own).collect());
        };
        let corrected = folds.into_iter().map(|(own, of_fold)| (own - of_fold.unwrap_or(null)) / (1.0 - null));
        let corrected: Vec<f64> = corrected.collect();
        corrected.iter().all(|own| own.is_finite()).then_some(corrected)
    }

    /// The differences of every two models.
    pub(super) fn differences(&self) -> Result<Vec<SourceDifference>, AlignmentError> {
        let units = || self.units.iter().map(|unit| &unit.unit);
        let mut settings = self.settings.clone();
        settings.interval = UnitInterval::T;
        let intervals = settings.intervals(units());
        let scores: Vec<Vec<(&Unit, Vec<f64>)>> = (self.sources.iter())
            .map(|model| {
                let own = self.of_model(&model.name);
                own.filter_map(|(unit, own)| Some((unit, self.scores_of_folds(own)?))).collect()
            })
            .collect();
        let mut found = Vec::new();
        for (place, first) in self.sources.iter().enumerate() {
            for (other, second) in self.sources.iter().enumerate().skip(place + 1) {
                let entries = scores[place].iter().filter_map(|(unit, own)| {
                    let (_, others) = scores[other].iter().find(|(known, _)| known == unit)?;
                    let folds = own.iter().zip(others).map(|(one, other)| one - other);
                    Some((*unit, folds.collect::<Vec<f64>>()))
                });
                let (difference, p) = intervals.over_folds(&entries.collect::<Vec<_>>())?;
                found.push(SourceDifference {
                    sources: [first.name.clone(), second.name.clone()],
                    difference,
                    p,
                    p_corrected: None,
                });
            }
        }
        let ps: Vec<f64> = found.iter().filter_map(|own| own.p).collect();
        let mut corrected = holm(&ps)?.into_iter();
        for own in found.iter_mut().filter(|own| own.p.is_some()) {
            own.p_corrected = corrected.next();
        }
        Ok(found)
    }

    /// The mean over the entries of sources, and the same mean in each draw of the null, whose orders all units and
    /// sources share.
    fn group_draws<'b>(&self, own: impl Iterator<Item = &'b SourceResult>) -> Option<(f64, Vec<f64>)> {
        let k = self.settings.main_length();
        let (mut observed, mut draws) = (Vec::new(), Vec::<Vec<f64>>::new());
        for source in own {
            let profiles = source.fits.iter().map(|fit| {
                let profile = fit.profile.as_ref().ok()?;
                mean(profile.top_k.iter().take(k).copied())
            });
            let Some(Some(own)) = profiles.collect::<Option<Vec<f64>>>().map(mean) else {
                continue;
            };
            observed.push(own);
            draws.push(source.null_means(k));
        }
        let n_draws = draws.iter().map(Vec::len).min()?;
        let draws: Vec<f64> = (0..n_draws).filter_map(|draw| mean(draws.iter().map(|own| own[draw]))).collect();
        Some((mean(observed)?, draws)).filter(|(_, draws)| !draws.is_empty())
    }

    /// The p values of all donors together, and of each model.
    ///
    /// Units share the orders of the draws, so a draw of the mean over units is as dependent over subjects as the mean
    /// itself. The correction over models uses the largest standardised score of each draw (Westfall and Young, 1993);
    /// for Student's t, it is Holm's.
    pub(super) fn group_nulls(&self) -> Result<(GroupNull, Vec<GroupNull>), AlignmentError> {
        let p = |found: &Option<(f64, Vec<f64>)>| {
            let summary =
                |(own, draws): &(f64, Vec<f64>)| NullSummary::new(*own, draws, self.settings.null_p).map(|null| null.p);
            found.as_ref().map(summary).transpose()
        };
        let donors = self.units.iter().flat_map(|unit| &unit.sources);
        let of_donors = p(&self.group_draws(donors.filter(|source| source.donor)))?;
        let models = self.sources.iter().map(|model| self.group_draws(self.of_model(&model.name).map(|own| own.1)));
        let models: Vec<Option<(f64, Vec<f64>)>> = models.collect();
        let ps = models.iter().map(p).collect::<Result<Vec<_>, AlignmentError>>()?;
        let known: Vec<&(f64, Vec<f64>)> = models.iter().flatten().collect();
        let corrected = match self.settings.null_p {
            NullP::Draws => largest_of_each_draw(&known),
            NullP::T => holm(&ps.iter().flatten().copied().collect::<Vec<_>>())?,
        };
        let mut corrected = corrected.into_iter();
        let of_models = ps.into_iter().map(|p| GroupNull {
            p,
            p_corrected: p.and_then(|_| corrected.next()),
        });
        let of_donors = GroupNull {
            p: of_donors,
            p_corrected: of_donors,
        };
        Ok((of_donors, of_models.collect()))
    }
}

/// For each source, the share of draws, including the observation, in which the largest of all sources' scores, each in
/// SDs from its mean, is at least as large as the source's own.
pub fn largest_of_each_draw(sources: &[&(f64, Vec<f64>)]) -> Vec<f64> {
    let standardised = sources.iter().map(|(own, draws)| {
        let all: Vec<f64> = std::iter::once(*own).chain(draws.iter().copied()).collect();
        let centre = mean(all.iter().copied()).unwrap_or(0.0);
        let sd = standard_deviation(&all).filter(|&sd| sd > 1e-12);
        all.iter().map(|value| sd.map_or(0.0, |sd| (value - centre) / sd)).collect()
    });
    let standardised: Vec<Vec<f64>> = standardised.collect();
    let n = standardised.iter().map(Vec::len).min().unwrap_or(0);
    let largest = (1..n).map(|draw| standardised.iter().map(|scores| scores[draw]).fold(f64::NEG_INFINITY, f64::max));
    let largest: Vec<f64> = largest.collect();
    let p = |scores: &Vec<f64>| {
        let reached = largest.iter().filter(|&&own| own >= scores[0] - 1e-12);
        (1 + reached.count()) as f64 / n as f64
    };
    standardised.iter().map(p).collect()
}
