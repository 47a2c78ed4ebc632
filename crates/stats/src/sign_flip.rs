//! A distribution-free test of whether the mean of paired differences is zero, and its interval.

use crate::error::check_finite;
use crate::mean_of_means::MeanOfMeans;
use crate::resample::each_stream;
use crate::{BootstrapOptions, StatsError};
use rand::Rng;

/// Up to this many differences, all signs are tried.
pub const MOST_ENUMERATED: usize = 15;

/// The number of random flips for more differences.
pub const SIGN_FLIPS: usize = 9_999;

/// The most random flips that are ever drawn.
pub const MOST_SIGN_FLIPS: usize = 999_999;

/// The expected number of flips that are at least as far if p is the strictest threshold of Holm's correction.
const FAR_AT_STRICTEST: f64 = 4.0;

/// If at most this many of the first flips are at least as far, p is near the smallest value that these flips can give.
pub(crate) const FEW_FAR: usize = 9;

/// Equal sums may differ in their last bits.
const TIE: f64 = 1e-12;

/// The result of a test of the mean of paired differences.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TestedMean {
    /// Two-sided p value of a mean of zero.
    pub p_value: f64,
    /// The means whose p value is above 1 − `level`: it contains zero exactly if `p_value` is above 1 − `level`. `None`
    /// if no mean can be rejected, or if all differences are equal.
    pub interval: Option<(f64, f64)>,
}

/// The two-sided sign-flip (one-sample permutation) test of Fisher (1935) for paired differences, and the interval of
/// the means that it does not reject.
///
/// p(δ) = #{ε : |Σ ε_i (d_i − δ)| ≥ |Σ (d_i − δ)|} / 2ⁿ over all signs ε ∈ {−1, 1}ⁿ; the p value is p(0).
///
/// If the differences are symmetric about δ (two systems that are exchangeable within every pair differ symmetrically
/// about 0), each sign is equally likely, and the test's size is exactly its level for any number of pairs. With n
/// pairs p cannot be below 2/2ⁿ: with six pairs it is at least 0.031.
///
/// A flip is at least as far from δ as the differences themselves exactly if δ is between the mean of the differences
/// whose sign it keeps and the mean of those whose sign it flips, since |ΣP + ΣM| ≤ |ΣP − ΣM| means that the two sums
/// do not have the same sign. So p(δ) rises in steps up to the mean and falls in steps beyond, and the interval ends at
/// one order statistic of the lower and one of the upper means. Both come from one set of flips, so p ≤ 1 − `level`
/// exactly if the interval excludes 0.
///
/// - Shapes: `n` differences, one for each pair. Sums that differ by at most 1e-12 · Σ|d| count as equal.
/// - Up to [`MOST_ENUMERATED`] differences, all signs are tried. Beyond, there are [`SIGN_FLIPS`] random flips (stream
///   `r` of the seed for flip `r`; more if `level` is above 0.999), and p = (1 + #) / (1 + flips), which keeps the
///   test's size (Phipson and Smyth, 2010).
/// - `n_family`: the number of tests in the family of Holm's correction. If 9 or fewer of the first flips are at least
///   as far, [`sign_flips`] decides how many are drawn in total, and p comes from all of them, but is never above the p
///   that 9 of the first flips give (0.001). So the test keeps its size at every level: p is 0.001 or less exactly if
///   the first flips show it, and smaller only if all flips show it.
/// - Range of p: 2/2ⁿ to 1; 1 if all differences are 0.
/// - Undefined: `None` for fewer than two differences, since a single one can show nothing. No interval below six pairs
///   at 95% (below 1 + log₂(1 / (1 − `level`)) pairs): no mean could be rejected.
/// - Conventions: `paired-test`.
/// - Errors: a value that is not finite.
/// - Reference: `scipy.stats.permutation_test` 1.17.1 (`permutation_type="samples"`), p exact up to 15 differences, to
///   1e-15; ends of the interval: by bisection, where p(δ) of the same function, or of NumPy on the same random signs,
///   crosses the level, to 1e-9.
///
/// ```
/// use neurogauge_stats::{BootstrapOptions, sign_flip_test};
/// let test = |differences: &[f64]| sign_flip_test(differences, 1, &BootstrapOptions::default()).unwrap();
/// let better_every_time = test(&[0.1, 0.2, 0.1, 0.3, 0.2, 0.1]).unwrap();
/// assert_eq!(better_every_time.p_value, 2.0 / 64.0);
/// // Rejected are the means that all six differences are above, or all below.
/// let (low, high) = better_every_time.interval.unwrap();
/// assert!((low - 0.1).abs() < 1e-12 && (high - 0.3).abs() < 1e-12);
/// assert_eq!(test(&[0.5, -0.5]).unwrap().p_value, 1.0);
/// assert_eq!(test(&[0.5, -0.5]).unwrap().interval, None);
/// assert_eq!(test(&[0.5]), None);
/// ```
pub fn sign_flip_test(
    differences: &[f64],
    n_family: usize,
    options: &BootstrapOptions,
) -> Result<Option<TestedMean>, StatsError> {
    options.check()?;
    check_finite(differences)?;
    let n = differences.len();
    if n < 2 {
        return Ok(None);
    }
    let observed = Observed::of(differences);
    let has_spread = has_spread(differences);
    if n <= MOST_ENUMERATED {
        // The first sign is fixed: flipping all signs changes no distance.
        let flips = (0..1_u32 << (n - 1)).map(|signs| {
            let flipped = |i: usize| i > 0 && signs >> (i - 1) & 1 == 1;
            let terms = differences.iter().enumerate();
            Flip {
                sum: terms.map(|(i, d)| if flipped(i) { -d } else { *d }).sum(),
                n_turned: signs.count_ones() as usize,
            }
        });
        let flips: Vec<Flip> = flips.collect();
        let n_far = flips.iter().filter(|flip| observed.is_far(flip)).count();
        let count = Count::new(flips.len(), options.level);
        return Ok(Some(TestedMean {
            p_value: n_far as f64 / flips.len() as f64,
            interval: observed.interval(&flips, count).filter(|_| has_spread),
        }));
    }
    let flips = |n_flips: usize| {
        let options = BootstrapOptions {
            resamples: n_flips,
            ..*options
        };
        each_stream(&options, |rng| Flip::draw(differences, rng))
    };
    let far = |flips: &[Flip]| flips.iter().filter(|flip| observed.is_far(flip)).count();
    let numbers = Numbers::of(n_family, options.level);
    let first = flips(numbers.first);
    let n_far = far(&first);
    let p_value = match numbers.needs_more(n_far) {
        true => numbers.p_of_more(far(&flips(numbers.all))),
        false => p_of(n_far, numbers.first),
    };
    let count = Count::new(1 + numbers.first, options.level);
    Ok(Some(TestedMean {
        p_value,
        interval: observed.interval(&first, count).filter(|_| has_spread),
    }))
}

