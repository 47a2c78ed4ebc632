//! Everything that is drawn at random before fits, so that a run can be repeated here or elsewhere.

use super::control_draws::{self, ControlDraws};
use super::{AlignSettings, Study, UnitTrials};
use crate::null::is_order;
use crate::{AlignmentError, FoldPlan, Partitions, Trials, draw_null_orders};
use neurogauge_core::Seed;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Distance between the streams of two subjects' partitions.
const SUBJECT_STREAM: u64 = 1 << 32;
/// A separate seed for nulls, so that they share no stream with folds and partitions.
const NULL_SEED: u64 = 0x6e75_6c6c;
/// The constant that is combined (exclusive or) with the seed of a run for partitions, balanced or not.
pub const PARTITION_SEED: u64 = 0x7061_7274;

/// Folds, partitions and permuted orders of a run: `plan.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyPlan {
    /// Outer and inner folds, as positions in the ascending list of stimuli.
    pub folds: FoldPlan,
    /// The partitions of each target unit: texts of zeros and ones, one digit for each trial.
    pub partitions: BTreeMap<String, Vec<String>>,
    /// For each outer fold, the orders of its training stimuli under the null.
    pub null_orders: Vec<Vec<Vec<usize>>>,
    #[serde(default)]
    pub controls: ControlDraws,
}

impl StudyPlan {
    /// Draws partitions, permuted orders and the draws of controls for these folds. Given orders are kept.
    pub fn draw(
        study: &Study,
        settings: &AlignSettings,
        folds: FoldPlan,
        null_orders: Option<Vec<Vec<Vec<usize>>>>,
    ) -> Result<StudyPlan, AlignmentError> {
        let units = study.units.iter().enumerate();
        let partitions = units.map(|(place, unit)| {
            let drawn = control_draws::partitions((study, &folds), place, settings.balance, settings)?;
            Ok((unit.trials.unit().to_string(), text_of(&drawn)))
        });
        let null = Seed(settings.seed ^ NULL_SEED);
        let mut plan = StudyPlan {
            null_orders: null_orders.unwrap_or_else(|| draw_null_orders(&folds, settings.null, null)),
            partitions: partitions.collect::<Result<_, AlignmentError>>()?,
            controls: ControlDraws::default(),
            folds,
        };
        plan.complete(study, settings)?;
        Ok(plan)
    }

    /// Makes the draws that controls need and the plan lacks.
    pub fn complete(&mut self, study: &Study, settings: &AlignSettings) -> Result<(), AlignmentError> {
        self.controls.complete(study, &self.folds, settings)
    }

    /// Checks that the plan belongs to this study.
    ///
    /// The error says what does not fit, and why.
    pub fn check(&self, study: &Study, settings: &AlignSettings) -> Result<(), (String, String)> {
        let folds = &self.folds;
        let n_stimuli = study.stimuli.len();
        if folds.n_stimuli != n_stimuli {
            let reason = format!(
                "is over {} stimuli and this study has {n_stimuli}; use the plan of a run over the same \
                 stimuli",
                folds.n_stimuli
            );
            return Err(("folds".to_owned(), reason));
        }
        let outer = || folds.folds.iter();
        let chunks: Vec<Vec<usize>> = outer().map(|fold| fold.test.stimuli.clone()).collect();
        let training: Vec<_> = outer().map(|fold| fold.training.inner.clone()).collect();
        let test: Vec<_> = outer().map(|fold| fold.test.inner.clone()).collect();
        let rebuilt = FoldPlan::new(n_stimuli, &chunks, &training, &test)
            .map_err(|error| ("folds".to_owned(), error.to_string()))?;
        if let Some(fold) = (0..rebuilt.folds.len()).find(|&f| rebuilt.folds[f] != folds.folds[f]) {
            let reason = "its training, reserved and test stimuli do not follow from the test stimuli of \
                          all folds: the next fold's are reserved, the others train, all ascending";
            return Err((format!("outer fold {fold}"), reason.to_owned()));
        }
        if self.null_orders.len() != folds.folds.len() {
            let reason = format!("has orders for {} folds; expected {}", self.null_orders.len(), folds.folds.len());
            return Err(("null_orders".to_owned(), reason));
        }
        for (fold, orders) in self.null_orders.iter().enumerate() {
            let (draws, expected) = (orders.len(), self.null_orders[0].len());
            if draws != expected {
                let reason = format!("has {draws} draws; expected {expected}, as the first fold");
                return Err((format!("null_orders, fold {fold}"), reason));
            }
            let n_training = folds.folds[fold].training.len();
            if let Some(draw) = orders.iter().position(|order| !is_order(order, n_training)) {
                let reason = format!(
                    "has {} positions; expected each of the {n_training} training stimuli's once",
                    orders[draw].len()
                );
                return Err((format!("null_orders, fold {fold}, draw {draw}"), reason));
            }
        }
        for unit in &study.units {
            let name = unit.trials.unit().to_string();
            let fault = match self.partitions_of(&unit.trials) {
                Err(error) => Some(error.to_string()),
                Ok(partitions) if partitions.is_empty() => Some("no partition; expected at least one".to_owned()),
                Ok(_) => None,
            };
            if let Some(reason) = fault {
                return Err((format!("partitions of {name}"), reason));
            }
        }
        self.controls.check(study, folds, settings)
    }

    /// The partitions of a unit's trials.
    pub fn partitions_of(&self, trials: &Trials) -> Result<Partitions, AlignmentError> {
        partitions_in(&self.partitions, trials)
    }
}

/// The partitions of a unit, from the partitions of all units.
pub(super) fn partitions_in(
    all: &BTreeMap<String, Vec<String>>,
    trials: &Trials,
) -> Result<Partitions, AlignmentError> {
    let name = trials.unit().to_string();
    let texts = all
        .get(&name)
        .ok_or_else(|| AlignmentError::Usage(format!("the plan has no partitions of {name}")))?;
    let labels = texts.iter().map(|text| text.bytes().map(|byte| byte.wrapping_sub(b'0')));
    let labels = labels.map(Iterator::collect).collect();
    Partitions::new(labels, trials)
}

/// A text of zeros and ones for each partition.
pub(super) fn text_of(partitions: &Partitions) -> Vec<String> {
    let digit = |&label: &u8| if label == 0 { '0' } else { '1' };
    partitions.labels().iter().map(|labels| labels.iter().map(digit).collect()).collect()
}

/// The stream of a unit's first partition: subjects differ, and regions of a subject share it.
pub(super) fn first_stream(study: &Study, unit: &UnitTrials) -> u64 {
    let subject = |unit: &UnitTrials| unit.trials.unit().subject.clone();
    let subjects: BTreeSet<String> = study.units.iter().map(subject).collect();
    let place = subjects.iter().position(|name| *name == subject(unit));
    place.unwrap_or(0) as u64 * SUBJECT_STREAM
}
