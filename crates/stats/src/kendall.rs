//! Counts of concordant and discordant pairs, and Kendall's correlations.

use crate::StatsError;
use crate::paired::check_paired;
use crate::rank_tally::RankTally;
use crate::ranks::{ascending, dense_ranks};
use neurogauge_core::{Outcome, Side, Undefined};
use serde::{Deserialize, Serialize};

/// The number of the n(n − 1)/2 pairs of items in each relation; every pair is counted in one field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct KendallCounts {
    /// Ordered in the same way by both samples.
    pub concordant: u64,
    /// Ordered oppositely.
    pub discordant: u64,
    /// Tied in the first sample only.
    pub ties_x: u64,
    /// Tied in the second sample only.
    pub ties_y: u64,
    pub ties_both: u64,
}

impl KendallCounts {
    /// Counts the pairs in O(n log n).
    ///
    /// - Shapes: `x` (a metric's scores) and `y` (human scores) have `n` values each.
    /// - Undefined: no values (`Empty`), a NaN or an infinity (`NonFinite`), a single item
    ///   (`NoPairs`); `x` is side `Gt`, `y` is `Recon`.
    /// - Errors: samples of different lengths.
    /// - Reference: the sufficient statistics of mt-metrics-eval, exact.
    ///
    /// ```
    /// use neurogauge_stats::KendallCounts;
    /// let counts = KendallCounts::of(&[0.1, 0.2, 0.2, 0.9], &[1.0, 2.0, 2.0, 1.0]).unwrap().unwrap();
    /// assert_eq!((counts.concordant, counts.discordant), (2, 2));
    /// assert_eq!((counts.ties_x, counts.ties_y, counts.ties_both), (0, 1, 1));
    /// ```
    pub fn of<T: Copy + Into<f64>>(x: &[T], y: &[T]) -> Result<Result<Self, Undefined>, StatsError> {
        Self::with_epsilon(x, y, 0.0)
    }

    /// As [`of`](Self::of), but a pair counts as tied in `x` if |x_i − x_j| ≤ `epsilon`.
    ///
    /// - Errors: also an `epsilon` that is negative or NaN.
    ///
    /// ```
    /// use neurogauge_stats::KendallCounts;
    /// let counts = KendallCounts::with_epsilon(&[0.5, 0.75, 2.0], &[1.0, 2.0, 3.0], 0.25);
    /// let counts = counts.unwrap().unwrap();
    /// assert_eq!((counts.concordant, counts.ties_x), (2, 1));
    /// ```
    pub fn with_epsilon<T: Copy + Into<f64>>(
        x: &[T],
        y: &[T],
        epsilon: f64,
    ) -> Result<Result<Self, Undefined>, StatsError> {
        if epsilon.is_nan() || epsilon < 0.0 {
            return Err(StatsError::option("epsilon", epsilon, "a number that is not negative"));
        }
        Ok(check_paired(x, y)?.map(|(x, y)| {
            let order = ascending(&x);
            let sorted: Vec<f64> = order.iter().map(|&item| x[item]).collect();
            let (ranks, n_ranks) = dense_ranks(&y);
            let ranks: Vec<u32> = order.iter().map(|&item| ranks[item]).collect();
            Self::count(&sorted, &ranks, n_ranks, epsilon)
        }))
    }

    /// Counts for `x` in ascending order and the dense ranks of `y`, below `n_ranks`, in the same order.
    pub(crate) fn count(x: &[f64], y_ranks: &[u32], n_ranks: usize, epsilon: f64) -> Self {
        let (mut concordant, mut discordant, mut ties_y) = (0, 0, 0);
        below_each(x, y_ranks, n_ranks, epsilon, |_, below| {
            concordant += below.lower;
            ties_y += below.equal;
            discordant += below.higher;
        });
        let ties_both = tied_pairs(y_ranks, n_ranks) - ties_y;
        let ordered = concordant + discordant + ties_y + ties_both;
        KendallCounts {
            concordant,
            discordant,
            ties_x: pairs_of(x.len() as u64) - ordered,
            ties_y,
            ties_both,
        }
    }

