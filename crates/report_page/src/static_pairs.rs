//! The worst, median and best pairs, which are visible without a script and in print.

use crate::document::MetricEntry;
use crate::html::{escape, fixed};
use crate::inputs::Inputs;
use crate::scores::ScorePart;
use crate::thumbnails::Thumbnails;
use neurogauge::core::Direction;

/// The number of worst, of median and of best pairs.
pub(crate) const OF_EACH: usize = 8;

/// The pairs of the first system by the metric that the report opens with.
pub(crate) fn section(inputs: &Inputs, scores: &ScorePart, thumbnails: &Thumbnails) -> String {
    let headline = scores.headline();
    let Some(metric) = scores.metrics.get(headline) else {
        return String::new();
    };
    let ordered = ordered(scores, headline);
    let mut out = String::new();
    for (name, pairs) in groups(&ordered, names(metric)) {
        out.push_str(&format!(
            "<h3>{name} pairs by {}{} of {}</h3>\n<ul class=\"grid\">\n",
            escape(&metric.label),
            metric.dagger(),
            escape(&inputs.systems[0].name)
        ));
        for &pair in pairs {
            out.push_str(&item(inputs, scores, thumbnails, headline, pair));
        }
        out.push_str("</ul>\n");
    }
    out
}

/// The pairs with a value of the first system, the worst first.
pub(crate) fn ordered(scores: &ScorePart, metric: usize) -> Vec<usize> {
    let values = |pair: usize| scores.scores.first()?.get(metric)?.as_ref()?.values.get(pair).copied()?;
    let n_pairs = scores.scores.first().and_then(|metrics| metrics.get(metric)?.as_ref());
    let n_pairs = n_pairs.map_or(0, |scores| scores.values.len());
    let mut known: Vec<(usize, f64)> = (0..n_pairs).filter_map(|pair| Some((pair, values(pair)?))).collect();
    known.sort_by(|a, b| match scores.metrics[metric].direction {
        Direction::Higher => a.1.total_cmp(&b.1),
        Direction::Lower => b.1.total_cmp(&a.1),
    });
    known.into_iter().map(|(pair, _)| pair).collect()
}

/// The worst, the middle and the best of ordered pairs; no pair is in two groups.
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

/// The names of the first, the middle and the last pairs. With a placeholder model no pair is called the best.
fn names(metric: &MetricEntry) -> [&'static str; 3] {
    match (metric.stand_in, metric.direction) {
        (false, _) => ["Worst", "Median", "Best"],
        (true, Direction::Higher) => ["Lowest", "Median", "Highest"],
        (true, Direction::Lower) => ["Highest", "Median", "Lowest"],
    }
}

fn item(inputs: &Inputs, scores: &ScorePart, thumbnails: &Thumbnails, metric: usize, pair: usize) -> String {
    let stem = escape(&inputs.stems[pair]);
    let picture = |address: Option<String>, about: &str| match address {
        Some(address) => format!("<img src=\"{}\" alt=\"{} of {stem}\">", escape(&address), escape(about)),
        None => String::new(),
    };
    let mut figures = String::new();
    if thumbnails.address(None, pair).is_some() {
        figures.push_str(&format!(
            "<figure>{}<figcaption>Stimulus</figcaption></figure>",
            picture(thumbnails.address(None, pair), "stimulus")
        ));
    }
    for (place, system) in inputs.systems.iter().enumerate() {
        let found = scores.scores[place][metric].as_ref();
        let value = found.and_then(|scores| scores.values[pair]);
        let metric = &scores.metrics[metric];
        let value = value.map(|value| fixed(value, metric.decimals) + metric.dagger());
        figures.push_str(&format!(
            "<figure>{}<figcaption>{}: {}</figcaption></figure>",
            picture(thumbnails.address(Some(place), pair), "reconstruction"),
            escape(&system.name),
            value.unwrap_or_else(|| "no value".to_owned())
        ));
    }
    format!("<li><h4>{stem}</h4><div class=\"images\">{figures}</div></li>\n")
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
