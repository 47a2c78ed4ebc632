//! The sign-flip test of every difference between two systems at once.
//!
//! All differences see the same flips, and the flipped sum of a difference is that of one system minus that of the
//! other. So sums are computed once for each system ([`FlippedSums`]). They are added in another order than in
//! [`sign_flip_test`]. If rounding could decide whether a sum reaches the threshold or an end of the interval, the sum
//! is computed again in that order. So p values and intervals are the same.
//!
//! Both implementations stay: the test of one difference defines the sums that decide near ties, and testing the
//! differences of 1000 systems over 515 pairs one by one takes 190 times as long (4.6 hours instead of 89 s; for 100
//! systems, 92 s instead of 1.5 s).

use crate::error::check_finite;
use crate::flipped_sums::{FlippedSums, Signs};
use crate::replicates::Near;
use crate::sign_flip::{Count, Flip, MOST_ENUMERATED, Numbers, Observed, TestedMean, has_spread, p_of, sign_flip_test};
use crate::{BootstrapOptions, StatsError};
use multiversion::multiversion;
use neurogauge_core::stopping::stop_if_asked;
use neurogauge_core::{Seed, parallel};
use rand::Rng;
use rayon::prelude::*;
use std::ops::Range;

/// Flips whose sums are in memory at a time; all sums of the first flips are kept.
const CHUNK: usize = 512;

/// With fewer differences, summing all systems together does not pay.
const FEWEST: usize = 4;

/// [`sign_flip_test`] of each of these differences (first system minus second); systems have a value for each of `n`
/// pairs.
pub(crate) fn sign_flip_tests(
    systems: &[Vec<f64>],
    differences: &[(usize, usize)],
    n_family: usize,
    options: &BootstrapOptions,
) -> Result<Vec<Option<TestedMean>>, StatsError> {
    let n = systems.first().map_or(0, Vec::len);
    let one_by_one = || {
        parallel::try_map_each(differences, |&(a, b)| {
            stop_if_asked();
            sign_flip_test(&minus(&systems[a], &systems[b]), n_family, options)
        })
    };
    if n <= MOST_ENUMERATED || differences.len() < FEWEST {
        return one_by_one();
    }
    let centred = centred(systems);
    let sizes: Vec<f64> = parallel::map_each(&centred, |values| values.iter().map(|value| value.abs()).sum());
    let (numbers, seed) = (Numbers::of(n_family, options.level), options.seed);
    let all_systems: Vec<&[f64]> = centred.iter().map(Vec::as_slice).collect();
    let first = FirstFlips::of(&all_systems, numbers.first, seed);
    let tested = |&pair: &(usize, usize)| {
        stop_if_asked();
        let test = Test::of(pair, systems)?;
        let error = test.error(n, &sizes);
        let n_far =
            test.n_far(first.of_system(pair.0), first.of_system(pair.1), error, |flip| seed.stream(flip as u64));
        Ok::<_, StatsError>((test.tested(n_far, &first, error, options)?, n_far))
    };
    let tested: Result<Vec<(TestedMean, usize)>, _> = differences.par_iter().map(tested).collect();
    let Ok(tested) = tested else {
        // The error of the first difference that has one, whichever thread was faster.
        return one_by_one();
    };
    let few: Vec<usize> = (0..tested.len()).filter(|&place| numbers.needs_more(tested[place].1)).collect();
    let mut found: Vec<Option<TestedMean>> = tested.iter().map(|(found, _)| Some(*found)).collect();
    if few.is_empty() {
        return Ok(found);
    }
    // More flips are summed only for the systems of these tests.
    let mut needed: Vec<usize> = few.iter().flat_map(|&place| <[usize; 2]>::from(differences[place])).collect();
    needed.sort_unstable();
    needed.dedup();
    let rows: Vec<&[f64]> = needed.iter().map(|&row| centred[row].as_slice()).collect();
    let rows = FlippedSums::of(&rows);
    // For each of these tests, its error and the rows of its systems.
    let row = |system: usize| needed.partition_point(|&own| own < system);
    let of_few = few.iter().map(|&place| {
        let (a, b) = differences[place];
        let test = Test::of((a, b), systems)?;
        Ok::<_, StatsError>((test, test.error(n, &sizes), row(a), row(b)))
    });
    let of_few = of_few.collect::<Result<Vec<_>, _>>()?;
    let counted = |mut n_far: Vec<usize>, flips: Range<usize>| {
        stop_if_asked();
        let sums = rows.sums(&Signs::draw(flips.clone(), n, seed));
        let of_row = |row: usize| &sums[row * flips.len()..][..flips.len()];
        for (n_far, &(test, error, a, b)) in n_far.iter_mut().zip(&of_few) {
            *n_far += test.n_far(of_row(a), of_row(b), error, |flip| seed.stream((flips.start + flip) as u64));
        }
        n_far
    };
    let none = || vec![0; few.len()];
    let added =
        |one: Vec<usize>, other: Vec<usize>| one.into_iter().zip(other).map(|(one, other)| one + other).collect();
    let n_far = (chunks(numbers.first..numbers.all).into_par_iter()).fold(none, counted).reduce(none, added);
    for (&place, n_far) in few.iter().zip(&n_far) {
        let (found_first, of_first) = tested[place];
        found[place] = Some(TestedMean {
            p_value: numbers.p_of_more(of_first + n_far),
            ..found_first
        });
    }
    Ok(found)
}

