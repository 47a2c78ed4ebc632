//! Pairs to look at: worst cases of SEED's parts (SEED, Fig. 4), semantic near misses (Fig. 5), right objects with wrong
//! details (Fig. 6), pairs that a group of metrics misjudges (Figs. 9 and 10), and pairs that a classifier puts into the
//! same or into different classes (Sec. 5.3). Captions or objects that are `seen` stand beside images.

use crate::rated::{Ranks, Rated};
use crate::runs::System;
use crate::shown::parts;
use itertools::Itertools;
use neurogauge::core::{LabelList, Side};
use neurogauge::formats::features;
use neurogauge::metrics::Taxonomy;
use neurogauge::metrics::class_names::class_name;
use neurogauge::metrics::decoding::near_miss_categories::near_miss_categories;
use neurogauge::stats::RankDifference;
use neurogauge::{Error, PairViews};
use serde_json::{Value, json};

const NAMED: [(Side, &str); 2] = [(Side::Gt, "stimulus"), (Side::Recon, "reconstruction")];

/// The ranks of a rated pair by some metrics, and the same in words.
fn ranks_of(rated: &Rated<'_>, ranks: &[&Ranks], item: usize) -> (Vec<Option<f64>>, String) {
    let own = ranks.iter().map(|(_, by_item)| Some(by_item[item]?.metric_rank)).collect_vec();
    let word = |((metric, _), rank): (&&Ranks, &Option<f64>)| Some(format!("{} {}", rated.labelled(metric), (*rank)?));
    let words = ranks.iter().zip(&own).filter_map(word).join(", ");
    (own, words)
}

fn names(rated: &Rated<'_>, ranks: &[&Ranks]) -> Vec<String> {
    ranks.iter().map(|(metric, _)| rated.labelled(metric)).collect()
}

/// Pairs that a part of SEED ranks most unlike people, while the other parts agree with people; null without any part.
pub(crate) fn worst_cases(rated: &Rated<'_>) -> Result<Value, Error> {
    let (record, parts, mut rows) = (&rated.meta.record, parts(&rated.system.run.scores), Vec::new());
    let found = record.worst_cases.iter().flat_map(|found| &found.metrics).collect_vec();
    let of_parts = parts.iter().filter_map(|part| found.iter().find(|metric| metric.metric == *part)).collect_vec();
    if of_parts.is_empty() {
        return Ok(Value::Null);
    }
    let ranks = parts.iter().filter_map(|part| rated.ranks_by(part)).collect_vec();
    for (metric, case) in of_parts.iter().flat_map(|metric| metric.cases.iter().map(move |case| (metric, case))) {
        let place = rated.meta.items.ids.iter().position(|id| *id == case.item).unwrap_or_default();
        let (of_case, by_parts) = ranks_of(rated, &ranks, place);
        let seen = match metric.metric.as_str() {
            "object_f1" => object_lines(&rated.system.views, &case.item, 0.3)?,
            "cap_sim" => caption_lines(&rated.system.views, &case.item),
            _ => Vec::new(),
        };
        rows.push(json!({
            "metric": rated.labelled(&metric.metric), "pair": case.item, "score": case.score, "n": metric.n_items,
            "human_score": case.human_score, "human_rank": case.ranks.human_rank, "ranks": of_case, "by": by_parts,
            "misplaced": metric.misplaced(case), "seen": seen,
        }));
    }
    let others_agree = record.request.worst_cases.others_agree;
    Ok(json!({"rows": rows, "metrics": names(rated, &ranks), "others_agree": others_agree}))
}

/// For each group of metrics, its worst cases with every metric's rank.
pub(crate) fn group_cases(rated: &Rated<'_>, groups: &[(&str, Vec<&str>)], n: usize) -> Value {
    let items = &rated.meta.items;
    let ranks = rated.ranks.iter().collect_vec();
    let mut rows = Vec::new();
    for (group, metrics) in groups {
        for (item, worst, n) in cases(metrics, &rated.ranks, n) {
            let (of_case, by) = ranks_of(rated, &ranks, item);
            let way = if worst.difference > 0.0 { "too high" } else { "too low" };
            let (pair, people) = (&items.ids[item], worst.human_rank);
            rows.push(json!({
                "group": group, "pair": pair, "ranked": way, "by_people": people, "ranks": of_case, "n": n, "by": by
            }));
        }
    }
    json!({"rows": rows, "metrics": names(rated, &ranks), "n": items.ids.len()})
}

