//! The wins in comparisons of each decoded row with its own stimulus and another one.

use crate::section::Line;
use neurogauge::Error;
use neurogauge::core::{Estimate, Outcome, Undefined};
use neurogauge::stats::BootstrapOptions;
use neurogauge::stats::similarity::SimilarityMatrix;
use neurogauge::stats::u_statistic::{IdentificationScores, estimate_of_stimuli, jackknifed, pseudo_values};

/// For each row i and stimulus j, whether row i is more similar to its own stimulus than to j; ties count as losses.
pub(crate) struct Wins {
    n: usize,
    values: Vec<Option<bool>>,
}

impl Wins {
    /// The wins from similarities of decoded rows to test stimuli, where row i belongs to stimulus i.
    pub(crate) fn of(similarities: &SimilarityMatrix) -> Self {
        let n = similarities.n_x();
        let value = |place: usize| {
            let (i, j) = (place / n, place % n);
            let (own, other) = (similarities.get(i, i), similarities.get(i, j));
            (i != j && !own.is_nan() && !other.is_nan()).then_some(own > other)
        };
        Wins {
            n,
            values: (0..n * n).map(value).collect(),
        }
    }

    /// For each item, the number of comparisons won and of all comparisons, among those that `counts` selects.
    fn tallies(&self, counts: impl Fn(usize, usize) -> bool) -> Vec<(f64, f64)> {
        let of = |i: usize| {
            let known = (0..self.n).filter_map(|j| self.value(i, j).filter(|_| counts(i, j)));
            known.fold((0.0, 0.0), |(won, met), win| (won + win, met + 1.0))
        };
        (0..self.n).map(of).collect()
    }

    fn value(&self, i: usize, j: usize) -> Option<f64> {
        self.values[i * self.n + j].map(|win| f64::from(u8::from(win)))
    }

    /// The items other than `left_out`, each with the share of comparisons that it wins if `left_out` is not a
    /// distractor either.
    fn without(
        &self,
        left_out: usize,
        tallies: &[(f64, f64)],
        counts: impl Fn(usize, usize) -> bool,
    ) -> impl Iterator<Item = (usize, f64)> {
        (0..self.n).filter(move |&i| i != left_out).filter_map(move |i| {
            let (won, met) = tallies[i];
            let win = self.value(i, left_out).filter(|_| counts(i, left_out));
            let tally = win.map_or((won, met), |win| (won - win, met - 1.0));
            Some((i, share(tally).ok()?))
        })
    }

    /// The mean over items of the share of comparisons won, among those that `counts` selects, with the interval of the
    /// jackknife that removes each stimulus both as a target and as a distractor. Also returns the share of each item.
    pub(crate) fn estimate(
        &self,
        counts: impl Fn(usize, usize) -> bool + Copy,
        options: &BootstrapOptions,
    ) -> Result<(Estimate, Vec<Outcome>), Error> {
        let n = self.n;
        let tallies = self.tallies(counts);
        let outcomes: Vec<Outcome> = tallies.iter().map(|&tally| share(tally)).collect();
        let known = |outcome: &Outcome| outcome.as_ref().ok().copied();
        let of_all = mean(outcomes.iter().filter_map(known));
        let known: Vec<usize> = (0..n).filter(|&i| outcomes[i].is_ok()).collect();
        let without = |&i: &usize| mean(self.without(i, &tallies, counts).map(|(_, share)| share));
        let without: Option<Vec<f64>> = known.iter().map(without).collect();
        let mut pseudo: Vec<Outcome> = vec![Err(Undefined::EmptyPool); n];
        if let (Some(of_all), Some(without)) = (of_all, without) {
            for (&item, value) in known.iter().zip(pseudo_values(of_all, &without)) {
                pseudo[item] = Ok(value);
            }
        }
        let stimuli: Vec<usize> = (0..n).collect();
        let found = estimate_of_stimuli(IdentificationScores::of(&outcomes, &pseudo), &stimuli, (0.0, 1.0), options)?;
        Ok((found, outcomes))
    }

    /// The slope of the least-squares line of items' shares of comparisons won on `x`. The interval's jackknife removes
    /// each stimulus both as a target and as a distractor, because the shares have common distractors.
    pub(crate) fn slope_on(&self, x: &[Outcome], options: &BootstrapOptions) -> Result<Estimate, Error> {
        let all = |_: usize, _: usize| true;
        let tallies = self.tallies(all);
        let x_of = |i: usize| x[i].as_ref().ok().copied();
        let points: Vec<(usize, (f64, f64))> = tallies
            .iter()
            .enumerate()
            .filter_map(|(i, &tally)| Some((i, (x_of(i)?, share(tally).ok()?))))
            .collect();
        let without = |&(left_out, _): &(usize, (f64, f64))| {
            let others = self.without(left_out, &tallies, all).filter_map(|(i, share)| Some((x_of(i)?, share)));
            slope(&others.collect::<Vec<_>>())
        };
        let of_all: Vec<(f64, f64)> = points.iter().map(|&(_, point)| point).collect();
        let without: Option<Vec<f64>> = points.iter().map(without).collect();
        let (Some(value), Some(without)) = (slope(&of_all), without) else {
            return Ok(Line::exact("", Err(Undefined::TooFewItems), x.len()).estimate);
        };
        Ok(Estimate {
            n_undefined: x.len() - points.len(),
            ..jackknifed(value, &without, options)?
        })
    }
}