/// Ranges of flips whose sums are in memory at a time.
fn chunks(flips: Range<usize>) -> Vec<Range<usize>> {
    flips.clone().step_by(CHUNK).map(|start| start..flips.end.min(start + CHUNK)).collect()
}

fn minus(minuend: &[f64], subtrahend: &[f64]) -> Vec<f64> {
    minuend.iter().zip(subtrahend).map(|(a, b)| a - b).collect()
}

/// Subtracts from the values of each pair their mean over systems: differences do not change, and their rounding errors
/// are small.
fn centred(systems: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut means = vec![0.0; systems.first().map_or(0, Vec::len)];
    for system in systems {
        for (mean, value) in means.iter_mut().zip(system) {
            *mean += value / systems.len() as f64;
        }
    }
    let of_system = |system: &Vec<f64>| system.iter().zip(&means).map(|(v, mean)| v - mean).collect();
    parallel::map_each(systems, of_system)
}

/// The sums of the flips that determine intervals.
struct FirstFlips {
    /// System by system.
    sums: Vec<f64>,
    /// The number of flipped signs of each flip.
    n_turned: Vec<f64>,
    /// The smallest number of flipped signs, or of kept ones, among flips that change some signs but not all.
    fewest: f64,
}

impl FirstFlips {
    /// Sums the first `n_flips`, and counts their flipped signs.
    fn of(systems: &[&[f64]], n_flips: usize, seed: Seed) -> Self {
        let n = systems.first().map_or(0, |system| system.len());
        let (mut sums, mut n_turned) = (vec![0.0; systems.len() * n_flips], Vec::with_capacity(n_flips));
        let systems = FlippedSums::of(systems);
        let of_chunk = |flips: &Range<usize>| {
            stop_if_asked();
            let signs = Signs::draw(flips.clone(), n, seed);
            (systems.sums(&signs), signs.n_turned())
        };
        // Only so many chunks at a time are in memory twice.
        for chunks in chunks(0..n_flips).chunks(rayon::current_num_threads()) {
            for (flips, (found, turned)) in chunks.iter().zip(parallel::map_each(chunks, of_chunk)) {
                for (own, found) in sums.chunks_exact_mut(n_flips).zip(found.chunks_exact(flips.len())) {
                    own[flips.clone()].copy_from_slice(found);
                }
                n_turned.extend(turned.into_iter().map(f64::from));
            }
        }
        let fewer = n_turned.iter().map(|n_turned| n_turned.min(n as f64 - n_turned));
        let fewest = fewer.filter(|&fewer| fewer > 0.0).fold(n as f64, f64::min);
        FirstFlips { sums, n_turned, fewest }
    }

