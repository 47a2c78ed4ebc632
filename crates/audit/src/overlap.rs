//! Whether test stimuli resemble training stimuli, and reconstructions resemble these more than their own stimuli.

use crate::items::{Items, to_nearest};
use crate::section::{Line, Section, known, percent};
use neurogauge::Error;
use neurogauge::core::pair::listed;
use neurogauge::core::{Outcome, Undefined};
use neurogauge::stats::{BootstrapOptions, estimate, quantile};

fn spread(what: &str, values: &[Outcome]) -> Vec<Line> {
    let mut known: Vec<f64> = values.iter().filter_map(|value| value.as_ref().ok().copied()).collect();
    known.sort_by(f64::total_cmp);
    let levels = [(0.05, "5th percentile"), (0.5, "median"), (0.95, "95th percentile")];
    let line = |(level, name): (f64, &str)| {
        let value = quantile(&known, level).map_err(|_| Undefined::NoPairs);
        Line::exact(format!("{what}, {name}"), value, known.len())
    };
    levels.map(line).to_vec()
}

pub(crate) fn section(items: &Items, options: &BootstrapOptions) -> Result<Section, Error> {
    let of_test = to_nearest(&items.of_test);
    let mut lines = vec![
        Line::mean(
            "similarity of a test stimulus to the nearest training stimulus, mean",
            &of_test,
            items.range(),
            options,
        )?,
        Line::mean(
            "the same of a training stimulus to the nearest other one, mean",
            &to_nearest(&items.of_training),
            items.range(),
            options,
        )?,
    ];
    lines.extend(spread("test stimulus to training", &of_test));
    let mut answer = relation(&lines);
    let same = in_training(items);
    if !same.is_empty() {
        answer = format!(
            "{} of {} test stimuli have the same features as a training stimulus ({}): they are probably in the training set, and scores of \
             them show what the decoder remembers. {answer}",
            same.len(),
            items.stems.len(),
            listed(same.iter().copied())
        );
    }
    let share = same.len() as f64 / items.stems.len().max(1) as f64;
    lines.push(Line::exact(
        "share of test stimuli with the features of a training stimulus",
        Ok(share),
        items.stems.len(),
    ));
    if let Some(own) = items.own_similarities() {
        let own: Vec<Outcome> = own.into_iter().map(known).collect();
        let of_decoded = to_nearest(&items.of_decoded);
        let of_both = |value: fn(f64, f64) -> f64| -> Vec<Outcome> {
            let both = own.iter().zip(&of_decoded);
            both.map(|(own, nearest)| Ok(value(own.clone()?, nearest.clone()?))).collect()
        };
        let copies = of_both(|own, nearest| f64::from(u8::from(nearest > own)));
        let gaps = of_both(|own, nearest| own - nearest);
        lines.extend(spread("reconstruction to training", &of_decoded));
        lines.extend(spread("reconstruction to its own stimulus", &own));
        let what = "share of reconstructions nearer to a training stimulus than to their own";
        let copies = Line::mean(what, &copies, (0.0, 1.0), options)?;
        if let Some(share) = copies.value() {
            answer += &format!(
                " {} of the reconstructions are nearer to some training stimulus than to the stimulus that was seen. Some of that is \
                 expected of any imperfect decoder, because there are {} training stimuli and one own stimulus; the clusters below show \
                 whether these reconstructions have details of their own stimulus.",
                percent(share),
                items.train.ids.len()
            );
        }
        lines.push(copies);
        lines.push(Line::new(
            "similarity to the own stimulus minus that to the nearest training stimulus, mean",
            estimate(&[&gaps], options)?,
        ));
    }
    Ok(Section {
        id: "overlap",
        question: "Do test stimuli resemble training stimuli, and reconstructions training stimuli more than their own?",
        lines,
        answer,
        population: "new test stimuli; the training stimuli stay the same",
        reference: "Shirakawa et al., Neural Networks 190 (2025), 107515",
    })
}

/// The test stimuli with the same features as a training stimulus, up to rounding errors.
fn in_training(items: &Items) -> Vec<&str> {
    let equal = items.range().1 - 1e-9;
    let found = items.stems.iter().zip(&items.of_test);
    let found = found.filter(|(_, one)| one.nearest.is_some_and(|(_, value)| value >= equal));
    found.map(|(stem, _)| stem.as_str()).collect()
}

/// Describes how close test stimuli are to training stimuli.
fn relation(lines: &[Line]) -> String {
    let [Some((low, high)), Some((other_low, other_high))] = [0, 1].map(|line: usize| lines[line].estimate.interval)
    else {
        return "There are too few stimuli for an interval, or they do not differ.".to_owned();
    };
    if low > other_low && high < other_high || low <= other_high && other_low <= high {
        "Test stimuli are about as near to the training set as training stimuli are to each other: the test set holds the same kinds of \
         pictures, and scores say nothing of other kinds."
    } else if low > other_high {
        "Test stimuli are nearer to the training set than training stimuli are to each other: look for pictures that are in both."
    } else {
        "Test stimuli are farther from the training set than training stimuli are from each other: scores speak of pictures unlike \
         those of training."
    }
    .to_owned()
}
