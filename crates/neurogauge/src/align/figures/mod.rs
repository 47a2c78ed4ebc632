//! The figures of an alignment.

mod controls;
mod directions;
mod groups;
mod near_equal;
mod profiles;
mod recovery;
mod references;
mod source_subspace;

use super::Alignment;
use super::unit_scores::main_length;
use crate::Error;
use crate::figure_files::{self, NamedPicture};
use neurogauge_core::Warning;
use neurogauge_report::ReportError;
use neurogauge_report::figures::Picture;
use std::path::Path;

/// Names of all figures that an alignment can have.
const NAMES: [&str; 10] = [
    "recovery_curves",
    "roi_by_architecture",
    "accuracy_profile",
    "reference",
    "near_equal_pairs",
    "source_diagnostics",
    "controls",
    "rank_rules",
    "readouts",
    "directions",
];
/// More panels than this make no picture that anyone reads.
const MAX_PANELS: usize = 60;

impl Alignment {
    /// The figures, and which could not be drawn.
    pub fn figures(&self) -> (Vec<NamedPicture>, Vec<Warning>) {
        let mut outcomes: Vec<(String, Result<Picture, ReportError>)> = Vec::new();
        let mut add = |name: &str, outcome| outcomes.push((name.to_owned(), outcome));
        let mut too_large = None;
        if !self.unit_scores.is_empty() {
            add("recovery_curves", recovery::by_architecture(self).draw());
            match recovery::by_roi(self) {
                Some(grid) if grid.panels.len() > MAX_PANELS => {
                    let reason = format!(
                        "{} panels; no more than {MAX_PANELS} are drawn",
                        grid.panels.len()
                    );
                    too_large = Some(figure_files::not_drawn("roi_by_architecture", &reason));
                }
                Some(grid) => add("roi_by_architecture", grid.draw()),
                None => {}
            }
            add("accuracy_profile", profiles::against_accuracy(self).draw());
        }
        add("reference", references::of_units(self).draw());
        if let Some(pairs) = near_equal::pairs(self) {
            add("near_equal_pairs", pairs.draw());
        }
        if !self.record.sources.is_empty() {
            add(
                "source_diagnostics",
                source_subspace::diagnostics(self).draw(),
            );
        }
        for (name, intervals) in [
            ("controls", controls::beside_sources(self)),
            ("rank_rules", controls::rank_rules(self)),
            ("readouts", controls::readouts(self)),
        ] {
            if let Some(intervals) = intervals {
                add(name, intervals.draw());
            }
        }
        if let Some(curves) = directions::by_rank(self) {
            add("directions", curves.draw());
        }
        let (pictures, mut warnings) = figure_files::drawn(outcomes);
        warnings.extend(too_large);
        (pictures, warnings)
    }

    /// Writes the figures into `folder/figures`, as SVG and PNG, and says which could not be drawn.
    ///
    /// Figures of an earlier run that this one does not have are removed; other files are left alone.
    ///
    /// # Errors
    /// Files that cannot be written or removed.
    pub fn write_figures(&self, folder: &Path) -> Result<Vec<Warning>, Error> {
        let folder = folder.join("figures");
        let (pictures, warnings) = self.figures();
        let written = figure_files::write(&folder, &pictures)?;
        figure_files::remove_others(&folder, &written, is_ours)?;
        Ok(warnings)
    }

    /// Removes the figures of an earlier run: they would not show what the tables say.
    ///
    /// # Errors
    /// Files that cannot be removed.
    pub fn remove_figures(&self, folder: &Path) -> Result<(), Error> {
        figure_files::remove_others(&folder.join("figures"), &Default::default(), is_ours)
    }

    /// The length of the prefix by which figures go.
    fn main_length(&self) -> usize {
        main_length(&self.record.config.settings)
    }

    /// How captions call the intervals.
    fn interval_caption(&self) -> String {
        let bootstrap = self.record.config.settings.bootstrap();
        format!(
            "{}% block bootstrap intervals over target units, {} resamples, seed {}",
            bootstrap.level * 100.0,
            bootstrap.resamples,
            bootstrap.seed.0
        )
    }
}

fn is_ours(stem: &str, ending: &str) -> bool {
    NAMES.contains(&stem) && matches!(ending, "svg" | "png")
}
