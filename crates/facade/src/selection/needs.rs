//! The missing inputs and tools of a metric, in words.

use crate::caption_words::no_dictionary;
use crate::kinds::needs_of;
use crate::observations::Located;
use crate::scene_graph_tools::GraphTools;
use neurogauge_metrics::{GraphFunction, Metric};

/// The missing tool without which a metric cannot compare existing observations.
pub(super) fn lacking_tool(metric: &Metric, tools: &GraphTools) -> Option<String> {
    if metric.compute.function::<GraphFunction>().is_some() {
        return tools.lacking.clone();
    }
    let is_lacking = tools.dictionary.is_none() && needs_of(metric).looks_words_up;
    is_lacking.then(no_dictionary)
}

/// The missing inputs of a metric.
pub(super) fn needs(metric: &Metric, located: &Located, tools: &GraphTools) -> String {
    let is_there = metric.compute.kind().is_some_and(|kind| located.has(kind));
    let ways = needs_of(metric).ways();
    match lacking_tool(metric, tools) {
        Some(lacking) if is_there => lacking,
        Some(lacking) if metric.compute.function::<GraphFunction>().is_none() => format!("{lacking}, and {ways}"),
        _ => ways,
    }
}
