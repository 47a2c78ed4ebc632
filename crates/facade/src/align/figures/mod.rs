//! The figures of an alignment.

mod controls;
mod groups;
mod profiles;
mod recovery;
mod references;
mod regions;

use super::Alignment;
use crate::figure_files::{FigureOf, Figures};
use neurogauge_alignment::UnitEstimate;
use neurogauge_report::figures::{Dot, IntervalPanel};

pub(super) const FIGURES: [FigureOf<Alignment>; 11] = [
    ("recovery_curves", recovery::by_architecture),
    ("roi_by_architecture", |own| {
        Some(recovery::by_roi(own).filter(|grid| grid.panels.len() <= MAX_PANELS)?.draw())
    }),
    ("regions", regions::of_regions),
    ("accuracy_profile", profiles::against_accuracy),
    ("reference", references::of_units),
    ("source_diagnostics", controls::diagnostics),
    ("controls", controls::beside_sources),
    ("rank_rules", controls::rank_rules),
    ("readouts", controls::readouts),
    ("contributions", controls::contributions),
    ("directions", controls::by_rank),
];

/// A figure with more panels is not readable.
const MAX_PANELS: usize = 60;

/// A panel of estimates, each in its row and series; estimates without a value are left out.
fn panel(title: impl Into<String>, estimates: impl IntoIterator<Item = (usize, usize, UnitEstimate)>) -> IntervalPanel {
    let estimates = estimates.into_iter();
    let dots = estimates.filter_map(|(row, series, own)| Dot::estimate((row, series), own.mean, own.interval));
    IntervalPanel::of(title, dots)
}

pub(super) fn figures(alignment: &Alignment) -> Figures {
    let mut figures = Figures::of(&FIGURES, alignment);
    let n = recovery::by_roi(alignment).map_or(0, |grid| grid.panels.len());
    if n > MAX_PANELS {
        let reason = format!("{n} panels; no more than {MAX_PANELS} are drawn");
        figures.not_drawn("roi_by_architecture", &reason);
    }
    figures
}

impl Alignment {
    /// The prefix length k that figures use.
    fn main_length(&self) -> usize {
        self.record.config.settings.main_length()
    }

    /// The name of the intervals in captions.
    fn interval_caption(&self) -> String {
        let note = self.record.dagger_note().map(|note| format!(". {note}"));
        self.record.intervals().words() + &note.unwrap_or_default()
    }
}
