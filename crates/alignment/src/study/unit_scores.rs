//! One line for each source and target unit, over its outer folds.

use super::human_reference::Donors;
use super::{AlignSettings, HumanReference, SourceResult, UnitResult, human_references};
use crate::{
    AlignmentError, FoldProfile, NullSummary, Profile, Unit, UnitEntry, brain_reference_score, shape_distance,
};
use neurogauge_core::Undefined;
use neurogauge_stats::{mean, quantile};
use serde::Serialize;

/// Lengths of the prefixes that are averaged.
pub const PROFILE_LENGTHS: [usize; 3] = [5, 10, 20];
/// The length that tables and figures use.
pub const MAIN_LENGTH: usize = 10;

/// A source's recovery of a target unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UnitScore {
    pub source: String,
    pub donor: bool,
    pub unit: Unit,
    /// Prediction accuracy, averaged over outer folds.
    pub accuracy: f64,
    /// Selected rank, averaged over outer folds.
    pub selected_rank: f64,
    /// Source effective rank, averaged over the folds that have one.
    pub effective_rank: Option<f64>,
    /// SourceStability, as the median over pairs of folds.
    pub stability: Option<f64>,
    /// The profile and its summaries, or the reason why it is undefined.
    #[serde(with = "neurogauge_core::recorded")]
    pub recovered: Result<Recovered, Undefined>,
}

/// A recovery profile over outer folds, and its summaries.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Recovered {
    /// TopKCov and FullRefCov.
    pub profile: Profile,
    /// ProfileMean by length of the prefix.
    pub profile_means: Vec<(usize, f64)>,
    /// ProfileMean against the next fold's references, at the main length.
    pub next_fold: Option<f64>,
    /// ProfileMean divided by the median donor's; `None` without donors, and if they do not recover more than their
    /// null.
    pub brain_ref_score: Option<f64>,
    /// ProfileMean divided by what the median donor would recover without noise ([`HumanReference`]); `None` in the
    /// cases of `brain_ref_score`, and if the reliability is unknown or below 0.5.
    pub noise_corrected: Option<f64>,
    /// Distance to the shape of the donors' median curve; `None` without donors.
    pub shape_distance: Option<f64>,
    /// The null of each ProfileMean; empty without draws.
    pub null: Vec<(usize, NullSummary)>,
    /// The null of each TopKCov; empty without draws.
    pub null_by_k: Vec<NullSummary>,
}

impl UnitScore {
    /// A value of this source and target unit.
    pub fn entry(&self, value: f64) -> UnitEntry<'_> {
        UnitEntry::of_source(&self.unit, (&self.source, self.donor), value)
    }

    /// ProfileMean at the main length, or the longest below it.
    pub fn profile_mean(&self) -> Option<f64> {
        self.recovered()?.profile_mean()
    }

    pub fn brain_ref_score(&self) -> Option<f64> {
        self.recovered()?.brain_ref_score
    }

    pub fn shape_distance(&self) -> Option<f64> {
        self.recovered()?.shape_distance
    }

    /// The profile and its summaries, if there is one.
    pub fn recovered(&self) -> Option<&Recovered> {
        self.recovered.as_ref().ok()
    }
}

impl Recovered {
    pub fn profile_mean(&self) -> Option<f64> {
        at_main_length(&self.profile_means).copied()
    }

    /// The null of [`profile_mean`](Self::profile_mean).
    pub fn main_null(&self) -> Option<NullSummary> {
        at_main_length(&self.null).copied()
    }

    /// ProfileMean for this length; `None` if the run does not have it.
    pub(super) fn mean_of(&self, k: usize) -> Option<f64> {
        let mut means = self.profile_means.iter();
        means.find(|(length, _)| *length == k).map(|&(_, mean)| mean)
    }
}

/// The value at the main length, or at the longest below it.
pub(super) fn at_main_length<T>(by_length: &[(usize, T)]) -> Option<&T> {
    let fits = |&&(length, _): &&(usize, T)| length <= MAIN_LENGTH;
    by_length.iter().rfind(fits).map(|(_, value)| value)
}

/// All entries, unit by unit.
pub fn unit_scores(units: &[UnitResult], settings: &AlignSettings) -> Result<Vec<UnitScore>, AlignmentError> {
    let references = human_references(units, settings)?;
    let mut scores = Vec::new();
    for unit in units {
        let donors = Donors::of(unit, settings)?;
        let is_own = |own: &&HumanReference| (own.hemisphere.as_str(), own.roi.as_str()) == unit.unit.region();
        let reference = references.iter().find(is_own);
        let is_divisor = donors.are_above_null(unit.n_draws(), settings) != Some(false);
        let without_noise = reference.and_then(|own| donors.without_noise(own));
        let human = Human {
            donors: &donors.profiles,
            is_divisor,
            without_noise: without_noise.filter(|_| is_divisor),
        };
        for source in &unit.sources {
            scores.push(unit_score(unit, source, &human, settings)?);
        }
    }
    Ok(scores)
}