    /// The counts of each item's pairs, in the order given. `x` ties values that differ by at most `epsilon`. All
    /// values are finite.
    pub fn of_each_item(x: &[f64], y: &[f64], epsilon: f64) -> Vec<Self> {
        let mut order = ascending(x);
        let mut sorted: Vec<f64> = order.iter().map(|&item| x[item]).collect();
        let (ranks, n_ranks) = dense_ranks(y);
        let mut ranks: Vec<u32> = order.iter().map(|&item| ranks[item]).collect();
        let mut as_often = vec![0_u64; n_ranks];
        for &rank in &ranks {
            as_often[rank as usize] += 1;
        }
        let mut found = vec![KendallCounts::default(); x.len()];
        below_each(&sorted, &ranks, n_ranks, epsilon, |place, below| {
            let own = &mut found[order[place]];
            own.concordant += below.lower;
            own.ties_y += below.equal;
            own.discordant += below.higher;
        });
        // In reversed order, higher items become lower ones.
        order.reverse();
        ranks.reverse();
        sorted.reverse();
        sorted.iter_mut().for_each(|value| *value = -*value);
        below_each(&sorted, &ranks, n_ranks, epsilon, |place, above| {
            let own = &mut found[order[place]];
            own.concordant += above.higher;
            own.ties_y += above.equal;
            own.discordant += above.lower;
        });
        for (&item, &rank) in order.iter().zip(&ranks) {
            let own = &mut found[item];
            own.ties_both = as_often[rank as usize] - 1 - own.ties_y;
            own.ties_x = x.len() as u64 - 1 - own.pairs();
        }
        found
    }

    pub fn pairs(&self) -> u64 {
        self.concordant + self.discordant + self.ties_x + self.ties_y + self.ties_both
    }

    /// Kendall's tau-a, (C − D) / P: a tie lowers it.
    ///
    /// - Range: -1 to 1, which only samples without ties reach; higher is more alike; chance level 0.
    /// - Undefined: as [`tau_b`](Self::tau_b).
    pub fn tau_a(&self) -> Outcome {
        self.check_ordered()?;
        Ok(self.excess() / self.pairs() as f64)
    }

    /// Kendall's tau-b, (C − D) / √((P − T_x)(P − T_y)), where P counts all pairs, T_x and T_y
    /// those tied in a sample (in that one only or in both).
    ///
    /// - Range: -1 to 1; higher is more alike; chance level 0.
    /// - Undefined: every pair of `x` (`Constant`, side `Gt`) or of `y` (`Recon`) is tied.
    pub fn tau_b(&self) -> Outcome {
        self.check_ordered()?;
        let untied_x = (self.concordant + self.discordant + self.ties_y) as f64;
        let untied_y = (self.concordant + self.discordant + self.ties_x) as f64;
        let tau = self.excess() / untied_x.sqrt() / untied_y.sqrt();
        Ok(tau.clamp(-1.0, 1.0))
    }

    /// Stuart's tau-c, 2(C − D) / (n²·(m − 1)/m) of n items, where m (`n_classes`) is the smaller of
    /// the two numbers of distinct values.
    ///
    /// - Range: -1 to 1; higher is more alike; chance level 0.
    /// - Undefined: as [`tau_b`](Self::tau_b).
    pub fn tau_c(&self, n_classes: usize) -> Outcome {
        self.check_ordered()?;
        let (n, classes) = (self.items() as f64, n_classes as f64);
        let tau = 2.0 * self.excess() / (n * n * (classes - 1.0) / classes);
        Ok(tau.clamp(-1.0, 1.0))
    }

    /// The number of items that form the pairs.
    fn items(&self) -> u64 {
        (2 * self.pairs()).isqrt() + 1
    }

    /// Deutsch, Foster and Freitag's tau-23, (C + T_xy − D − T_x − T_y) / P: a tie is right if the other sample ties
    /// the pair too, and wrong otherwise. It is twice the pairwise accuracy minus one.
    ///
    /// - Range: -1 to 1; higher is more alike.
    /// - Undefined: as [`tau_b`](Self::tau_b).
    pub fn tau_23(&self) -> Outcome {
        self.check_ordered()?;
        Ok(self.excess_right())
    }

