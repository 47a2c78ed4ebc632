//! Everything that is drawn at random before a fit, so that a run can be repeated with it, here or elsewhere.

use super::settings::AlignSettings;
use super::study::Study;
use crate::Error;
use neurogauge_alignment::{FoldPlan, Partitions, draw_orders};
use neurogauge_core::Seed;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Streams between two subjects' partitions.
const SUBJECT_STREAM: u64 = 1 << 32;
/// The nulls' own seed, so that they share no stream with folds and partitions.
const NULL_SEED: u64 = 0x6e75_6c6c;
const PARTITION_SEED: u64 = 0x7061_7274;

/// Folds, partitions and permuted orders of a run: `plan.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Outer and inner folds, as positions in the ascending list of stimuli.
    pub folds: FoldPlan,
    /// For each target unit, the partitions: a text of zeros and ones, one for each trial.
    pub partitions: BTreeMap<String, Vec<String>>,
    /// For each outer fold, the orders of its training stimuli under the null.
    pub null_orders: Vec<Vec<Vec<usize>>>,
}

impl Plan {
    /// Draws all.
    pub(super) fn draw(study: &Study, settings: &AlignSettings) -> Result<Plan, Error> {
        let seed = Seed(settings.seed);
        let (outer, inner) = (settings.outer_folds, settings.inner_folds);
        let folds = FoldPlan::draw(study.stimuli.len(), outer, inner, seed)?;
        let subjects: BTreeSet<&str> = study
            .units
            .iter()
            .map(|unit| unit.trials.unit().subject.as_str())
            .collect();
        let partitions = study.units.iter().map(|unit| {
            let subject = subjects
                .iter()
                .position(|name| **name == unit.trials.unit().subject);
            let first = subject.unwrap_or(0) as u64 * SUBJECT_STREAM;
            let seed = Seed(settings.seed ^ PARTITION_SEED);
            let drawn = Partitions::draw(&unit.trials, settings.partitions, seed, first);
            let texts = drawn.labels().iter().map(|labels| {
                labels
                    .iter()
                    .map(|&label| if label == 0 { '0' } else { '1' })
                    .collect()
            });
            (unit.trials.unit().to_string(), texts.collect())
        });
        let partitions = partitions.collect();
        let null = Seed(settings.seed ^ NULL_SEED);
        let null_orders = folds
            .folds
            .iter()
            .enumerate()
            .map(|(fold, outer)| draw_orders(outer.training.len(), settings.null, null, fold));
        Ok(Plan {
            null_orders: null_orders.collect(),
            partitions,
            folds,
        })
    }

    /// The partitions of a unit.
    pub(super) fn partitions_of(
        &self,
        unit: &super::study::UnitTrials,
    ) -> Result<Partitions, Error> {
        let name = unit.trials.unit().to_string();
        let texts = self
            .partitions
            .get(&name)
            .ok_or_else(|| Error::Usage(format!("the plan has no partitions of {name}")))?;
        let labels = texts
            .iter()
            .map(|text| text.bytes().map(|byte| byte.wrapping_sub(b'0')));
        let labels = labels.map(Iterator::collect).collect();
        Ok(Partitions::new(labels, &unit.trials)?)
    }
}
