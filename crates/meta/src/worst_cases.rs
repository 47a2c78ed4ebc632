//! Items whose rank by a metric differs most from their rank by people (SEED, Sec. 5.3 and Fig. 4).

use super::direction::{MetricRole, meant};
use super::item_groups::{self, GroupDifference, ItemGroups, NamedGroups};
use super::items::{MetaItems, oriented};
use clap::Args;
use neurogauge::Error;
use neurogauge::core::first_names;
use neurogauge::core::image::ImageReading;
use neurogauge::models::registry::did_you_mean;
use neurogauge::report::{Cell, Table};
use neurogauge::stats::meta::Grouping;
use neurogauge::stats::{BootstrapOptions, RankDifference, rank_differences};
use serde::Serialize;
use std::path::PathBuf;

/// The share of the ranking by which other metrics may differ from people, unless another is given.
const OTHERS_AGREE: f64 = 0.1;

/// Which worst cases to find, and how to show them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Args)]
pub struct WorstCaseRequest {
    /// Items per metric whose rank differs most from the rank by people; 0 for none
    #[arg(id = "worst", long = "worst", value_name = "N", default_value_t = 5, help_heading = "Worst cases")]
    pub n: usize,
    #[arg(
        id = "worst_others_agree", long = "worst-others-agree", value_name = "SHARE", num_args = 0..=1,
        help = format!(
            "Only items that every other metric ranks as people do, give or take this share of the ranking [default \
             where SHARE is left out: {OTHERS_AGREE}]"
        ),
        default_missing_value = OTHERS_AGREE.to_string(), help_heading = "Worst cases"
    )]
    pub others_agree: Option<f64>,
    /// Metrics whose worst cases are shown, and the others that must agree [default: all]
    #[arg(
        id = "worst_metrics",
        long = "worst-metrics",
        value_name = "NAME,...",
        value_delimiter = ',',
        help_heading = "Worst cases"
    )]
    pub metrics: Vec<String>,
    /// Groups of items, each with worst cases of its own, and how each metric ranks the groups: a table (item, group),
    /// or what items are called with {group} where the group is named and * where anything may be, such as '{group}_*'
    #[arg(
        id = "worst_groups",
        long = "worst-groups",
        value_name = "FILE|PATTERN",
        help_heading = "Worst cases"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<ItemGroups>,
    /// Stimuli, to show the worst cases: a folder, an .npy stack or a .pt tensor file; stems are
    /// the ids of items
    #[arg(long, value_name = "PATH", help_heading = "Worst cases")]
    pub gt: Option<PathBuf>,
    /// Reconstructions, likewise
    #[arg(long, value_name = "PATH", help_heading = "Worst cases")]
    pub recon: Option<PathBuf>,
    /// What their stored values mean where files leave it open.
    #[serde(skip_serializing_if = "neurogauge::core::words::is_default")]
    #[arg(skip)]
    pub reading: ImageReading,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct WorstCases {
    /// One entry for each metric, in their order.
    pub metrics: Vec<MetricWorstCases>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricWorstCases {
    pub metric: String,
    /// Items that were ranked: those with a score by this metric and by people.
    pub n_items: usize,
    /// Number of items among them that the other metrics rank as people do, or all.
    pub n_eligible: usize,
    /// The cases by descending difference; ties are in the order of the survey. If the request names groups, they are
    /// listed group by group.
    pub cases: Vec<WorstCase>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<GroupDifference>,
}

/// An item that a metric and people rank differently.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WorstCase {
    pub item: String,
    /// Its group, if the request names groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The unchanged score of the metric.
    pub score: f64,
    pub human_score: f64,
    #[serde(flatten)]
    pub ranks: RankDifference,
}

impl MetricWorstCases {
    /// In words, the number of positions by which the metric's rank of an item differs from people's.
    pub fn misplaced(&self, case: &WorstCase) -> String {
        let places = case.ranks.human_rank - case.ranks.metric_rank;
        let way = if places > 0.0 { "high" } else { "low" };
        let (places, n_items) = (places.abs(), self.n_items);
        format!("ranked {places} places too {way} (of {n_items})")
    }
}

impl WorstCaseRequest {
    pub(super) fn check(&self) -> Result<(), Error> {
        let is_share = |share: &f64| (0.0..=1.0).contains(share);
        match self.others_agree {
            Some(share) if !is_share(&share) => Err(Error::Usage(format!(
                "other metrics are asked to agree to {share} of the ranking; expected a number from \
                 0 to 1, such as 0.1"
            ))),
            _ => Ok(()),
        }
    }
}

/// The metrics to examine, by their names in tables; `None` for all.
pub(super) fn metrics(request: &WorstCaseRequest, roles: &[MetricRole]) -> Result<Vec<String>, Error> {
    let mut found = Vec::with_capacity(request.metrics.len());
    for name in &request.metrics {
        let meant = meant(name, roles);
        if meant.is_empty() {
            let all: Vec<&str> = roles.iter().map(|role| role.name.as_str()).collect();
            return Err(Error::Usage(format!(
                "worst cases are asked for of {name:?}, which is not a metric here{}; there are {}",
                did_you_mean(name, &all),
                first_names(&all)
            )));
        }
        found.extend(meant.into_iter().map(|role| role.name.clone()));
    }
    Ok(found)
}

