//! Identification among distractors drawn at random.

use super::options::IdentificationOptions;
use super::rank_counts::RankCounts;
use neurogauge_core::stopping::stop_if_asked;
use neurogauge_stats::draw_to_front;
use rand::Rng;

/// The share of `trials` in which the right one is among the top k of n ways.
pub(super) fn drawn_success(
    options: &IdentificationOptions,
    trials: usize,
    rng: &mut impl Rng,
    own: f64,
    others: &[f64],
) -> f64 {
    let mut others = others.to_vec();
    let successes = (0..trials).map(|_| {
        stop_if_asked();
        let drawn = draw_to_front(&mut others, options.n_way - 1, rng);
        RankCounts::of(own, drawn).success(options.n_way, options.top_k, options.ties)
    });
    successes.sum::<f64>() / trials as f64
}
