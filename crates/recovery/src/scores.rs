//! Scores of stimuli along the reproducible directions of target units, and the reproducible share of their responses: as
//! records, as a table for other programs, and as sheets of the stimuli at both ends.

#[cfg(test)]
mod tests;

use itertools::Itertools;
use neurogauge::align::{AlignSettings, StudyPlan};
use neurogauge::alignment::encoding::{CeilingMethod, NoiseCeilings};
use neurogauge::alignment::{
    AuxiliaryReadouts, FoldProfile, Matrix, Partitions, Pool, PreparedSource, PreparedTarget, Profile, READOUT_ALPHAS,
    ReferenceOptions, TargetReference, Trials, Unit, cross_validate, fit, standardise_within,
};
use neurogauge::core::{StimulusId, parallel};
use neurogauge::formats::columns_parquet::{self, ColumnTable};
use neurogauge::formats::image_source::ImageSource;
use neurogauge::report::figures::{ContactSheet, SheetRow};
use neurogauge::stats::{mean, pearson};
use neurogauge::{Error, Figures, file_name, is_sheet};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The name of the scores' file, without ending.
const SCORES: &str = "stimulus_scores";
/// The prefix of figure names; the target unit follows.
const STEM: &str = "stimuli_of_";
/// Number of images in a row.
const N_SHOWN: usize = 8;
/// Number of directions in a sheet.
const N_IN_SHEET: usize = 4;
/// Later directions with less weight are probably chance and not shown.
const LEAST_WEIGHT: f64 = 0.1;
/// Number of directions that are scored.
const N_DIRECTIONS: usize = 10;
/// The number of partitions used for the target's prediction of itself.
const N_RETAINED: usize = 5;

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

    /// Adds a sheet for each target unit; none without images.
    pub(crate) fn add_sheets(&self, figures: &mut Figures) -> Result<(), Error> {
        let Some(images) = self.images.as_deref().map(ImageSource::open).transpose()? else {
            return Ok(());
        };
        for unit in self.units.iter().filter(|unit| !unit.directions.is_empty()) {
            let name = format!("{STEM}{}", file_name(&unit.unit.to_string()));
            figures.add_sheet(name, sheet(unit, &self.stimuli, &images)?.draw());
        }
        Ok(())
    }

    pub(crate) fn is_sheet(stem: &str, ending: &str) -> bool {
        stem.starts_with(STEM) && is_sheet(ending)
    }
}

fn sheet(unit: &UnitStimuli, stimuli: &[StimulusId], images: &ImageSource) -> Result<ContactSheet, Error> {
    let n_shown = N_SHOWN.min(stimuli.len() / 2).max(1);
    let mut rows = Vec::new();
    let directions = unit.directions.iter().enumerate().take(N_IN_SHEET);
    for (place, direction) in directions.take_while(|(place, own)| *place == 0 || own.weight >= LEAST_WEIGHT) {
        // Equal scores keep the order of the stimuli.
        let score = |stimulus: &usize| direction.scores[*stimulus];
        let order = (0..direction.scores.len())
            .sorted_by(|one, other| score(other).total_cmp(&score(one)))
            .collect_vec();
        let reliability = direction.reliability.map(|value| format!(", reliability {value:.2}")).unwrap_or_default();
        for (end, order) in [("highest", order.clone()), ("lowest", order.into_iter().rev().collect())] {
            let chosen = &order[..n_shown];
            let shown = chosen.iter().map(|&stimulus| {
                let wanted = &stimuli[stimulus];
                let image = images.stems().iter().position(|stem| StimulusId::from(stem.as_str()) == *wanted);
                image.map(|image| images.load_shown(image)).transpose()
            });
            rows.push(SheetRow {
                images: shown.collect::<Result<_, _>>()?,
                lines: vec![
                    format!("direction {}, {end}", place + 1),
                    format!("weight {:.2}{reliability}", direction.weight),
                    format!("scores {:.1} to {:.1}", score(&chosen[0]), score(&chosen[n_shown - 1])),
                ],
            });
        }
    }
    Ok(ContactSheet {
        title: unit.unit.to_string(),
        columns: (1..=n_shown).map(|place| place.to_string()).collect(),
        rows,
        caption: format!(
            "Stimuli by the score of their mean response on directions of the reference of all stimuli, from either end; \
             directions with a weight of {LEAST_WEIGHT} or more. A direction has no sign of its own: its largest part is \
             positive."
        ),
    })
}

