//! Sources, prepared once for all target units.

use super::{AlignSettings, Study, StudyPlan, UnitTrials};
use crate::{AlignmentError, Matrix, PreparedSource};
use rayon::prelude::*;
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
}

impl<'a> ReadySource<'a> {
    fn new(
        name: &str,
        donor: bool,
        features: Cow<'a, Matrix>,
        block_sizes: &[usize],
        plan: &StudyPlan,
    ) -> Result<Self, AlignmentError> {
        let folds = 0..plan.folds.folds.len();
        let folds = folds
            .into_par_iter()
            .map(|fold| PreparedSource::new(name, &features, &plan.folds, fold));
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
            folds: folds.collect::<Result<_, AlignmentError>>()?,
            features,
        })
    }

    /// The features of a study's models.
    ///
    /// # Errors
    /// Features with a different number of stimuli from the plan.
    pub fn models(study: &'a Study, plan: &StudyPlan) -> Result<Vec<Self>, AlignmentError> {
        let models = study.sources.iter().map(|source| {
            let sizes: Vec<usize> = source.blocks.iter().map(|(_, size)| *size).collect();
            let features = Cow::Borrowed(&source.features);
            ReadySource::new(&source.name, false, features, &sizes, plan)
        });
        models.collect()
    }

    /// The image-level responses of the units of a group, which are donors for each other; empty if the settings exclude
    /// donors.
    ///
    /// # Errors
    /// Responses with a different number of stimuli from the plan.
    pub fn donors(
        group: &[&UnitTrials],
        plan: &StudyPlan,
        settings: &AlignSettings,
    ) -> Result<Vec<Self>, AlignmentError> {
        if !settings.donors || group.len() < 2 {
            return Ok(Vec::new());
        }
        let donors = group.par_iter().map(|unit| {
            let (name, responses) = (&unit.trials.unit().subject, unit.trials.means());
            ReadySource::new(name, true, Cow::Owned(responses), &[], plan)
        });
        donors.collect()
    }
}
