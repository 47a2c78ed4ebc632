//! How often a metric agrees with people's choices between two items.

use super::{Grouping, MetaOptions, MetricColumn, Resampled, oriented};
use crate::distributions::{student_reach_of, t_two_sided};
use crate::error::check_lengths;
use crate::{StatsError, holm};
use neurogauge_core::{Choice, Outcome, Preference, Undefined};
use serde::Serialize;
use std::collections::BTreeMap;

/// With less freedom, an interval says nothing.
const LEAST_FREEDOM: f64 = 2.0;
/// A variance this small relative to that of independent choices is rounding.
const NO_SPREAD: f64 = 1e-12;

/// The result of [`agreement_with_choices`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChoiceAgreement {
    pub n_choices: usize,
    /// Choices of neither item.
    pub n_ties: usize,
    pub n_items: usize,
    pub n_raters: usize,
    /// The share of choices that agree with the majority of the other people who were asked the same.
    #[serde(with = "neurogauge_core::recorded")]
    pub people: Outcome,
    /// In the order given.
    pub metrics: Vec<ChoiceShare>,
    /// Every two metrics, the earlier minus the later.
    pub differences: Vec<ChoiceDifference>,
}

/// The share of choices that a metric makes as people do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChoiceShare {
    pub name: String,
    /// Choices between items that both have a score.
    pub n_choices: usize,
    #[serde(flatten, with = "neurogauge_core::recorded")]
    pub value: Outcome,
    pub interval: Option<(f64, f64)>,
}

/// The difference of two metrics' shares, over the choices for which both have scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChoiceDifference {
    pub minuend: String,
    pub subtrahend: String,
    pub n_choices: usize,
    #[serde(flatten, with = "neurogauge_core::recorded")]
    pub value: Outcome,
    pub interval: Option<(f64, f64)>,
    pub p_value: Option<f64>,
    /// The p value after Holm's correction over all pairs of metrics.
    pub p_holm: Option<f64>,
}

