//! From the scores of parts to the scores of items (conventions `parts` and `samples`).

use crate::Error;
use crate::dataset::Dataset;
use crate::sample_score::SampleScore;
use neurogauge_core::option_words::option;
use neurogauge_core::pair::{Axis, item_of};
use neurogauge_core::{Direction, Input, Outcome, ScoreTable, Undefined, counted};
use neurogauge_formats::{FormatError, class_labels};
use neurogauge_metrics::find;
use neurogauge_stats::best_of::best_of_weights;
use std::collections::HashMap;
use std::path::Path;

/// The items of a run whose pairs are their parts.
#[derive(Debug)]
pub(crate) struct Items {
    /// In the order of their pairs.
    pub(crate) stems: Vec<String>,
    /// For each pair the place of its item.
    pub(crate) of_pair: Vec<usize>,
    /// For each item its samples, each with the places of its pairs.
    samples: Vec<Vec<Sample>>,
    score: SampleScore,
}

#[derive(Debug)]
struct Sample {
    name: String,
    pairs: Vec<usize>,
}

impl Items {
    /// The items of a dataset; `None` if each pair is one. `chosen` is a table of the sample that counts for each item.
    pub(crate) fn of(
        dataset: &Dataset,
        score: SampleScore,
        chosen: Option<&Path>,
    ) -> Result<Option<Self>, Error> {
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
        let mut items = Items {
            stems: Vec::new(),
            of_pair: Vec::with_capacity(dataset.stems.len()),
            samples: Vec::new(),
            score,
        };
        for (pair, stem) in dataset.stems.iter().enumerate() {
            let item = item_of(stem, axes.len());
            if items.stems.last().is_none_or(|last| last != item) {
                items.stems.push(item.to_owned());
                items.samples.push(Vec::new());
            }
            items.of_pair.push(items.stems.len() - 1);
            let names: Vec<&str> = stem[item.len() + 1..].split('/').collect();
            let name = sample_at.map_or("", |at| names[at]);
            let Some(samples) = items.samples.last_mut() else {
                continue;
            };
            match samples.iter_mut().find(|sample| sample.name == name) {
                Some(sample) => sample.pairs.push(pair),
                None => samples.push(Sample {
                    name: name.to_owned(),
                    pairs: vec![pair],
                }),
            }
        }
        if let Some(path) = chosen {
            items.keep_chosen(path)?;
        }
        if let SampleScore::BestOf(k) = score {
            items.check_best_of(k)?;
        }
        Ok(Some(items))
    }

    fn keep_chosen(&mut self, path: &Path) -> Result<(), Error> {
        let chosen = class_labels::read_single(path)?;
        for (item, samples) in self.stems.iter().zip(&mut self.samples) {
            let faulty = |expected: String| FormatError::NotFound {
                path: path.to_owned(),
                expected,
            };
            let name = chosen.get(item).ok_or_else(|| {
                faulty(format!("a sample for every item; it has none for {item:?}"))
            })?;
            let names: Vec<String> = samples.iter().map(|sample| sample.name.clone()).collect();
            samples.retain(|sample| sample.name == *name);
            if samples.is_empty() {
                return Err(faulty(format!(
                    "one of the samples of {item:?}, {}; found {name:?}",
                    names.join(", ")
                ))
                .into());
            }
        }
        Ok(())
    }

    fn check_best_of(&self, k: usize) -> Result<(), Error> {
        let mut items = self.stems.iter().zip(&self.samples);
        match items.find(|(_, samples)| samples.len() < k) {
            None => Ok(()),
            Some((item, samples)) => Err(Error::Usage(format!(
                "{}: item {item:?} has {}; expected {k} or more",
                option("samples", &self.score.to_string()),
                counted(samples.len(), "sample")
            ))),
        }
    }

