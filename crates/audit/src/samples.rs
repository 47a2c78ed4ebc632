//! The effect of choosing a sample.

use crate::AuditRequest;
use crate::items::unknown_item;
use crate::section::{Line, Section, direction_of};
use neurogauge::Error;
use neurogauge::core::{Direction, Finding, Outcome, Undefined, first_names};
use neurogauge::formats::{class_labels, metric_table};
use neurogauge::stats::estimate;
use std::collections::BTreeMap;
use std::path::Path;

/// The samples of each stimulus: their names and the positions of their scores.
type Samples = BTreeMap<String, Vec<(String, usize)>>;

/// The section, and warnings about metrics.
pub(crate) fn section(request: &AuditRequest, findings: &mut Vec<Finding>) -> Result<Option<Section>, Error> {
    let Some(path) = &request.samples.sample_scores else {
        return Ok(None);
    };
    let table = metric_table::read(path)?;
    findings.extend(table.warnings());
    let samples = samples(path, &table.items, &request.samples.sample_pattern)?;
    let n_samples = samples.values().map(Vec::len).max().unwrap_or(0);
    if let Some((stem, found)) = samples.iter().find(|(_, found)| found.len() != n_samples) {
        let expected = format!("{n_samples} samples of every stimulus, as of others; it has {}", found.len());
        return Err(unknown_item(path, stem, &expected));
    }
    let chosen = request.samples.chosen.as_deref().map(|path| chosen(path, &samples)).transpose()?;
    let mut lines = Vec::new();
    let mut largest: Option<(f64, String)> = None;
    for (name, scores) in &table.metrics {
        let lower_is_better = direction_of(name, "in the choice of the best sample", findings) == Direction::Lower;
        let of_stem = |pick: &dyn Fn(&[f64]) -> f64| -> Vec<Outcome> {
            let value = |found: &Vec<(String, usize)>| {
                let values: Option<Vec<f64>> = found.iter().map(|(_, place)| scores[*place]).collect();
                values.map(|values| pick(&values)).ok_or(Undefined::NoPairs)
            };
            samples.values().map(value).collect()
        };
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let best = |values: &[f64]| {
            let better = if lower_is_better { f64::min } else { f64::max };
            values.iter().copied().reduce(better).unwrap_or(f64::NAN)
        };
        let options = &request.bootstrap;
        let of_mean = estimate(&[&of_stem(&mean)], options)?;
        let of_best = estimate(&[&of_stem(&best)], options)?;
        let gain = estimate(&[&of_stem(&|values| best(values) - mean(values))], options)?;
        if let (Ok(gain), Ok(mean)) = (&gain.value, &of_mean.value) {
            let share = (gain / mean.abs().max(f64::MIN_POSITIVE)).abs();
            if largest.as_ref().is_none_or(|(most, _)| share > *most) {
                largest = Some((
                    share,
                    format!("{name}: {mean:.3} on average, {:.3} by the best of {n_samples}", mean + gain),
                ));
            }
        }
        lines.push(Line::new(format!("{name}, mean over samples"), of_mean));
        lines.push(Line::new(format!("{name}, best of {n_samples} by the stimulus"), of_best));
        lines.push(Line::new(format!("{name}, optimism of that choice"), gain).beside("none", 0.0));
        if let Some(chosen) = &chosen {
            let values: Vec<Outcome> = chosen.iter().map(|&place| scores[place].ok_or(Undefined::NoPairs)).collect();
            lines.push(Line::new(format!("{name}, chosen sample"), estimate(&[&values], options)?));
        }
    }
    let answer = largest.map_or("No metric has scores of every sample.".to_owned(), |(_, words)| {
        format!(
            "Choosing the best sample by looking at the stimulus changes scores most for {words}. A choice that does not look at the \
             stimulus is free of this optimism; compare it with the mean."
        )
    });
    Ok(Some(Section {
        id: "samples",
        question: "What does the choice among several samples give?",
        lines,
        answer,
        population: "new stimuli, with as many samples each",
        reference: "Shirakawa et al., Neural Networks 190 (2025), 107515",
    }))
}

/// Splits names into names of stimuli and of samples.
fn samples(path: &Path, items: &[String], pattern: &str) -> Result<Samples, Error> {
    let parts = pattern.split_once("{stem}").and_then(|(before, rest)| {
        let (between, after) = rest.split_once("{sample}")?;
        (!between.is_empty()).then_some((before, between, after))
    });
    let Some((before, between, after)) = parts else {
        return Err(Error::Usage(format!(
            "--sample-pattern {pattern:?}: expected {{stem}}, something between, and {{sample}}, as in {{stem}}_{{sample}}"
        )));
    };
    let mut samples = Samples::new();
    for (place, item) in items.iter().enumerate() {
        let inner = item.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        let Some((stem, sample)) = inner.and_then(|inner| inner.rsplit_once(between)) else {
            return Err(unknown_item(path, item, &format!("a name like {pattern} (--sample-pattern)")));
        };
        samples.entry(stem.to_owned()).or_default().push((sample.to_owned(), place));
    }
    Ok(samples)
}

/// The position of the score of each stimulus' chosen sample.
fn chosen(path: &Path, samples: &Samples) -> Result<Vec<usize>, Error> {
    let chosen = class_labels::read_single(path)?;
    let place = |(stem, found): (&String, &Vec<(String, usize)>)| {
        let sample = chosen.get(stem);
        let place = sample.and_then(|sample| found.iter().find(|(name, _)| name == sample));
        place.map(|(_, place)| *place).ok_or_else(|| {
            let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
            unknown_item(path, stem, &format!("one of its samples: {}", first_names(&names)))
        })
    };
    samples.iter().map(place).collect()
}
