//! The worst, median and best pairs, which are visible without a script and in print.

use crate::document::{MetricEntry, ScorePart};
use crate::html::fixed;
use crate::inputs::Inputs;
use crate::thumbnails::{OF_EACH, Thumbnails};
use maud::{Markup, html};
use neurogauge::core::Direction;

/// The pairs of the first system by the metric with which the report opens.
pub(crate) fn section(inputs: &Inputs, scores: &ScorePart, thumbnails: &Thumbnails) -> Markup {
    let headline = scores.headline();
    let Some(metric) = scores.metrics.get(headline) else {
        return Markup::default();
    };
    html! {
        @for (name, pairs) in groups(&ordered(scores, 0, headline), names(metric)) {
            h3 { (name) " pairs by " (metric.label) (metric.dagger()) " of " (inputs.systems[0].name) }
            ul.grid { @for &pair in pairs { (item(inputs, scores, thumbnails, headline, pair)) } }
        }
    }
}

/// The pairs with a value for this system, worst first.
pub(crate) fn ordered(scores: &ScorePart, system: usize, metric: usize) -> Vec<usize> {
    let found = scores.scores.get(system).and_then(|metrics| metrics.get(metric)?.as_ref());
    let values = found.map_or(&[][..], |found| &found.values).iter().enumerate();
    let mut known: Vec<(usize, f64)> = values.filter_map(|(pair, value)| Some((pair, (*value)?))).collect();
    known.sort_by(|a, b| match scores.metrics[metric].direction {
        Direction::Higher => a.1.total_cmp(&b.1),
        Direction::Lower => b.1.total_cmp(&a.1),
    });
    known.into_iter().map(|(pair, _)| pair).collect()
}

/// The worst, middle and best of ordered pairs; no pair is in two groups.
fn groups<'a>(ordered: &'a [usize], names: [&'static str; 3]) -> Vec<(&'static str, &'a [usize])> {
    let [first, median, last] = names;
    if ordered.len() <= 3 * OF_EACH {
        return match ordered.is_empty() {
            true => Vec::new(),
            false => vec![("All", ordered)],
        };
    }
    let middle = (ordered.len() - OF_EACH) / 2;
    vec![
        (first, &ordered[..OF_EACH]),
        (median, &ordered[middle..middle + OF_EACH]),
        (last, &ordered[ordered.len() - OF_EACH..]),
    ]
}

/// Names for the first, middle and last pairs. With a placeholder model, no pair is called the best.
fn names(metric: &MetricEntry) -> [&'static str; 3] {
    match (metric.stand_in, metric.direction) {
        (false, _) => ["Worst", "Median", "Best"],
        (true, Direction::Higher) => ["Lowest", "Median", "Highest"],
        (true, Direction::Lower) => ["Highest", "Median", "Lowest"],
    }
}

fn item(inputs: &Inputs, scores: &ScorePart, thumbnails: &Thumbnails, metric: usize, pair: usize) -> Markup {
    let stem = &inputs.stems[pair];
    let value = |system: usize| {
        let value = scores.scores[system][metric].as_ref()?.values[pair]?;
        let metric = &scores.metrics[metric];
        Some(fixed(value, metric.decimals) + metric.dagger())
    };
    html! {
        li {
            h4 { (stem) }
            div.images {
                @if let Some(address) = thumbnails.address(None, pair) {
                    figure { img src=(address) alt={ "stimulus of " (stem) }; figcaption { "Stimulus" } }
                }
                @for (place, system) in inputs.systems.iter().enumerate() {
                    figure {
                        @if let Some(address) = thumbnails.address(Some(place), pair) {
                            img src=(address) alt={ "reconstruction of " (stem) };
                        }
                        figcaption { (system.name) ": " (value(place).unwrap_or_else(|| "no value".to_owned())) }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 3] = ["Worst", "Median", "Best"];

    #[test]
    fn groups_do_not_overlap() {
        let ordered: Vec<usize> = (0..3 * OF_EACH + 1).collect();
        let found = groups(&ordered, NAMES);
        let names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, NAMES);
        let mut all: Vec<usize> = found.iter().flat_map(|(_, pairs)| pairs.to_vec()).collect();
        let n = all.len();
        all.dedup();
        assert_eq!((n, all.len()), (3 * OF_EACH, 3 * OF_EACH));
        assert_eq!(groups(&ordered[..5], NAMES)[0], ("All", &ordered[..5]));
        assert!(groups(&[], NAMES).is_empty());
    }
}
