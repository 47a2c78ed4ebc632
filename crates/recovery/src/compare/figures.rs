//! Figures that compare runs by source (Figures 4D and 6), and that show their differences by region.

use super::{AlignComparisonRecord, PairedDifference};
use itertools::Itertools;
use neurogauge::Figures;
use neurogauge::alignment::UnitEstimate;
use neurogauge::report::figures::{Dot, IntervalPanel, Intervals, Level};

/// The prefixes of figure names; a number follows if there are several runs besides the first.
pub(super) const NAMES: [&str; 2] = ["runs_by_source", "differences_by_region"];
/// The quantities that are drawn.
const DRAWN: [&str; 3] = ["BrainRefScore", "ProfileMean", "accuracy"];

pub(super) fn all(record: &AlignComparisonRecord, intervals: &str) -> Figures {
    let mut figures = Figures::default();
    for (place, comparison) in record.comparisons.iter().enumerate() {
        let runs = [record.runs[0].clone(), comparison.run.clone()];
        let name = |stem: &str| match record.comparisons.len() {
            1 => stem.to_owned(),
            _ => format!("{stem}_{}", place + 1),
        };
        let caption = format!("Means over the entries (a source and a target unit) of both runs; {intervals}.");
        let drawn = by_source(&comparison.sources, &runs, caption);
        figures.add(name(NAMES[0]), drawn.draw());
        if !comparison.regions.is_empty() {
            let drawn = by_region(&comparison.regions, &runs, intervals);
            figures.add(name(NAMES[1]), drawn.draw());
        }
    }
    figures
}

fn names(found: &[PairedDifference], of: fn(&PairedDifference) -> &str) -> Vec<String> {
    found.iter().map(of).unique().map(str::to_owned).collect()
}

fn dot(row: usize, series: usize, estimate: UnitEstimate) -> Option<Dot> {
    Dot::estimate((row, series), estimate.mean, estimate.interval)
}

/// One panel for each available quantity.
fn panels(found: &[PairedDifference], dots_of: impl Fn(&PairedDifference) -> Vec<Option<Dot>>) -> Vec<IntervalPanel> {
    let panels = DRAWN.iter().map(|quantity| {
        let own = found.iter().filter(|own| own.quantity == *quantity);
        IntervalPanel::of(*quantity, own.flat_map(&dots_of).flatten())
    });
    panels.filter(|panel| !panel.dots.is_empty()).collect()
}

fn by_source(found: &[PairedDifference], runs: &[String; 2], caption: String) -> Intervals {
    let rows = names(found, |own| &own.sources);
    let dots = |own: &PairedDifference| {
        let row = rows.iter().position(|row| *row == own.sources).unwrap_or(0);
        vec![dot(row, 0, own.first), dot(row, 1, own.second)]
    };
    Intervals {
        title: format!("{} and {}", runs[0], runs[1]),
        panels: panels(found, dots),
        rows,
        series: runs.to_vec(),
        caption,
        ..Intervals::default()
    }
}

fn by_region(found: &[PairedDifference], runs: &[String; 2], intervals: &str) -> Intervals {
    let (rows, series) = (names(found, |own| &own.region), names(found, |own| &own.sources));
    let dots = |own: &PairedDifference| {
        let row = rows.iter().position(|row| *row == own.region);
        let of = series.iter().position(|name| *name == own.sources);
        vec![dot(row.unwrap_or(0), of.unwrap_or(0), own.difference)]
    };
    let mut panels = panels(found, dots);
    for panel in &mut panels {
        panel.title = format!("Δ {}", panel.title);
        panel.levels = vec![Level::at(0.0, "no difference")];
    }
    Intervals {
        title: format!("{} less {}, by region", runs[1], runs[0]),
        rows,
        series,
        panels,
        caption: format!("Mean paired differences over target units; {intervals}."),
        ..Intervals::default()
    }
}