/// Do differences vary by more than rounding? The criterion is the same as for the interval of a mean.
pub(crate) fn has_spread(differences: &[f64]) -> bool {
    let (least, most) = (differences.iter()).fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), d| (d.min(a), d.max(b)));
    // Those that vary by far more need no standard error; the squares of the smallest numbers are 0.
    if most - least > (1e-9 * least.abs().max(most.abs())).max(1e-100) {
        return true;
    }
    MeanOfMeans::of_differences(differences.to_vec()).found().is_some()
}

/// Differences with random signs: their sum, and the number of signs that were flipped.
#[derive(Debug, Clone, Copy)]
pub struct Flip {
    pub sum: f64,
    pub n_turned: usize,
}

impl Flip {
    /// Draws signs from a stream.
    pub fn draw(differences: &[f64], rng: &mut dyn Rng) -> Flip {
        let mut flip = Flip { sum: 0.0, n_turned: 0 };
        for word in differences.chunks(32) {
            let signs = rng.next_u32();
            flip.n_turned += (signs & u32::MAX >> (32 - word.len())).count_ones() as usize;
            for (bit, d) in word.iter().enumerate() {
                // Turned by its bit, since a processor guesses half of the branches on random signs wrongly.
                flip.sum += f64::from_bits(d.to_bits() ^ (u64::from(signs >> bit & 1) << 63));
            }
        }
        flip
    }
}

/// Properties of the unflipped differences, which flips are compared with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Observed {
    pub(crate) n: usize,
    pub(crate) sum: f64,
    /// The tolerance within which sums count as equal.
    pub(crate) slack: f64,
}

impl Observed {
    pub(crate) fn of(differences: &[f64]) -> Observed {
        Observed {
            n: differences.len(),
            sum: differences.iter().sum(),
            slack: TIE * differences.iter().map(|d| d.abs()).sum::<f64>(),
        }
    }

    /// The smallest absolute sum of flipped differences that counts as at least as far from zero.
    pub(crate) fn threshold(&self) -> f64 {
        self.sum.abs() - self.slack
    }

    fn is_far(&self, flip: &Flip) -> bool {
        flip.sum.abs() >= self.threshold()
    }

    /// The means from which the flip is at least as far as the differences: those between the mean of kept and the mean
    /// of flipped differences. `None` for a flip of no or all signs, which is as far from every mean.
    ///
    /// These means contain 0 exactly if [`is_far`](Self::is_far): for other flips, both sums have the sign of the
    /// total, even after rounding.
    pub(crate) fn ends(&self, flip: &Flip) -> Option<(f64, f64)> {
        let n_kept = self.n - flip.n_turned;
        if flip.n_turned == 0 || n_kept == 0 {
            return None;
        }
        let turned = (self.sum - flip.sum) / (2.0 * flip.n_turned as f64);
        let kept = (self.sum + flip.sum) / (2.0 * n_kept as f64);
        let (low, high) = (turned.min(kept), turned.max(kept));
        Some(match self.is_far(flip) {
            true => (low.min(0.0), high.max(0.0)),
            false => (low, high),
        })
    }

