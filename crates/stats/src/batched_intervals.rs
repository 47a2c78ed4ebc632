//! Intervals of many means over the same pairs at once.
//!
//! All means see the same resamples. The sums of a resample are products of its draw counts with the pairs' values and their
//! squares, so the sums of many means are one product of matrices. The product adds in another order than [`MeanOfMeans`].
//! It therefore only finds the few resamples that can decide where an interval ends, within bounds for the rounding of both;
//! these are summed again as for a single mean, so intervals are the same to the bit.

use crate::mean_of_means::{MeanOfMeans, NO_SPREAD, Statistic, Studied};
use crate::replicates::Near;
use crate::resample::draw_below;
use crate::similarity::product::{DEPTH, GROUP, TILE_X, TILE_Y, Tile, multiply, tile};
use crate::{BootstrapOptions, StatsError};
use neurogauge_core::stopping::stop_if_asked;
use rayon::prelude::*;
use std::ops::Range;

/// The most approximations, and the most values, in memory at a time.
const MOST_NUMBERS: usize = 1 << 21;

/// With fewer means the product does not pay, since its tiles would be mostly empty.
const FEWEST: usize = 4;

/// Smaller squares have lost digits.
const SMALLEST_SQUARES: f64 = 1e-270;

/// The interval of each mean, as [`MeanOfMeans::interval`]; means of whole columns over `n_pairs` pairs.
pub(crate) fn intervals(
    n_means: usize,
    n_pairs: usize,
    mean: impl Fn(usize) -> MeanOfMeans + Sync,
    options: &BootstrapOptions,
) -> Result<Vec<Option<(f64, f64)>>, StatsError> {
    let bound = u32::try_from(n_pairs).map_err(|_| StatsError::TooManyPairs { found: n_pairs })?;
    let n_block = (MOST_NUMBERS / n_pairs.max(options.resamples).max(1)).max(1);
    let mut intervals = Vec::with_capacity(n_means);
    for start in (0..n_means).step_by(n_block) {
        let means = start..n_means.min(start + n_block);
        let means: Vec<MeanOfMeans> = means.into_par_iter().map(&mean).collect();
        if means.len() < FEWEST || n_pairs < 2 {
            for mean in &means {
                intervals.push(mean.interval(options)?);
            }
            continue;
        }
        let found: Vec<Option<Studied>> = means.par_iter().map(MeanOfMeans::found).collect();
        let block = Block::new(&means, &found, n_pairs, options);
        let groups = block.approximations(bound, options);
        let of_block: Result<Vec<_>, StatsError> = (0..means.len())
            .into_par_iter()
            .map_init(
                || vec![0; n_pairs],
                |drawn, place| {
                    stop_if_asked();
                    match found[place] {
                        Some(found) => nearly(
                            &means[place],
                            found,
                            (&groups, place),
                            bound,
                            options,
                            drawn,
                        ),
                        None => Ok(None),
                    }
                },
            )
            .collect();
        intervals.extend(of_block?);
    }
    Ok(intervals)
}

/// The interval of one mean, from approximations of its resamples.
fn nearly(
    mean: &MeanOfMeans,
    found: Studied,
    (groups, place): (&[Group], usize),
    bound: u32,
    options: &BootstrapOptions,
    drawn: &mut [u32],
) -> Result<Option<(f64, f64)>, StatsError> {
    let statistic = Statistic::of(options.interval);
    let drawn = std::cell::RefCell::new(drawn);
    let exact = |resample: u64| {
        let mut drawn = drawn.borrow_mut();
        draw_below(bound, &mut options.seed.stream(resample), &mut drawn);
        mean.statistic_at(statistic, found, &drawn)
    };
    let own = groups.iter().flat_map(|group| group.of_mean(place).0);
    let own: Vec<f64> = own.copied().collect();
    let errors = groups.iter().map(|group| group.of_mean(place).1);
    match Near::new(&own, errors.fold(0.0, f64::max), exact) {
        Some(near) => mean.interval_by(found, options, || Ok(near)),
        None => mean.interval(options),
    }
}

/// Some means, and their values laid out for the product.
struct Block {
    centres: Vec<Centre>,
    n_pairs: usize,
    statistic: Statistic,
    /// By slab of pairs, in tiles of rows: for each mean, the values' deviations from it, and their squares.
    slabs: Vec<(Range<usize>, Vec<Tile<TILE_Y>>)>,
}

/// The location of the values of a mean.
#[derive(Clone, Copy)]
struct Centre {
    mean: f64,
    /// The largest absolute value.
    largest: f64,
}

