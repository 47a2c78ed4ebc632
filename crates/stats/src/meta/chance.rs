//! The chance level: the value that a metric without information would reach on this survey.

use super::item_scores::Values;
use super::metric_statistics::Subject;
use super::units::GroupWeights;
use super::{Chance, MetaOptions, Statistic, stimuli};
use crate::resample::draw_below;
use crate::summation::sum;
use crate::{StatsError, quantile};
use neurogauge_core::parallel;
use neurogauge_core::stopping::stop_if_asked;
use rand::Rng;

/// Permutations draw from the upper half of the streams, resamples from the lower half.
const FIRST_STREAM: u64 = 1 << 63;

/// The chance level of each outcome of a reading: the human scores are permuted among the items, or within each group.
/// Items of one stimulus stay together.
pub(crate) fn chance(
    subject: &Subject,
    human: &[f64],
    stimuli: Option<&[Vec<u32>]>,
    options: &MetaOptions,
) -> Result<Vec<Chance>, StatsError> {
    let dealt: Vec<Values> = parallel::try_map(options.permutations, |permutation| {
        stop_if_asked();
        let mut rng = options.bootstrap.seed.stream(FIRST_STREAM + permutation as u64);
        let dealt = dealt(human, stimuli, &mut rng);
        let mut reading = subject.prepared.read(&dealt)?;
        for within in &subject.within {
            let dealt = within.shuffled(human, |group| shuffle(group, &mut rng));
            let scores = &subject.prepared.scores;
            reading.push(within.read(scores, &dealt, &GroupWeights::Once)?);
        }
        Ok::<_, StatsError>(reading.values())
    })?;
    (0..Statistic::ALL.len() * (1 + subject.within.len()))
        .map(|s| {
            let values: Vec<f64> = dealt.iter().filter_map(|values| values[s]).collect();
            if values.is_empty() {
                return Ok(Chance::default());
            }
            Ok(Chance {
                mean: Some(sum(&values) / values.len() as f64),
                percentile_95: Some(quantile(&values, 0.95)?),
            })
        })
        .collect()
}

/// The human scores in permuted order. If some stimuli have several items, stimuli are permuted, and the items within
/// each are shuffled.
fn dealt(human: &[f64], stimuli: Option<&[Vec<u32>]>, rng: &mut impl Rng) -> Vec<f64> {
    let mut dealt = human.to_vec();
    let Some(stimuli) = stimuli else {
        shuffle(&mut dealt, rng);
        return dealt;
    };
    let mut order: Vec<&Vec<u32>> = stimuli.iter().collect();
    shuffle(&mut order, rng);
    let mut taken = Vec::with_capacity(human.len());
    for places in order {
        let mut scores = stimuli::at(human, places);
        shuffle(&mut scores, rng);
        taken.extend(scores);
    }
    for (&place, score) in stimuli.iter().flatten().zip(taken) {
        dealt[place as usize] = score;
    }
    dealt
}

/// Fisher and Yates' shuffle: every order is equally likely.
fn shuffle<T>(values: &mut [T], rng: &mut impl Rng) {
    for last in (1..values.len()).rev() {
        let mut other = [0];
        // The number of items fits into 32 bits.
        draw_below(last as u32 + 1, rng, &mut other);
        values.swap(last, other[0] as usize);
    }
}
