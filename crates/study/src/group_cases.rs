//! Shows pairs that all metrics of a group rank differently from people, with every metric's rank (SEED, Figs. 9 and
//! 10).

use crate::config::MetricGroup;
use crate::found::{Found, headings, needs};
use crate::rated::Rated;
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

/// The ranks of every rated pair by one metric.
struct Ranks {
    metric: String,
    of_items: Vec<Option<RankDifference>>,
}

/// A pair that a group misjudges.
struct Case<'a> {
    group: &'a str,
    item: usize,
    /// Rank by people among the pairs that the group's first metric ranks, and the number of these pairs.
    by_people: f64,
    n_items: usize,
    /// Do the metrics rank it higher than people do?
    is_too_high: bool,
}

/// For each group, its `n` worst cases with every metric's rank.
fn rows(two: &str, groups: &[MetricGroup], (n, rated): (usize, &Rated<'_>)) -> Result<Value, Error> {
    let items = &rated.meta.items;
    let mut ranks = Vec::with_capacity(items.metrics.len());
    for column in &items.metrics {
        ranks.push(Ranks {
            metric: column.name.clone(),
            of_items: rated.ranks_by(&column.name)?.unwrap_or_default(),
        });
    }
    let cases = groups.iter().flat_map(|group| cases(group, &ranks, n)).collect_vec();
    if cases.is_empty() {
        return needs(format!("{two} that rank a pair unlike people in the same way"));
    }
    let metrics = ranks.iter().map(|ranks| rated.labelled(&ranks.metric)).collect_vec();
    let row = |case: &Case<'_>| {
        let of_case = ranks.iter().map(|ranks| Some(ranks.of_items[case.item]?.metric_rank)).collect_vec();
        let way = if case.is_too_high { "too high" } else { "too low" };
        let pair = &items.ids[case.item];
        let by = metrics.iter().zip(&of_case).filter_map(|(metric, rank)| Some(format!("{metric} {}", (*rank)?)));
        let lines = [
            format!("{pair}: ranked {way}"),
            format!("by {}; by people {} of {}", case.group, case.by_people, case.n_items),
            by.collect_vec().join(", "),
        ];
        json!({
            "group": case.group, "pair": pair, "ranked": way, "by_people": case.by_people, "ranks": of_case,
            "n": case.n_items, "lines": lines,
        })
    };
    Ok(json!({"rows": cases.iter().map(row).collect_vec(), "metrics": headings(&metrics), "n": items.ids.len()}))
}

/// The worst cases of a group with at least two metrics.
fn cases<'a>(group: &'a MetricGroup, ranks: &[Ranks], n: usize) -> Vec<Case<'a>> {
    let of_group: Vec<&Ranks> = ranks.iter().filter(|ranks| group.metrics.contains(&ranks.metric)).collect();
    let Some(first) = of_group.first().filter(|_| of_group.len() > 1) else {
        return Vec::new();
    };
    let n_items = first.of_items.iter().flatten().count();
    let case = |item: usize| {
        let found: Option<Vec<RankDifference>> = of_group.iter().map(|ranks| ranks.of_items[item]).collect();
        let found = found?;
        let is_too_high = found[0].difference > 0.0;
        let sign = if is_too_high { 1.0 } else { -1.0 };
        let least = found.iter().map(|one| sign * one.difference).fold(f64::INFINITY, f64::min);
        let case = Case {
            group: &group.name,
            item,
            by_people: found[0].human_rank,
            n_items,
            is_too_high,
        };
        (least > 0.0).then_some((case, least))
    };
    // The sort is stable, so ties keep the survey's order.
    let cases = (0..first.of_items.len()).filter_map(case).sorted_by(|a, b| b.1.total_cmp(&a.1));
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
        Ranks {
            metric: metric.to_owned(),
            of_items: differences.map(|d| Some(of_item(d))).to_vec(),
        }
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
        let items: Vec<(usize, bool)> = found.iter().map(|c| (c.item, c.is_too_high)).collect();
        assert_eq!(items, [(2, false), (1, true)]);
        assert_eq!(cases(&groups[0], &all, 1).len(), 1);
        assert!(cases(&groups[1], &all, 3).is_empty());
        assert!(cases(&groups[0], &all[..2], 3).is_empty(), "one metric is no group");
    }
}
