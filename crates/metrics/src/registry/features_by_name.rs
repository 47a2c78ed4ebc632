//! Metrics of any model's features, with names that define the comparison.

use super::feature_comparisons::{ModelNames, classified, correlated, distant, identified, identified_in_pool};
use super::metric::Metric;
use neurogauge_core::Group;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The ways to compare features, as the last part of a name; a name without one means identification.
const WAYS: &[&str] = &["correlation", "distance", "pool"];
/// Follows a number: N-way accuracy of the classes.
const OF_CLASSES: &str = "_way";

/// Metrics that were requested. They live as long as those of the registry, and a process requests few.
static KNOWN: Mutex<BTreeMap<String, &'static Metric>> = Mutex::new(BTreeMap::new());

/// The metric with a name `MODEL:LAYER` or `MODEL:LAYER:POOLING`, optionally followed by `:correlation`, `:distance`,
/// `:pool` or `:N_way`.
///
/// It compares the feature matrices `MODEL.LAYER` (`MODEL.LAYER.POOLING`), by identification among the pairs,
/// correlation, correlation distance, identification within a pool or N-way accuracy (for a classifier's layer of
/// classes, `vit_b_16:heads.head:20_way`), exactly like the field's metrics of these kinds. Whether the model and layer
/// exist is not known here.
///
/// - Range: that of the comparison.
/// - `None` for a name without a colon, and for parts with characters other than letters, digits, `.`, `_` and `-`.
///
/// ```
/// use neurogauge_core::Direction;
/// use neurogauge_metrics::find;
/// let metric = find("siglip2_vit_b_16:embedding").unwrap();
/// assert_eq!(metric.compute.features(), ["siglip2_vit_b_16.embedding"]);
/// let distance = find("resnet50:layer4:mean:distance").unwrap();
/// assert_eq!(distance.compute.features(), ["resnet50.layer4.mean"]);
/// assert_eq!(distance.spec.direction, Direction::Lower);
/// assert_eq!(find("videomae_vit_b_16:classifier:20_way").unwrap().compute.n_way(), Some(20));
/// assert!(find("a:../b").is_none() && find("a:").is_none());
/// ```
pub(super) fn features_by_name(id: &str) -> Option<&'static Metric> {
    let mut parts: Vec<&str> = id.split(':').collect();
    let is_name = |part: &&str| {
        let is_ours = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        part.starts_with(|c: char| c.is_ascii_alphanumeric()) && part.chars().all(is_ours)
    };
    if parts.len() < 2 || !parts.iter().all(is_name) {
        return None;
    }
    let way = parts.pop_if(|last| WAYS.contains(last) || n_way(last).is_some());
    if !(2..=3).contains(&parts.len()) {
        return None;
    }
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    Some(known.entry(id.to_owned()).or_insert_with(|| Box::leak(Box::new(named(id, &parts, way)))))
}

/// The number of ways in the last part of a name.
fn n_way(part: &str) -> Option<usize> {
    part.strip_suffix(OF_CLASSES)?.parse().ok().filter(|n_way| *n_way > 1)
}

fn named(id: &str, features: &[&str], way: Option<&str>) -> Metric {
    let kept = |text: String| -> &'static str { text.leak() };
    let models: ModelNames = vec![kept(features.join("."))].leak();
    let (model, layer) = (features[0], features[1..].join(" "));
    let label = |end: &str| kept(format!("{model} {layer}{end}"));
    let about = |what: &str| kept(format!("{what} {model}'s {layer}"));
    let id = kept(id.to_owned());
    let metric = match way {
        Some(way) if let Some(n_way) = n_way(way) => classified(
            id,
            label(&format!(" {n_way}-way acc.")),
            about(&format!("{n_way}-way accuracy of the classes of")),
            models,
            n_way,
            None,
        ),
        Some("correlation") => correlated(id, label(" r"), about("Correlation of"), models),
        Some("distance") => distant(id, label(" distance"), about("Correlation distance of"), models),
        Some(_) => identified_in_pool(id, label(" pool"), about("Identification among a common pool by"), models),
        None => identified(id, label(""), Group::HighLevel, about("Identification by"), models),
    };
    metric.on_request()
}