    fn of_system(&self, system: usize) -> &[f64] {
        &self.sums[system * self.n_turned.len()..][..self.n_turned.len()]
    }
}

#[derive(Clone, Copy)]
struct Test<'a> {
    systems: (usize, usize),
    minuend: &'a [f64],
    subtrahend: &'a [f64],
    observed: Observed,
}

impl<'a> Test<'a> {
    fn of((a, b): (usize, usize), systems: &'a [Vec<f64>]) -> Result<Self, StatsError> {
        let differences = minus(&systems[a], &systems[b]);
        check_finite(&differences)?;
        Ok(Test {
            systems: (a, b),
            minuend: &systems[a],
            subtrahend: &systems[b],
            observed: Observed::of(&differences),
        })
    }

    /// The error bound of the difference of two systems' sums, from the sums of their absolute values.
    ///
    /// n values are summed in some order with an error below (n − 1)·u·Σ|v|, u = ε/2, and the differences of the values
    /// are rounded; together these errors are less than (n + 4)·ε·(Σ|a| + Σ|b|).
    fn error(&self, n: usize, sizes: &[f64]) -> f64 {
        let (a, b) = self.systems;
        2.0 * (n as f64 + 4.0) * f64::EPSILON * (sizes[a] + sizes[b])
    }

    /// p and the interval. `n_far` of the first flips are at least as far from zero as the observed mean.
    fn tested(
        &self,
        n_far: usize,
        first: &FirstFlips,
        error: f64,
        options: &BootstrapOptions,
    ) -> Result<TestedMean, StatsError> {
        let n_flips = first.n_turned.len();
        let tested = |interval| TestedMean {
            p_value: p_of(n_far, n_flips),
            interval,
        };
        let differences = self.differences();
        if !has_spread(&differences) {
            return Ok(tested(None));
        }
        let (a, b) = self.systems;
        let (mut lows, mut highs) = (vec![0.0; n_flips], vec![0.0; n_flips]);
        ends((first.of_system(a), first.of_system(b)), &first.n_turned, &self.observed, (&mut lows, &mut highs));
        // The error of the mean of the kept, or of the flipped, differences has three sources: their sum, whose error
        // is half that of the flipped sum; setting it to 0 within the slack; and its own rounding, which is smaller
        // than the error once more.
        let error = (2.0 * error + self.observed.slack) / (2.0 * first.fewest);
        let exact = |flip: u64| {
            let flip = Flip::draw(&differences, &mut options.seed.stream(flip));
            self.observed.ends(&flip)
        };
        let lows = Near::new(lows, error, |flip| Some(exact(flip)?.0));
        let highs = Near::new(highs, error, |flip| Some(exact(flip)?.1));
        let (Some(lows), Some(highs)) = (lows, highs) else {
            let alone = sign_flip_test(&differences, 1, options)?;
            return Ok(tested(alone.and_then(|alone| alone.interval)));
        };
        let place = Count::new(1 + n_flips, options.level).place(lows.len());
        Ok(tested(place.map(|place| (lows.nth(place), highs.nth(highs.len() - 1 - place)))))
    }

    fn differences(&self) -> Vec<f64> {
        minus(self.minuend, self.subtrahend)
    }

    /// How many of these flips are at least as far from zero, given both systems' sums, whose difference has an error
    /// of at most `error`.
    fn n_far<R: Rng>(&self, minuends: &[f64], subtrahends: &[f64], error: f64, stream: impl Fn(usize) -> R) -> usize {
        let threshold = self.observed.threshold();
        if threshold <= 0.0 {
            return minuends.len();
        }
        let (low, high) = (threshold - error, threshold + error);
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
                false => Flip::draw(&differences, &mut stream(*flip)).sum.abs() >= threshold,
            }
        };
        (0..minuends.len()).filter(is_far).count()
    }
}

