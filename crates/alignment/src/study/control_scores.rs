//! One line for each control and target unit (and source, if the control has one), over outer folds and draws.

use super::human_reference::Donors;
use super::unit_scores::over_folds;
use super::{AlignSettings, Baseline, ControlFit, ControlResult, UnitResult, UnitScore};
use crate::{AlignmentError, Profile, Unit, brain_reference_score};
use neurogauge_core::Undefined;
use neurogauge_stats::mean;
use serde::Serialize;

/// A control's recovery of a target unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ControlScore {
    /// The subspace; `selected` is the source's own, with which the others are compared.
    pub baseline: Baseline,
    pub source: Option<String>,
    pub donor: bool,
    pub unit: Unit,
    /// Its dimensions, averaged.
    pub rank: f64,
    /// Prediction accuracy, averaged; `None` without a prediction.
    pub accuracy: Option<f64>,
    /// The profile, or the reason why there is none.
    #[serde(with = "neurogauge_core::recorded")]
    pub profile: Result<Profile, Undefined>,
    pub profile_mean: Option<f64>,
    /// ProfileMean divided by the median donor's: of donors under the same control for fixed ranks and balanced
    /// partitions, otherwise of the uncontrolled donors. `None` without donors, and if they do not recover more than
    /// their null.
    pub brain_ref_score: Option<f64>,
}

pub fn control_scores(
    units: &[UnitResult],
    unit_scores: &[UnitScore],
    settings: &AlignSettings,
) -> Result<Vec<ControlScore>, AlignmentError> {
    let mut found = Vec::new();
    for unit in units.iter().filter(|unit| !unit.controls.is_empty()) {
        let own = unit_scores.iter().filter(|entry| entry.unit == unit.unit);
        found.extend(own.map(selected));
        let donors = Donors::of(unit, settings)?;
        let is_divisor = donors.are_above_null(unit.n_draws(), settings) != Some(false);
        let donors = donors.profiles;
        for control in &unit.controls {
            found.push(control_score(unit, control, (&donors, is_divisor), settings)?);
        }
    }
    Ok(found)
}

fn selected(entry: &UnitScore) -> ControlScore {
    let recovered = entry.recovered.as_ref();
    ControlScore {
        baseline: Baseline::Selected,
        source: Some(entry.source.clone()),
        donor: entry.donor,
        unit: entry.unit.clone(),
        rank: entry.selected_rank,
        accuracy: Some(entry.accuracy),
        profile_mean: entry.profile_mean(),
        brain_ref_score: recovered.ok().and_then(|own| own.brain_ref_score),
        profile: match recovered {
            Ok(own) => Ok(own.profile.clone()),
            Err(reason) => Err(reason.clone()),
        },
    }
}

fn control_score(
    unit: &UnitResult,
    control: &ControlResult,
    (donors, is_divisor): (&[Profile], bool),
    settings: &AlignSettings,
) -> Result<ControlScore, AlignmentError> {
    let profile = profile(control);
    let k = settings.main_length();
    let of_same: Vec<Profile>;
    let donors = match control.baseline {
        Baseline::FixedRank(_) | Baseline::BalancedPartitions => {
            let same = unit.controls.iter().filter(|other| other.donor && other.baseline == control.baseline);
            of_same = same.filter_map(|other| self::profile(other).ok()).collect();
            &of_same
        }
        _ => donors,
    };
    let (mut profile_mean, mut brain_ref_score) = (None, None);
    if let Ok(profile) = &profile {
        profile_mean = Some(profile.mean(k)?);
        if is_divisor && !donors.is_empty() {
            brain_ref_score = brain_reference_score(profile, donors, k)?.ok();
        }
    }
    let fits = || control.fits.iter();
    Ok(ControlScore {
        baseline: control.baseline,
        source: control.source.clone(),
        donor: control.donor,
        unit: unit.unit.clone(),
        rank: mean(fits().map(|fit| fit.rank as f64)).unwrap_or(0.0),
        accuracy: mean(fits().filter_map(|fit| fit.accuracy)),
        profile,
        profile_mean,
        brain_ref_score,
    })
}

/// The profile over folds and draws; undefined if any of them is.
fn profile(control: &ControlResult) -> Result<Profile, Undefined> {
    over_folds(control.fits.iter().map(|fit: &ControlFit| &fit.profile))
}
