//! Shows pairs that all metrics of a group rank differently from people, with every metric's rank (SEED, Figs. 9 and
//! 10).

use crate::config::MetricGroup;
use crate::rated::Rated;
use crate::record::Found;
use crate::rows::{headings, needs};
use crate::shown_metrics::parts;
use itertools::Itertools;
use neurogauge::Error;
use neurogauge::stats::RankDifference;
use serde_json::{Value, json};

/// The paper's groups of metrics that fail in similar ways.
fn groups_of_paper() -> Vec<MetricGroup> {
    let groups: [(&str, &[&str]); 3] = [
        ("low-level metrics", &["pixcorr", "ssim", "alexnet2", "alexnet5"]),
        ("two-way identification", &["inception", "clip"]),
        ("distances of features", &["effnet", "swav"]),
    ];
    groups.map(|(name, metrics)| group(name, metrics)).to_vec()
}

fn group(name: &str, metrics: &[&str]) -> MetricGroup {
    MetricGroup {
        name: name.to_owned(),
        metrics: metrics.iter().map(|id| (*id).to_owned()).collect(),
    }
}

/// Figure 9: the paper's groups of metrics, or those in the configuration.
pub(crate) fn by_groups(found: &Found<'_>, rated: &Rated<'_>) -> Result<Value, Error> {
    let (groups, members) = match found.config.metric_groups.as_slice() {
        [] => (groups_of_paper(), "PixCorr, SSIM and AlexNet; Inception and CLIP; EffNet and SwAV".to_owned()),
        named => (named.to_vec(), named.iter().map(|group| group.metrics.join(" and ")).join("; ")),
    };
    rows(&format!("two metrics of a group ({members})"), &groups, (found.config.examples.n, rated))
}

/// Figure 10: all parts of SEED as one group.
pub(crate) fn by_seed(found: &Found<'_>, rated: &Rated<'_>) -> Result<Value, Error> {
    let seed = group("parts of SEED", &parts(&rated.system.run.scores));
    rows("two parts of SEED (object_f1, cap_sim, effnet)", &[seed], (found.config.examples.n, rated))
}

/// A metric, and the ranks of every rated pair by it and by people.
type Ranks = (String, Vec<Option<RankDifference>>);

/// For each group, its `n` worst cases with every metric's rank.
fn rows(two: &str, groups: &[MetricGroup], (n, rated): (usize, &Rated<'_>)) -> Result<Value, Error> {
    let items = &rated.meta.items;
    let mut ranks: Vec<Ranks> = Vec::new();
    for column in &items.metrics {
        ranks.push((column.name.clone(), rated.ranks_by(&column.name)?.unwrap_or_default()));
    }
    let metrics = ranks.iter().map(|(metric, _)| rated.labelled(metric)).collect_vec();
    let row = |(group, (item, worst, n)): (&MetricGroup, (usize, RankDifference, usize))| {
        let of_case = ranks.iter().map(|(_, of_items)| Some(of_items[item]?.metric_rank)).collect_vec();
        let way = if worst.difference > 0.0 { "too high" } else { "too low" };
        let (group, pair, by_people) = (&group.name, &items.ids[item], worst.human_rank);
        let by = metrics.iter().zip(&of_case).filter_map(|(metric, rank)| Some(format!("{metric} {}", (*rank)?)));
        let lines = [
            format!("{pair}: ranked {way}"),
            format!("by {group}; by people {by_people} of {n}"),
            by.collect_vec().join(", "),
        ];
        json!({
            "group": group, "pair": pair, "ranked": way, "by_people": by_people, "ranks": of_case, "n": n, "lines": lines,
        })
    };
    let cases = groups.iter().flat_map(|group| cases(group, &ranks, n).into_iter().map(move |case| (group, case)));
    match cases.map(row).collect_vec() {
        rows if rows.is_empty() => needs(format!("{two} that rank a pair unlike people in the same way")),
        rows => Ok(json!({"rows": rows, "metrics": headings(&metrics), "n": items.ids.len()})),
    }
}

/// The worst cases of a group with at least two metrics: the pair, its ranks by the first metric, and the number of pairs
/// that this ranks.
fn cases(group: &MetricGroup, ranks: &[Ranks], n: usize) -> Vec<(usize, RankDifference, usize)> {
    let of_group = ranks.iter().filter(|(metric, _)| group.metrics.contains(metric)).map(|(_, own)| own).collect_vec();
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

#[cfg(test)]
mod tests {
    use super::*;

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
        let groups = groups_of_paper();
        let found = cases(&groups[0], &all, 3);
        // Both metrics misjudge the first item; one of them is right about the last.
        let items: Vec<(usize, bool)> = found.iter().map(|(item, ranks, _)| (*item, ranks.difference > 0.0)).collect();
        assert_eq!(items, [(2, false), (1, true)]);
        assert_eq!(cases(&groups[0], &all, 1).len(), 1);
        assert!(cases(&groups[1], &all, 3).is_empty());
        assert!(cases(&groups[0], &all[..2], 3).is_empty(), "one metric is no group");
    }
}