/// [`Observed::ends`] of each flip of a difference, given the sums of its two systems; NaN for a flip of no or all
/// signs.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw", "x86_64+avx2"))]
fn ends(
    (minuends, subtrahends): (&[f64], &[f64]),
    n_turned: &[f64],
    observed: &Observed,
    (lows, highs): (&mut [f64], &mut [f64]),
) {
    let (n, threshold) = (observed.n as f64, observed.threshold());
    let sums = minuends.iter().zip(subtrahends).zip(n_turned);
    for (((a, b), &n_turned), (low, high)) in sums.zip(lows.iter_mut().zip(highs)) {
        let sum = a - b;
        let turned = (observed.sum - sum) / (2.0 * n_turned);
        let kept = (observed.sum + sum) / (2.0 * (n - n_turned));
        let (least, most) = if turned < kept { (turned, kept) } else { (kept, turned) };
        let (zero_below, zero_above) = if sum.abs() >= threshold {
            (0.0, 0.0)
        } else {
            (f64::INFINITY, f64::NEG_INFINITY)
        };
        let is_mixed = n_turned > 0.0 && n_turned < n;
        let (least, most) = (least.min(zero_below), most.max(zero_above));
        *low = if is_mixed { least } else { f64::NAN };
        *high = if is_mixed { most } else { f64::NAN };
    }
}

/// Counts the distances between two rows that are at least `high`, and those that are not below `low` (as if
/// `low` is NaN).
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

    /// Noise, whole numbers that tie, equal systems, a system that differs by a constant, tiny and huge values.
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
        kinds.iter().map(|kind: &&dyn Fn(usize) -> f64| (0..n).map(*kind).collect()).collect()
    }

    fn all_two(n: usize) -> Vec<(usize, usize)> {
        (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect()
    }

    #[test]
    fn tests_are_those_of_each_difference_alone() {
        for (n, n_family, level) in [
            (0, 1, 0.95),
            (1, 1, 0.95),
            (2, 1, 0.95),
            (8, 1, 0.95),
            (16, 1, 0.95),
            (17, 200, 0.9),
            (60, 150, 0.95),
            (300, 1, 0.99),
        ] {
            let systems = systems(n);
            let differences = all_two(systems.len());
            let options = BootstrapOptions {
                level,
                seed: Seed(7),
                ..BootstrapOptions::default()
            };
            let found = sign_flip_tests(&systems, &differences, n_family, &options).unwrap();
            for (&(a, b), found) in differences.iter().zip(found) {
                let values: Vec<f64> = systems[a].iter().zip(&systems[b]).map(|(a, b)| a - b).collect();
                let alone = sign_flip_test(&values, n_family, &options).unwrap();
                assert_eq!(found, alone, "{n}: {a} − {b}");
                if let Some(TestedMean {
                    p_value,
                    interval: Some((low, high)),
                }) = found
                {
                    let holds = low <= 0.0 && 0.0 <= high;
                    assert_eq!(holds, p_value > 1.0 - level, "{n}: {a} − {b}: {found:?}");
                }
            }
        }
    }

    #[test]
    fn what_overflows_is_an_error() {
        let huge: Vec<Vec<f64>> = (0..5).map(|s| vec![1e308 * f64::from(s - 2) * 0.8; 20]).collect();
        let found = sign_flip_tests(&huge, &all_two(5), 1, &BootstrapOptions::default());
        assert!(found.unwrap_err().to_string().ends_with("every value must be finite"));
    }

    #[test]
    fn rounding_decides_almost_nothing() {
        let systems = systems(300)[..2].to_vec();
        let test = Test::of((0, 1), &systems).unwrap();
        let centred = centred(&systems);
        let signs = Signs::draw(0..500, 300, Seed(7));
        let sums = FlippedSums::of(&[&centred[0], &centred[1]]).sums(&signs);
        let asked = std::cell::Cell::new(0);
        let n_far = test.n_far(&sums[..500], &sums[500..], 1e-9, |flip| {
            asked.set(asked.get() + 1);
            Seed(7).stream(flip as u64)
        });
        let differences = test.differences();
        let is_far =
            |flip: &u64| Flip::draw(&differences, &mut Seed(7).stream(*flip)).sum.abs() >= test.observed.threshold();
        assert_eq!((n_far, asked.get()), ((0..500).filter(is_far).count(), 0));
    }
}
