//! The results of identification with each stimulus left out, in one pass over the similarities.

use super::options::Ties;
use super::rank_counts::RankCounts;
use neurogauge_core::parallel;
use neurogauge_core::stopping::stop_if_asked;
use neurogauge_core::{Direction, Outcome, Undefined};
use neurogauge_stats::parts::Parts;
use neurogauge_stats::u_statistic::{FEWEST_STIMULI, pseudo_values};
use neurogauge_stats::{mean, summation::sum};
use rayon::prelude::*;
use std::collections::HashMap;

/// Stimuli whose sums one thread computes at a time.
const AT_A_TIME: usize = 64;

/// How a pair is compared with its distractors.
#[derive(Debug, Clone, Copy)]
pub(in crate::decoding) struct Ways {
    pub(in crate::decoding) n_way: usize,
    pub(in crate::decoding) top_k: usize,
    pub(in crate::decoding) ties: Ties,
}

/// A pair with a value: the similarity to its right image, and the counts among the others.
pub(in crate::decoding) struct RankedPair {
    pub(in crate::decoding) pair: usize,
    pub(in crate::decoding) own: f64,
    pub(in crate::decoding) counts: RankCounts,
}

/// The delete-one jackknife over stimuli: each is removed both as a target and as a distractor.
pub(in crate::decoding) struct Jackknife<'a> {
    ways: Ways,
    is_distractor: &'a [bool],
    /// If pairs are parts of items, how their values combine into those of items.
    parts: Option<&'a Parts>,
    /// The pairs of each stimulus.
    members: Vec<Vec<usize>>,
    /// The stimulus of each pair.
    stimulus_of: Vec<usize>,
    /// For each stimulus, the sum over the pairs (or items) of all others without it.
    sums: Vec<f64>,
    /// For each pair, its value with all distractors, if it has one.
    values: Vec<Option<f64>>,
    is_possible: bool,
}

impl Ways {
    /// The probability of success; if too few others remain for a draw, it is that among all of them.
    fn success(self, counts: RankCounts) -> f64 {
        let n_way = self.n_way.min(counts.n_others + 1);
        match self.top_k >= n_way {
            true => 1.0,
            false => counts.success(n_way, self.top_k, self.ties),
        }
    }
}

impl<'a> Jackknife<'a> {
    /// Equal entries of `stimuli` mark pairs of one stimulus, which all parts of an item share; `is_distractor` says
    /// which pairs are distractors.
    pub(in crate::decoding) fn new(
        stimuli: &[usize],
        is_distractor: &'a [bool],
        parts: Option<&'a Parts>,
        ways: Ways,
    ) -> Self {
        let mut members: Vec<Vec<usize>> = Vec::new();
        let mut places: HashMap<usize, usize> = HashMap::new();
        let mut place_of = |(pair, stimulus): (usize, &usize)| {
            let place = *places.entry(*stimulus).or_insert(members.len());
            match members.get_mut(place) {
                Some(pairs) => pairs.push(pair),
                None => members.push(vec![pair]),
            }
            place
        };
        let stimulus_of = stimuli.iter().enumerate().map(&mut place_of).collect();
        Jackknife {
            ways,
            is_distractor,
            parts,
            sums: vec![0.0; members.len()],
            members,
            stimulus_of,
            values: vec![None; stimuli.len()],
            is_possible: true,
        }
    }

