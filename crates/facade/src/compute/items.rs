//! Turns the scores of parts into scores of items (conventions `parts` and `samples`).

use crate::Error;
use crate::dataset::Dataset;
use crate::sample_score::SampleScore;
use neurogauge_core::option_words::option;
use neurogauge_core::pair::{Axis, item_of as item_of_stem};
use neurogauge_core::{Direction, Input, Outcome, ScoreTable, Undefined, counted, first_names};
use neurogauge_formats::{Problem, class_labels};
use neurogauge_metrics::find;
use neurogauge_stats::parts::Parts;
use std::path::Path;

/// The items of a run whose pairs are their parts.
#[derive(Debug)]
pub(crate) struct PartedItems {
    /// Stems of the items, in the order of their pairs.
    pub(crate) stems: Vec<String>,
    /// How the values of pairs combine into values of items.
    pub(crate) parts: Parts,
}

/// The samples of an item by name, each with the positions of its pairs.
type Samples<'a> = Vec<(&'a str, Vec<usize>)>;

impl PartedItems {
    /// The items of a dataset; `None` if each pair is an item. `chosen` is a table of the sample that counts for each
    /// item.
    pub(crate) fn of(dataset: &Dataset, score: SampleScore, chosen: Option<&Path>) -> Result<Option<Self>, Error> {
        let axes = &dataset.axes;
        let of_samples = axes.contains(&Axis::Sample);
        if !of_samples && (chosen.is_some() || !score.is_mean()) {
            return Err(Error::Usage(format!(
                "{}: the images have no samples; expected {} with {{sample}} in it",
                match chosen {
                    Some(_) => Input::ChosenSamples.flag(),
                    None => option("samples", &score.to_string()).to_string(),
                },
                option("parts", "PATTERN")
            )));
        }
        if axes.is_empty() {
            return Ok(None);
        }
        let sample_at = axes.iter().position(|axis| *axis == Axis::Sample);
        let mut stems: Vec<String> = Vec::new();
        let mut samples: Vec<Samples<'_>> = Vec::new();
        let mut item_of = Vec::with_capacity(dataset.stems.len());
        for (pair, stem) in dataset.stems.iter().enumerate() {
            let item = item_of_stem(stem, axes.len());
            if stems.last().is_none_or(|last| last != item) {
                stems.push(item.to_owned());
                samples.push(Vec::new());
            }
            item_of.push(stems.len() - 1);
            let names: Vec<&str> = stem[item.len() + 1..].split('/').collect();
            let name = sample_at.map_or("", |at| names[at]);
            let Some(samples) = samples.last_mut() else {
                continue;
            };
            match samples.iter_mut().find(|(known, _)| *known == name) {
                Some((_, pairs)) => pairs.push(pair),
                None => samples.push((name, vec![pair])),
            }
        }
        if let Some(path) = chosen {
            keep_chosen(&stems, &mut samples, path)?;
        }
        let best_of = match score {
            SampleScore::Mean => None,
            SampleScore::BestOf(k) => {
                check_best_of(&stems, &samples, k, score)?;
                Some(k)
            }
        };
        let of_item = |samples: Samples<'_>| samples.into_iter().map(|(_, pairs)| pairs).collect();
        let samples = samples.into_iter().map(of_item).collect();
        Ok(Some(PartedItems {
            stems,
            parts: Parts::new(item_of, samples, best_of),
        }))
    }

    /// The weight of each pair in the score of an item. An item without a value has the reason of its first undefined
    /// part.
    fn weights(&self, item: usize, outcomes: &[Outcome], direction: Direction) -> Result<Vec<(usize, f64)>, Undefined> {
        let value = |pair: usize| outcomes[pair].as_ref().ok().copied();
        let weights = self.parts.weights(item, direction, value);
        if weights.is_empty() {
            let mut pairs = self.parts.samples(item).iter().flatten();
            let reason = pairs.find_map(|&pair| outcomes[pair].as_ref().err().cloned());
            return Err(reason.unwrap_or(Undefined::NoPairs));
        }
        Ok(weights)
    }

    /// The weight of each pair in the score of its item, for a metric that is computed from all pairs of a run
    /// together.
    pub(crate) fn weights_of_pairs(&self, id: &str, outcomes: &[Outcome]) -> Vec<f64> {
        let mut found = vec![0.0; outcomes.len()];
        for item in 0..self.stems.len() {
            let weights = self.weights(item, outcomes, direction_of(id));
            for (pair, weight) in weights.unwrap_or_default() {
                found[pair] = weight;
            }
        }
        found
    }

