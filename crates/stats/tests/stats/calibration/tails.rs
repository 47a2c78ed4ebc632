//! Pearson's correlation of a metric with a long tail: its interval is too narrow, and marked.

use super::populations::Draws;
use crate::support::*;

/// The correlation of the logarithm of the metric with people, and the spread of that logarithm.
const RHO: f64 = 0.5;
const SPREAD: f64 = 1.3;

/// The correlations of e^{σw} and of w with people's opinions, which are normal.
fn truths() -> [f64; 2] {
    [SPREAD * RHO / ((SPREAD * SPREAD).exp() - 1.0).sqrt(), RHO]
}

#[test]
fn intervals_of_pearsons_correlation_that_miss_for_a_long_tail_are_marked() {
    const N: usize = 200;
    let (mut missed, mut unmarked_misses) = (0, 0);
    for number in 0..N {
        let mut draws = Draws::of(3, number);
        let (mut ratings, mut scores) = (Vec::new(), [Vec::new(), Vec::new()]);
        for _ in 0..60 {
            let opinion = draws.normal();
            let weak = RHO * opinion + (1.0 - RHO * RHO).sqrt() * draws.normal();
            ratings.push(Some(opinion));
            scores[0].push((SPREAD * weak).exp());
            scores[1].push(weak);
        }
        let metrics = scores.map(|scores| metric("m", scores));
        let found = evaluate_metrics(&Ratings::new(1, ratings).unwrap(), &metrics, &without_chance()).unwrap();
        for (metric, truth) in found.metrics.iter().zip(truths()) {
            let is_marked = |s: Statistic| metric.statistics[s as usize].interval_note == Some(IntervalNote::LongTail);
            // Ranks do not depend on the tail, and the logarithm has none.
            assert!(!is_marked(Statistic::Spearman) && !is_marked(Statistic::KendallTauB));
            let pearson = &metric.statistics[Statistic::Pearson as usize];
            let (low, high) = pearson.interval.unwrap();
            if truth == RHO {
                assert!(!is_marked(Statistic::Pearson));
            } else if !(low..=high).contains(&truth) {
                missed += 1;
                unmarked_misses += usize::from(pearson.interval_note.is_none());
            }
        }
        let of_difference = &found.differences[0].statistics[Statistic::Pearson as usize];
        // A difference has its metric's mark, unless it has another mark.
        let of_metric = found.metrics[0].statistics[Statistic::Pearson as usize].interval_note;
        assert!(of_metric.is_none() || of_difference.interval_note.is_some());
    }
    // Without the mark, the interval would mislead.
    assert!(missed > N / 20 + 5, "{missed}");
    assert!(unmarked_misses <= N / 50, "{unmarked_misses} of {missed}");
}
