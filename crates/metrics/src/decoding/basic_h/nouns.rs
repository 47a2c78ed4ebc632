//! Removes from scene graphs what no noun of the caption names.

use neurogauge_core::SceneGraph;
use std::collections::BTreeSet;

/// Removes everything that the caption does not name by a noun: objects, attributes of such objects, and relations with
/// such an end. A name of several words stays if each of its words is a noun of the caption.
///
/// - Shapes: a graph whose names are in base form ([`normalise`](super::normalise())), and the caption's nouns in
///   base form.
/// - Conventions: `noun-filter`.
/// - Undefined, errors: never.
/// - Reference: the filter of CAPTURE 0.1.13 (`sample_to_parse_results`), exact.
///
/// ```
/// use neurogauge_core::SceneGraph;
/// use neurogauge_metrics::decoding::basic_h::keep_nouns;
/// let graph = SceneGraph {
///     objects: vec!["race track".into(), "walk".into()],
///     relations: vec![["walk".into(), "on".into(), "race track".into()]],
///     ..SceneGraph::default()
/// };
/// let nouns = ["race", "track"].map(str::to_owned).into();
/// let kept = keep_nouns(graph, &nouns);
/// assert_eq!(kept.objects, ["race track"]);
/// assert!(kept.relations.is_empty());
/// ```
pub fn keep_nouns(mut graph: SceneGraph, nouns: &BTreeSet<String>) -> SceneGraph {
    let is_named = |name: &str| nouns.contains(name) || name.split(' ').all(|word| nouns.contains(word));
    graph.objects.retain(|object| is_named(object));
    graph.attributes.retain(|object, _| is_named(object));
    graph.relations.retain(|[subject, _, object]| is_named(subject) && is_named(object));
    graph
}