    /// The scores of items, and the pseudo-values of the jackknife with the same weights.
    pub(crate) fn reduce(&self, scores: &ScoreTable, pseudo_values: &ScoreTable) -> (ScoreTable, ScoreTable) {
        let (mut of_items, mut of_pseudo) = (ScoreTable::new(self.stems.clone()), ScoreTable::new(self.stems.clone()));
        for (id, outcomes) in &scores.columns {
            let direction = direction_of(id);
            let weights: Vec<Result<Vec<(usize, f64)>, Undefined>> =
                (0..self.stems.len()).map(|item| self.weights(item, outcomes, direction)).collect();
            let reduced = |values: &[Outcome]| -> Vec<Outcome> {
                let of_item = |weights: &Result<Vec<(usize, f64)>, Undefined>| {
                    let weights = weights.as_ref().map_err(Clone::clone)?;
                    let mut sum = 0.0;
                    for (pair, weight) in weights {
                        sum += weight * values[*pair].clone()?;
                    }
                    Ok(sum)
                };
                weights.iter().map(of_item).collect()
            };
            of_items.columns.push((id.clone(), reduced(outcomes)));
            if let Some(pseudo) = pseudo_values.column(id) {
                of_pseudo.columns.push((id.clone(), reduced(pseudo)));
            }
        }
        (of_items, of_pseudo)
    }
}

fn direction_of(id: &str) -> Direction {
    find(id).map_or(Direction::Higher, |metric| metric.spec.direction)
}

fn keep_chosen(stems: &[String], samples: &mut [Samples<'_>], path: &Path) -> Result<(), Error> {
    let chosen = class_labels::read_single(path)?;
    for (item, samples) in stems.iter().zip(samples) {
        let faulty = |reason: String| Problem::invalid(format!("item {item:?}"), reason).at(path);
        let name = (chosen.get(item)).ok_or_else(|| faulty("no row; expected a sample for every item".to_owned()))?;
        let names: Vec<&str> = samples.iter().map(|(name, _)| *name).collect();
        samples.retain(|(known, _)| known == name);
        if samples.is_empty() {
            let names = first_names(&names);
            return Err(faulty(format!("no sample {name:?}; expected one of {names}")).into());
        }
    }
    Ok(())
}

fn check_best_of(stems: &[String], samples: &[Samples<'_>], k: usize, score: SampleScore) -> Result<(), Error> {
    let mut items = stems.iter().zip(samples);
    match items.find(|(_, samples)| samples.len() < k) {
        None => Ok(()),
        Some((item, samples)) => Err(Error::Usage(format!(
            "{}: item {item:?} has {}; expected {k} or more",
            option("samples", &score.to_string()),
            counted(samples.len(), "sample")
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two items with three samples each.
    fn items(score: SampleScore) -> PartedItems {
        let samples = |pairs: std::ops::Range<usize>| pairs.map(|pair| vec![pair]).collect();
        let best_of = match score {
            SampleScore::Mean => None,
            SampleScore::BestOf(k) => Some(k),
        };
        PartedItems {
            stems: vec!["a".to_owned(), "b".to_owned()],
            parts: Parts::new(vec![0, 0, 0, 1, 1, 1], vec![samples(0..3), samples(3..6)], best_of),
        }
    }

    #[test]
    fn the_best_is_the_smallest_distance_and_parts_without_a_value_do_not_count() {
        let none = || Err(Undefined::Identical);
        let values = vec![Ok(1.0), Ok(3.0), Ok(2.0), none(), Ok(6.0), none()];
        let mut scores = ScoreTable::new(Vec::new());
        scores.columns = vec![("effnet".to_owned(), values.clone()), ("ssim".to_owned(), values)];
        let of = |score: SampleScore, metric: &str| {
            let (scores, pseudo) = items(score).reduce(&scores, &scores);
            assert_eq!(scores, pseudo, "the same weights");
            scores.column(metric).unwrap().to_vec()
        };
        assert_eq!(of(SampleScore::Mean, "ssim"), [Ok(2.0), Ok(6.0)]);
        // EffNet is a distance. If two of three samples are drawn, the smaller distance is 1 in two cases and 2 in one.
        let best = of(SampleScore::BestOf(2), "effnet");
        assert!((best[0].clone().unwrap() - 4.0 / 3.0).abs() < 1e-15);
        assert_eq!(best[1], none(), "one of two is left");
        let best = of(SampleScore::BestOf(2), "ssim");
        assert!((best[0].clone().unwrap() - 8.0 / 3.0).abs() < 1e-15);
    }
}