fn share((won, met): (f64, f64)) -> Outcome {
    if met > 0.0 {
        Ok(won / met)
    } else {
        Err(Undefined::EmptyPool)
    }
}

/// The slope of the least-squares line through points; `None` if all x are equal.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let mean_x = mean(points.iter().map(|point| point.0))?;
    let mean_y = mean(points.iter().map(|point| point.1))?;
    let (xy, xx) = points
        .iter()
        .fold((0.0, 0.0), |(xy, xx), (x, y)| (xy + (x - mean_x) * (y - mean_y), xx + (x - mean_x) * (x - mean_x)));
    (xx > 0.0).then(|| xy / xx)
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = values.fold((0.0, 0_usize), |(sum, n), value| (sum + value, n + 1));
    (n > 0).then(|| sum / n as f64)
}

/// Two-way identification among the distractors that `counts` selects, with the interval for new stimuli as targets and
/// as distractors: row i of `similarities` belongs to stimulus i, and ties count as losses.
///
/// - Equation: the mean over i of #{j : `counts`(i, j), s_ij < s_ii} / #{j : `counts`(i, j)}.
/// - Shapes: `similarities` (n_items, n_items).
/// - Range: 0 to 1; larger is better; chance 0.5.
/// - Undefined: if no item has such a distractor.
/// - Reference: bdpy's `pairwise_identification`, if all distractors count.
///
/// ```
/// use neurogauge::stats::{Similarity, similarities};
/// use neurogauge_audit::two_way_among;
/// let stimuli: [&[f32]; 3] = [&[1.0, 0.0, 0.0], &[0.9, 0.1, 0.0], &[0.0, 0.0, 1.0]];
/// let decoded: [&[f32]; 3] = [&[0.8, 0.2, 0.0], &[0.9, 0.1, 0.0], &[0.0, 0.1, 1.0]];
/// let found = similarities(&decoded, &stimuli, Similarity::Correlation).unwrap();
/// let clusters = ["a", "a", "b"];
/// let within = two_way_among(&found, |i, j| clusters[i] == clusters[j], &Default::default()).unwrap();
/// assert_eq!(within.value, Ok(0.5));
/// ```
pub fn two_way_among(
    similarities: &SimilarityMatrix,
    counts: impl Fn(usize, usize) -> bool + Copy,
    options: &BootstrapOptions,
) -> Result<Estimate, Error> {
    Ok(Wins::of(similarities).estimate(counts, options)?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Item i wins against the first `won[i]` other items.
    fn wins(won: &[usize]) -> Wins {
        let n = won.len();
        let value = |place: usize| {
            let (i, j) = (place / n, place % n);
            (i != j).then(|| j - usize::from(j > i) < won[i])
        };
        Wins {
            n,
            values: (0..n * n).map(value).collect(),
        }
    }

    #[test]
    fn the_slope_of_a_line_is_its_slope() {
        let wins = wins(&(0..20).rev().collect::<Vec<_>>());
        let x: Vec<Outcome> = (0..20).map(|i| Ok(f64::from(i))).collect();
        let found = wins.slope_on(&x, &BootstrapOptions::default()).unwrap();
        assert!((found.value.unwrap() + 1.0 / 19.0).abs() < 1e-12);
        let (low, high) = found.interval.unwrap();
        assert!(low < -1.0 / 19.0 && high > -1.0 / 19.0, "{low} {high}");
        let constant: Vec<Outcome> = vec![Ok(1.0); 20];
        let found = wins.slope_on(&constant, &BootstrapOptions::default());
        assert!(found.unwrap().value.is_err());
    }

    /// The interval equals the jackknife over sets of stimuli from which one was actually removed.
    #[test]
    fn a_stimulus_that_is_left_out_is_no_distractor_either() {
        let n = 8;
        let all = wins(&[7, 5, 6, 3, 4, 1, 2, 0]);
        let x: Vec<f64> = (0..n).map(|i| f64::from(i as u32).sqrt()).collect();
        let slope_of = |kept: &[usize]| {
            let of = |&i: &usize| {
                let won = kept.iter().filter(|&&j| j != i).filter(|&&j| all.values[i * n + j] == Some(true));
                (x[i], won.count() as f64 / (kept.len() - 1) as f64)
            };
            slope(&kept.iter().map(of).collect::<Vec<_>>()).unwrap()
        };
        let but = |left_out: usize| (0..n).filter(|&i| i != left_out).collect::<Vec<_>>();
        let without: Vec<f64> = (0..n).map(|i| slope_of(&but(i))).collect();
        let options = BootstrapOptions::default();
        let value = slope_of(&(0..n).collect::<Vec<_>>());
        let expected = jackknifed(value, &without, &options).unwrap();
        let outcomes: Vec<Outcome> = x.iter().map(|&x| Ok(x)).collect();
        let found = all.slope_on(&outcomes, &options).unwrap();
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        close(found.value.unwrap(), value);
        let (found, expected) = (found.interval.unwrap(), expected.interval.unwrap());
        close(found.0, expected.0);
        close(found.1, expected.1);
    }
}
