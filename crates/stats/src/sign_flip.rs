//! Is the mean of paired differences zero? A test that needs no distribution.

use crate::resample::each_stream;
use crate::{BootstrapOptions, StatsError};
use rand::Rng;

/// Up to so many differences all signs are tried.
pub const MOST_ENUMERATED: usize = 15;

/// Random signs beyond that.
pub const SIGN_FLIPS: usize = 9_999;

/// Equal sums may differ in their last bits.
const TIE: f64 = 1e-12;

/// The two-sided p value of the sign-flip (one-sample permutation) test of Fisher (1935) for paired differences:
/// p = #{ε : |Σ ε_i d_i| ≥ |Σ d_i|} / 2ⁿ over all signs ε ∈ {−1, 1}ⁿ.
///
/// If the two systems are exchangeable within every pair, each sign of each difference is equally likely, and the test's
/// size is exactly its level, whatever the distribution and however few the pairs. With n pairs p cannot be below
/// 2/2ⁿ: six pairs cannot show less than 0.031.
///
/// - Shapes: `n` differences, one for each pair. Sums within 1e-12 of Σ|d| of one another count as equal.
/// - Up to [`MOST_ENUMERATED`] differences all signs are tried. Beyond, [`SIGN_FLIPS`] random ones (stream `r` of the seed for
///   flip `r`), and p = (1 + #) / (1 + flips), which keeps the test's size (Phipson and Smyth, 2010).
/// - Range: 2/2ⁿ to 1; 1 where all differences are 0.
/// - Undefined: `None` for fewer than two differences, of which one can show nothing.
/// - Conventions: `paired-test`.
/// - Errors: [`StatsError::NonFiniteSample`], [`StatsError::TooManyPairs`].
/// - Reference: `scipy.stats.permutation_test` 1.17.1 (`permutation_type="samples"`), exact up to 15 differences, to 1e-15.
///
/// ```
/// use neurogauge_core::Seed;
/// use neurogauge_stats::sign_flip_p;
/// let better_every_time = [0.1, 0.2, 0.1, 0.3, 0.2, 0.1];
/// assert_eq!(sign_flip_p(&better_every_time, Seed(1)).unwrap(), Some(2.0 / 64.0));
/// assert_eq!(sign_flip_p(&[0.5, -0.5], Seed(1)).unwrap(), Some(1.0));
/// assert_eq!(sign_flip_p(&[0.5], Seed(1)).unwrap(), None);
/// ```
pub fn sign_flip_p(
    differences: &[f64],
    seed: neurogauge_core::Seed,
) -> Result<Option<f64>, StatsError> {
    if let Some(index) = differences.iter().position(|d| !d.is_finite()) {
        return Err(StatsError::NonFiniteSample {
            index,
            found: differences[index],
        });
    }
    let n = differences.len();
    if n < 2 {
        return Ok(None);
    }
    let threshold = threshold(differences);
    let is_as_far = |sum: f64| sum.abs() >= threshold;
    if n <= MOST_ENUMERATED {
        // The first sign may stay: flipping all of them changes no distance.
        let n_signs = 1_usize << (n - 1);
        let far = (0..n_signs).filter(|&signs| {
            let flipped = |i: usize| i > 0 && signs >> (i - 1) & 1 == 1;
            let terms = differences.iter().enumerate();
            is_as_far(terms.map(|(i, d)| if flipped(i) { -d } else { *d }).sum())
        });
        return Ok(Some(far.count() as f64 / n_signs as f64));
    }
    let options = BootstrapOptions {
        resamples: SIGN_FLIPS,
        seed,
        ..BootstrapOptions::default()
    };
    let far = each_stream(&options, |rng| is_as_far(flipped_sum(differences, rng)));
    let n_far = far.into_iter().filter(|&is_far| is_far).count();
    Ok(Some(p_of(n_far)))
}

/// From where on a sum of flipped differences is as far from zero as theirs.
pub(crate) fn threshold(differences: &[f64]) -> f64 {
    let observed = differences.iter().sum::<f64>().abs();
    let slack = TIE * differences.iter().map(|d| d.abs()).sum::<f64>();
    observed - slack
}

/// The sum of the differences with the signs that a stream draws.
pub(crate) fn flipped_sum(differences: &[f64], rng: &mut dyn Rng) -> f64 {
    let mut sum = 0.0;
    for word in differences.chunks(32) {
        let signs = rng.next_u32();
        for (bit, d) in word.iter().enumerate() {
            sum += if signs >> bit & 1 == 1 { -d } else { *d };
        }
    }
    sum
}

/// p where so many of [`SIGN_FLIPS`] are as far.
pub(crate) fn p_of(n_far: usize) -> f64 {
    (1.0 + n_far as f64) / (1.0 + SIGN_FLIPS as f64)
}

/// The smallest p value that [`sign_flip_p`] can give for so many differences: 2/2ⁿ as long as all signs are tried, and
/// 1 / (1 + [`SIGN_FLIPS`]) beyond.
///
/// ```
/// assert_eq!(neurogauge_stats::smallest_sign_flip_p(6), 2.0 / 64.0);
/// assert_eq!(neurogauge_stats::smallest_sign_flip_p(100), 0.0001);
/// ```
pub fn smallest_sign_flip_p(n: usize) -> f64 {
    match n {
        0 | 1 => 1.0,
        2..=MOST_ENUMERATED => 0.5_f64.powi(n as i32 - 1),
        _ => 1.0 / (1.0 + SIGN_FLIPS as f64),
    }
}
