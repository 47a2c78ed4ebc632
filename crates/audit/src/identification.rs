//! Who wins in the comparison of each decoded row with its own stimulus and another one.

use neurogauge::Error;
use neurogauge::core::{Estimate, Outcome, Undefined};
use neurogauge::stats::BootstrapOptions;
use neurogauge::stats::similarity::SimilarityMatrix;
use neurogauge::stats::u_statistic::{estimate_of_stimuli, pseudo_values};

/// Whether row i is more similar to its own stimulus than to stimulus j; ties lose.
pub(crate) struct Wins {
    n: usize,
    values: Vec<Option<bool>>,
}

impl Wins {
    /// From similarities of decoded rows to test stimuli; row i belongs to stimulus i.
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

    /// The mean over items of the share of comparisons won, among those that `counts` selects, with the interval of the jackknife that
    /// takes out each stimulus as target and as distractor at once. Also the share of each item.
    pub(crate) fn estimate(
        &self,
        counts: impl Fn(usize, usize) -> bool,
        options: &BootstrapOptions,
    ) -> Result<(Estimate, Vec<Outcome>), Error> {
        let n = self.n;
        let value = |i: usize, j: usize| self.values[i * n + j].filter(|_| counts(i, j));
        let tallies: Vec<(f64, f64)> = (0..n)
            .map(|i| {
                let known = (0..n).filter_map(|j| value(i, j));
                known.fold((0.0, 0.0), |(won, met), win| {
                    (won + f64::from(u8::from(win)), met + 1.0)
                })
            })
            .collect();
        let share = |(won, met): (f64, f64)| {
            if met > 0.0 {
                Ok(won / met)
            } else {
                Err(Undefined::EmptyPool)
            }
        };
        let outcomes: Vec<Outcome> = tallies.iter().map(|&tally| share(tally)).collect();
        let of_all = mean(
            outcomes
                .iter()
                .filter_map(|outcome| outcome.as_ref().ok().copied()),
        );
        let without = |left_out: usize| {
            let others = (0..n).filter(|&i| i != left_out).filter_map(|i| {
                let (won, met) = tallies[i];
                let tally = match value(i, left_out) {
                    Some(win) => (won - f64::from(u8::from(win)), met - 1.0),
                    None => (won, met),
                };
                share(tally).ok()
            });
            mean(others)
        };
        let known: Vec<usize> = (0..n).filter(|&i| outcomes[i].is_ok()).collect();
        let without: Option<Vec<f64>> = known.iter().map(|&i| without(i)).collect();
        let mut pseudo: Vec<Outcome> = vec![Err(Undefined::EmptyPool); n];
        if let (Some(of_all), Some(without)) = (of_all, without) {
            for (&item, value) in known.iter().zip(pseudo_values(of_all, &without)) {
                pseudo[item] = Ok(value);
            }
        }
        let stimuli: Vec<usize> = (0..n).collect();
        let found = estimate_of_stimuli(&outcomes, &pseudo, &stimuli, (0.0, 1.0), options)?;
        Ok((found, outcomes))
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = values.fold((0.0, 0_usize), |(sum, n), value| (sum + value, n + 1));
    (n > 0).then(|| sum / n as f64)
}

/// Two-way identification among those distractors that `counts` selects, with the interval for new stimuli as targets and as distractors:
/// row i of `similarities` belongs to stimulus i, and ties lose.
///
/// - Equation: the mean over i of #{j : `counts`(i, j), s_ij < s_ii} / #{j : `counts`(i, j)}.
/// - Shapes: `similarities` (n_items, n_items).
/// - Range: 0 to 1; larger is better; chance 0.5.
/// - Undefined: where no item has such a distractor.
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
    counts: impl Fn(usize, usize) -> bool,
    options: &BootstrapOptions,
) -> Result<Estimate, Error> {
    Ok(Wins::of(similarities).estimate(counts, options)?.0)
}
