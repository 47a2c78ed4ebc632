//! Scores of stimuli along the reproducible directions of one target unit, and the reproducible share of its responses.

use neurogauge::Error;
use neurogauge::align::{AlignSettings, StudyPlan};
use neurogauge::alignment::{
    AuxiliaryReadouts, FoldProfile, Matrix, Partitions, Pool, PreparedSource, PreparedTarget, Profile, READOUT_ALPHAS,
    ReferenceOptions, Standardisation, TargetReference, Trials, Unit, cross_validate, fit,
};
use neurogauge::core::parallel;
use neurogauge::stats::{mean, pearson};
use serde::Serialize;

/// Number of directions that are scored.
const N_DIRECTIONS: usize = 10;
/// The number of partitions used for the target's prediction of itself.
const N_RETAINED: usize = 5;

/// The stimulus scores and noise ceilings of one target unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UnitStimuli {
    pub unit: Unit,
    /// The highest accuracy that a model of the reproducible response can reach: the mean over voxels of the root of
    /// the reliability of the mean response. `None` if no voxel has one.
    pub noise_ceiling: Option<f64>,
    /// The recovery with one half of the trials as a source for the other half.
    pub itself: OwnRecovery,
    /// The directions, by descending weight.
    pub directions: Vec<ScoredDirection>,
}

/// A target's recovery of itself: one half of its trials is the source, the other the target; averaged over folds and
/// partitions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OwnRecovery {
    /// ProfileMean for the settings' main length, against the run's references. `None` if a reference has no
    /// directions.
    pub profile_mean: Option<f64>,
    /// FullRefCov, undefined in the same case.
    pub full_ref_cov: Option<f64>,
    /// Accuracy of the subspace divided by that of all voxels. `None` if all voxels together predict nothing.
    pub retention: Option<f64>,
    /// The retention for each partition, whose spread shows how much a partition matters (Figure 4A). Partitions in
    /// which all voxels together predict nothing are left out.
    pub retention_by_partition: Vec<f64>,
    /// The lowest and the highest of these.
    pub retention_range: Option<(f64, f64)>,
}

/// A direction of the reference of all stimuli.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoredDirection {
    pub weight: f64,
    /// Reliability of the scores: the reliability of the two halves of the trials, stepped up to all trials
    /// (Spearman-Brown), averaged over partitions. It is somewhat too high, since the direction was found in the same
    /// trials.
    pub reliability: Option<f64>,
    /// A score for each stimulus: its z-scored mean response along the direction.
    #[serde(skip)]
    pub scores: Vec<f64>,
}

impl UnitStimuli {
    /// The scores of one unit's trials, with the partitions and folds of a run.
    pub(super) fn of(trials: &Trials, plan: &StudyPlan, settings: &AlignSettings) -> Result<UnitStimuli, Error> {
        let partitions = plan.partitions_of(trials)?;
        let n = trials.n_stimuli();
        let chunks = plan.folds.folds.iter().map(|fold| fold.test.stimuli.clone()).collect();
        let pool = Pool::new((0..n).collect(), chunks)?;
        let options = ReferenceOptions {
            subspace: settings.subspace.clone(),
            fixed_rank: settings.reference_rank,
        };
        let reference = TargetReference::new(trials, &pool, &partitions, &options)?;
        let halves: Vec<[Matrix; 2]> = parallel::map_each(partitions.labels(), |labels| {
            [0, 1].map(|view| z_scored(&view_of(trials, labels, view)))
        });
        let responses = z_scored(&trials.means());
        let n_directions = reference.weights.len().min(N_DIRECTIONS);
        let directions = (0..n_directions).map(|place| {
            let direction = upright(reference.directions.column(place));
            let of_halves = halves.iter().map(|views| {
                let [one, other] = views.each_ref().map(|view| along(view, &direction));
                reliability(&one, &other)
            });
            ScoredDirection {
                weight: reference.weights[place],
                reliability: mean(of_halves.flatten()),
                scores: along(&responses, &direction),
            }
        });
        Ok(UnitStimuli {
            unit: trials.unit().clone(),
            noise_ceiling: noise_ceiling(&halves, trials.n_voxels()),
            itself: OwnRecovery::of(trials, &partitions, plan, settings, &options)?,
            directions: directions.collect(),
        })
    }
}