    /// The share of right pairs minus the share of wrong ones.
    pub(crate) fn excess_right(&self) -> f64 {
        let right = self.concordant + self.ties_both;
        let wrong = self.discordant + self.ties_x + self.ties_y;
        (right as f64 - wrong as f64) / self.pairs() as f64
    }

    /// C − D.
    pub(crate) fn excess(&self) -> f64 {
        self.concordant as f64 - self.discordant as f64
    }

    /// Does each sample order at least one pair?
    pub(crate) fn check_ordered(&self) -> Result<(), Undefined> {
        if self.concordant + self.discordant + self.ties_y == 0 {
            return Err(Undefined::Constant(Side::Gt));
        }
        if self.concordant + self.discordant + self.ties_x == 0 {
            return Err(Undefined::Constant(Side::Recon));
        }
        Ok(())
    }
}

/// The items that are lower in `x` than a given item, counted by how their `y` compares with that item's.
struct Below {
    lower: u64,
    equal: u64,
    higher: u64,
}

/// Calls `visit` with each position of the ascending `x` and the items that are lower by more than `epsilon`.
fn below_each(x: &[f64], y_ranks: &[u32], n_ranks: usize, epsilon: f64, mut visit: impl FnMut(usize, Below)) {
    let mut seen = RankTally::new(n_ranks);
    // Items before `apart` are below the current one by more than epsilon.
    let mut apart = 0;
    for (place, (&value, &rank)) in x.iter().zip(y_ranks).enumerate() {
        while value - x[apart] > epsilon {
            seen.add(y_ranks[apart] as usize, 1);
            apart += 1;
        }
        let (lower, equal) = seen.below_and_equal(rank as usize);
        let higher = apart as u64 - lower - equal;
        visit(place, Below { lower, equal, higher });
    }
}

/// Kendall's tau-b of two paired samples; see [`KendallCounts::tau_b`].
///
/// - Reference: `scipy.stats.kendalltau` 1.17.1 (`variant="b"`) to 1e-12.
///
/// ```
/// use neurogauge_stats::kendall_tau_b;
/// let tau = kendall_tau_b(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 4.0]).unwrap().unwrap();
/// assert!((tau - 4.0 / 6.0).abs() < 1e-15);
/// ```
pub fn kendall_tau_b<T: Copy + Into<f64>>(x: &[T], y: &[T]) -> Result<Outcome, StatsError> {
    Ok(KendallCounts::of(x, y)?.and_then(|counts| counts.tau_b()))
}

/// Stuart's tau-c of two paired samples; see [`KendallCounts::tau_c`].
///
/// - Reference: `scipy.stats.kendalltau` 1.17.1 (`variant="c"`) to 1e-12.
///
/// ```
/// use neurogauge_stats::kendall_tau_c;
/// let tau = kendall_tau_c(&[1.0, 1.0, 2.0, 2.0], &[1.0, 2.0, 3.0, 4.0]).unwrap().unwrap();
/// assert_eq!(tau, 1.0);
/// ```
pub fn kendall_tau_c<T: Copy + Into<f64>>(x: &[T], y: &[T]) -> Result<Outcome, StatsError> {
    let classes = |sample: &[T]| {
        let values: Vec<f64> = sample.iter().map(|&v| v.into()).collect();
        dense_ranks(&values).1
    };
    let counts = KendallCounts::of(x, y)?;
    Ok(counts.and_then(|counts| counts.tau_c(classes(x).min(classes(y)))))
}

/// The number of pairs of `n` items.
pub(crate) fn pairs_of(n: u64) -> u64 {
    n * n.saturating_sub(1) / 2
}

fn tied_pairs(ranks: &[u32], n_ranks: usize) -> u64 {
    let mut sizes = vec![0_u64; n_ranks];
    for &rank in ranks {
        sizes[rank as usize] += 1;
    }
    sizes.into_iter().map(pairs_of).sum()
}
