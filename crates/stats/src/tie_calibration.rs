//! Pairwise accuracy at the best tie threshold for a metric.

use crate::error::check_lengths;
use crate::kendall::KendallCounts;
use crate::pair_order::PairOrder;
use crate::paired::{check_sample, is_constant};
use crate::ranks::{ascending, dense_ranks};
use crate::{StatsError, in_memory_pairs::InMemoryPairs, threshold_search::RankSample};
use neurogauge_core::{Side, Undefined};
use serde::{Deserialize, Serialize};

/// The result of [`TieCalibration::best`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Calibrated {
    pub accuracy: f64,
    /// The metric ties two items if their scores differ by no more than this.
    pub epsilon: f64,
    /// The pairs before calibration (ε = 0), which also give tau-b and the other accuracies.
    pub uncalibrated: KendallCounts,
}

/// A metric's scores prepared for comparison with many human scores of the same items.
///
/// A metric hardly ever gives two items exactly the same score, but people often do. Tie calibration
/// (Deutsch, Foster and Freitag 2023, arXiv 2305.14324) lets the metric tie all items whose scores differ by at most ε,
/// and chooses the ε with the highest pairwise accuracy.
///
/// - Shapes: one score per item, higher is better in metric and human scores (negate a metric for which lower is
///   better).
/// - ε is 0 or a difference |m_i − m_j| that occurs; ties go to the smallest, as in the published search.
/// - Work: differences are divided into ranges, and only ranges that can contain the best ε are searched pair by pair.
///   Up to [`TieCalibration::HELD_ITEMS`] items, all pairs are sorted once at construction, which takes longer than one
///   search but makes each further search faster. Beyond that, and with [`TieCalibration::for_one_search`], the pairs
///   of a range are only formed and sorted during the search, and memory grows with the number of items, not of pairs.
/// - The same bits for any number of threads, since all counts are integers.
/// - Reference: `tau_optimization` with `acc_23` (mt-metrics-eval, t2v_metrics): accuracy and ε
///   exact.
///
/// ```
/// use neurogauge_stats::TieCalibration;
/// let metric = [0.10, 0.50, 0.55, 0.90];
/// let human = [1.0, 3.0, 3.0, 5.0];
/// let calibration = TieCalibration::new(&metric).unwrap().unwrap();
/// let best = calibration.best(&human).unwrap().unwrap();
/// assert_eq!((best.accuracy, best.epsilon), (1.0, 0.55 - 0.50));
/// assert_eq!(best.uncalibrated.accuracy(), Ok(5.0 / 6.0));
/// ```
#[derive(Debug)]
pub struct TieCalibration {
    order: PairOrder,
    /// The item at each position of the ascending order of scores.
    items: Vec<usize>,
    held: Option<InMemoryPairs>,
}

/// The result for items that may count more than once, or not at all.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Search {
    pub(crate) calibrated: Calibrated,
    /// The smaller of the numbers of distinct scores and distinct human scores.
    pub(crate) n_classes: usize,
}

impl TieCalibration {
    /// The most items whose sorted pairs are kept in memory (33.5 million pairs, 134 MB).
    pub const HELD_ITEMS: usize = InMemoryPairs::MAX_ITEMS;

    /// Sorts the scores of a metric.
    ///
    /// - Undefined: no items (`Empty`), a NaN or an infinity (`NonFinite`), a single item
    ///   (`NoPairs`), all scores equal (`Constant`); the side is `Gt`.
    /// - Errors: more than 2³² items.
    pub fn new(metric: &[f64]) -> Result<Result<Self, Undefined>, StatsError> {
        Self::of(metric, PairOrder::cut, |items, order| {
            (items <= Self::HELD_ITEMS).then(|| InMemoryPairs::new(order))
        })
    }

    /// Prepares scores that are compared with only one set of human scores: no pair is sorted before the search, which
    /// gives the same result.
    ///
    /// - Undefined, errors: as in [`new`](Self::new).
    pub fn for_one_search(metric: &[f64]) -> Result<Result<Self, Undefined>, StatsError> {
        Self::of(metric, PairOrder::whole_only, |_, _| None)
    }

