//! The random draws of controls, which other programs can reuse.

use super::control::{Balance, Control};
use super::plan::{first_stream, text_of};
use super::{AlignSettings, Study, TrialOrder, UnitTrials};
use crate::{AlignmentError, FoldPlan, Matrix, Partitions, balanced_partitions, draw_directions, draw_orders};
use neurogauge_core::Seed;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Separate seeds, so that controls share no stream with folds, partitions and nulls.
const RESPONSE_SEED: u64 = 0x7265_7370;
const DIRECTION_SEED: u64 = 0x6469_7265;
/// Distance between the streams of two folds' directions.
const FOLD_STREAM: u64 = 1 << 32;

/// Draws for a run's controls; empty for controls that the run does not have. If a needed draw is missing in a plan, it
/// is made with the run's seed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ControlDraws {
    /// For each outer fold, orders of the training responses: training stimulus i gets the responses to the stimulus at
    /// position `order[i]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub response_orders: Vec<Vec<Vec<usize>>>,
    /// For each outer fold and draw, standard normal numbers as directions by voxels. A unit uses as many directions as
    /// the rank of its reference's consensus, and for each as many numbers as it has voxels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub random_directions: Vec<Vec<Vec<Vec<f64>>>>,
    /// For each target unit, balanced partitions, in the form of the plan's other partitions.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub balanced_partitions: BTreeMap<String, Vec<String>>,
}

impl ControlDraws {
    /// Makes the draws that the settings require and that are missing.
    pub(super) fn complete(
        &mut self,
        study: &Study,
        folds: &FoldPlan,
        settings: &AlignSettings,
    ) -> Result<(), AlignmentError> {
        let n_folds = folds.folds.len();
        if settings.makes(Control::ResponsePermutation) && self.response_orders.is_empty() {
            let seed = Seed(settings.seed ^ RESPONSE_SEED);
            let n_draws = settings.response_draws;
            let orders = folds.folds.iter().enumerate();
            let orders = orders.map(|(fold, own)| draw_orders(own.training.len(), n_draws, seed, fold));
            self.response_orders = orders.collect();
        }
        if settings.makes(Control::RandomDirections) && self.random_directions.is_empty() {
            let seed = Seed(settings.seed ^ DIRECTION_SEED);
            let largest = study.units.iter().map(|unit| unit.trials.n_voxels()).max();
            let n_voxels = largest.unwrap_or(0);
            let rank = settings.subspace.max_rank.min(n_voxels);
            let draw = |fold: usize, draw: usize| {
                let stream = fold as u64 * FOLD_STREAM + draw as u64;
                let numbers = draw_directions(n_voxels, rank, seed, stream);
                (0..rank).map(move |place| numbers.column(place).to_vec())
            };
            let draws = 0..settings.random_draws;
            self.random_directions =
                (0..n_folds).map(|fold| draws.clone().map(|d| draw(fold, d).collect()).collect()).collect();
        }
        if settings.makes(Control::BalancedPartitions) && self.balanced_partitions.is_empty() {
            for (place, unit) in study.units.iter().enumerate() {
                let balance = match unit.order.runs.is_empty() {
                    true => Balance::Sessions,
                    false => Balance::SessionsAndRuns,
                };
                let drawn = partitions((study, folds), place, balance, settings)?;
                let name = unit.trials.unit().to_string();
                self.balanced_partitions.insert(name, text_of(&drawn));
            }
        }
        Ok(())
    }