    /// Adds some pairs, given their `similarity` to all pairs; all parts of an item are added together. Sums follow the
    /// order of the pairs, with any number of threads.
    pub(in crate::decoding) fn add(&mut self, ranked: &[RankedPair], similarity: impl Fn(usize, usize) -> f64 + Sync) {
        let (ways, is_distractor, stimulus_of) = (self.ways, self.is_distractor, &self.stimulus_of);
        let tables: Vec<Without> = parallel::map_each(ranked, |ranked| Without::of(ranked.counts, ways));
        for (ranked, table) in ranked.iter().zip(&tables) {
            self.values[ranked.pair] = Some(table.nothing);
            self.is_possible &= ranked.counts.n_others >= 2;
        }
        let targets = Target::all(ranked, &tables, self.parts);
        let chunks = self.sums.par_chunks_mut(AT_A_TIME).zip(self.members.par_chunks(AT_A_TIME));
        chunks.enumerate().for_each(|(chunk, (sums, members))| {
            for target in &targets {
                stop_if_asked();
                for (place, (sum, pairs)) in sums.iter_mut().zip(members).enumerate() {
                    if stimulus_of[target.first] == chunk * AT_A_TIME + place {
                        continue;
                    }
                    let without = |ranked: &RankedPair, table: &Without| {
                        let others = pairs.iter().filter(|other| is_distractor[**other]);
                        let gone = others.fold(RankCounts::default(), |gone, &other| {
                            let to_other = similarity(ranked.pair, other);
                            RankCounts {
                                n_others: gone.n_others + 1,
                                n_better: gone.n_better + usize::from(to_other > ranked.own),
                                n_tied: gone.n_tied + usize::from(to_other == ranked.own),
                            }
                        });
                        table.success(ranked.counts, gone, ways)
                    };
                    *sum += target.value(without);
                }
            }
        });
    }

    /// The pseudo-value of each pair's stimulus, given the outcomes of the pairs. If these are shares of seeded draws
    /// around the expected values, their scatter is included in the pseudo-values.
    pub(in crate::decoding) fn pseudo_values(&self, outcomes: &[Outcome]) -> Vec<Outcome> {
        let targets = self.targets(outcomes);
        let mut counts = vec![0; self.members.len()];
        let mut scatter = vec![0.0; self.members.len()];
        for target in &targets {
            counts[target.stimulus] += 1;
            scatter[target.stimulus] += target.outcome - target.expected;
        }
        let stimuli: Vec<usize> = (0..counts.len()).filter(|&s| counts[s] > 0).collect();
        let too_few = stimuli.len() < FEWEST_STIMULI || !self.is_possible;
        let n_targets = targets.len() as f64;
        let without: Vec<f64> = (stimuli.iter()).map(|&s| self.sums[s] / (n_targets - f64::from(counts[s]))).collect();
        let n_stimuli = stimuli.len() as f64;
        let scatter: Vec<f64> = stimuli.iter().map(|&s| scatter[s] * n_stimuli / n_targets).collect();
        let centre = mean(targets.iter().map(|target| target.outcome)).unwrap_or_default();
        let centre = centre - sum(&scatter) / n_stimuli;
        let mut found: Vec<Option<f64>> = vec![None; self.members.len()];
        if !too_few {
            let of_stimuli = pseudo_values(centre, &without);
            for ((stimulus, value), scatter) in stimuli.iter().zip(of_stimuli).zip(scatter) {
                found[*stimulus] = Some(value + scatter);
            }
        }
        let of_pair = |(pair, outcome): (usize, &Outcome)| {
            outcome.as_ref().map_err(Clone::clone)?;
            found[self.stimulus_of[pair]].ok_or(Undefined::TooFewItems)
        };
        outcomes.iter().enumerate().map(of_pair).collect()
    }

    /// The pairs or items that have a value, each with its outcome and its expected value.
    fn targets(&self, outcomes: &[Outcome]) -> Vec<Valued> {
        let outcome = |pair: usize| outcomes[pair].as_ref().ok().copied();
        let expected = |pair: usize| self.values[pair];
        let Some(parts) = self.parts else {
            let of_pair = |pair: usize| {
                Some(Valued {
                    stimulus: self.stimulus_of[pair],
                    outcome: outcome(pair)?,
                    expected: expected(pair)?,
                })
            };
            return (0..outcomes.len()).filter_map(of_pair).collect();
        };
        let of_item = |item: usize| {
            let first = *parts.samples(item).first()?.first()?;
            Some(Valued {
                stimulus: self.stimulus_of[first],
                outcome: parts.value(item, Direction::Higher, outcome)?,
                expected: parts.value(item, Direction::Higher, expected)?,
            })
        };
        (0..parts.n_items()).filter_map(of_item).collect()
    }
}

/// A pair, or an item, that has a value.
struct Valued {
    stimulus: usize,
    outcome: f64,
    /// The expected value over draws.
    expected: f64,
}

/// A unit that has a value: a pair, or an item with its parts.
struct Target<'a> {
    first: usize,
    ranked: Vec<(&'a RankedPair, &'a Without)>,
    /// How its parts combine into its value; `None` for a pair.
    parts: Option<(&'a Parts, usize)>,
    /// The weight of each part, unless it depends on the values.
    weights: Vec<f64>,
}