/// The share of people's choices between two items that each metric makes in the same way: (1/N) Σₜ sₜ, where sₜ is 1 if
/// the metric scores the preferred item of choice t higher, 0 if lower, and ½ if it scores both alike or if the person
/// preferred neither. It is the 2AFC score of Zhang et al. (2018), with every choice of every person as a trial.
///
/// - Shapes: N choices; each metric has a score for each item. Choices of an item without a score are left out for that
///   metric and counted.
/// - Range: 0 to 1, higher is better; ½ by chance, and for a constant metric.
/// - `people` is what a person reaches who chooses as the majority of the others who chose between the same two items; ½
///   where these are divided. It is no bound: a metric may know better what most people prefer.
/// - Intervals: Student's t with the variance of a mean of dyads (Aronow, Samii and Assenova 2015), Σ eₜeᵤ / N² over all t
///   and u that share an item (or a rater, or either, by [`MetaOptions::resampled`]), where eₜ = sₜ − mean. With
///   `stimuli`, choices that share a stimulus count as sharing an item. It is divided by 1 − 2/n for n items, with n/2 − 1
///   degrees of freedom (1 − 1/n and n − 1, if every choice is within one stimulus, or over raters), and is not below that
///   of independent pairs of items. Intervals of shares are symmetric on the scale of logits; p values of differences are
///   from the same t.
/// - Conventions: `choices`.
/// - Undefined: no choice has both scores (`NoPairs`); for people, no two persons were asked the same
///   (`NoSharedRatings`). There is no interval without spread, as for a metric that agrees always.
/// - Errors: an option out of its range, a metric without one score for each item, an item outside these.
///
/// ```
/// use neurogauge_core::{Choice, Direction, Preference};
/// use neurogauge_stats::meta::{MetaOptions, MetricColumn, agreement_with_choices};
/// let choice = |first, second, rater| Choice { first, second, rater, preferred: Preference::First };
/// let choices = [choice(0, 1, 0), choice(0, 1, 1), choice(1, 2, 0), choice(2, 0, 1)];
/// let metric = MetricColumn { name: "m".into(), direction: Direction::Higher, scores: [3.0, 2.0, 1.0].map(Some).to_vec() };
/// let found = agreement_with_choices(3, 2, &choices, None, &[metric], &MetaOptions::default()).unwrap();
/// assert_eq!(found.metrics[0].value, Ok(0.75));
/// assert_eq!(found.people, Ok(1.0)); // two persons were asked about items 0 and 1, and agree
/// ```
pub fn agreement_with_choices(
    n_items: usize,
    n_raters: usize,
    choices: &[Choice],
    stimuli: Option<&Grouping>,
    metrics: &[MetricColumn],
    options: &MetaOptions,
) -> Result<ChoiceAgreement, StatsError> {
    options.check()?;
    let lengths = metrics.iter().map(|column| column.scores.len()).chain(stimuli.map(Grouping::n_items));
    lengths.into_iter().try_for_each(|found| check_lengths(found, n_items))?;
    if let Some(outside) = choices.iter().flat_map(|choice| [choice.first, choice.second]).find(|item| *item >= n_items)
    {
        return Err(StatsError::Data(format!("a choice names item {outside} of {n_items}")));
    }
    let units = |item: usize| stimuli.map_or(item, |stimuli| stimuli.group_of(item));
    let scored: Vec<Vec<Option<f64>>> = metrics.iter().map(|column| scores(choices, &oriented(column))).collect();
    let shares = metrics.iter().zip(&scored).map(|(column, scored)| {
        let sample = Sample::of(choices, scored.iter().copied(), units, options.resampled);
        ChoiceShare {
            name: column.name.clone(),
            n_choices: sample.values.len(),
            value: sample.mean(),
            interval: sample.interval_of_share(options.bootstrap.level),
        }
    });
    let shares: Vec<ChoiceShare> = shares.collect();
    let pairs = (0..metrics.len()).flat_map(|a| (a + 1..metrics.len()).map(move |b| (a, b)));
    let differences = pairs.map(|(a, b)| {
        let both = scored[a].iter().zip(&scored[b]).map(|(a, b)| Some((*a)? - (*b)?));
        let sample = Sample::of(choices, both, units, options.resampled);
        let spread = sample.spread();
        let value = sample.mean();
        let reach = |spread: &Spread| spread.error * student_reach_of(spread.freedom, options.bootstrap.level);
        let mean = value.clone().unwrap_or_default();
        ChoiceDifference {
            minuend: metrics[a].name.clone(),
            subtrahend: metrics[b].name.clone(),
            n_choices: sample.values.len(),
            interval: spread.map(|spread| ((mean - reach(&spread)).max(-1.0), (mean + reach(&spread)).min(1.0))),
            p_value: spread.map(|spread| t_two_sided(mean / spread.error, spread.freedom)),
            p_holm: None,
            value,
        }
    });
    let mut differences: Vec<ChoiceDifference> = differences.collect();
    let p_values: Vec<f64> = differences.iter().filter_map(|difference| difference.p_value).collect();
    let mut corrected = holm(&p_values)?.into_iter();
    for difference in &mut differences {
        difference.p_holm = difference.p_value.and_then(|_| corrected.next());
    }
    Ok(ChoiceAgreement {
        n_choices: choices.len(),
        n_ties: choices.iter().filter(|choice| choice.preferred == Preference::Tie).count(),
        n_items,
        n_raters,
        people: people(choices),
        metrics: shares,
        differences,
    })
}

/// What each choice counts for a metric; `None` if an item has no score.
fn scores(choices: &[Choice], oriented: &[Option<f64>]) -> Vec<Option<f64>> {
    let of_choice = |choice: &Choice| {
        let (first, second) = (oriented[choice.first]?, oriented[choice.second]?);
        Some(match choice.preferred {
            _ if first == second => 0.5,
            Preference::Tie => 0.5,
            Preference::First => f64::from(u8::from(first > second)),
            Preference::Second => f64::from(u8::from(second > first)),
        })
    };
    choices.iter().map(of_choice).collect()
}

/// The share of choices that agree with the majority of the others who were asked the same.
fn people(choices: &[Choice]) -> Outcome {
    // By two items: of each rater, what the choices count for the lower item, and their number.
    let mut asked: BTreeMap<(usize, usize), BTreeMap<usize, [f64; 2]>> = BTreeMap::new();
    let key = |choice: &Choice| (choice.first.min(choice.second), choice.first.max(choice.second));
    let of_lower = |choice: &Choice| match choice.first < choice.second {
        true => choice.preferred.of_first(),
        false => choice.preferred.reversed().of_first(),
    };
    for choice in choices {
        let of_rater = asked.entry(key(choice)).or_default().entry(choice.rater).or_default();
        of_rater[0] += of_lower(choice);
        of_rater[1] += 1.0;
    }
    let (mut sum, mut n) = (0.0, 0.0);
    for choice in choices {
        let of_pair = &asked[&key(choice)];
        let others = of_pair.iter().filter(|(rater, _)| **rater != choice.rater);
        let others = others.fold([0.0; 2], |sum, (_, own)| [sum[0] + own[0], sum[1] + own[1]]);
        if others[1] > 0.0 {
            let majority = (2.0 * others[0]).total_cmp(&others[1]);
            let own = (2.0 * of_lower(choice)).total_cmp(&1.0);
            sum += match (majority.is_eq() || own.is_eq(), majority == own) {
                (true, _) => 0.5,
                (false, is_same) => f64::from(u8::from(is_same)),
            };
            n += 1.0;
        }
    }
    if n > 0.0 {
        Ok(sum / n)
    } else {
        Err(Undefined::NoSharedRatings)
    }
}