impl Block {
    fn new(
        means: &[MeanOfMeans],
        found: &[Option<Studied>],
        n_pairs: usize,
        options: &BootstrapOptions,
    ) -> Self {
        let of_mean = |(mean, found): (&MeanOfMeans, &Option<Studied>)| {
            let values = mean.only_column().unwrap_or_default();
            let centre = Centre {
                mean: found.map_or(0.0, |found| found.mean),
                largest: values.iter().fold(0.0, |most, value| value.abs().max(most)),
            };
            let deviations: Vec<f64> = values.iter().map(|v| v - centre.mean).collect();
            let squares = deviations.iter().map(|d| d * d).collect();
            (centre, [deviations, squares])
        };
        let of_means = means.par_iter().zip(found).map(of_mean);
        let (centres, rows): (Vec<Centre>, Vec<[Vec<f64>; 2]>) = of_means.unzip();
        let rows: Vec<&[f64]> = rows.iter().flatten().map(Vec::as_slice).collect();
        let slabs = (0..n_pairs).step_by(DEPTH).map(|start| {
            let slab = start..n_pairs.min(start + DEPTH);
            let tiles = rows.par_chunks(TILE_Y);
            let tiles = tiles.map(|rows| tile(rows.iter().copied(), &slab, |_, value| value));
            let tiles = tiles.collect();
            (slab, tiles)
        });
        Block {
            slabs: slabs.collect(),
            centres,
            n_pairs,
            statistic: Statistic::of(options.interval),
        }
    }

    fn approximations(&self, bound: u32, options: &BootstrapOptions) -> Vec<Group> {
        (0..options.resamples.div_ceil(GROUP))
            .into_par_iter()
            .map(|group| {
                let start = group * GROUP;
                self.group(start..options.resamples.min(start + GROUP), bound, options)
            })
            .collect()
    }

    /// The statistic of some resamples for every mean.
    fn group(&self, resamples: Range<usize>, bound: u32, options: &BootstrapOptions) -> Group {
        let mut drawn = vec![0; self.n_pairs];
        let counts: Vec<Vec<u32>> = (resamples.clone())
            .map(|resample| {
                stop_if_asked();
                let mut counts = vec![0; self.n_pairs];
                draw_below(bound, &mut options.seed.stream(resample as u64), &mut drawn);
                drawn.iter().for_each(|&pair| counts[pair as usize] += 1);
                counts
            })
            .collect();
        let n_rows = 2 * self.centres.len();
        let mut sums = vec![0.0; counts.len() * n_rows];
        for (slab, tiles) in &self.slabs {
            let of_resamples: Vec<Tile<TILE_X>> = (counts.chunks(TILE_X))
                .map(|rows| {
                    let rows = rows.iter().map(Vec::as_slice);
                    tile(rows, slab, |_, count| f64::from(count))
                })
                .collect();
            multiply(&of_resamples, tiles, n_rows, &mut sums);
        }
        let mut group = Group {
            n_resamples: counts.len(),
            values: Vec::with_capacity(counts.len() * self.centres.len()),
            errors: vec![0.0; self.centres.len()],
        };
        for (place, (centre, error)) in self.centres.iter().zip(&mut group.errors).enumerate() {
            group.values.extend((0..counts.len()).map(|resample| {
                let sums = &sums[resample * n_rows + 2 * place..][..2];
                let near = centre.near(self.statistic, sums[0], sums[1], self.n_pairs as f64);
                near.map_or(f64::NAN, |(value, own)| {
                    *error = error.max(own);
                    value
                })
            }));
        }
        group
    }
}

impl Centre {
    /// A resample's statistic and its error bound, from the sums of deviations and of their squares; `None` if nothing is left
    /// beyond rounding.
    ///
    /// n values are summed in some order with an error below (n − 1)·u·Σ|v|, u = ε/2. For the means of both computations, and the
    /// rounding of the deviations, that is less than 2(n + 8)·ε·max|v| in all. For the sum of squares about the resample's
    /// mean, Q − T²/n, the error is less than 4(n + 8)·ε·Q and n times the squared error of the mean, about which
    /// [`MeanOfMeans`] sums.
    fn near(self, statistic: Statistic, sum: f64, squares: f64, n: f64) -> Option<(f64, f64)> {
        let relative = (n + 8.0) * f64::EPSILON;
        let shift = sum / n;
        let shift_error = 2.0 * relative * self.largest + f64::MIN_POSITIVE;
        if statistic == Statistic::Mean {
            return Some((self.mean + shift, shift_error)).filter(|_| shift_error.is_finite());
        }
        let spread = squares - sum * shift;
        let spread_error = 4.0 * relative * squares + n * shift_error * shift_error;
        // The same test of spread as for a single mean, with a margin for rounding.
        let floor = 2.0 * NO_SPREAD * (self.mean.abs() + shift.abs() + shift_error);
        let has_spread = spread_error < 1e-3 * spread
            && spread > SMALLEST_SQUARES
            && spread > 2.0 * n * floor * floor;
        has_spread.then(|| {
            let standard_error = (spread / (n * (n - 1.0))).sqrt();
            let distance = shift.abs() / standard_error;
            let error = 2.0 * shift_error / standard_error
                + distance * (2.0 * spread_error / spread + 16.0 * f64::EPSILON);
            (distance, error)
        })
    }
}

