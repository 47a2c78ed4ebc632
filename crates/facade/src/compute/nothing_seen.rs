//! Warnings about observations without content, for each input and for each metric that gives such pairs a value.

use super::{Computed, Context};
use neurogauge_core::{DetailsByMetric, Finding, Masks, Outcome, Side, Sides};
use neurogauge_metrics::{Compute, EmbeddingFunction, Metric, PairFunction, WordFunction, details_of};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};

/// With fewer items, no warning says that most are equal.
const FEWEST_SAME: usize = 4;

/// A hash that represents the content of items; `None` if there are none.
pub(crate) fn content<T: Debug>(items: &[T]) -> Option<u64> {
    if items.is_empty() {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    format!("{items:?}").hash(&mut hasher);
    Some(hasher.finish())
}

/// A warning that most items of a side are empty, or equal.
pub(crate) fn sameness(side: Side, noun: &str, contents: impl Iterator<Item = Option<u64>>) -> Option<Finding> {
    let mut counts: HashMap<Option<u64>, usize> = HashMap::new();
    contents.for_each(|content| *counts.entry(content).or_default() += 1);
    let n: usize = counts.values().sum();
    let n_empty = counts.remove(&None).unwrap_or(0);
    let n_same = counts.into_values().max().unwrap_or(0);
    let subject = format!("{side} {noun}");
    if n > 1 && 2 * n_empty > n {
        let message = format!("{n_empty} of {n} are empty");
        return Some(Finding::warning("mostly_empty", subject, message));
    }
    (n >= FEWEST_SAME && 2 * n_same > n).then(|| {
        let message = format!("{n_same} of {n} are equal");
        Finding::warning("mostly_equal", subject, message)
    })
}

/// For metrics that score pairs with an empty side, how many pairs have one; `blank` says which sides of a pair have
/// captions without words.
pub(crate) fn of_scores(
    context: &Context<'_>,
    computed: &Computed,
    blank: impl Fn(usize) -> Option<Sides<bool>>,
) -> Vec<Finding> {
    // Metrics with the same counts are named together.
    let mut warnings: Vec<(Vec<&str>, String)> = Vec::new();
    for selected in context.selection.metrics.iter().filter(|selected| selected.source.is_compared()) {
        let spec = &selected.metric.spec;
        let Some(outcomes) = computed.scores.column(spec.id) else {
            continue;
        };
        let compute = &selected.metric.compute;
        let is_of_captions =
            compute.function::<EmbeddingFunction>().is_some() || compute.function::<WordFunction>().is_some();
        let empty = |place| match is_of_captions {
            true => blank(place),
            false => empty_by_details(selected.metric, &computed.details.get(place)?.metrics),
        };
        let Some(words) = by_rule(spec.id, outcomes, empty) else {
            continue;
        };
        match warnings.iter_mut().find(|(_, known)| *known == words) {
            Some((labels, _)) => labels.push(spec.label),
            None => warnings.push((vec![spec.label], words)),
        }
    }
    let finding = |(labels, words): (Vec<&str>, String)| Finding::warning("nothing_seen", labels.join(", "), words);
    warnings.into_iter().map(finding).collect()
}

/// A warning about the number of pairs that a metric scores although one of their sides is empty; `empty` says which
/// sides of a pair are, if that matters.
pub fn nothing_seen(
    metric: &Metric,
    outcomes: &[Outcome],
    empty: impl Fn(usize) -> Option<Sides<bool>>,
) -> Option<Finding> {
    let words = by_rule(metric.spec.id, outcomes, empty)?;
    Some(Finding::warning("nothing_seen", metric.spec.label, words))
}

/// The text of the warning.
fn by_rule(id: &str, outcomes: &[Outcome], empty: impl Fn(usize) -> Option<Sides<bool>>) -> Option<String> {
    let decides = match id {
        "object_recall" => Sides { gt: true, recon: false },
        "object_precision" => Sides { gt: false, recon: true },
        _ => Sides { gt: true, recon: true },
    };
    let mut groups: BTreeMap<(bool, bool), Vec<f64>> = BTreeMap::new();
    for (place, outcome) in outcomes.iter().enumerate() {
        let (Ok(value), Some(empty)) = (outcome, empty(place)) else {
            continue;
        };
        if (empty.gt && decides.gt) || (empty.recon && decides.recon) {
            groups.entry((empty.gt, empty.recon)).or_default().push(*value);
        }
    }
    let n = outcomes.len();
    let words = groups.into_iter().map(|((gt, recon), values)| {
        let where_ = match (gt, recon) {
            (true, true) => "on either side".to_owned(),
            (true, false) => format!("in the {}", Side::Gt),
            (false, _) => format!("in the {}", Side::Recon),
        };
        let (low, high) = (
            values.iter().copied().fold(f64::INFINITY, f64::min),
            values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        );
        let counted = match low == high {
            true => format!("{low}"),
            false => format!("{low:.3} to {high:.3}"),
        };
        format!("{} of {n} pairs have nothing {where_} and count {counted}", values.len())
    });
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// The sides of a pair on which nothing was matched, missed or invented; `None` for metrics that score only what is
/// there.
pub fn empty_by_details(metric: &Metric, details: &DetailsByMetric) -> Option<Sides<bool>> {
    let Compute::Items(..) = metric.compute else {
        return None;
    };
    let is_of_masks = metric.compute.function::<PairFunction<Masks>>().is_some();
    let id = metric.spec.id;
    let levels = details.get(details_of(id)?)?;
    // A metric of masks at one level has the level in its name.
    let own = levels.iter().filter(|(level, _)| is_of_masks && id.contains(level.as_str()));
    let own: Vec<_> = match own.clone().next() {
        Some(_) => own.collect(),
        None => levels.iter().collect(),
    };
    let is_empty = |side: Side| {
        own.iter().all(|(_, level)| {
            let of_side = match side {
                Side::Gt => &level.missed,
                Side::Recon => &level.invented,
            };
            level.matched.is_empty() && of_side.is_empty()
        })
    };
    Some(Sides::new(is_empty(Side::Gt), is_empty(Side::Recon)))
}