/// A standard error, with its degrees of freedom.
#[derive(Clone, Copy)]
struct Spread {
    error: f64,
    freedom: f64,
}

/// One value for each of some choices.
struct Sample {
    values: Vec<f64>,
    /// The two units (items or stimuli) and the rater of each.
    of: Vec<([usize; 2], usize)>,
    resampled: Resampled,
}

impl Sample {
    fn of(
        choices: &[Choice],
        values: impl Iterator<Item = Option<f64>>,
        unit: impl Fn(usize) -> usize,
        resampled: Resampled,
    ) -> Self {
        let given = choices.iter().zip(values).filter_map(|(choice, value)| {
            let (a, b) = (unit(choice.first), unit(choice.second));
            Some((value?, ([a.min(b), a.max(b)], choice.rater)))
        });
        let (values, of) = given.unzip();
        Sample { values, of, resampled }
    }

    fn mean(&self) -> Outcome {
        match self.values.is_empty() {
            true => Err(Undefined::NoPairs),
            false => Ok(self.values.iter().sum::<f64>() / self.values.len() as f64),
        }
    }

    /// The squared sums of what is left of the mean, over the choices of each key, added up.
    fn squares<K: Ord>(&self, keys: impl Fn(&([usize; 2], usize)) -> Vec<K>) -> (f64, usize) {
        let mean = self.mean().unwrap_or_default();
        let mut sums: BTreeMap<K, f64> = BTreeMap::new();
        for (value, of) in self.values.iter().zip(&self.of) {
            for key in keys(of) {
                *sums.entry(key).or_default() += value - mean;
            }
        }
        (sums.values().map(|sum| sum * sum).sum(), sums.len())
    }

    fn spread(&self) -> Option<Spread> {
        let ends = |[a, b]: [usize; 2]| if a == b { vec![a] } else { vec![a, b] };
        let joins = |[a, b]: [usize; 2]| if a == b { Vec::new() } else { vec![(a, b)] };
        let (by_unit, n_units) = self.squares(|(units, _)| ends(*units));
        let (of_joined, n_joined) = self.squares(|(units, _)| joins(*units));
        let (by_pair, _) = self.squares(|(units, _)| vec![*units]);
        let (by_rater, n_raters) = self.squares(|(_, rater)| vec![*rater]);
        // Two choices between the same two units share both of them, and would count twice.
        let all_items = by_unit - of_joined;
        let items = all_items.max(by_pair);
        let n_items = if n_joined > 0 {
            n_units as f64 / 2.0
        } else {
            n_units as f64
        };
        let (variance, n) = match self.resampled {
            Resampled::Items => (items, n_items),
            Resampled::Raters => (by_rater, n_raters as f64),
            Resampled::Both => {
                let within =
                    self.squares(|(units, rater)| ends(*units).into_iter().map(|unit| (unit, *rater)).collect()).0;
                let joined =
                    self.squares(|(units, rater)| joins(*units).into_iter().map(|pair| (pair, *rater)).collect()).0;
                ((all_items + by_rater - (within - joined)).max(items).max(by_rater), n_items.min(n_raters as f64))
            }
        };
        let n_choices = self.values.len() as f64;
        let freedom = n - 1.0;
        let has_spread = variance > NO_SPREAD * n_choices;
        (has_spread && freedom >= LEAST_FREEDOM).then(|| Spread {
            error: (variance * n / freedom).sqrt() / n_choices,
            freedom,
        })
    }

    /// The interval of a share, symmetric in its logit, so that it stays within 0 and 1.
    fn interval_of_share(&self, level: f64) -> Option<(f64, f64)> {
        let share = self.mean().ok().filter(|share| *share > 0.0 && *share < 1.0)?;
        let spread = self.spread()?;
        let reach = student_reach_of(spread.freedom, level) * spread.error / (share * (1.0 - share));
        let logit = (share / (1.0 - share)).ln();
        let back = |logit: f64| 1.0 / (1.0 + (-logit).exp());
        Some((back(logit - reach), back(logit + reach)))
    }
}
