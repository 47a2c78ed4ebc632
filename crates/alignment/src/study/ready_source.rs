//! Sources prepared once for all target units.

use super::human_reference::MOST_SINGLE_TRIALS;
use super::{AlignSettings, Study, StudyPlan, UnitTrials};
use crate::{AlignmentError, Matrix, PreparedSource};
use neurogauge_core::parallel;
use std::borrow::Cow;
use std::ops::Range;

/// A source that is ready for every outer fold.
#[derive(Debug)]
pub struct ReadySource<'a> {
    pub(super) name: String,
    pub(super) donor: bool,
    pub(super) features: Cow<'a, Matrix>,
    pub(super) blocks: Vec<Range<usize>>,
    pub(super) folds: Vec<PreparedSource>,
    /// A donor's single trials: its mean number of repeats, and the folds for each trial; `None` if they are not used.
    pub(super) single_trials: Option<(f64, Vec<Vec<PreparedSource>>)>,
}

/// A source prepared for every outer fold.
fn prepared(name: &str, features: &Matrix, plan: &StudyPlan) -> Result<Vec<PreparedSource>, AlignmentError> {
    parallel::try_map(plan.folds.folds.len(), |fold| PreparedSource::new(name, features, &plan.folds, fold))
}

impl<'a> ReadySource<'a> {
    fn new(
        name: &str,
        donor: bool,
        features: Cow<'a, Matrix>,
        block_sizes: &[usize],
        plan: &StudyPlan,
    ) -> Result<Self, AlignmentError> {
        Ok(ReadySource {
            name: name.to_owned(),
            donor,
            blocks: block_sizes
                .iter()
                .scan(0, |start, size| {
                    let first = *start;
                    *start += size;
                    Some(first..*start)
                })
                .collect(),
            folds: prepared(name, &features, plan)?,
            single_trials: None,
            features,
        })
    }

    /// The features of a study's models.
    pub fn models(study: &'a Study, plan: &StudyPlan) -> Result<Vec<Self>, AlignmentError> {
        let models = study.sources.iter().map(|source| {
            let sizes: Vec<usize> = source.blocks.iter().map(|(_, size)| *size).collect();
            let features = Cow::Borrowed(&source.features);
            ReadySource::new(&source.name, false, features, &sizes, plan)
        });
        models.collect()
    }

    /// The image-level responses of the units of a group, which are donors for each other; empty if the settings
    /// exclude donors.
    pub fn donors(
        group: &[&UnitTrials],
        plan: &StudyPlan,
        settings: &AlignSettings,
    ) -> Result<Vec<Self>, AlignmentError> {
        if !settings.donors || group.len() < 2 {
            return Ok(Vec::new());
        }
        // The single trials give the reliability of scores above chance, which need a null.
        let has_null = settings.null_select && plan.null_orders.iter().all(|own| !own.is_empty());
        parallel::try_map_each(group, |unit| {
            let (name, trials) = (&unit.trials.unit().subject, &unit.trials);
            let mut donor = ReadySource::new(name, true, Cow::Owned(trials.means()), &[], plan)?;
            if has_null && !trials.are_noiseless() {
                let singles = (0..MOST_SINGLE_TRIALS).map_while(|place| trials.single(place));
                let singles = singles.map(|responses| prepared(name, &responses, plan));
                let singles: Vec<_> = singles.collect::<Result<_, AlignmentError>>()?;
                donor.single_trials = Some((trials.mean_repeats(), singles));
            }
            Ok(donor)
        })
    }
}