    /// Checks that the needed draws fit the study; the error has the place and the reason.
    pub(super) fn check(
        &self,
        study: &Study,
        folds: &FoldPlan,
        settings: &AlignSettings,
    ) -> Result<(), (String, String)> {
        let n_folds = folds.folds.len();
        let orders = self.response_orders.iter().map(Vec::len);
        let directions = self.random_directions.iter().map(Vec::len);
        for (what, draws) in
            [("response_orders", orders.collect::<Vec<usize>>()), ("random_directions", directions.collect())]
        {
            let found = draws.len();
            if found != 0 && found != n_folds {
                let reason = format!("has {found} folds; expected {n_folds}");
                return Err((format!("controls.{what}"), reason));
            }
            if let Some(fold) = draws.iter().position(|n| *n == 0 || *n != draws[0]) {
                let reason = format!("has {} draws; expected one or more, as many as the first fold's", draws[fold]);
                return Err((format!("controls.{what}, fold {fold}"), reason));
            }
        }
        for (fold, orders) in self.response_orders.iter().enumerate() {
            let n = folds.folds[fold].training.len();
            if !orders.iter().all(|order| crate::null::is_order(order, n)) {
                let reason = format!("expected orders with each of the {n} training stimuli's positions once");
                return Err((format!("controls.response_orders, fold {fold}"), reason));
            }
        }
        for unit in &study.units {
            let n_voxels = unit.trials.n_voxels();
            let n_directions = settings.subspace.max_rank.min(n_voxels);
            let draws = self.random_directions.iter().enumerate();
            for (fold, draws) in draws {
                let short = |directions: &Vec<Vec<f64>>| {
                    directions.len() < n_directions || directions.iter().any(|numbers| numbers.len() < n_voxels)
                };
                if draws.iter().any(short) {
                    let reason = format!(
                        "expected draws of {n_directions} directions with \
                         {n_voxels} numbers, for {}",
                        unit.trials.unit()
                    );
                    return Err((format!("controls.random_directions, fold {fold}"), reason));
                }
            }
            if !self.balanced_partitions.is_empty()
                && let Err(error) = self.balanced_of(unit)
            {
                let place = format!("controls.balanced_partitions of {}", unit.trials.unit());
                return Err((place, error.to_string()));
            }
        }
        Ok(())
    }

    /// The numbers of a fold for `n_voxels` voxels and `rank` directions, draw after draw.
    pub(super) fn directions(&self, fold: usize, n_voxels: usize, rank: usize) -> Vec<Matrix> {
        let draws = self.random_directions.get(fold).into_iter().flatten();
        draws
            .map(|draw| {
                let rank = rank.min(draw.len());
                Matrix::from_fn(n_voxels, rank, |voxel, place| draw[place][voxel])
            })
            .collect()
    }

    pub(super) fn balanced_of(&self, unit: &UnitTrials) -> Result<Partitions, AlignmentError> {
        super::plan::partitions_in(&self.balanced_partitions, &unit.trials)
    }
}

/// The partitions of the unit at this position in the study, drawn with the run's seed.
///
/// Balanced partitions start from the random ones, and end when no exchange of repeats improves the balance of sessions
/// (and runs).
pub(super) fn partitions(
    (study, folds): (&Study, &FoldPlan),
    place: usize,
    balance: Balance,
    settings: &AlignSettings,
) -> Result<Partitions, AlignmentError> {
    let unit = &study.units[place];
    let (count, seed) = (settings.partitions, Seed(settings.seed ^ super::plan::PARTITION_SEED));
    let first = first_stream(study, unit);
    if balance == Balance::None {
        let trials = &unit.trials;
        return Ok(match trials.are_noiseless() {
            true => Partitions::halve_stimuli(trials, folds, count, seed, first),
            false => Partitions::draw(trials, count, seed, first),
        });
    }
    let order = &unit.order;
    let runs = runs_of_sessions(order);
    let several = |labels: &[u32]| labels.windows(2).any(|two| two[0] != two[1]);
    let mut groupings: Vec<(&'static str, &[u32])> = vec![("sessions", &order.sessions)];
    let missing = |what| {
        let unit = unit.trials.unit();
        Err(AlignmentError::Usage(format!(
            "{unit}: partitions cannot be balanced over {what}: all its trials are of one as far as is known; name \
             `{what}` of its trials in [[targets]], or leave out what asks for balance (`balance`, or the control \
             `balanced-partitions`)"
        )))
    };
    if balance == Balance::SessionsAndRuns {
        if !several(&runs) {
            return missing("runs");
        }
        groupings.push(("runs", &runs));
    } else if !several(&order.sessions) {
        return missing("sessions");
    }
    balanced_partitions(&unit.trials, &groupings, count, seed, first)
}

/// A number for each run in each session, since run numbers may restart in each session. Empty if runs are unknown.
fn runs_of_sessions(order: &TrialOrder) -> Vec<u32> {
    let mut numbers = BTreeMap::new();
    let pairs = order.sessions.iter().zip(&order.runs);
    pairs
        .map(|pair| {
            let next = numbers.len() as u32;
            *numbers.entry(pair).or_insert(next)
        })
        .collect()
}
