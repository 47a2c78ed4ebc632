//! Other subjects as the reference of a region: whether they recover more than chance, and how reliable their recovery
//! is.

use super::unit_scores::over_folds;
use super::{AlignSettings, SourceResult, UnitResult};
use crate::{AlignmentError, NullP, NullSummary, Profile};
use indexmap::IndexMap;
use neurogauge_core::{Outcome, Undefined};
use neurogauge_stats::{mean, quantile};
use serde::{Deserialize, Serialize};

/// The most single trials that are used separately for a donor.
pub(super) const MOST_SINGLE_TRIALS: usize = 3;
/// Below this reliability, more than half of the noise-free score would be extrapolated.
const LEAST_RELIABILITY: f64 = 0.5;

/// What a donor recovers if each stimulus has a single trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SingleTrials {
    /// The harmonic mean of the donor's numbers of repeats.
    pub repeats: f64,
    /// Its profiles: the first from the first trial of each stimulus, the second from the second, and so on.
    #[serde(with = "neurogauge_core::recorded::each")]
    pub profiles: Vec<Result<Profile, Undefined>>,
}

/// The other subjects of the target units of one hemisphere and region.
///
/// With C_n, the mean over target units and donors of ProfileMean minus its null, and C_1, the same quantity from
/// single trials instead of means of n repeats, the reliability is the value for which the Spearman-Brown formula gives
/// C_n / C_1:
///
/// reliability = (n - C_n / C_1) / (n - 1).
///
/// Without noise in its responses, a donor would recover null + (ProfileMean - null) / reliability.
///
/// - Range: at most 1, which means that repeats change nothing.
/// - Undefined: without a null that selects rank and regularisation again; if donors do not recover more than their
///   null; if C_n / C_1 is at least n, which noise alone explains.
/// - Reference: Spearman (1910) and Brown (1910), British Journal of Psychology 3.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HumanReference {
    pub hemisphere: String,
    pub roi: String,
    /// Number of target units that have donors.
    pub units: usize,
    /// Number of these units in which the median donor recovers more than its null (p at most 0.05); `None` without
    /// draws.
    pub units_above_null: Option<usize>,
    /// Mean ProfileMean of the donors.
    pub profile_mean: f64,
    /// Mean ProfileMean of single trials; `None` if these were not fitted.
    pub single_trials: Option<f64>,
    /// Mean of the donors' null; `None` without draws.
    pub null: Option<f64>,
    /// Harmonic mean of the numbers of repeats.
    pub repeats: Option<f64>,
    /// The reliability of ProfileMean above chance, or why it is unknown.
    #[serde(with = "neurogauge_core::recorded")]
    pub reliability: Outcome,
}

/// The other subjects of one target unit.
#[derive(Debug, Clone, Default)]
pub struct Donors {
    /// The profiles of the subjects that have one.
    pub profiles: Vec<Profile>,
    pub means: Vec<f64>,
    /// The nulls of ProfileMean; empty without draws.
    pub nulls: Vec<NullSummary>,
    pub repeats: Vec<f64>,
    pub single_trials: Vec<f64>,
}

impl Donors {
    pub(super) fn of(unit: &UnitResult, settings: &AlignSettings) -> Result<Donors, AlignmentError> {
        let k = settings.main_length();
        let mut found = Donors::default();
        for source in unit.sources.iter().filter(|source| source.donor) {
            let Ok(profile) = over_folds(source.fits.iter().map(|fit| &fit.profile)) else {
                continue;
            };
            let own = profile.mean(k)?;
            let draws = source.null_means(k);
            if !draws.is_empty() {
                found.nulls.push(NullSummary::new(own, &draws, settings.null_p)?);
            }
            if let Some(single) = &source.single_trials {
                found.repeats.push(single.repeats);
                let profiles = single.profiles.iter().flatten();
                let means = profiles.map(|profile| profile.mean(k));
                found.single_trials.extend(means.collect::<Result<Vec<_>, _>>()?);
            }
            found.means.push(own);
            found.profiles.push(profile);
        }
        Ok(found)
    }

    /// Does the median donor recover more than its null? `None` without a null that selects again. With few draws, it
    /// must exceed all of them.
    pub fn are_above_null(&self, n_draws: usize, settings: &AlignSettings) -> Option<bool> {
        let ps: Vec<f64> = self.nulls.iter().map(|null| null.p).collect();
        let least = match settings.null_p {
            NullP::Draws => 1.0 / (1.0 + n_draws as f64),
            NullP::T => 0.0,
        };
        let median = quantile(&ps, 0.5).ok().filter(|_| settings.null_select)?;
        Some(median <= least.max(0.05) + 1e-12)
    }

