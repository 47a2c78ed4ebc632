//! Pairs of items within groups, sorted once by the difference of their scores.

use crate::StatsError;
use crate::kendall::pairs_of;
use neurogauge_core::{Side, Undefined};

/// Marks the last pair with a difference: a threshold is only possible there.
const LAST: u32 = 1 << 31;

/// The pairs of items of the same group, prepared for repeated searches.
#[derive(Debug)]
pub(crate) struct GroupedPairs {
    scores: Vec<f64>,
    group: Vec<u32>,
    n_groups: usize,
    /// Lower and upper item of each pair by ascending difference; the upper one is marked with [`LAST`].
    pairs: Vec<[u32; 2]>,
    /// The number of pairs with equal scores; these come first.
    n_tied: usize,
}

impl GroupedPairs {
    /// The most pairs in memory.
    pub(crate) const MAX_PAIRS: u64 = 1 << 26;

    /// Built from finite `scores` and the members of each group. Groups share no item.
    pub(crate) fn new(groups: &[Vec<u32>], scores: &[f64]) -> Result<Self, StatsError> {
        if scores.len() >= LAST as usize {
            return Err(StatsError::too_many_items(scores.len()));
        }
        let found = groups.iter().map(|members| pairs_of(members.len() as u64)).fold(0, u64::saturating_add);
        if found > Self::MAX_PAIRS {
            let most = Self::MAX_PAIRS;
            return Err(StatsError::Data(format!(
                "{found} pairs within groups would have to be held, and {most} is the most; group by something with more \
                 different values"
            )));
        }
        let mut group = vec![0; scores.len()];
        let mut pairs = Vec::with_capacity(found as usize);
        for (members, g) in groups.iter().zip(0..) {
            for (place, &i) in members.iter().enumerate() {
                group[i as usize] = g;
                for &j in &members[place + 1..] {
                    let below = scores[i as usize] <= scores[j as usize];
                    let [lower, upper] = if below { [i, j] } else { [j, i] };
                    let difference = (scores[upper as usize] - scores[lower as usize]).abs();
                    pairs.push((difference, [lower, upper]));
                }
            }
        }
        // A stable sort: the order of groups and items decides between equal differences.
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let n_tied = pairs.partition_point(|pair| pair.0 == 0.0);
        for at in 0..pairs.len() {
            if pairs.get(at + 1).is_none_or(|next| next.0 != pairs[at].0) {
                pairs[at].1[1] |= LAST;
            }
        }
        Ok(GroupedPairs {
            scores: scores.to_vec(),
            group,
            n_groups: groups.len(),
            pairs: pairs.into_iter().map(|(_, pair)| pair).collect(),
            n_tied,
        })
    }

    /// The highest mean over groups of the pairwise accuracy, and its threshold: 0 or a difference that occurs within a
    /// group, the smallest of equally good ones. An item whose human score is NaN is left out, and each group counts
    /// with its weight. The running mean is updated pair by pair, in the order of differences, groups and items, as in
    /// the published code; otherwise the threshold could differ.
    ///
    /// - Undefined: `NoPairs`; `Constant` if no group orders a pair, side `Gt` or `Recon`.
    /// - Reference: `tau_optimization` with `acc_23` on matrices (mt-metrics-eval), under Python 3.11: both exact.
    pub(crate) fn best(&self, human: &[f64], weights: &[u32]) -> Result<(f64, f64), Undefined> {
        let weights: Vec<f64> = weights.iter().map(|&weight| f64::from(weight)).collect();
        let mut tallies = vec![Tally::default(); self.n_groups];
        let (mut metric_orders, mut people_order) = (false, false);
        let counts = |pair: &Pair| pair.is_there() && weights[pair.group] != 0.0;
        for pair in self.pairs(human).filter(counts) {
            metric_orders |= !pair.is_tied;
            people_order |= pair.lower != pair.upper;
            let tally = &mut tallies[pair.group];
            tally.pairs += 1;
            tally.right += u64::from(pair.is_right());
        }
        let (mut weight, mut total) = (0.0, 0.0);
        for (tally, own) in tallies.iter_mut().zip(&weights) {
            if tally.pairs > 0 {
                tally.accuracy = tally.right as f64 / tally.pairs as f64;
                weight += own;
                total += own * tally.accuracy;
            }
        }
        if tallies.iter().all(|tally| tally.pairs == 0) {
            return Err(Undefined::NoPairs);
        }
        if !metric_orders {
            return Err(Undefined::Constant(Side::Gt));
        }
        if !people_order {
            return Err(Undefined::Constant(Side::Recon));
        }

        let (mut accuracy, mut epsilon) = (total / weight, 0.0);
        for pair in self.pairs(human) {
            if counts(&pair) {
                let own = weights[pair.group];
                let tally = &mut tallies[pair.group];
                total -= own * tally.accuracy;
                tally.right -= u64::from(pair.is_right());
                tally.right += u64::from(pair.lower == pair.upper);
                tally.accuracy = tally.right as f64 / tally.pairs as f64;
                total += own * tally.accuracy;
            }
            // Pairs with equal scores are part of the accuracy at threshold zero.
            if pair.is_last && (total / weight > accuracy || pair.is_tied) {
                accuracy = total / weight;
                epsilon = self.difference(pair.at);
            }
        }
        Ok((accuracy, epsilon))
    }

    fn pairs<'a>(&'a self, human: &'a [f64]) -> impl Iterator<Item = Pair> + 'a {
        self.pairs.iter().enumerate().map(move |(at, &[i, j])| Pair {
            at,
            group: self.group[i as usize] as usize,
            lower: human[i as usize],
            upper: human[(j & !LAST) as usize],
            is_tied: at < self.n_tied,
            is_last: j >= LAST,
        })
    }

    fn difference(&self, at: usize) -> f64 {
        let [i, j] = self.pairs[at];
        (self.scores[(j & !LAST) as usize] - self.scores[i as usize]).abs()
    }
}

/// A pair with its relation in the human scores.
struct Pair {
    at: usize,
    group: usize,
    lower: f64,
    upper: f64,
    /// Does the metric give both the same score?
    is_tied: bool,
    is_last: bool,
}

impl Pair {
    fn is_there(&self) -> bool {
        !self.lower.is_nan() && !self.upper.is_nan()
    }

    /// Do metric and people order the pair in the same way, or both tie it?
    fn is_right(&self) -> bool {
        if self.is_tied {
            self.lower == self.upper
        } else {
            self.lower < self.upper
        }
    }
}

/// Numbers of right pairs and of all pairs in a group, and their ratio.
#[derive(Clone, Default)]
struct Tally {
    right: u64,
    pairs: u64,
    accuracy: f64,
}
