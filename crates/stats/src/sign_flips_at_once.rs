//! The sign-flip test of every difference between two systems at once.
//!
//! All differences see the same flips, and a flipped sum of a difference is that of one system minus that of the other. So the
//! sums are made once for each system, as a product of matrices. Theirs is another order than that of [`sign_flip_p`]:
//! where a sum is so near the threshold that rounding could decide, it is made again as it is there. So p is the same.

use crate::StatsError;
use crate::sign_flip::{MOST_ENUMERATED, SIGN_FLIPS, flipped_sum, p_of, sign_flip_p, threshold};
use crate::similarity::product::{DEPTH, GROUP, TILE_X, TILE_Y, Tile, multiply, tile};
use multiversion::multiversion;
use neurogauge_core::Seed;
use neurogauge_core::stopping::stop_if_asked;
use rand::Rng;
use rayon::prelude::*;
use std::ops::Range;

/// Flipped sums, and signs, that are in memory at a time.
const MOST_NUMBERS: usize = 1 << 22;

/// Fewer differences are not worth the product, whose tiles would be empty.
const FEWEST: usize = 4;

/// [`sign_flip_p`] of each of these differences, of the first system minus the second; systems have a value for each of `n` pairs.
pub(crate) fn sign_flip_ps(
    systems: &[Vec<f64>],
    differences: &[(usize, usize)],
    seed: Seed,
) -> Result<Vec<Option<f64>>, StatsError> {
    let n = systems.first().map_or(0, Vec::len);
    let tests = differences.par_iter().map(|&(a, b)| {
        stop_if_asked();
        Test::new(&systems[a], &systems[b], n)
    });
    let mut tests: Vec<Test<'_>> = tests.collect();
    if n <= MOST_ENUMERATED || tests.len() < FEWEST || tests.iter().any(|test| !test.is_finite) {
        let alone = tests.par_iter().map(|test| {
            stop_if_asked();
            sign_flip_p(&test.differences(), seed)
        });
        let alone: Vec<Result<Option<f64>, StatsError>> = alone.collect();
        return alone.into_iter().collect();
    }
    let centred = centred(systems);
    let sizes: Vec<f64> = (centred.par_iter())
        .map(|values| values.iter().map(|value| value.abs()).sum())
        .collect();
    let n_chunk = (MOST_NUMBERS / n.max(systems.len())).max(1);
    for start in (0..SIGN_FLIPS).step_by(n_chunk) {
        let flips = start..SIGN_FLIPS.min(start + n_chunk);
        let sums = flipped_sums(&centred, flips.clone(), seed);
        let of_system = |system: usize| &sums[system * flips.len()..][..flips.len()];
        (tests.par_iter_mut().zip(differences)).for_each(|(test, &(a, b))| {
            stop_if_asked();
            let error = 2.0 * (n as f64 + 4.0) * f64::EPSILON * (sizes[a] + sizes[b]);
            test.n_far += test.n_far(of_system(a), of_system(b), error, |flip| {
                seed.stream((start + flip) as u64)
            });
        });
    }
    Ok(tests.iter().map(|test| Some(p_of(test.n_far))).collect())
}

/// The values of each pair minus their mean over systems: differences stay, and what rounding takes of them is small.
fn centred(systems: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = systems.first().map_or(0, Vec::len);
    let mut means = vec![0.0; n];
    for system in systems {
        for (mean, value) in means.iter_mut().zip(system) {
            *mean += value / systems.len() as f64;
        }
    }
    let of_system = |system: &Vec<f64>| {
        system
            .iter()
            .zip(&means)
            .map(|(v, mean)| v - mean)
            .collect()
    };
    systems.par_iter().map(of_system).collect()
}

/// System by system, the sums with the signs of each flip.
fn flipped_sums(systems: &[Vec<f64>], flips: Range<usize>, seed: Seed) -> Vec<f64> {
    let n = systems.first().map_or(0, Vec::len);
    let n_flips = flips.len();
    let signs: Vec<Vec<i8>> = flips
        .into_par_iter()
        .map(|flip| {
            // As in [`flipped_sum`]: a bit that is set turns the sign.
            let rng = &mut seed.stream(flip as u64);
            let mut signs = Vec::with_capacity(n.next_multiple_of(32));
            while signs.len() < n {
                let word = rng.next_u32();
                signs.extend((0..32).map(|bit| 1 - 2 * (word >> bit & 1) as i8));
            }
            signs
        })
        .collect();
    let mut sums = vec![0.0; systems.len() * n_flips];
    for from in (0..n).step_by(DEPTH) {
        let slab = from..n.min(from + DEPTH);
        let of_flips: Vec<Tile<TILE_Y>> = (signs.par_chunks(TILE_Y))
            .map(|rows| {
                tile(rows.iter().map(Vec::as_slice), &slab, |_, sign| {
                    f64::from(sign)
                })
            })
            .collect();
        (sums
            .par_chunks_mut(GROUP * n_flips)
            .zip(systems.par_chunks(GROUP)))
        .for_each(|(sums, systems)| {
            stop_if_asked();
            let of_systems: Vec<Tile<TILE_X>> = (systems.chunks(TILE_X))
                .map(|rows| tile(rows.iter().map(Vec::as_slice), &slab, |_, value| value))
                .collect();
            multiply(&of_systems, &of_flips, n_flips, sums);
        });
    }
    sums
}

/// The test of one difference.
struct Test<'a> {
    minuend: &'a [f64],
    subtrahend: &'a [f64],
    is_finite: bool,
    threshold: f64,
    /// Flips whose sum is as far from zero.
    n_far: usize,
}