    fn interval(&self, flips: &[Flip], count: Count) -> Option<(f64, f64)> {
        let (mut lows, mut highs): (Vec<f64>, Vec<f64>) = flips.iter().filter_map(|flip| self.ends(flip)).unzip();
        let place = count.place(lows.len())?;
        let (_, low, _) = lows.select_nth_unstable_by(place, f64::total_cmp);
        let (_, high, _) = highs.select_nth_unstable_by(place, |a, b| b.total_cmp(a));
        Some((*low, *high))
    }
}

/// The number of flips that must be at least as far from a mean that is not rejected.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Count {
    /// The number of all flips, including the identity.
    of: usize,
    least: usize,
}

impl Count {
    /// The smallest count that makes p more than 1 − `level`.
    pub(crate) fn new(of: usize, level: f64) -> Count {
        let alpha = 1.0 - level;
        let mut least = ((alpha * of as f64) as usize).saturating_sub(1);
        while least as f64 / of as f64 <= alpha {
            least += 1;
        }
        Count { of, least }
    }

    /// The position of the interval's end among the ends of flips, counted from the outermost; `None` if the flips that
    /// are as far from every mean are enough.
    pub(crate) fn place(self, n_with_ends: usize) -> Option<usize> {
        self.least.checked_sub(1 + self.of - n_with_ends)
    }
}

/// p if `n_far` of the drawn flips are at least as far.
pub(crate) fn p_of(n_far: usize, n_flips: usize) -> f64 {
    (1.0 + n_far as f64) / (1.0 + n_flips as f64)
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Numbers {
    /// The number of flips in every test; the interval uses these.
    pub(crate) first: usize,
    /// The total number of flips if few of the first ones are at least as far.
    pub(crate) all: usize,
}

impl Numbers {
    /// Numbers for one of `n_family` tests. With 9 of the first flips at least as far, p is not above 1 − `level`, so
    /// more flips cannot contradict the interval.
    pub(crate) fn of(n_family: usize, level: f64) -> Numbers {
        // A value slightly above a whole number counts as that number.
        let so_many = |far: f64| ((far / (1.0 - level) - 1e-6).ceil() as usize).saturating_sub(1);
        let first = so_many(1.0 + FEW_FAR as f64).clamp(SIGN_FLIPS, MOST_SIGN_FLIPS);
        Numbers {
            first,
            all: so_many(FAR_AT_STRICTEST * n_family as f64).clamp(first, MOST_SIGN_FLIPS),
        }
    }

    pub(crate) fn needs_more(self, n_far: usize) -> bool {
        n_far <= FEW_FAR && self.all > self.first
    }

    /// p if `n_far` of all flips are at least as far.
    pub(crate) fn p_of_more(self, n_far: usize) -> f64 {
        p_of(n_far, self.all).min(p_of(FEW_FAR, self.first))
    }
}

/// The most random flips that are drawn in one test of a family of `n_family` for Holm's correction: 4 · `n_family` /
/// (1 − `level`), so that four are expected to be at least as far if p is Holm's strictest threshold, clipped to
/// [`SIGN_FLIPS`] and [`MOST_SIGN_FLIPS`].
///
/// ```
/// use neurogauge_stats::sign_flips;
/// assert_eq!(sign_flips(1, 0.95), 9_999);
/// assert_eq!(sign_flips(513, 0.95), 41_039);
/// ```
pub fn sign_flips(n_family: usize, level: f64) -> usize {
    Numbers::of(n_family, level).all
}

/// The smallest p value that [`sign_flip_test`] can give for `n` differences, in a family of `n_family` tests: 2/2ⁿ,
/// but at least 1 / (1 + [`sign_flips`]) if signs are drawn.
///
/// ```
/// use neurogauge_stats::smallest_sign_flip_p;
/// assert_eq!(smallest_sign_flip_p(6, 1, 0.95), 2.0 / 64.0);
/// assert_eq!(smallest_sign_flip_p(100, 1, 0.95), 0.0001);
/// assert_eq!(smallest_sign_flip_p(100, 513, 0.95), 1.0 / 41_040.0);
/// ```
pub fn smallest_sign_flip_p(n: usize, n_family: usize, level: f64) -> f64 {
    let of_all_signs = 0.5_f64.powi(i32::try_from(n).unwrap_or(i32::MAX).max(1) - 1);
    match n <= MOST_ENUMERATED {
        true => of_all_signs,
        false => of_all_signs.max(p_of(0, sign_flips(n_family, level))),
    }
}