/// The stimulus scores and noise ceilings of one target unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct UnitStimuli {
    pub(crate) unit: Unit,
    /// The highest accuracy that a model of the reproducible response can reach: the mean over voxels of the root of
    /// the reliability of the mean response.
    pub(crate) noise_ceiling: Option<f64>,
    pub(crate) itself: OwnRecovery,
    /// The directions of the reference of all stimuli, by descending weight.
    pub(crate) directions: Vec<ScoredDirection>,
}

/// A target's recovery of itself: one half of its trials is the source, the other the target; averaged over folds and
/// partitions. Undefined if a reference has no directions, or if all voxels together predict nothing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct OwnRecovery {
    pub(crate) profile_mean: Option<f64>,
    pub(crate) full_ref_cov: Option<f64>,
    /// Accuracy of the subspace divided by that of all voxels.
    pub(crate) retention: Option<f64>,
    /// The retention for each partition, whose spread shows how much a partition matters (Figure 4A).
    pub(crate) retention_by_partition: Vec<f64>,
    /// The lowest and the highest of these.
    pub(crate) retention_range: Option<(f64, f64)>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct ScoredDirection {
    pub(crate) weight: f64,
    /// Reliability of the scores: that of the two halves of the trials, stepped up to all trials (Spearman-Brown), averaged
    /// over partitions. It is somewhat too high, since the direction was found in the same trials.
    pub(crate) reliability: Option<f64>,
    /// A score for each stimulus: its z-scored mean response along the direction.
    #[serde(skip)]
    pub(crate) scores: Vec<f64>,
}

impl UnitStimuli {
    /// The scores of one unit's trials, with the partitions and folds of a run.
    pub(crate) fn of(trials: &Trials, plan: &StudyPlan, settings: &AlignSettings) -> Result<UnitStimuli, Error> {
        let partitions = plan.partitions_of(trials)?;
        let n = trials.n_stimuli();
        let chunks = plan.folds.folds.iter().map(|fold| fold.test.stimuli.clone()).collect();
        let pool = Pool::new((0..n).collect(), chunks)?;
        let options = ReferenceOptions {
            subspace: settings.subspace.clone(),
            fixed_rank: settings.reference_rank,
        };
        let reference = TargetReference::new(trials, &pool, &partitions, &options)?;
        let z_scored = |x: &Matrix| standardise_within(x, &vec![0; n]);
        let halves: Vec<[Matrix; 2]> = parallel::map_each(partitions.labels(), |labels| {
            [0, 1].map(|view| z_scored(&view_of(trials, labels, view)))
        });
        let responses = z_scored(&trials.means());
        let n_directions = reference.weights.len().min(N_DIRECTIONS);
        let directions = (0..n_directions).map(|place| {
            let direction = upright(reference.directions.column(place));
            // Of the mean of both halves (Spearman and Brown).
            let reliabilities = halves.iter().filter_map(|views| {
                let [one, other] = views.each_ref().map(|view| along(view, &direction));
                let r = pearson(&one, &other).ok()?.ok().filter(|r| *r > -1.0)?;
                Some(2.0 * r / (1.0 + r))
            });
            ScoredDirection {
                weight: reference.weights[place],
                reliability: mean(reliabilities),
                scores: along(&responses, &direction),
            }
        });
        let ceilings = NoiseCeilings::new(trials, CeilingMethod::SplitHalf, &partitions)?.reliability(&vec![1; n]);
        Ok(UnitStimuli {
            unit: trials.unit().clone(),
            // A reliability that noise makes negative counts as 0; that of a constant voxel is no number.
            noise_ceiling: mean(ceilings.into_iter().filter(|own| own.is_finite()).map(|own| own.max(0.0).sqrt())),
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

/// Fixes the arbitrary sign of a direction: its largest component becomes positive.
fn upright(direction: &[f64]) -> Vec<f64> {
    let larger = |one: f64, other: f64| if other.abs() > one.abs() { other } else { one };
    let sign = 1f64.copysign(direction.iter().copied().fold(0.0, larger));
    direction.iter().map(|part| sign * part).collect()
}

fn along(responses: &Matrix, direction: &[f64]) -> Vec<f64> {
    let score = |row| direction.iter().enumerate().map(|(voxel, part)| part * responses.get(row, voxel)).sum();
    (0..responses.n_rows()).map(score).collect()
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
        let few = partitions.labels().iter().take(N_RETAINED);
        let places = few.cartesian_product(0..references.len()).collect_vec();
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
