//! Pairs drawn with replacement.

use crate::{BootstrapOptions, StatsError};
use neurogauge_core::parallel;
use neurogauge_core::stopping::stop_if_asked;
use rand::Rng;

/// `statistic` of each resample, in the order of the resamples; it gets the positions of the `n_pairs` drawn pairs.
///
/// Resample `r` draws only from stream `r` of the seed. So the draws are the same for every metric over equally many
/// pairs, and for any number of threads.
pub fn resample<R: Send>(
    n_pairs: usize,
    options: &BootstrapOptions,
    statistic: impl Fn(&[u32]) -> R + Sync,
) -> Result<Vec<R>, StatsError> {
    let Ok(bound) = u32::try_from(n_pairs) else {
        return Err(StatsError::too_many_pairs(n_pairs));
    };
    if bound == 0 {
        return Ok(Vec::new());
    }
    let memory = || vec![0; n_pairs];
    Ok(parallel::map_with(options.resamples, memory, |drawn, r| {
        stop_if_asked();
        draw_below(bound, &mut options.seed.stream(r as u64), drawn);
        statistic(drawn)
    }))
}

/// The results of the seed's random streams from 0 up to the number of resamples, in order.
pub(crate) fn each_stream<R: Send>(options: &BootstrapOptions, of_stream: impl Fn(&mut dyn Rng) -> R + Sync) -> Vec<R> {
    parallel::map(options.resamples, |r| {
        stop_if_asked();
        of_stream(&mut options.seed.stream(r as u64))
    })
}

/// Fills `drawn` with independent numbers, each uniform over `0..bound` without bias.
///
/// The upper half of the product of a random word and `bound` is a number below `bound`. Some of these numbers are hit
/// by one word more than others; the surplus words are those whose lower half is less than 2^32 mod `bound`, and they
/// are drawn again.
pub fn draw_below(bound: u32, rng: &mut impl Rng, drawn: &mut [u32]) {
    let surplus = bound.wrapping_neg() % bound;
    for slot in drawn {
        *slot = loop {
            let product = u64::from(rng.next_u32()) * u64::from(bound);
            if product as u32 >= surplus {
                break (product >> 32) as u32;
            }
        };
    }
}

/// The sum of `values` at the drawn positions, in four lanes of fixed order.
pub(crate) fn sum_at(values: &[f64], drawn: &[u32]) -> f64 {
    let mut lanes = [0.0; 4];
    let (groups, rest) = drawn.as_chunks::<4>();
    for group in groups {
        for (lane, &pair) in lanes.iter_mut().zip(group) {
            *lane += values[pair as usize];
        }
    }
    for (lane, &pair) in lanes.iter_mut().zip(rest) {
        *lane += values[pair as usize];
    }
    lanes.iter().sum()
}