impl<'a> Test<'a> {
    fn new(minuend: &'a [f64], subtrahend: &'a [f64], n: usize) -> Self {
        let mut test = Test {
            minuend,
            subtrahend,
            is_finite: true,
            threshold: 0.0,
            n_far: 0,
        };
        if n > MOST_ENUMERATED {
            let differences = test.differences();
            test.is_finite = differences.iter().all(|d| d.is_finite());
            test.threshold = threshold(&differences);
        }
        test
    }

    fn differences(&self) -> Vec<f64> {
        let both = self.minuend.iter().zip(self.subtrahend);
        both.map(|(a, b)| a - b).collect()
    }

    /// How many of these flips are as far, given both systems' sums, whose difference is off by no more than `error`.
    ///
    /// n values are summed in some order with an error below (n − 1)·u·Σ|v|, u = ε/2, and the differences of the values
    /// are rounded; all of that together is less than (n + 4)·ε·(Σ|a| + Σ|b|).
    fn n_far<R: Rng>(
        &self,
        minuends: &[f64],
        subtrahends: &[f64],
        error: f64,
        stream: impl Fn(usize) -> R,
    ) -> usize {
        if self.threshold <= 0.0 {
            return minuends.len();
        }
        let (low, high) = (self.threshold - error, self.threshold + error);
        let (n_surely, n_perhaps) = count_far(minuends, subtrahends, low, high);
        if n_surely == n_perhaps {
            return n_surely as usize;
        }
        let differences = self.differences();
        let is_far = |flip: &usize| {
            let distance = (minuends[*flip] - subtrahends[*flip]).abs();
            let is_sure = distance >= high || distance < low;
            match is_sure {
                true => distance >= high,
                false => flipped_sum(&differences, &mut stream(*flip)).abs() >= self.threshold,
            }
        };
        (0..minuends.len()).filter(is_far).count()
    }
}

/// How many distances between two rows are at least `high`, and how many are not below `low`.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw", "x86_64+avx2"))]
fn count_far(x: &[f64], y: &[f64], low: f64, high: f64) -> (u64, u64) {
    let (mut surely, mut nearer) = (0, 0);
    for (x, y) in x.iter().zip(y) {
        let distance = (x - y).abs();
        surely += u64::from(distance >= high);
        nearer += u64::from(distance < low);
    }
    (surely, x.len().min(y.len()) as u64 - nearer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge_core::synthetic::Synthetic;

    /// Noise, whole numbers that tie, equal systems, one that is off by a constant, tiny and huge ones.
    fn systems(n: usize) -> Vec<Vec<f64>> {
        let noise = Synthetic::new("flips", n as u64);
        let draw = |kind: u64, i: usize| f64::from(noise.uniform((kind << 32) + i as u64));
        let kinds: [&dyn Fn(usize) -> f64; 10] = [
            &|i| draw(0, i),
            &|i| draw(1, i) + 0.05,
            &|i| f64::from(draw(2, i) < 0.5),
            &|i| f64::from(draw(3, i) < 0.6),
            &|i| (draw(4, i) * 10.0).floor() / 10.0,
            &|i| (draw(5, i) * 10.0).floor() / 10.0,
            &|i| draw(0, i),
            &|i| draw(0, i) + 0.25,
            &|i| draw(6, i) * 1e-3 + 1e6,
            &|i| draw(7, i) * 1e-3 + 1e6,
        ];
        let of_kind = |kind: &&dyn Fn(usize) -> f64| (0..n).map(*kind).collect();
        kinds.iter().map(of_kind).collect()
    }

    fn all_two(n: usize) -> Vec<(usize, usize)> {
        (0..n)
            .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
            .collect()
    }

    #[test]
    fn p_values_are_those_of_each_difference_alone() {
        for n in [0, 1, 2, 8, 16, 60, 300] {
            let systems = systems(n);
            let differences = all_two(systems.len());
            let found = sign_flip_ps(&systems, &differences, Seed(7)).unwrap();
            for (&(a, b), found) in differences.iter().zip(found) {
                let values: Vec<f64> = systems[a]
                    .iter()
                    .zip(&systems[b])
                    .map(|(a, b)| a - b)
                    .collect();
                assert_eq!(
                    found,
                    sign_flip_p(&values, Seed(7)).unwrap(),
                    "{n}: {a} − {b}"
                );
            }
        }
    }

    #[test]
    fn what_overflows_is_an_error() {
        let huge: Vec<Vec<f64>> = (0..5)
            .map(|s| vec![1e308 * f64::from(s - 2) * 0.8; 20])
            .collect();
        let found = sign_flip_ps(&huge, &all_two(5), Seed(7));
        assert!(
            matches!(found, Err(StatsError::NonFiniteSample { .. })),
            "{found:?}"
        );
    }

    #[test]
    fn rounding_decides_almost_nothing() {
        let systems = systems(300)[..2].to_vec();
        let test = Test::new(&systems[0], &systems[1], 300);
        let sums = flipped_sums(&centred(&systems), 0..500, Seed(7));
        let asked = std::cell::Cell::new(0);
        let n_far = test.n_far(&sums[..500], &sums[500..], 1e-9, |flip| {
            asked.set(asked.get() + 1);
            Seed(7).stream(flip as u64)
        });
        let differences = test.differences();
        let is_far = |flip: &u64| {
            flipped_sum(&differences, &mut Seed(7).stream(*flip)).abs() >= test.threshold
        };
        assert_eq!((n_far, asked.get()), ((0..500).filter(is_far).count(), 0));
    }
}