/// The worst cases of `metrics` (all, if empty), in each group if there are any.
pub(super) fn worst_cases(
    request: &WorstCaseRequest,
    metrics: &[String],
    items: &MetaItems,
    groups: Option<&NamedGroups>,
    (stimuli, bootstrap): (Option<&Grouping>, &BootstrapOptions),
) -> Result<WorstCases, Error> {
    let is_wanted = |name: &String| metrics.is_empty() || metrics.contains(name);
    let columns: Vec<_> = items.metrics.iter().filter(|column| is_wanted(&column.name)).collect();
    let ranks = columns
        .iter()
        .map(|column| rank_differences(&oriented(column), &items.human))
        .collect::<Result<Vec<_>, _>>()?;
    let metrics = columns.iter().enumerate().map(|(own, column)| {
        let agrees = |other: &[Option<RankDifference>], item: usize, share: f64| {
            other[item].is_some_and(|ranks| ranks.difference.abs() <= share)
        };
        let is_eligible = |item: usize| {
            request.others_agree.is_none_or(|share| {
                let others = ranks.iter().enumerate().filter(|(other, _)| *other != own);
                others.into_iter().all(|(_, other)| agrees(other, item, share))
            })
        };
        let ranked = ranks[own].iter().enumerate().filter_map(|(item, ranks)| Some((item, (*ranks)?)));
        let mut eligible: Vec<(usize, RankDifference)> =
            ranked.clone().filter(|(item, _)| is_eligible(*item)).collect();
        // A stable sort: ties keep the order of the survey.
        eligible.sort_by(|(_, a), (_, b)| b.difference.abs().total_cmp(&a.difference.abs()));
        // An item with equal ranks is not a worst case.
        let differing = eligible.iter().filter(|(_, ranks)| ranks.difference != 0.0);
        let of_group = |group: Option<&String>| {
            let is_member = move |item: usize| match (groups, group) {
                (Some(groups), Some(group)) => groups.of_items[item].as_ref() == Some(group),
                _ => true,
            };
            let members = differing.clone().filter(move |(item, _)| is_member(*item));
            let cases = members.take(request.n).filter_map(move |&(item, ranks)| {
                Some(WorstCase {
                    item: items.ids[item].clone(),
                    group: group.cloned(),
                    score: column.scores[item]?,
                    human_score: items.human[item]?,
                    ranks,
                })
            });
            cases.collect::<Vec<WorstCase>>()
        };
        let of_groups = |groups: &NamedGroups| item_groups::differences(&ranks[own], groups, stimuli, bootstrap);
        Ok(MetricWorstCases {
            metric: column.name.clone(),
            n_items: ranked.count(),
            n_eligible: eligible.len(),
            cases: match groups {
                Some(groups) => groups.names.iter().flat_map(|group| of_group(Some(group))).collect(),
                None => of_group(None),
            },
            groups: groups.map(of_groups).transpose()?.unwrap_or_default(),
        })
    });
    Ok(WorstCases {
        metrics: metrics.collect::<Result<_, Error>>()?,
    })
}

pub(super) fn text_table(request: &WorstCaseRequest, found: &WorstCases) -> Table {
    let mut notes = vec![
        "Ranks: 1 is best, equal scores share the mean of their ranks. Difference: human rank minus \
         metric's, as a share of the ranking; positive where the metric thinks more of the item than \
         people do."
            .to_owned(),
    ];
    if let Some(share) = request.others_agree {
        notes.push(format!(
            "Only items for which the difference is at most {share} by every other metric{}.",
            if request.metrics.is_empty() {
                ""
            } else {
                " of the table"
            }
        ));
        for metric in found.metrics.iter().filter(|metric| metric.cases.is_empty()) {
            notes.push(format!("{}: no such item.", metric.metric));
        }
    }
    let rows = found.metrics.iter().flat_map(|metric| metric.cases.iter().map(move |case| (metric, case)));
    let title = "Worst cases: items that a metric and people rank most differently";
    let table = Table::of(title, rows).column_of_groups("Metric", |(metric, _)| metric.metric.clone());
    let table = match &request.groups {
        Some(_) => table.column("Group", |(.., case)| Cell::text(case.group.as_deref().unwrap_or_default())),
        None => table,
    };
    table
        .column("Item", |(.., case)| Cell::text(&case.item))
        .column("score", |(.., case)| Cell::Number(case.score, 4))
        .column("human score", |(.., case)| Cell::Number(case.human_score, 3))
        .column("rank", |(.., case)| Cell::Number(case.ranks.metric_rank, 1))
        .column("human rank", |(.., case)| Cell::Number(case.ranks.human_rank, 1))
        .column("difference", |(.., case)| Cell::Number(case.ranks.difference, 3))
        .column("of", |(metric, ..)| Cell::Count(metric.n_items))
        .noted(notes)
}
