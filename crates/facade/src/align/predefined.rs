//! Folds, partitions and orders given as arrays, so that two implementations can be compared number by
//! number.

use super::{AlignSettings, Study, StudyPlan};
use crate::Error;
use itertools::Itertools;
use neurogauge_alignment::{AlignmentError, FoldPlan, OuterFold, Pool, folds_of};
use neurogauge_core::Seed;
use neurogauge_formats::whole_numbers::rows;
use neurogauge_formats::{Problem, array_file};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Arrays that replace random draws (`[given]`). Whatever is not given is drawn as usual. Rows of unequal length end in
/// -1.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PredefinedArrays {
    /// (n_stimuli): the outer fold, from 0, that tests each stimulus in ascending order.
    pub outer_folds: Option<PathBuf>,
    /// (n_outer_folds, n): the inner fold, from 0, of each stimulus of a training set, by its position in the
    /// ascending training set.
    pub inner_folds: Option<PathBuf>,
    /// The inner folds of the test sets, in which references are fitted.
    pub reference_inner_folds: Option<PathBuf>,
    /// (n_outer_folds, n_draws, n): positions in the training set, permuted, for the null.
    pub null_orders: Option<PathBuf>,
    /// For each target unit (`subj01 lh V1v`): (n_splits, n_trials) of zeros and ones.
    pub trial_splits: BTreeMap<String, PathBuf>,
}

impl PredefinedArrays {
    pub(super) fn is_empty(&self) -> bool {
        *self == PredefinedArrays::default()
    }

    pub(super) fn paths_mut(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        [&mut self.outer_folds, &mut self.inner_folds, &mut self.reference_inner_folds, &mut self.null_orders]
            .into_iter()
            .flatten()
            .chain(self.trial_splits.values_mut())
    }

    /// The plan of a run: the given arrays, and draws for everything else.
    pub(super) fn plan(&self, study: &Study, settings: &AlignSettings) -> Result<StudyPlan, Error> {
        let folds = self.folds(study.stimuli.len(), settings)?;
        let null_orders = self.null_orders(folds.folds.len())?;
        let mut plan = StudyPlan::draw(study, settings, folds, null_orders)?;
        for (unit, path) in &self.trial_splits {
            if !plan.partitions.contains_key(unit) {
                return Err(Error::Usage(format!(
                    "[given] trial_splits: {unit:?} ({}) is no target unit; they are called {}",
                    path.display(),
                    plan.partitions.keys().join(", ")
                )));
            }
        }
        plan.partitions.extend(self.partitions()?);
        if !self.is_empty() {
            plan.check(study, settings)
                .map_err(|(place, reason)| Error::Usage(format!("[given]: {place}: {reason}")))?;
        }
        Ok(plan)
    }

    /// The given folds, or drawn ones.
    fn folds(&self, n_stimuli: usize, settings: &AlignSettings) -> Result<FoldPlan, Error> {
        let (n_inner, seed) = (settings.inner_folds, Seed(settings.seed));
        let mut plan = match &self.outer_folds {
            None => FoldPlan::draw(n_stimuli, settings.outer_folds, n_inner, seed)?,
            Some(path) => {
                let chunks = folds_of(&rows(path, 1)?.concat());
                FoldPlan::draw_inner(n_stimuli, &chunks, n_inner, seed).map_err(|error| misfit(path, &error))?
            }
        };
        type PoolOf = fn(&mut OuterFold) -> &mut Pool;
        let pools: [(&Option<PathBuf>, PoolOf); 2] =
            [(&self.inner_folds, |fold| &mut fold.training), (&self.reference_inner_folds, |fold| &mut fold.test)];
        for (path, pool_of) in pools {
            let Some(path) = path else { continue };
            let given = rows(path, 2)?;
            same_count(path, given.len(), plan.folds.len())?;
            for (fold, labels) in plan.folds.iter_mut().zip(&given) {
                let pool = pool_of(fold);
                *pool = Pool::new(pool.stimuli.clone(), folds_of(labels)).map_err(|error| misfit(path, &error))?;
            }
        }
        Ok(plan)
    }

    /// The given permuted orders of each outer fold, if any.
    fn null_orders(&self, n_folds: usize) -> Result<Option<Vec<Vec<Vec<usize>>>>, Error> {
        let Some(path) = &self.null_orders else {
            return Ok(None);
        };
        let all = rows(path, 3)?;
        let n_draws = array_file::open(path)?.shape()[1] as usize;
        same_count(path, all.len() / n_draws.max(1), n_folds)?;
        Ok(Some(all.chunks(n_draws.max(1)).map(<[_]>::to_vec).collect()))
    }

    /// The given partitions of units, in the form of `plan.json`.
    fn partitions(&self) -> Result<BTreeMap<String, Vec<String>>, Error> {
        let of = |(unit, path): (&String, &PathBuf)| {
            let text = |labels: Vec<usize>| labels.iter().map(ToString::to_string).collect();
            let texts = rows(path, 2)?.into_iter().map(text).collect();
            Ok((unit.clone(), texts))
        };
        self.trial_splits.iter().map(of).collect()
    }
}

fn same_count(path: &Path, found: usize, expected: usize) -> Result<(), Error> {
    if found == expected {
        return Ok(());
    }
    let reason = format!("has {found} rows; expected {expected}, one for each outer fold");
    Err(refused(path, "the array", reason))
}

fn misfit(path: &Path, error: &AlignmentError) -> Error {
    refused(path, "the array", error.to_string())
}

fn refused(path: &Path, place: &str, reason: String) -> Error {
    Error::from(Problem::invalid(place, reason).at(path))
}