/// A group's worst cases, of two metrics or more: the pair, its ranks by the first, and the number of pairs it ranks.
fn cases(metrics: &[&str], ranks: &[Ranks], n: usize) -> Vec<(usize, RankDifference, usize)> {
    let is_of_group = |(metric, _): &&Ranks| metrics.contains(&metric.as_str());
    let of_group = ranks.iter().filter(is_of_group).map(|(_, own)| own).collect_vec();
    let [first, _, ..] = of_group.as_slice() else {
        return Vec::new();
    };
    let n_items = first.iter().flatten().count();
    let case = |item: usize| {
        let found: Option<Vec<RankDifference>> = of_group.iter().map(|of_items| of_items[item]).collect();
        let found = found?;
        let sign = if found[0].difference > 0.0 { 1.0 } else { -1.0 };
        let least = found.iter().map(|one| sign * one.difference).fold(f64::INFINITY, f64::min);
        (least > 0.0).then_some(((item, found[0], n_items), least))
    };
    // The sort is stable, so ties keep the survey's order.
    let cases = (0..first.len()).filter_map(case).sorted_by(|a, b| b.1.total_cmp(&a.1));
    cases.take(n).map(|(case, _)| case).collect()
}

/// The classes that EffNet's classifier, with SEED's preprocessing or with the common one, gives to rated pairs: means of
/// z-scores, and the pairs of the same class that the metric ranks too high and of different classes that it ranks too
/// low, those furthest from people first. Null without classes, empty without EffNet.
pub(crate) fn classes(rated: &Rated<'_>, n: usize) -> Result<Value, Error> {
    let Some(of_classes) = &rated.meta.record.classes else {
        return Ok(Value::Null);
    };
    let find = |id: &&str| of_classes.metrics.iter().find(|metric| metric.metric == **id);
    let Some(found) = ["effnet_official", "effnet"].iter().find_map(find) else {
        return Ok(json!({"means": null, "key": null, "pairs": []}));
    };
    let (shown, key) = (rated.labelled(&found.metric), rated.own(&found.metric));
    let items = &rated.meta.items;
    let ranks = rated.ranks_by(&found.metric).map_or(&[][..], |(_, ranks)| ranks);
    // Classes from logits of ImageNet's 1,000 classes get names.
    let n_classes = match rated.ratings.classes.as_slice() {
        [gt, _] => Some(features::read(gt, &features::ids_beside(gt))?.n_features()),
        _ => None,
    };
    let name = |class: &String| match (n_classes, class.parse()) {
        (Some(n_classes), Ok(class)) => class_name(class, n_classes),
        _ => class.clone(),
    };
    let known = items.ids.iter().zip(ranks).filter_map(|(id, ranks)| Some((id, items.classes.get(id)?, (*ranks)?)));
    let known = known.collect_vec();
    let group = |(class, sign): (&'static str, f64)| {
        let is_of_group = move |a: &String, b: &String, off: f64| (a == b) == (sign > 0.0) && sign * off > 0.0;
        let of_group = known.iter().filter(move |(_, [gt, recon], ranks)| is_of_group(gt, recon, ranks.difference));
        // The sort is stable, so ties keep the survey's order.
        let of_group = of_group.sorted_by(move |a, b| (sign * b.2.difference).total_cmp(&(sign * a.2.difference)));
        of_group.take(n).map(move |(id, [gt, recon], ranks)| {
            json!({"class": class, "pair": id, "stimulus": name(gt), "reconstruction": name(recon), "ranks": ranks})
        })
    };
    let pairs = [("same", 1.0), ("different", -1.0)].into_iter().flat_map(group).collect_vec();
    let (n, n_known) = (ranks.iter().flatten().count(), known.len());
    Ok(json!({"shown": shown, "key": key, "means": found, "pairs": pairs, "n": n, "n_known": n_known}))
}

/// The pairs with the highest near-miss rate; null without detections.
pub(crate) fn near_misses(system: &System, n: usize) -> Result<Value, Error> {
    let (views, scores) = (&system.views, &system.run.scores);
    let Some(rates) = scores.column("snm") else {
        return Ok(Value::Null);
    };
    let rates_of_pairs = scores.pairs.iter().zip(rates).filter_map(|(pair, rate)| Some((pair, *rate.as_ref().ok()?)));
    // The sort is stable, so ties keep the order of the pairs.
    let near = rates_of_pairs.filter(|(_, rate)| *rate > 0.0).sorted_by(|a, b| b.1.total_cmp(&a.1)).collect_vec();
    let options = &system.run.record.request.options.near_miss;
    let (taxonomy, shown) = (Taxonomy::new(&views.labels), system.labelled("snm"));
    let row = |&(pair, rate): &(&String, f64)| {
        let missed = match (views.detections(Side::Gt, pair)?, views.detections(Side::Recon, pair)?) {
            (Some(gt), Some(recon)) => near_miss_categories(&gt, &recon, &taxonomy, options),
            _ => Ok(Vec::new()),
        };
        let missed = missed.map_err(|source| Error::Metric {
            pair: pair.clone(),
            metric: "snm",
            source,
        })?;
        let words = missed.iter().map(|near| {
            let instead = near.instead.iter().map(|&category| name_of(&views.labels, category)).join(", ");
            format!("{} became {instead}", name_of(&views.labels, near.category))
        });
        let (words, seen) = (words.collect_vec(), object_lines(views, pair, options.threshold)?);
        Ok(json!({"pair": pair, "rate": rate, "words": words.join("; "), "became": words, "seen": seen}))
    };
    let rows = near.iter().take(n).map(row).collect::<Result<Vec<_>, Error>>()?;
    Ok(json!({"rows": rows, "shown": shown, "n": near.len(), "n_pairs": rates.len(), "threshold": options.threshold}))
}

