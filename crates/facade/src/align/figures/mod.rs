//! The figures of an alignment.

mod blocks;
mod controls;
mod directions;
mod groups;
mod profiles;
mod recovery;
mod references;
mod source_subspace;

use super::Alignment;
use crate::figure_files::Figures;
use neurogauge_alignment::UnitEstimate;
use neurogauge_report::figures::{Dot, IntervalPanel};

/// Names of all figures that an alignment can have.
pub(super) const NAMES: [&str; 10] = [
    "recovery_curves",
    "roi_by_architecture",
    "accuracy_profile",
    "reference",
    "source_diagnostics",
    "controls",
    "rank_rules",
    "readouts",
    "directions",
    "contributions",
];
/// A figure with more panels than this is not readable.
const MAX_PANELS: usize = 60;

/// A panel of estimates, each in its row and series; estimates without a value are left out.
fn panel(title: impl Into<String>, estimates: impl IntoIterator<Item = (usize, usize, UnitEstimate)>) -> IntervalPanel {
    let dots = estimates
        .into_iter()
        .filter_map(|(row, series, estimate)| Dot::estimate((row, series), estimate.mean, estimate.interval));
    IntervalPanel {
        title: title.into(),
        dots: dots.collect(),
        ..IntervalPanel::default()
    }
}

pub(super) fn figures(alignment: &Alignment) -> Figures {
    let mut figures = Figures::default();
    if !alignment.unit_scores.is_empty() {
        let curves = recovery::by_architecture(alignment);
        figures.add("recovery_curves", curves.draw());
        if let Some(grid) = recovery::by_roi(alignment) {
            let n = grid.panels.len();
            if n > MAX_PANELS {
                let reason = format!("{n} panels; no more than {MAX_PANELS} are drawn");
                figures.not_drawn("roi_by_architecture", &reason);
            } else {
                figures.add("roi_by_architecture", grid.draw());
            }
        }
        let points = profiles::against_accuracy(alignment);
        figures.add("accuracy_profile", points.draw());
    }
    figures.add("reference", references::of_units(alignment).draw());
    let sources = &alignment.record.summary.sources;
    let diagnostics = (!sources.is_empty()).then(|| source_subspace::diagnostics(alignment));
    for (name, intervals) in [
        ("source_diagnostics", diagnostics),
        ("controls", controls::beside_sources(alignment)),
        ("rank_rules", controls::rank_rules(alignment)),
        ("readouts", controls::readouts(alignment)),
        ("contributions", blocks::contributions(alignment)),
    ] {
        if let Some(intervals) = intervals {
            figures.add(name, intervals.draw());
        }
    }
    if let Some(curves) = directions::by_rank(alignment) {
        figures.add("directions", curves.draw());
    }
    figures
}

impl Alignment {
    /// The prefix length k that figures use.
    fn main_length(&self) -> usize {
        self.record.config.settings.main_length()
    }

    /// What captions call the intervals.
    fn interval_caption(&self) -> String {
        let words = self.record.intervals().words();
        match self.record.dagger_note() {
            Some(note) => format!("{words}. {note}"),
            None => words,
        }
    }
}
