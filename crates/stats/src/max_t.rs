//! Sign-flip tests of several means at once, corrected by the largest of them.

use crate::error::{check_finite, check_lengths};
use crate::flipped_sums::{FlippedSums, Signs};
use crate::sign_flip::{MOST_ENUMERATED, SIGN_FLIPS, p_of};
use crate::{BootstrapOptions, StatsError};
use neurogauge_core::parallel;
use neurogauge_core::stopping::stop_if_asked;
use std::ops::Range;

/// Flips that are summed together.
const CHUNK: usize = 512;

/// Equal statistics may differ in their last bits.
const TIE: f64 = 1e-12;

/// The result of [`max_t_test`].
#[derive(Debug, Clone, PartialEq)]
pub struct MaxT {
    /// For each column, the p value of a mean of zero, corrected for all columns.
    pub p_values: Vec<f64>,
    /// A mean is rejected exactly if it is farther from 0 than this many of its standard errors, which makes the
    /// simultaneous intervals mean ± `reach` · standard error. `None` if no mean can be rejected.
    pub reach: Option<f64>,
}

/// The two-sided sign-flip test of the mean of each column, with p corrected by the largest statistic of all columns
/// (the single-step max-T of Westfall and Young, 1993).
///
/// t_j = mean_j / (s_j / √n), and p_j = #{ε : max_k |t_k(ε)| ≥ |t_j|} / 2ⁿ over all signs ε ∈ {−1, 1}ⁿ, where a flip
/// gives all columns of a row the same sign. If the rows are symmetric about zero, the chance of any p at or below a
/// level is at most that level, however the columns depend on each other. So the columns that stand out most can be
/// chosen after the test.
///
/// - Shapes: `n_columns` columns of `n` finite values.
/// - Up to 15 rows all signs are tried; beyond, 9999 random ones (stream `r` of the seed for flip `r`) and p = (1 + #)
///   / (1 + 9999).
/// - Range of p: 2/2ⁿ to 1; 1 for a column of zeros. |t| is compared as |Σd| / √(n Σd²), which grows with it, up to
///   1e-12.
/// - Undefined: `None` without columns, or below two rows.
/// - Errors: samples of different lengths, a value that is not finite, an option out of its range.
/// - Reference: NumPy over all signs, to 1e-12.
///
/// ```
/// use neurogauge_stats::{BootstrapOptions, max_t_test};
/// let test = |columns: &[Vec<f64>]| max_t_test(columns, &BootstrapOptions::default()).unwrap().unwrap();
/// let (large, small) = (vec![1.0, 2.0, 1.0, 2.0, 1.0, 2.0], vec![1.0, -1.0, 1.0, -1.0, 2.0, 1.0]);
/// // A column alone: only the flip of no and of all signs is as far.
/// assert_eq!(test(&[large.clone()]).p_values, [2.0 / 64.0]);
/// // The largest of two columns is far more often as far as the second one.
/// let both = test(&[large, small]);
/// assert!(both.p_values[0] >= 2.0 / 64.0 && both.p_values[1] > 0.5);
/// ```
pub fn max_t_test(columns: &[Vec<f64>], options: &BootstrapOptions) -> Result<Option<MaxT>, StatsError> {
    options.check()?;
    let n = columns.first().map_or(0, Vec::len);
    for column in columns {
        check_lengths(n, column.len())?;
        check_finite(column)?;
    }
    if n < 2 {
        return Ok(None);
    }
    // Flips leave the sum of squares as it is, so columns are divided by its root once, and their sums are the shares.
    let scaled = columns.iter().map(|column| {
        let size = (n as f64 * column.iter().map(|d| d * d).sum::<f64>()).sqrt();
        column.iter().map(|d| if size > 0.0 { d / size } else { 0.0 }).collect::<Vec<f64>>()
    });
    let scaled: Vec<Vec<f64>> = scaled.collect();
    let rows: Vec<&[f64]> = scaled.iter().map(Vec::as_slice).collect();
    let sums = FlippedSums::<f64, 16>::of(&rows, |_, value| value);
    let largest_of = |signs: &Signs| {
        let mut largest = vec![0.0_f64; signs.n_flips()];
        for of_column in sums.sums(signs).chunks_exact(signs.n_flips()) {
            for (largest, sum) in largest.iter_mut().zip(of_column) {
                *largest = largest.max(sum.abs());
            }
        }
        largest
    };
    let mut largest: Vec<f64> = match n <= MOST_ENUMERATED {
        true => largest_of(&Signs::all(n)),
        false => {
            let chunks = parallel::map(SIGN_FLIPS.div_ceil(CHUNK), |chunk| {
                stop_if_asked();
                let start = chunk * CHUNK;
                let flips: Range<usize> = start..SIGN_FLIPS.min(start + CHUNK);
                largest_of(&Signs::draw(flips, n, options.seed))
            });
            chunks.into_iter().flatten().collect()
        }
    };
    largest.sort_unstable_by(|a, b| b.total_cmp(a));
    let p_of_count = |count: usize| match n <= MOST_ENUMERATED {
        true => count as f64 / largest.len() as f64,
        false => p_of(count, largest.len()),
    };
    let p_value = |column: &Vec<f64>| {
        let own = column.iter().sum::<f64>().abs();
        match own > 0.0 {
            true => p_of_count(largest.partition_point(|&other| other >= own - TIE)),
            false => 1.0,
        }
    };
    let alpha = 1.0 - options.level + TIE;
    let n_above = (0..=largest.len()).take_while(|&count| p_of_count(count) <= alpha);
    // A mean whose share exceeds this one is rejected.
    let share = n_above.last().and_then(|count| largest.get(count).copied());
    let can_reject = p_of_count(usize::from(n <= MOST_ENUMERATED)) <= alpha;
    Ok(Some(MaxT {
        p_values: scaled.iter().map(p_value).collect(),
        reach: share
            .filter(|share| can_reject && *share < 1.0 - TIE)
            .map(|share| share * ((n - 1) as f64 / (1.0 - share * share)).sqrt()),
    }))
}
