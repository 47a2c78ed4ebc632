//! Groups of items defined by the user, whose worst cases are shown separately.

use super::worst_cases::MetricWorstCases;
use neurogauge::core::name_pattern::GroupPattern;
use neurogauge::core::option_words::option;
use neurogauge::core::pair::natural_cmp;
use neurogauge::core::{Estimate, Outcome};
use neurogauge::formats::class_labels;
use neurogauge::report::figures::{Dot, IntervalPanel, Intervals, Level};
use neurogauge::report::{Cell, Table};
use neurogauge::stats::meta::Grouping;
use neurogauge::stats::{BootstrapOptions, RankDifference, estimate_over_stimuli};
use neurogauge::{Error, Provenance};
use serde::{Serialize, Serializer};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemGroups {
    /// A table with the columns item and group.
    File(PathBuf),
    /// A pattern for the ids of items.
    Pattern(GroupPattern),
}

impl FromStr for ItemGroups {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.contains(['{', '}']) {
            true => text.parse().map(ItemGroups::Pattern),
            false => Ok(ItemGroups::File(PathBuf::from(text))),
        }
    }
}

impl fmt::Display for ItemGroups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ItemGroups::File(path) => path.display().fmt(f),
            ItemGroups::Pattern(pattern) => pattern.fmt(f),
        }
    }
}

impl Serialize for ItemGroups {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl ItemGroups {
    /// The group of each item, if it has one, and the names of all groups in natural order.
    pub(super) fn of_items(&self, items: &[String], provenance: &mut Provenance) -> Result<NamedGroups, Error> {
        let of_items: Vec<Option<String>> = match self {
            ItemGroups::File(path) => {
                let labels = class_labels::read_groups(path)?;
                provenance.read("worst_groups", path)?;
                items.iter().map(|item| labels.get(item).cloned()).collect()
            }
            ItemGroups::Pattern(pattern) => {
                let group = |item: &String| pattern.of(item).map(str::to_owned);
                items.iter().map(group).collect()
            }
        };
        let mut names: Vec<String> = of_items.iter().flatten().cloned().collect();
        names.sort_by(|a, b| natural_cmp(a, b));
        names.dedup();
        if names.is_empty() {
            let examples = items.iter().take(3).map(|item| format!("{item:?}"));
            return Err(Error::Usage(format!(
                "{}: no rated item is in a group by it; expected items such as {}",
                option("worst-groups", &self.to_string()),
                examples.collect::<Vec<_>>().join(", ")
            )));
        }
        Ok(NamedGroups { of_items, names })
    }
}

/// The groups of the items of a survey.
pub(super) struct NamedGroups {
    /// The group of each item; `None` for an item without one.
    pub(super) of_items: Vec<Option<String>>,
    pub(super) names: Vec<String>,
}

/// How a metric ranks the items of a group, compared with people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupDifference {
    pub group: String,
    /// The mean over its items of the human rank minus the metric's, as a share of the ranking of all items: positive
    /// if the metric favours the group more than people do. The interval is for new stimuli.
    pub difference: Estimate,
    /// The mean absolute difference of these ranks.
    pub distance: Option<f64>,
}

/// The difference of each group by one metric.
pub(super) fn differences(
    ranks: &[Option<RankDifference>],
    groups: &NamedGroups,
    stimuli: Option<&Grouping>,
    options: &BootstrapOptions,
) -> Result<Vec<GroupDifference>, Error> {
    let of_group = |group: &String| {
        let is_member = |item: &usize| groups.of_items[*item].as_ref() == Some(group);
        let members = (0..ranks.len()).filter(is_member);
        let found: Vec<(usize, f64)> = members.filter_map(|item| Some((item, ranks[item]?.difference))).collect();
        let values: Vec<Outcome> = found.iter().map(|(_, value)| Ok(*value)).collect();
        let stimuli: Vec<usize> =
            found.iter().map(|(item, _)| stimuli.map_or(*item, |stimuli| stimuli.group_of(*item))).collect();
        let sizes = found.iter().map(|(_, value)| value.abs());
        let n = found.len();
        Ok(GroupDifference {
            group: group.clone(),
            difference: estimate_over_stimuli(&[&values], &stimuli, (-1.0, 1.0), options)?,
            distance: (n > 0).then(|| sizes.sum::<f64>() / n as f64),
        })
    };
    groups.names.iter().map(of_group).collect()
}

/// One line for each metric and group.
pub(super) fn text_table(metrics: &[MetricWorstCases], level: f64) -> Table {
    let rows = metrics.iter().flat_map(|metric| metric.groups.iter().map(move |group| (metric, group)));
    Table::of("Groups of items that a metric and people rank differently", rows)
        .column_of_groups("Metric", |(metric, _)| metric.metric.clone())
        .column("Group", |(_, group)| Cell::text(&group.group))
        .column(format!("difference [{}%]", 100.0 * level), |(_, group)| {
            Cell::estimate(&group.difference.value, group.difference.interval)
        })
        .column("distance", |(_, group)| Cell::number(group.distance))
        .column("n", |(_, group)| Cell::Count(group.difference.n))
        .noted(vec![
            "Difference: human rank minus metric's, as a share of the ranking of all items, averaged over the group; positive where the \
             metric thinks more of the group than people do. Distance: the same without signs. Intervals are for new stimuli."
                .to_owned(),
        ])
}

/// The differences of groups, with one panel for each metric.
pub(super) fn figure(metrics: &[MetricWorstCases], label: impl Fn(&str) -> String) -> Intervals {
    let panel = |metric: &MetricWorstCases| {
        let found = metric.groups.iter().map(|group| &group.difference).enumerate();
        let dots = found.filter_map(|(row, found)| Dot::estimate((row, 0), &found.value, found.interval));
        IntervalPanel {
            levels: vec![Level::at(0.0, "as people")],
            ..IntervalPanel::of(label(&metric.metric), dots)
        }
    };
    let groups = metrics.first().map_or(&[][..], |first| &first.groups);
    Intervals {
        title: "Groups that a metric ranks unlike people".to_owned(),
        rows: groups.iter().map(|group| group.group.clone()).collect(),
        panels: metrics.iter().map(panel).collect(),
        shared_axis: true,
        ..Intervals::default()
    }
}