/// The donors' values that a unit's scores are divided by.
struct Human<'a> {
    donors: &'a [Profile],
    /// Do the donors recover more than chance, so that a ratio to them is meaningful?
    is_divisor: bool,
    /// ProfileMean of the median donor without noise.
    without_noise: Option<f64>,
}

/// The profile over folds; undefined if one fold has none, and without folds.
pub(super) fn over_folds<'a>(
    folds: impl Iterator<Item = &'a Result<FoldProfile, Undefined>>,
) -> Result<Profile, Undefined> {
    let folds = folds.cloned().collect::<Result<Vec<_>, _>>()?;
    Profile::of_folds(&folds).map_err(|_| Undefined::MissingPart("profile".to_owned()))
}

fn unit_score(
    unit: &UnitResult,
    source: &SourceResult,
    human: &Human<'_>,
    settings: &AlignSettings,
) -> Result<UnitScore, AlignmentError> {
    let fits = || source.fits.iter();
    let recovered = match over_folds(fits().map(|fit| &fit.profile)) {
        Ok(profile) => Ok(recovered(source, profile, human, settings)?),
        Err(reason) => Err(reason),
    };
    Ok(UnitScore {
        source: source.source.clone(),
        donor: source.donor,
        unit: unit.unit.clone(),
        accuracy: mean(fits().map(|fit| fit.accuracy)).unwrap_or(0.0),
        selected_rank: mean(fits().map(|fit| fit.selection.rank as f64)).unwrap_or(0.0),
        effective_rank: mean(fits().filter_map(|fit| fit.effective_rank)),
        stability: quantile(&source.stability, 0.5).ok(),
        recovered,
    })
}

fn recovered(
    source: &SourceResult,
    profile: Profile,
    human: &Human<'_>,
    settings: &AlignSettings,
) -> Result<Recovered, AlignmentError> {
    let (lengths, main) = (settings.lengths(), settings.main_length());
    let means = lengths.iter().map(|&k| Ok((k, profile.mean(k)?)));
    let next: Result<Vec<f64>, ()> = source
        .fits
        .iter()
        .map(|fit| {
            let curve = fit.next_fold.as_ref().map_err(|_| ())?;
            mean(curve.iter().take(main).copied()).ok_or(())
        })
        .collect();
    let (mut null, mut null_by_k) = (Vec::new(), Vec::new());
    let draws = source.null_curves();
    if !draws.is_empty() {
        for &k in &lengths {
            let of_draws: Vec<f64> = draws.iter().filter_map(|curve| mean(curve.iter().take(k).copied())).collect();
            null.push((k, NullSummary::new(profile.mean(k)?, &of_draws, settings.null_p)?));
        }
        for (k, &observed) in profile.top_k.iter().enumerate() {
            let of_draws: Vec<f64> = draws.iter().map(|curve| curve[k]).collect();
            null_by_k.push(NullSummary::new(observed, &of_draws, settings.null_p)?);
        }
    }
    let donors = human.donors;
    let beside_donors = !donors.is_empty();
    let own = profile.mean(main)?;
    Ok(Recovered {
        profile_means: means.collect::<Result<_, AlignmentError>>()?,
        next_fold: next.ok().and_then(mean),
        noise_corrected: human.without_noise.map(|without| own / without),
        brain_ref_score: match beside_donors && human.is_divisor {
            true => brain_reference_score(&profile, donors, main)?.ok(),
            false => None,
        },
        shape_distance: match beside_donors {
            true => shape_distance(&profile, donors, main)?.ok(),
            false => None,
        },
        null,
        null_by_k,
        profile,
    })
}

impl AlignSettings {
    /// The lengths of prefixes that the run's curves reach.
    ///
    /// ```
    /// let mut settings = neurogauge_alignment::study::AlignSettings::default();
    /// assert_eq!((settings.lengths(), settings.main_length()), (vec![5, 10, 20], 10));
    /// settings.prefixes = 4;
    /// assert_eq!((settings.lengths(), settings.main_length()), (vec![4], 4));
    /// ```
    pub fn lengths(&self) -> Vec<usize> {
        let known = PROFILE_LENGTHS.into_iter().filter(|&k| k <= self.prefixes);
        let mut lengths: Vec<usize> = known.collect();
        if lengths.is_empty() {
            lengths.push(self.prefixes);
        }
        lengths
    }

    /// The length of the prefix that tables and figures use.
    pub fn main_length(&self) -> usize {
        self.lengths().into_iter().rfind(|&k| k <= MAIN_LENGTH).unwrap_or(self.prefixes)
    }
}
