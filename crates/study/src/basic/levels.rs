//! BASIC by level, with ranks (BASIC, Fig. S4).

use super::standings::{Standings, stand_in_note};
use super::tables::{SystemGroup, bar, cells};
use crate::paper_item::PaperItems;
use neurogauge::metrics::Metric;
use neurogauge::report::figures::Bars;
use neurogauge::report::{Cell, TextTable};

const PAPER: &str = "BASIC Figure S4";

/// From structure to words, then the combined scores.
const LEVELS: [&str; 11] = [
    "salient_iou",
    "binary_iou",
    "semantic_iou",
    "instance_iou",
    "part_iou",
    "basic_object_f1",
    "basic_attribute_f1",
    "basic_relation_f1",
    "basic_l",
    "basic_h",
    "basic",
];

/// The short name of a level in a figure of levels.
fn short(label: &str) -> &str {
    label.trim_start_matches("BASIC ").trim_end_matches(" IoU").trim_end_matches(" F1")
}

/// A group of bars for each available level.
pub(crate) fn figure(group: &SystemGroup<'_>, standings: &Standings, paper_items: &mut PaperItems) {
    let about = group.names.join(", ");
    let found: Vec<_> = LEVELS.iter().filter_map(|id| standings.find(id)).collect();
    if found.is_empty() {
        paper_items.absent(PAPER, &about, "levels of BASIC");
        return;
    }
    let label = |metric: &Metric| {
        let marked = standings.marked(&[metric.spec.id]);
        let dagger = if marked.ends_with('†') { "†" } else { "" };
        format!("{}{dagger}", short(metric.spec.label))
    };
    let labels: Vec<String> = found.iter().map(|(metric, _)| label(metric)).collect();
    let mut notes = vec![
        "Overlap (IoU) of masks by level, F1 of words by kind, and the scores made of them. Above each bar its rank: 1 is best, \
         equal systems share the mean of their ranks."
            .to_owned(),
    ];
    notes.extend(stand_in_note(&labels));
    let title = format!("BASIC by level: {}", standings.name);
    let headings = labels.iter().flat_map(|label| [label.clone(), format!("{label} rank")]);
    let table = TextTable::of(&title, group.names.iter().enumerate())
        .column("System", |(_, name)| Cell::text(*name))
        .columns(headings, |(place, _)| found.iter().flat_map(|(_, all)| cells(&all[*place])).collect::<Vec<_>>())
        .noted(notes);
    let bars = Bars {
        title,
        y_label: "mean".to_owned(),
        groups: labels,
        series: group.names.clone(),
        bars: found.iter().map(|(_, all)| all.iter().map(bar).collect()).collect(),
        caption: table.notes.join(" "),
    };
    let name = format!("figure_basic_levels{}", group.suffix);
    paper_items.add_with_figure((PAPER, name, &about), table, bars.draw());
}