    /// ProfileMean of the median donor if its responses had no noise.
    pub fn without_noise(&self, reference: &HumanReference) -> Option<f64> {
        let reliability = *reference.reliability.as_ref().ok()?;
        let null = mean(self.nulls.iter().map(|null| null.mean))?;
        let median = quantile(&self.means, 0.5).ok()?;
        let without = null + (median - null) / reliability;
        (reliability >= LEAST_RELIABILITY).then_some(without.min(1.0))
    }
}

impl SourceResult {
    /// ProfileMean of each draw of the null, averaged over folds.
    pub(super) fn null_means(&self, k: usize) -> Vec<f64> {
        self.null_curves().into_iter().filter_map(|curve| mean(curve.into_iter().take(k))).collect()
    }

    /// TopKCov of each draw of the null, averaged over folds like the observed one.
    pub(super) fn null_curves(&self) -> Vec<Vec<f64>> {
        let n_draws = self.fits.iter().map(|fit| fit.null.len()).min();
        let curve = |draw: usize| {
            let folds = || self.fits.iter().map(|fit| &fit.null[draw]);
            let n_prefixes = folds().map(Vec::len).min().unwrap_or(0);
            let prefixes = 0..n_prefixes;
            prefixes.filter_map(|k| mean(folds().map(|curve| curve[k]))).collect()
        };
        (0..n_draws.unwrap_or(0)).map(curve).collect()
    }
}

/// One reference for each hemisphere and region whose units have donors, in the order of the units.
pub fn human_references(units: &[UnitResult], settings: &AlignSettings) -> Result<Vec<HumanReference>, AlignmentError> {
    let mut groups: IndexMap<(&str, &str), Vec<(Donors, usize)>> = IndexMap::new();
    for unit in units {
        let donors = Donors::of(unit, settings)?;
        if !donors.means.is_empty() {
            groups.entry(unit.unit.region()).or_default().push((donors, unit.n_draws()));
        }
    }
    Ok(groups.into_iter().map(|(region, group)| of_group(region, &group, settings)).collect())
}

pub fn of_group(
    (hemisphere, roi): (&str, &str),
    group: &[(Donors, usize)],
    settings: &AlignSettings,
) -> HumanReference {
    let over = |of: fn(&Donors) -> &Vec<f64>| mean(group.iter().flat_map(|(own, _)| of(own)).copied());
    let above = group.iter().map(|(own, n_draws)| own.are_above_null(*n_draws, settings));
    let above: Option<Vec<bool>> = above.collect();
    let nulls = group.iter().flat_map(|(own, _)| &own.nulls);
    let mut found = HumanReference {
        hemisphere: hemisphere.to_owned(),
        roi: roi.to_owned(),
        units: group.len(),
        units_above_null: above.map(|above| above.into_iter().filter(|&is| is).count()),
        profile_mean: over(|own| &own.means).unwrap_or(0.0),
        single_trials: over(|own| &own.single_trials),
        null: mean(nulls.map(|null| null.mean)),
        repeats: over(|own| &own.repeats),
        reliability: Err(Undefined::Because("there is no null that selects again".into())),
    };
    if let (Some(null), Some(n), Some(single)) = (found.null, found.repeats, found.single_trials) {
        let [of_n, of_one] = [found.profile_mean, single].map(|own| own - null);
        let reliability = (n - of_n / of_one) / (n - 1.0);
        let is_above = found.units_above_null.is_some_and(|n_above| n_above > 0);
        found.reliability = match of_n > 0.0 && of_one > 0.0 && is_above {
            false => Err(Undefined::Because(NOT_ABOVE.into())),
            true if reliability <= 0.0 => {
                Err(Undefined::Because("single trials of the other subjects recover too little".into()))
            }
            true => Ok(reliability.min(1.0)),
        };
    }
    found
}

/// The reason why there is no BrainRefScore.
pub const NOT_ABOVE: &str = "the other subjects' own ProfileMean is not above its null";

impl UnitResult {
    pub(super) fn n_draws(&self) -> usize {
        self.sources.iter().flat_map(|source| &source.fits).map(|fit| fit.null.len()).min().unwrap_or(0)
    }
}
