//! How well a perfect metric would agree with the mean of the raters.

use super::human::HumanScores;
use super::metric_statistics::Subject;
use super::units::{RaterWeights, Units};
use super::{Grouping, Resampled, Statistic};
use crate::StatsError;
use crate::distributions::normal_quantile;
use crate::summation::sum;
use neurogauge_core::parallel;
use neurogauge_core::{Outcome, Seed, Undefined};
use rand::Rng;
use std::collections::BTreeMap;

/// Draws use streams far from those of resamples and permutations.
const FIRST_STREAM: u64 = 1 << 62;
/// Number of items drawn in total, in at least [`FEWEST_DRAWS`] and at most [`MOST_DRAWS`] surveys.
const N_ITEMS_DRAWN: usize = 8000;
const FEWEST_DRAWS: usize = 4;
const MOST_DRAWS: usize = 200;

/// An item: its human score, its group, and the number of its ratings.
struct Item {
    score: f64,
    group: usize,
    n_ratings: f64,
}

/// The ceiling of each statistic, over all items or within groups.
pub(super) fn ceilings(human: &HumanScores, grouping: Option<&Grouping>) -> Result<Vec<Outcome>, StatsError> {
    let group = |item: usize| grouping.map_or(0, |grouping| grouping.group_of(item));
    let means = human.means(&RaterWeights::Once);
    let rated: Vec<u32> = (0_u32..).zip(&means).filter(|(_, mean)| mean.is_some()).map(|(item, _)| item).collect();
    let items = rated.iter().filter_map(|&place| {
        Some(Item {
            score: means[place as usize]?,
            group: group(place as usize),
            n_ratings: human.ratings(place as usize).count() as f64,
        })
    });
    let items: Vec<Item> = items.collect();
    let qualities = match Qualities::of(human, &items, group) {
        Ok(qualities) => qualities,
        Err(reason) => return Ok(vec![Err(reason); Statistic::ALL.len()]),
    };
    let groupings = grouping.map(std::slice::from_ref).unwrap_or_default();
    let units = Units::new(human, groupings, None, Resampled::Items)?;
    let n_draws = (N_ITEMS_DRAWN / items.len()).clamp(FEWEST_DRAWS, MOST_DRAWS);
    let readings: Vec<Vec<Outcome>> = parallel::try_map(n_draws, |draw| {
        let drawn = qualities.draw(&items, &mut Seed::default().stream(FIRST_STREAM + draw as u64));
        let mut column = vec![None; means.len()];
        for (&place, quality) in rated.iter().zip(drawn) {
            column[place as usize] = Some(quality);
        }
        let mut outcomes = Subject::new(&column, &rated, groupings)?.read(human, &units.all())?.outcomes;
        // Outcomes within groups follow those over all items.
        Ok::<_, StatsError>(outcomes.split_off(groupings.len() * Statistic::ALL.len()))
    })?;
    let of_statistic = |s: usize| {
        let values: Vec<f64> = readings.iter().filter_map(|reading| reading[s].clone().ok()).collect();
        match values.is_empty() {
            true => readings[0][s].clone(),
            false => Ok(sum(&values) / values.len() as f64),
        }
    };
    Ok((0..Statistic::ALL.len()).map(of_statistic).collect())
}

/// The distribution of true qualities, given how raters agree.
struct Qualities {
    /// The mean human score of each group.
    means: Vec<f64>,
    /// The variance of true qualities within groups.
    variance: f64,
    /// The error variance of a single rating.
    noise: f64,
}

impl Qualities {
    /// Two raters share only the quality, so their covariance is its variance, whatever their levels are. It is pooled
    /// over all pairs of raters and over groups, each over the items that both rated. The rest of the human scores'
    /// variance is noise.
    fn of(human: &HumanScores, items: &[Item], group: impl Fn(usize) -> usize) -> Result<Self, Undefined> {
        let n_groups = items.iter().map(|item| item.group + 1).max().unwrap_or(0);
        let (mut means, mut sizes) = (vec![0.0; n_groups], vec![0.0; n_groups]);
        for item in items {
            means[item.group] += item.score;
            sizes[item.group] += 1.0;
        }
        means.iter_mut().zip(&sizes).for_each(|(mean, n)| *mean /= n);
        let deviations = items.iter().map(|item| (item.score - means[item.group]).powi(2));
        let n_free = items.len() as f64 - sizes.iter().filter(|n| **n > 0.0).count() as f64;
        let total = sum(&deviations.collect::<Vec<f64>>()) / n_free;

        let mut pairs: BTreeMap<(usize, usize, usize), [f64; 4]> = BTreeMap::new();
        for place in 0..human.n_items() {
            let group = group(place);
            let centre = means.get(group).copied().unwrap_or(0.0);
            let own: Vec<(usize, f64)> = human.ratings(place).map(|(rater, value)| (rater, value - centre)).collect();
            for (at, &(a, x)) in own.iter().enumerate() {
                for &(b, y) in &own[at + 1..] {
                    let sums = pairs.entry((group, a, b)).or_default();
                    [1.0, x, y, x * y].into_iter().zip(sums).for_each(|(value, sum)| *sum += value);
                }
            }
        }
        let (mut products, mut n_products) = (0.0, 0.0);
        for [n, x, y, xy] in pairs.values() {
            products += xy - x * y / n;
            n_products += n - 1.0;
        }
        if n_products == 0.0 {
            return Err(Undefined::NoSharedRatings);
        }
        if total == 0.0 {
            return Err(Undefined::TiedRatings);
        }
        let variance = (products / n_products).min(total);
        if variance.is_nan() || variance <= 1e-12 * total {
            return Err(Undefined::Because("raters agree no more than by chance".into()));
        }
        let shares: Vec<f64> = items.iter().map(|item| 1.0 / item.n_ratings).collect();
        let noise = (total - variance) * items.len() as f64 / sum(&shares);
        Ok(Qualities { means, variance, noise })
    }

    /// One quality for each item that fits its human score.
    fn draw(&self, items: &[Item], rng: &mut impl Rng) -> Vec<f64> {
        let quality = |item: &Item| {
            let reliability = self.variance / (self.variance + self.noise / item.n_ratings);
            let uniform = ((rng.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
            let spread = (self.variance * (1.0 - reliability)).sqrt();
            // Without noise, the quality is the score, to the bit.
            item.score - (1.0 - reliability) * (item.score - self.means[item.group]) + spread * normal_quantile(uniform)
        };
        items.iter().map(quality).collect()
    }
}