/// The mean of the trials with this label, for each stimulus.
fn view_of(trials: &Trials, labels: &[u8], view: u8) -> Matrix {
    let stimuli: Vec<usize> = (0..trials.n_stimuli()).collect();
    trials.means_of(&stimuli, |trial| labels[trial] == view)
}

fn z_scored(x: &Matrix) -> Matrix {
    let all: Vec<usize> = (0..x.n_rows()).collect();
    Standardisation::of(x, &all).apply(x, &all)
}

/// Fixes the arbitrary sign of a direction: its largest component becomes positive.
fn upright(direction: &[f64]) -> Vec<f64> {
    let larger = |one: f64, other: f64| if other.abs() > one.abs() { other } else { one };
    let sign = 1f64.copysign(direction.iter().copied().fold(0.0, larger));
    direction.iter().map(|part| sign * part).collect()
}

fn along(responses: &Matrix, direction: &[f64]) -> Vec<f64> {
    let mut scores = vec![0.0; responses.n_rows()];
    for (voxel, part) in direction.iter().enumerate() {
        for (score, response) in scores.iter_mut().zip(responses.column(voxel)) {
            *score += part * response;
        }
    }
    scores
}

/// Reliability of the mean of both halves (Spearman and Brown); `None` if a half is constant, or the halves are
/// opposites.
fn reliability(one: &[f64], other: &[f64]) -> Option<f64> {
    let r = pearson(one, other).ok()?.ok()?;
    (r > -1.0).then(|| 2.0 * r / (1.0 + r))
}

fn noise_ceiling(halves: &[[Matrix; 2]], n_voxels: usize) -> Option<f64> {
    let of_voxel = |voxel: usize| {
        let partitions = halves.iter();
        let of_partitions = partitions.filter_map(|[one, other]| reliability(one.column(voxel), other.column(voxel)));
        // A reliability that noise makes negative counts as 0.
        Some(mean(of_partitions)?.max(0.0).sqrt())
    };
    mean((0..n_voxels).filter_map(of_voxel))
}

impl OwnRecovery {
    fn of(
        trials: &Trials,
        partitions: &Partitions,
        plan: &StudyPlan,
        settings: &AlignSettings,
        options: &ReferenceOptions,
    ) -> Result<OwnRecovery, Error> {
        let references = parallel::try_map_each(&plan.folds.folds, |fold| {
            TargetReference::new(trials, &fold.test, partitions, options)
        })?;
        let few = &partitions.labels()[..partitions.len().min(N_RETAINED)];
        let places: Vec<(&Vec<u8>, usize)> =
            few.iter().flat_map(|labels| (0..references.len()).map(move |fold| (labels, fold))).collect();
        let found = parallel::try_map_each(&places, |&(labels, fold)| {
            let [one, other] = [0, 1].map(|view| view_of(trials, labels, view));
            let source = PreparedSource::new("itself", &one, &plan.folds, fold)?;
            let target = PreparedTarget::new(trials.unit(), &other, &plan.folds, fold)?;
            let scores = cross_validate(&source, &target, &settings.auxiliary())?;
            let selection = scores.up_to(settings.subspace.max_rank).select()?;
            let basis = fit(&source, &target, &selection)?.basis;
            Ok::<_, Error>((
                FoldProfile::new(&references[fold], &basis, settings.prefixes)?.ok(),
                AuxiliaryReadouts::of(&source, &target, &scores, &READOUT_ALPHAS)?,
            ))
        })?;
        let profiles: Option<Vec<FoldProfile>> = found.iter().map(|(own, _)| own.clone()).collect();
        let profile = profiles.map(|own| Profile::of_folds(&own)).transpose()?;
        let length = settings.main_length();
        let retention = |found: &[(Option<FoldProfile>, AuxiliaryReadouts)]| {
            let all = mean(found.iter().map(|(_, own)| own.full.test)).filter(|all| *all > 0.0)?;
            Some(mean(found.iter().map(|(_, own)| own.subspace.test))? / all)
        };
        // The folds of a partition are consecutive.
        let by_partition: Vec<f64> = found.chunks(references.len().max(1)).filter_map(retention).collect();
        let of_partitions = by_partition.iter().copied();
        Ok(OwnRecovery {
            profile_mean: profile.as_ref().map(|own| own.mean(length)).transpose()?,
            full_ref_cov: profile.as_ref().map(|own| own.full),
            retention: retention(&found),
            retention_range: of_partitions.clone().reduce(f64::min).zip(of_partitions.reduce(f64::max)),
            retention_by_partition: by_partition,
        })
    }
}
