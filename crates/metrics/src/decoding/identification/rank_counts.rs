//! The rank of the right image among others, as counts.

use super::options::Ties;

/// How many of the others are more similar than the right image, and how many exactly as similar.
///
/// ```
/// use neurogauge_metrics::decoding::identification::{RankCounts, Ties};
/// let counts = RankCounts::of(0.5, &[0.1, 0.5, 0.7, 0.2]);
/// assert_eq!(counts, RankCounts { n_others: 4, n_better: 1, n_tied: 1 });
/// assert_eq!(counts.success(2, 1, Ties::Lose), 0.5);
/// assert_eq!(counts.success(2, 1, Ties::Half), 0.625);
/// assert_eq!(counts.success(2, 1, Ties::Win), 0.75);
/// // Three ways: the two drawn must both be among the two others that are less similar.
/// assert!((counts.success(3, 1, Ties::Lose) - 1.0 / 6.0).abs() < 1e-15);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RankCounts {
    pub n_others: usize,
    /// Number of others that are more similar.
    pub n_better: usize,
    /// Number of others that are exactly as similar.
    pub n_tied: usize,
}

impl RankCounts {
    /// Compares `others` with `own`.
    pub fn of(own: f64, others: &[f64]) -> RankCounts {
        let count = |is: fn(&f64, &f64) -> bool| others.iter().filter(|o| is(o, &own)).count();
        RankCounts {
            n_others: others.len(),
            n_better: count(f64::gt),
            n_tied: count(f64::eq),
        }
    }

    /// The probability that the right image is among the `top_k` most similar of itself and `n_way` − 1 of the others,
    /// drawn without replacement.
    ///
    /// - Range: 0 to 1; `n_way` − 1 is at most the number of others.
    /// - Reference: `scipy.stats.hypergeom.cdf(top_k - 1, n_others, n_better, n_way - 1)` 1.17.1,
    ///   to 1e-12.
    pub fn success(&self, n_way: usize, top_k: usize, ties: Ties) -> f64 {
        let with_worse_by = |tied: usize| fewer_drawn(top_k, n_way - 1, self.n_others, self.n_better + tied);
        match ties {
            Ties::Lose => with_worse_by(self.n_tied),
            Ties::Win => with_worse_by(0),
            Ties::Half => {
                let orders = self.n_tied + 1;
                (0..orders).map(with_worse_by).sum::<f64>() / orders as f64
            }
        }
    }
}

/// The probability that fewer than `limit` of `n_drawn` items, drawn without replacement from `n_items`, are among the
/// `n_marked` marked ones.
///
/// The terms of the hypergeometric distribution are computed from its most likely one by their ratios and divided by
/// their sum, so nothing overflows and no factorials lose digits.
fn fewer_drawn(limit: usize, n_drawn: usize, n_items: usize, n_marked: usize) -> f64 {
    let n_plain = n_items - n_marked;
    if (limit, n_drawn) == (1, 1) {
        return n_plain as f64 / n_items as f64;
    }
    let (lowest, highest) = (n_drawn.saturating_sub(n_plain), n_drawn.min(n_marked));
    if limit <= lowest {
        return 0.0;
    }
    if limit > highest {
        return 1.0;
    }
    // The ratio for x + 1 marked items among the drawn ones, relative to x.
    let ratio = |x: usize| {
        let up = (n_marked - x) as f64 * (n_drawn - x) as f64;
        up / ((x + 1) as f64 * (n_plain + x + 1 - n_drawn) as f64)
    };
    let mode = (n_drawn + 1) as f64 * (n_marked + 1) as f64 / (n_items + 2) as f64;
    let mode = (mode as usize).clamp(lowest, highest);
    let (mut below, mut total) = (0.0, 0.0);
    let mut add = |x: usize, term: f64| {
        total += term;
        if x < limit {
            below += term;
        }
    };
    let mut term = 1.0;
    add(mode, term);
    for x in mode..highest {
        term *= ratio(x);
        add(x + 1, term);
    }
    term = 1.0;
    for x in (lowest..mode).rev() {
        term /= ratio(x);
        add(x, term);
    }
    below / total
}