/// Approximations of some resamples.
struct Group {
    n_resamples: usize,
    /// The resamples' values, mean by mean; NaN if unknown.
    values: Vec<f64>,
    /// For each mean, the error bound of its values.
    errors: Vec<f64>,
}

impl Group {
    fn of_mean(&self, place: usize) -> (&[f64], f64) {
        let values = &self.values[place * self.n_resamples..][..self.n_resamples];
        (values, self.errors[place])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bootstrap::MeanInterval;
    use neurogauge_core::synthetic::Synthetic;

    /// Values of many kinds: noise, zeros and ones, tenths, tiny and huge values, an outlier, constants.
    fn samples(n_pairs: usize) -> Vec<Vec<f64>> {
        let noise = Synthetic::new("at once", n_pairs as u64);
        let draw = |kind: u64, i: usize| f64::from(noise.uniform((kind << 32) + i as u64));
        let kinds: [&dyn Fn(usize) -> f64; 12] = [
            &|i| draw(0, i),
            &|i| draw(1, i) - 0.5,
            &|i| f64::from(draw(2, i) < 0.2),
            &|i| f64::from(draw(3, i) < 0.3) - f64::from(draw(4, i) < 0.3),
            &|i| (draw(5, i) * 10.0).floor() / 10.0,
            &|i| 1e9 + draw(6, i) * 10.0,
            &|i| 1e12 + f64::from(i == 1),
            &|i| draw(7, i) * 1e-170,
            &|i| (draw(8, i) - 0.5) * 1e155,
            &|i| (draw(9, i) - 0.5) * 1.7e308,
            &|i| if i == 2 { 1e6 } else { draw(10, i) },
            &|_| 0.25,
        ];
        let of_kind = |kind: &&dyn Fn(usize) -> f64| (0..n_pairs).map(*kind).collect();
        kinds.iter().map(of_kind).collect()
    }

    #[test]
    fn intervals_are_those_of_each_mean_alone_to_the_bit() {
        for n_pairs in [1, 2, 3, 5, 6, 9, 40, 257, 700] {
            let samples = samples(n_pairs);
            for interval in MeanInterval::ALL {
                let options = BootstrapOptions {
                    resamples: 199,
                    interval,
                    ..Default::default()
                };
                let mean = |place: usize| {
                    let values = samples[place / 2].clone();
                    match place % 2 {
                        0 => MeanOfMeans::of_values(values),
                        _ => MeanOfMeans::of_differences(values),
                    }
                };
                let finite = |place: &usize| mean(*place).interval(&options).is_ok();
                let places: Vec<usize> = (0..2 * samples.len()).filter(finite).collect();
                let found = intervals(places.len(), n_pairs, |at| mean(places[at]), &options);
                for (&place, found) in places.iter().zip(found.unwrap()) {
                    let alone = mean(place).interval(&options).unwrap();
                    let bits = |ends: Option<(f64, f64)>| {
                        ends.map(|(low, high)| (low.to_bits(), high.to_bits()))
                    };
                    let case = format!("{n_pairs} pairs, sample {place}, {interval:?}");
                    assert_eq!(bits(found), bits(alone), "{case}: {found:?} {alone:?}");
                }
            }
        }
    }

    #[test]
    fn approximations_are_as_near_as_they_say_and_nearer_than_a_billionth() {
        let samples = samples(300);
        let options = BootstrapOptions {
            resamples: 100,
            ..Default::default()
        };
        let means: Vec<MeanOfMeans> = samples[..6]
            .iter()
            .map(|values| MeanOfMeans::of_values(values.clone()))
            .collect();
        let found: Vec<Option<Studied>> = means.iter().map(MeanOfMeans::found).collect();
        let groups = Block::new(&means, &found, 300, &options).approximations(300, &options);
        let mut drawn = vec![0; 300];
        for (place, mean) in means.iter().enumerate() {
            let near = groups.iter().flat_map(|group| group.of_mean(place).0);
            let error = groups
                .iter()
                .map(|group| group.of_mean(place).1)
                .fold(0.0, f64::max);
            assert!(
                error < if place == 5 { 1e-1 } else { 1e-9 },
                "{place}: {error:e}"
            );
            for (resample, near) in near.enumerate() {
                draw_below(300, &mut options.seed.stream(resample as u64), &mut drawn);
                let exact = mean.statistic_at(Statistic::Distance, found[place].unwrap(), &drawn);
                let off = (near - exact.unwrap()).abs();
                assert!(off <= error, "{place}, {resample}: {off:e} {error:e}");
            }
        }
    }
}
