//! Pairs that all metrics of a group rank differently from people, with every metric's rank (SEED, Figs. 9 and 10).

use crate::config::{MetricGroup, StudyConfig};
use crate::paper_item::PaperItems;
use crate::rated::Rated;
use crate::shown_metrics::parts;
use neurogauge::Error;
use neurogauge::report::figures::SheetRow;
use neurogauge::report::{Cell, TextTable};
use neurogauge::stats::RankDifference;

/// Metrics with similar failures, in the paper's groups.
const GROUPS: [(&str, &[&str]); 3] = [
    ("low-level metrics", &["pixcorr", "ssim", "alexnet2", "alexnet5"]),
    ("two-way identification", &["inception", "clip"]),
    ("distances of features", &["effnet", "swav"]),
];

/// A figure of such pairs.
struct Figure {
    paper: &'static str,
    /// The beginning of its file's name; the system follows.
    file: &'static str,
    title: &'static str,
    /// What it needs, for studies without it.
    needs: String,
    groups: Vec<MetricGroup>,
}

/// The paper's groups of metrics, or those that the configuration names.
fn of_groups(config: &StudyConfig) -> Figure {
    let of_paper = GROUPS.iter().map(|(name, metrics)| MetricGroup {
        name: (*name).to_owned(),
        metrics: metrics.iter().map(|id| (*id).to_owned()).collect(),
    });
    let (groups, members) = match config.metric_groups.as_slice() {
        [] => (of_paper.collect(), "PixCorr, SSIM and AlexNet; Inception and CLIP; EffNet and SwAV".to_owned()),
        named => {
            let members = named.iter().map(|group| group.metrics.join(" and "));
            (named.to_vec(), members.collect::<Vec<_>>().join("; "))
        }
    };
    Figure {
        paper: "Figure 9",
        file: "figure9_group_worst_cases",
        title: "Worst cases of groups of metrics",
        needs: format!("two metrics of a group ({members}) that rank a pair unlike people in the same way"),
        groups,
    }
}

/// All parts of SEED as one group.
fn of_seed(rated: &Rated<'_>) -> Figure {
    Figure {
        paper: "Figure 10",
        file: "figure10_seed_worst_cases",
        title: "Pairs that all parts of SEED misjudge",
        needs: "two parts of SEED (object_f1, cap_sim, effnet) that rank a pair unlike people in the same way"
            .to_owned(),
        groups: vec![MetricGroup {
            name: "parts of SEED".to_owned(),
            metrics: parts(&rated.system.run.scores).iter().map(|id| (*id).to_owned()).collect(),
        }],
    }
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
    /// Rank by people among the pairs that the group's first metric ranks, and their number.
    by_people: f64,
    n_items: usize,
    /// Do the metrics rank it higher than people do?
    is_too_high: bool,
    ranks: &'a [Ranks],
}

/// The figures of a rated system: so many pairs of each group as the configuration asks for.
pub(crate) fn figures(config: &StudyConfig, rated: &Rated<'_>, paper_items: &mut PaperItems) -> Result<(), Error> {
    for shown in [of_groups(config), of_seed(rated)] {
        figure(&shown, rated, config.examples.n, paper_items)?;
    }
    Ok(())
}