    /// The weight of each pair in the score of an item: parts that have a value count equally within their sample, and samples as the
    /// request says. An item without a value has the reason of its first part.
    fn weights(
        &self,
        item: usize,
        outcomes: &[Outcome],
        direction: Direction,
    ) -> Result<Vec<(usize, f64)>, Undefined> {
        let mut reason = None;
        let mut found: Vec<(f64, Vec<usize>)> = Vec::new();
        for sample in &self.samples[item] {
            let (mut sum, mut pairs) = (0.0, Vec::new());
            for &pair in &sample.pairs {
                match &outcomes[pair] {
                    Ok(value) => {
                        sum += value;
                        pairs.push(pair);
                    }
                    Err(own) => {
                        reason.get_or_insert_with(|| own.clone());
                    }
                }
            }
            if !pairs.is_empty() {
                found.push((sum / pairs.len() as f64, pairs));
            }
        }
        let n = found.len();
        let of_samples = match self.score {
            SampleScore::Mean => vec![1.0 / n as f64; n],
            SampleScore::BestOf(k) => {
                let best_first = |a: &(f64, Vec<usize>), b: &(f64, Vec<usize>)| match direction {
                    Direction::Lower => a.0.total_cmp(&b.0),
                    _ => b.0.total_cmp(&a.0),
                };
                found.sort_by(best_first);
                best_of_weights(n, k)
            }
        };
        if of_samples.is_empty() {
            return Err(reason.unwrap_or(Undefined::NoPairs));
        }
        let weighted = found.into_iter().zip(of_samples);
        let pairs = weighted.flat_map(|((_, pairs), weight)| {
            let weight = weight / pairs.len() as f64;
            pairs.into_iter().map(move |pair| (pair, weight))
        });
        Ok(pairs.collect())
    }

    /// The scores of items, and the pseudo-values of the jackknife with the same weights.
    pub(crate) fn reduce(
        &self,
        scores: &ScoreTable,
        pseudo_values: &ScoreTable,
    ) -> (ScoreTable, ScoreTable) {
        let (mut of_items, mut of_pseudo) = (
            ScoreTable::new(self.stems.clone()),
            ScoreTable::new(self.stems.clone()),
        );
        for (id, outcomes) in &scores.columns {
            let direction = find(id).map_or(Direction::Higher, |metric| metric.spec.direction);
            let weights: Vec<Result<Vec<(usize, f64)>, Undefined>> = (0..self.stems.len())
                .map(|item| self.weights(item, outcomes, direction))
                .collect();
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

    /// For each item a text that items of the same stimulus share: the content of the images of its parts, if it is known.
    pub(super) fn contents(&self, dataset: &Dataset, hashes: &HashMap<&str, &str>) -> Vec<String> {
        let mut contents = vec![String::new(); self.stems.len()];
        for (stem, &item) in dataset.stems.iter().zip(&self.of_pair) {
            match hashes.get(stem.as_str()) {
                Some(hash) => contents[item].push_str(hash),
                None => contents[item].push_str(stem),
            }
        }
        contents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two items with three samples each.
    fn items(score: SampleScore) -> Items {
        let sample = |pair: usize| Sample {
            name: (pair % 3).to_string(),
            pairs: vec![pair],
        };
        Items {
            stems: vec!["a".to_owned(), "b".to_owned()],
            of_pair: vec![0, 0, 0, 1, 1, 1],
            samples: vec![(0..3).map(sample).collect(), (3..6).map(sample).collect()],
            score,
        }
    }

    #[test]
    fn the_best_is_the_smallest_distance_and_parts_without_a_value_do_not_count() {
        let none = || Err(Undefined::Identical);
        let values = vec![Ok(1.0), Ok(3.0), Ok(2.0), none(), Ok(6.0), none()];
        let mut scores = ScoreTable::new(Vec::new());
        scores.columns = vec![
            ("effnet".to_owned(), values.clone()),
            ("ssim".to_owned(), values),
        ];
        let of = |score: SampleScore, metric: &str| {
            let (scores, pseudo) = items(score).reduce(&scores, &scores);
            assert_eq!(scores, pseudo, "the same weights");
            scores.column(metric).unwrap().to_vec()
        };
        assert_eq!(of(SampleScore::Mean, "ssim"), [Ok(2.0), Ok(6.0)]);
        // EffNet is a distance: of three samples, two are drawn, and the smaller of them is 1 twice and 2 once.
        let best = of(SampleScore::BestOf(2), "effnet");
        assert!((best[0].clone().unwrap() - 4.0 / 3.0).abs() < 1e-15);
        assert_eq!(best[1], none(), "one of two is left");
        let best = of(SampleScore::BestOf(2), "ssim");
        assert!((best[0].clone().unwrap() - 8.0 / 3.0).abs() < 1e-15);
    }
}
