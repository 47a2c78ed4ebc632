//! Pairs that a classifier puts into the same class or into different classes (SEED, Sec. 5.3): does EffNet judge them
//! as people do?

use crate::rated::Rated;
use crate::rows::needs;
use itertools::Itertools;
use neurogauge::Error;
use neurogauge::formats::class_labels::ClassLabels;
use neurogauge::formats::features;
use neurogauge::metrics::class_names::class_name;
use neurogauge_meta::MetricClasses;
use serde_json::{Value, json};
use std::path::PathBuf;

/// The classes by the metric that uses the classifier, with SEED's preprocessing or with the common one.
fn classes<'a>(rated: &'a Rated<'_>) -> Option<&'a MetricClasses> {
    let metrics = &rated.meta.record.classes.as_ref()?.metrics;
    ["effnet_official", "effnet"]
        .iter()
        .find_map(|id| metrics.iter().find(|metric| metric.metric == *id))
}

/// A row for pairs of the same class, and one for pairs of different classes.
pub(crate) fn means(rated: &Rated<'_>) -> Result<Value, Error> {
    let Some(found) = classes(rated) else {
        return needs(match rated.meta.record.classes {
            None => "classes of the images: classes in [[ratings]], a table of labels or the logits of both sides",
            Some(_) => "EffNet (metric effnet)",
        });
    };
    let row = |(pairs, is_same, n): (&str, bool, usize)| {
        let mut row = json!({"pairs": pairs, "n": n, "key": rated.own(&found.metric)});
        if let Some(figures) = &found.figures {
            let all = [
                ("metric", &figures.metric_score),
                ("people", &figures.human_score),
                ("overestimate", &figures.overestimate),
            ];
            for (name, contrast) in all {
                row[name] = json!(if is_same { contrast.same } else { contrast.different });
            }
        }
        row
    };
    let rows = [("same class", true, found.n_same), ("different class", false, found.n_different)].map(row);
    Ok(json!({"shown": rated.labelled(&found.metric), "rows": rows, "undefined": found.undefined}))
}

/// Pairs of the same class that the metric ranks too high, and pairs of different classes that it ranks too low, with
/// the names of their classes; those furthest from people come first.
pub(crate) fn pairs(n: usize, rated: &Rated<'_>) -> Result<Value, Error> {
    let Some(MetricClasses { metric, .. }) = classes(rated) else {
        return Ok(Value::Null);
    };
    let items = &rated.meta.items;
    let ranks = rated.ranks_by(metric)?.unwrap_or_default();
    let labels = named_labels(&items.classes, &rated.ratings.classes)?;
    let known = items.ids.iter().zip(&ranks).filter_map(|(id, ranks)| Some((id, labels.get(id)?, (*ranks)?)));
    let known = known.collect_vec();
    let group = |(name, is_same): (&'static str, bool)| {
        let sign = if is_same { 1.0 } else { -1.0 };
        let of_group = known
            .iter()
            .filter(move |(_, [gt, recon], ranks)| (gt == recon) == is_same && sign * ranks.difference > 0.0);
        // The sort is stable, so ties keep the survey's order.
        let of_group = of_group.sorted_by(|a, b| (sign * b.2.difference).total_cmp(&(sign * a.2.difference)));
        of_group.take(n).map(move |(id, [gt, recon], ranks)| {
            json!({"class": name, "pair": id, "stimulus": gt, "reconstruction": recon, "ranks": ranks})
        })
    };
    let rows = [("same", true), ("different", false)].into_iter().flat_map(group).collect_vec();
    Ok(json!({
        "shown": rated.labelled(metric),
        "n": ranks.iter().flatten().count(),
        "n_known": known.len(),
        "rows": rows,
    }))
}
/// The classes of both images of each item; classes from logits of ImageNet's 1,000 classes get names.
fn named_labels(labels: &ClassLabels, files: &[PathBuf]) -> Result<ClassLabels, Error> {
    let [gt, _] = files else {
        return Ok(labels.clone());
    };
    let n_classes = features::read(gt, &features::ids_beside(gt)).map(|found| found.n_features())?;
    let name = |class: String| match class.parse() {
        Ok(class) => class_name(class, n_classes),
        Err(_) => class,
    };
    Ok(labels.clone().into_iter().map(|(id, both)| (id, both.map(name))).collect())
}