fn figure(shown: &Figure, rated: &Rated<'_>, n: usize, paper_items: &mut PaperItems) -> Result<(), Error> {
    let about = &rated.system.name;
    let items = &rated.meta.items;
    let ranks = items.metrics.iter().map(|column| {
        Ok(Ranks {
            metric: column.name.clone(),
            of_items: rated.ranks_by(&column.name)?.unwrap_or_default(),
        })
    });
    let ranks = ranks.collect::<Result<Vec<Ranks>, Error>>()?;
    let cases: Vec<Case<'_>> = shown.groups.iter().flat_map(|group| cases(group, &ranks, n)).collect();
    if cases.is_empty() {
        paper_items.absent(shown.paper, about, shown.needs.as_str());
        return Ok(());
    }
    let mut lines = Vec::new();
    if rated.system.views.has_images() {
        for case in &cases {
            lines.push(case.shown(&items.ids[case.item], rated)?);
        }
    }
    let labels: Vec<String> = ranks.iter().map(|ranks| format!("by {}", rated.labelled(&ranks.metric))).collect();
    let note = format!(
        "Pairs that every metric of the group ranks too high, or every one too low; those whose least misplaced metric is furthest \
         from people come first. Ranks: 1 is best, equal scores share the mean of their ranks. {} rated pairs.",
        items.ids.len()
    );
    let table = TextTable::of(format!("{}: {about}", shown.title), cases)
        .column_of_groups("Group", |case| case.group.to_owned())
        .column("Pair", |case| Cell::text(&items.ids[case.item]))
        .column("ranked", |case| Cell::text(case.way()))
        .column("by people", |case| Cell::Number(case.by_people, 1))
        .columns(labels, |case| {
            let ranks = case.ranks.iter().map(|ranks| ranks.of_items[case.item]);
            ranks
                .map(|found| found.map_or(Cell::Missing, |found| Cell::Number(found.metric_rank, 1)))
                .collect::<Vec<_>>()
        })
        .column("of", |case| Cell::Count(case.n_items))
        .noted([note].into_iter().chain(rated.stand_in_note().map(str::to_owned)).collect());
    let place = rated.system.item(shown.paper, shown.file);
    paper_items.add_with_pairs(place, &rated.system.views, table, lines);
    Ok(())
}

/// The worst cases of a group with at least two metrics.
fn cases<'a>(group: &'a MetricGroup, ranks: &'a [Ranks], n: usize) -> Vec<Case<'a>> {
    let of_group: Vec<&Ranks> = ranks.iter().filter(|ranks| group.metrics.contains(&ranks.metric)).collect();
    let Some(first) = of_group.first().filter(|_| of_group.len() > 1) else {
        return Vec::new();
    };
    let n_items = first.of_items.iter().flatten().count();
    let case = |item: usize| {
        let found: Option<Vec<RankDifference>> = of_group.iter().map(|ranks| ranks.of_items[item]).collect();
        let found = found?;
        let is_too_high = found[0].difference > 0.0;
        let is_alike = |one: &RankDifference| match is_too_high {
            true => one.difference > 0.0,
            false => one.difference < 0.0,
        };
        let least = found.iter().map(|one| one.difference.abs()).fold(f64::INFINITY, f64::min);
        found.iter().all(is_alike).then(|| {
            let case = Case {
                group: &group.name,
                item,
                by_people: found[0].human_rank,
                n_items,
                is_too_high,
                ranks,
            };
            (case, least)
        })
    };
    let mut cases: Vec<(Case<'a>, f64)> = (0..first.of_items.len()).filter_map(case).collect();
    // A stable sort: ties stay in the order of the survey.
    cases.sort_by(|a, b| b.1.total_cmp(&a.1));
    cases.into_iter().take(n).map(|(case, _)| case).collect()
}

impl Case<'_> {
    fn way(&self) -> &'static str {
        if self.is_too_high { "too high" } else { "too low" }
    }

    fn shown(&self, stem: &str, rated: &Rated<'_>) -> Result<SheetRow, Error> {
        let by_metric = self.ranks.iter().filter_map(|ranks| {
            let rank = ranks.of_items[self.item]?.metric_rank;
            Some(format!("{} {rank}", rated.labelled(&ranks.metric)))
        });
        let by_metric: Vec<String> = by_metric.collect();
        Ok(SheetRow {
            images: rated.system.views.images(stem)?,
            lines: vec![
                format!("{stem}: ranked {}", self.way()),
                format!("by {}; by people {} of {}", self.group, self.by_people, self.n_items),
                by_metric.join(", "),
            ],
        })
    }
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
        let groups = of_groups(&StudyConfig::default()).groups;
        let found = cases(&groups[0], &all, 3);
        // Both metrics misjudge the first item, and one of them is right about the last.
        let items: Vec<(usize, bool)> = found.iter().map(|c| (c.item, c.is_too_high)).collect();
        assert_eq!(items, [(2, false), (1, true)]);
        assert_eq!(cases(&groups[0], &all, 1).len(), 1);
        assert!(cases(&groups[1], &all, 3).is_empty());
        assert!(cases(&groups[0], &all[..2], 3).is_empty(), "one metric is no group");
    }
}
