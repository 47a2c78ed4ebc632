//! The size of a difference without a unit, and the difference that a number of stimuli could detect.

use crate::Difference;
use crate::distributions::normal_quantile;

/// The power that [`Difference::detectable`] assumes.
pub const POWER: f64 = 0.8;

impl Difference {
    /// Do the systems score the same everywhere? Then there is nothing to test.
    pub fn is_nothing(&self) -> bool {
        self.value == Ok(0.0) && self.deviation.is_none()
    }

    /// Cohen's d of paired differences: d_z = mean / standard deviation of the stimuli's differences, with the sign of
    /// the difference.
    ///
    /// - Undefined: `None` if the difference is undefined, or if the differences do not vary.
    /// - Reference: closed form; Lakens (2013), Frontiers in Psychology.
    ///
    /// ```
    /// use neurogauge_core::Direction;
    /// use neurogauge_stats::{PairedTest, compare_systems};
    /// let (one, other) = ([1.0, 3.0, 5.0].map(Ok), [0.0, 1.0, 5.0].map(Ok));
    /// let systems = [vec![&one[..]], vec![&other[..]]];
    /// let found = compare_systems(&systems, Direction::Higher, (PairedTest::SignFlip, 1), &Default::default()).unwrap();
    /// let difference = &found.differences[0];
    /// // Differences 1, 2 and 0: mean 1, standard deviation 1; higher at two of three, equal at one.
    /// assert_eq!((difference.d_z(), difference.share_higher), (Some(1.0), Some(2.5 / 3.0)));
    /// ```
    pub fn d_z(&self) -> Option<f64> {
        Some(self.value.as_ref().ok()? / self.deviation?)
    }

    /// The smallest true difference that `n_stimuli` detect with a power of 80% ([`POWER`]) in the strictest of
    /// `n_tests` tests of Holm's correction: (z(1 − α / (2 m)) + z(0.8)) · SD / √n with α = 1 − `level`, the standard
    /// deviation of the stimuli's differences and the normal approximation.
    ///
    /// - Range: above 0, in the unit of the difference.
    /// - Undefined: `None` if the differences do not vary.
    /// - Reference: `statistics.NormalDist().inv_cdf` of Python 3, to 1e-9; the power is simulated in the tests.
    ///
    /// ```
    /// use neurogauge_core::Direction;
    /// use neurogauge_stats::{PairedTest, compare_systems};
    /// let (one, other) = ([1.0, 3.0, 5.0, 3.0].map(Ok), [0.0, 1.0, 5.0, 2.0].map(Ok));
    /// let systems = [vec![&one[..]], vec![&other[..]]];
    /// let found = compare_systems(&systems, Direction::Higher, (PairedTest::SignFlip, 1), &Default::default()).unwrap();
    /// // (1.95996 + 0.84162) · √(2 / 3) / √4.
    /// assert!((found.differences[0].detectable(4, 1, 0.95).unwrap() - 1.143742).abs() < 1e-6);
    /// ```
    pub fn detectable(&self, n_stimuli: usize, n_tests: usize, level: f64) -> Option<f64> {
        let tail = (1.0 - level) / (2.0 * n_tests.max(1) as f64);
        let reach = normal_quantile(1.0 - tail) + normal_quantile(POWER);
        Some(reach * self.deviation? / (n_stimuli as f64).sqrt())
    }
}

/// The exact two-sided sign test: the probability of at least this many of `n` on one side or on the other if both
/// sides are equally likely.
///
/// p = min(1, 2 · P(X ≥ max(k, n − k))) with X binomial(n, ½).
///
/// - Range: 2 / 2ⁿ to 1; 1 for `n` = 0.
/// - Reference: `scipy.stats.binomtest` (closed form), to 1e-15.
///
/// ```
/// use neurogauge_stats::sign_test;
/// // Four of four, nine of ten, half.
/// assert_eq!((sign_test(4, 4), sign_test(9, 10), sign_test(3, 6)), (0.125, 0.021484375, 1.0));
/// ```
pub fn sign_test(k: usize, n: usize) -> f64 {
    let most = k.max(n.saturating_sub(k));
    // The sum over `most` or more, from n downwards.
    let (mut of_all, mut sum) = (0.5_f64.powi(i32::try_from(n).unwrap_or(i32::MAX)), 0.0);
    for at in (most..=n).rev() {
        sum += of_all;
        of_all *= at as f64 / (n - at + 1) as f64;
    }
    (2.0 * sum).min(1.0)
}