impl<'a> Target<'a> {
    fn all(ranked: &'a [RankedPair], tables: &'a [Without], parts: Option<&'a Parts>) -> Vec<Self> {
        let each = ranked.iter().zip(tables);
        let Some(parts) = parts else {
            let of_pair = |(ranked, table): (&'a RankedPair, &'a Without)| Target {
                first: ranked.pair,
                ranked: vec![(ranked, table)],
                parts: None,
                weights: Vec::new(),
            };
            return each.map(of_pair).collect();
        };
        let each: Vec<(&RankedPair, &Without)> = each.filter(|(ranked, _)| parts.counts(ranked.pair)).collect();
        let item_of = |ranked: &(&RankedPair, &Without)| parts.item_of()[ranked.0.pair];
        let of_item = |ranked: &[(&'a RankedPair, &'a Without)]| {
            let item = item_of(&ranked[0]);
            let mut target = Target {
                first: ranked[0].0.pair,
                ranked: ranked.to_vec(),
                parts: Some((parts, item)),
                weights: Vec::new(),
            };
            if !parts.is_best_of() {
                let values: Vec<f64> = ranked.iter().map(|(_, table)| table.nothing).collect();
                target.weights = target.weights_of(&values);
            }
            target
        };
        each.chunk_by(|a, b| item_of(a) == item_of(b)).map(of_item).collect()
    }

    /// The weight of each part, given the values of the parts.
    fn weights_of(&self, values: &[f64]) -> Vec<f64> {
        let Some((parts, item)) = self.parts else {
            return vec![1.0; values.len()];
        };
        let place = |pair: usize| self.ranked.iter().position(|(ranked, _)| ranked.pair == pair);
        let value = |pair: usize| place(pair).map(|place| values[place]);
        let mut found = vec![0.0; values.len()];
        for (pair, weight) in parts.weights(item, Direction::Higher, value) {
            if let Some(place) = place(pair) {
                found[place] = weight;
            }
        }
        found
    }

    fn value(&self, of_part: impl Fn(&RankedPair, &Without) -> f64) -> f64 {
        let value = |(ranked, table): &(&RankedPair, &Without)| of_part(ranked, table);
        if let (None, [pair]) = (self.parts, self.ranked.as_slice()) {
            return value(pair);
        }
        if !self.weights.is_empty() {
            return self.ranked.iter().zip(&self.weights).map(|(part, weight)| weight * value(part)).sum();
        }
        let values: Vec<f64> = self.ranked.iter().map(value).collect();
        let weights = self.weights_of(&values);
        values.iter().zip(weights).map(|(value, weight)| weight * value).sum()
    }
}

/// The value of a pair with all others, and without one other that is less, equally or more similar.
struct Without {
    nothing: f64,
    worse: f64,
    tied: f64,
    better: f64,
}

impl Without {
    fn of(counts: RankCounts, ways: Ways) -> Without {
        let without = |n_better: usize, n_tied: usize| {
            ways.success(RankCounts {
                n_others: counts.n_others.saturating_sub(1),
                n_better: counts.n_better - n_better,
                n_tied: counts.n_tied - n_tied,
            })
        };
        let n_worse = counts.n_others - counts.n_better - counts.n_tied;
        let if_any = |n: usize, value: &dyn Fn() -> f64| if n > 0 { value() } else { 0.0 };
        Without {
            nothing: ways.success(counts),
            worse: if_any(n_worse, &|| without(0, 0)),
            tied: if_any(counts.n_tied, &|| without(0, 1)),
            better: if_any(counts.n_better, &|| without(1, 0)),
        }
    }

    fn success(&self, counts: RankCounts, gone: RankCounts, ways: Ways) -> f64 {
        match (gone.n_others, gone.n_better, gone.n_tied) {
            (0, ..) => self.nothing,
            (1, 0, 0) => self.worse,
            (1, 0, 1) => self.tied,
            (1, 1, 0) => self.better,
            _ => ways.success(RankCounts {
                n_others: counts.n_others - gone.n_others,
                n_better: counts.n_better - gone.n_better,
                n_tied: counts.n_tied - gone.n_tied,
            }),
        }
    }
}