    fn of(
        metric: &[f64],
        order: fn(Vec<f64>) -> PairOrder,
        hold: fn(usize, &PairOrder) -> Option<InMemoryPairs>,
    ) -> Result<Result<Self, Undefined>, StatsError> {
        if u32::try_from(metric.len()).is_err() {
            return Err(StatsError::too_many_items(metric.len()));
        }
        Ok(check_sample(metric, Side::Gt).and_then(|scores| {
            if is_constant(&scores) {
                return Err(Undefined::Constant(Side::Gt));
            }
            let items = ascending(&scores);
            let order = order(items.iter().map(|&item| scores[item]).collect());
            let held = hold(items.len(), &order);
            Ok(TieCalibration { order, items, held })
        }))
    }

    /// The threshold of the highest pairwise accuracy against `human`.
    ///
    /// - Undefined: a NaN or an infinity (`NonFinite`), all scores equal (`Constant`); the side is
    ///   `Recon`.
    /// - Errors: samples of different lengths.
    pub fn best(&self, human: &[f64]) -> Result<Result<Calibrated, Undefined>, StatsError> {
        check_lengths(self.items.len(), human.len())?;
        Ok(check_sample(human, Side::Recon).and_then(|human| {
            let human: Vec<f64> = self.items.iter().map(|&item| human[item]).collect();
            Ok(self.search(&human, self.order.scores(), None)?.calibrated)
        }))
    }

    /// [`best`](Self::best) for items that all have a (finite) human score.
    pub(crate) fn best_of_all(&self, human: &[f64]) -> Result<Search, Undefined> {
        let human: Vec<f64> = self.items.iter().map(|&item| human[item]).collect();
        self.search(&human, self.order.scores(), None)
    }

    /// [`best`](Self::best) with each item counted `weights` times, as if it were repeated; a pair of an item with
    /// itself is tied in both samples. The human scores of items with a weight are finite.
    ///
    /// - Undefined: also `Empty` and `NoPairs`, and `Constant`, side `Gt`, as in [`new`](Self::new).
    pub(crate) fn best_weighted(&self, human: &[f64], weights: &[u32]) -> Result<Search, Undefined> {
        let mut scores = Vec::with_capacity(self.items.len());
        let mut repeated = Vec::with_capacity(self.items.len());
        for (&item, &score) in self.items.iter().zip(self.order.scores()) {
            for _ in 0..weights[item] {
                scores.push(score);
                repeated.push(human[item]);
            }
        }
        match scores.len() {
            0 => return Err(Undefined::Empty(Side::Gt)),
            1 => return Err(Undefined::NoPairs),
            n if scores[0] == scores[n - 1] => return Err(Undefined::Constant(Side::Gt)),
            _ => {}
        }
        let weights: Vec<u32> = self.items.iter().map(|&item| weights[item]).collect();
        self.search(&repeated, &scores, Some(&weights))
    }

    /// Searches `human` and `scores` in ascending order of the scores, each repeated by the `weights` of positions.
    fn search(&self, human: &[f64], scores: &[f64], weights: Option<&[u32]>) -> Result<Search, Undefined> {
        let (ranks, n_ranks) = dense_ranks(human);
        if n_ranks < 2 {
            return Err(Undefined::Constant(Side::Recon));
        }
        let uncalibrated = KendallCounts::count(scores, &ranks, n_ranks, 0.0);
        let ranks = match weights {
            Some(weights) => by_position(&ranks, weights),
            None => ranks,
        };
        let sample = RankSample {
            order: &self.order,
            held: self.held.as_ref(),
            ranks: &ranks,
            n_ranks,
            weights,
        };
        let best = sample.best();
        let right = (uncalibrated.concordant + uncalibrated.ties_both) as i64 + best.gain;
        Ok(Search {
            calibrated: Calibrated {
                accuracy: right as f64 / uncalibrated.pairs() as f64,
                epsilon: best.epsilon,
                uncalibrated,
            },
            n_classes: distinct(scores).min(n_ranks),
        })
    }
}

/// One rank for each position, from as many repeats as its weight; a position without weight gets an arbitrary rank.
fn by_position(repeated: &[u32], weights: &[u32]) -> Vec<u32> {
    let mut next = 0;
    let first = weights.iter().map(|&weight| {
        let rank = if weight == 0 { 0 } else { repeated[next] };
        next += weight as usize;
        rank
    });
    first.collect()
}

/// The number of distinct values in an ascending sequence.
fn distinct(ascending: &[f64]) -> usize {
    1 + ascending.windows(2).filter(|two| two[0] != two[1]).count()
}