/// Detail misses with the largest gap between Object F1 and SEED; null without these metrics.
pub(crate) fn detail_misses(system: &System, n: usize) -> Value {
    let scores = &system.run.scores;
    let columns = [scores.column("sdm"), scores.column("object_f1"), scores.column("seed")];
    let [Some(misses), Some(f1), Some(seed)] = columns else {
        return Value::Null;
    };
    let gap = |place: usize| match (&misses[place], &f1[place], &seed[place]) {
        (Ok(1.0), Ok(f1), Ok(seed)) => Some((place, f1 - seed)),
        _ => None,
    };
    let missed = (0..misses.len()).filter_map(gap).sorted_by(|a, b| b.1.total_cmp(&a.1)).collect_vec();
    let options = &system.run.record.request.options.detail_miss;
    let ids = parts(scores).into_iter().chain(["seed"]).collect_vec();
    let names = ids.iter().map(|id| system.labelled(id)).collect_vec();
    let labels = ["object_f1", "seed"].map(|id| system.labelled(id));
    let row = |&(place, gap): &(usize, f64)| {
        let pair = &scores.pairs[place];
        let values = ids.iter().map(|id| scores.column(id)?[place].as_ref().ok().copied()).collect_vec();
        let named = names.iter().zip(&values).filter_map(|(name, value)| Some(format!("{name} {:.2}", (*value)?)));
        let (named, seen) = (named.collect_vec().join(", "), caption_lines(&system.views, pair));
        json!({"pair": pair, "values": values, "gap": gap, "named": named, "seen": seen})
    };
    let rows = missed.iter().take(n).map(row).collect_vec();
    json!({
        "rows": rows, "metrics": names, "labels": labels, "n": missed.len(), "n_pairs": misses.len(),
        "f1_above": options.f1_above, "gap_above": options.gap_above,
    })
}

fn name_of(labels: &LabelList, category: usize) -> String {
    labels.names().get(category).map_or_else(String::new, |name| name.replace('_', " "))
}

/// The objects detected with at least this confidence, the most confident first; a line for each side.
fn object_lines(views: &PairViews, stem: &str, least: f64) -> Result<Vec<String>, Error> {
    let mut lines = Vec::new();
    for (side, named) in NAMED {
        if let Some(mut found) = views.detections(side, stem)? {
            found.items.sort_by(|a, b| b.score.total_cmp(&a.score));
            let shown = found.items.iter().filter(|item| item.score >= least);
            let names = shown.filter_map(|item| views.labels.names().get(item.category)).unique().join(", ");
            let names = if names.is_empty() { "nothing" } else { &names };
            lines.push(format!("{named}: {}", names.replace('_', " ")));
        }
    }
    Ok(lines)
}

/// The first captions; a line for each side.
fn caption_lines(views: &PairViews, stem: &str) -> Vec<String> {
    let of = |(side, name)| Some(format!("{name}: {}", views.caption(side, stem)?));
    NAMED.into_iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::GROUPS;

    fn ranks(metric: &str, differences: [f64; 4]) -> Ranks {
        let of_item = |difference: f64| RankDifference {
            metric_rank: 1.0,
            human_rank: 2.0,
            difference,
        };
        (metric.to_owned(), differences.map(|d| Some(of_item(d))).to_vec())
    }

    #[test]
    fn all_metrics_of_a_group_have_to_err_in_the_same_way() {
        let all = [
            ranks("pixcorr", [0.9, 0.3, -0.5, 0.0]),
            ranks("seed", [0.0, 0.0, 0.0, 0.9]),
            ranks("ssim", [-0.9, 0.4, -0.6, 0.9]),
        ];
        let groups = GROUPS.map(|(_, metrics)| metrics);
        let found = cases(groups[0], &all, 3);
        // Both metrics misjudge the first item; one of them is right about the last.
        let items: Vec<(usize, bool)> = found.iter().map(|(item, ranks, _)| (*item, ranks.difference > 0.0)).collect();
        assert_eq!(items, [(2, false), (1, true)]);
        assert_eq!(cases(groups[0], &all, 1).len(), 1);
        assert!(cases(groups[1], &all, 3).is_empty());
        assert!(cases(groups[0], &all[..2], 3).is_empty(), "one metric is no group");
    }
}
