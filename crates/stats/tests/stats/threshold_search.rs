//! The search for the best tie threshold.

use crate::support::*;
use neurogauge_stats::internals::{Change, InMemoryPairs, PairOrder, Range, RankSample, Threshold};
use neurogauge_stats::ranks::dense_ranks;

/// Scores in ascending order on a grid of `levels` steps (0: without a grid), and matching human ranks.
fn scores_and_ranks(n: u64, levels: f64) -> (Vec<f64>, Vec<u32>) {
    let (quality, noise) = (Synthetic::new("quality", 1), Synthetic::new("noise", 1));
    let mut items: Vec<(f64, f64)> = (0..n)
        .map(|i| {
            let (q, e) = (f64::from(quality.uniform(i)), f64::from(noise.uniform(i)));
            let score = if levels == 0.0 {
                q
            } else {
                (q * levels).floor() / levels
            };
            (score, ((q + 3.0 * e) * 0.75).floor())
        })
        .collect();
    items.sort_by(|a, b| a.0.total_cmp(&b.0));
    let human: Vec<f64> = items.iter().map(|item| item.1).collect();
    (items.iter().map(|item| item.0).collect(), dense_ranks(&human).0)
}

fn sample<'a>(order: &'a PairOrder, ranks: &'a [u32], weights: Option<&'a [u32]>) -> RankSample<'a> {
    let n_ranks = 1 + *ranks.iter().max().unwrap() as usize;
    RankSample {
        order,
        ranks,
        n_ranks,
        weights,
        held: None,
    }
}

/// A simple search: pair by pair, in ascending order.
fn plainly(sample: &RankSample) -> Threshold {
    let whole = sample.order.whole().unwrap();
    let range = Range {
        pairs: whole,
        start: Change::default(),
        end: Change::default(),
    };
    Threshold::ZERO.better(sample.peak_within(&range).unwrap())
}

#[test]
fn held_and_streamed_pairs_agree() {
    // The cases have no ties, differences that many pairs share, or hardly any distinct differences.
    let mut found = 0;
    for levels in [0.0, 1000.0, 30.0, 3.0] {
        let (scores, ranks) = scores_and_ranks(1500, levels);
        let order = PairOrder::cut(scores);
        let whole = PairOrder::whole_only(order.scores().to_vec());
        let pairs = InMemoryPairs::new(&order);
        // Each item counts once; then some are left out and some repeated.
        let some: Vec<u32> = (0..1500).map(|i| i * 7 % 5 % 3).collect();
        for weights in [None, Some(some.as_slice())] {
            let streamed = sample(&order, &ranks, weights);
            let held = RankSample {
                held: Some(&pairs),
                ..sample(&order, &ranks, weights)
            };
            let best = plainly(&streamed);
            let whole = RankSample {
                order: &whole,
                ..sample(&order, &ranks, weights)
            };
            for other in [streamed.best(), whole.best(), held.best(), plainly(&held)] {
                let found = (other.gain, other.epsilon);
                assert_eq!(found, (best.gain, best.epsilon), "{levels} levels");
            }
            found += usize::from(best.gain > 0);
        }
    }
    assert_eq!(found, 6, "there must be something to find");
}

#[test]
fn threads_change_nothing() {
    // Miri did not finish 1500 items in 40 minutes.
    let n = if cfg!(miri) { 100 } else { 1500 };
    let (scores, ranks) = scores_and_ranks(n, 0.0);
    let order = PairOrder::cut(scores);
    let found = [1, 3].map(|n_threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
        let threshold = pool.build().unwrap().install(|| sample(&order, &ranks, None).best());
        (threshold.gain, threshold.epsilon.to_bits())
    });
    assert_eq!(found[0], found[1]);
}

#[test]
fn differences_beyond_the_largest_number_are_infinite_thresholds() {
    let order = PairOrder::cut(vec![-1.7e308, 0.0, 1.7e308]);
    let threshold = sample(&order, &[0, 0, 0], None).best();
    assert_eq!((threshold.gain, threshold.epsilon), (3, f64::INFINITY));
}
