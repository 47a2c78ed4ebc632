//! The folder of figures.

use super::MetaRun;
use super::figures::figures;
use super::worst_case_images::ItemImages;
use crate::{Error, figure_files};
use neurogauge_core::Warning;
use neurogauge_formats::atomic_file;
use std::collections::HashSet;
use std::path::Path;

/// Names of all figures that a meta-evaluation can have.
const NAMES: [&str; 4] = ["agreement", "scatter", "differences", "classes"];
/// Before the id of the statistic.
pub(super) const AVERAGES: &str = "averages_";
/// Before the name of the metric.
const WORST: &str = "worst-";

impl MetaRun {
    /// Writes the figures into `folder/figures`, as SVG and PNG, and says which could not be drawn.
    ///
    /// Figures of an earlier run that this one does not have are removed; other files are left alone.
    pub fn write_figures(&self, folder: &Path) -> Result<Vec<Warning>, Error> {
        let folder = folder.join("figures");
        let (pictures, mut warnings) = figures(self);
        let mut written = figure_files::write(&folder, &pictures)?;
        let images = ItemImages::open(&self.record.request.worst_cases)?;
        if let (Some(images), Some(found)) = (images, &self.record.worst_cases) {
            for metric in found
                .metrics
                .iter()
                .filter(|metric| !metric.cases.is_empty())
            {
                let mut name = format!("{WORST}{}.png", figure_files::file_name(&metric.metric));
                for n in 2.. {
                    if !written.contains(&name) {
                        break;
                    }
                    name = format!("{WORST}{}-{n}.png", figure_files::file_name(&metric.metric));
                }
                match images.sheet(metric)?.draw_png() {
                    Ok(png) => {
                        atomic_file::write(&folder.join(&name), &png)?;
                        written.insert(name);
                    }
                    Err(error) => warnings.push(figure_files::not_drawn(&name, &error.to_string())),
                }
            }
        }
        remove_others(&folder, &written)?;
        Ok(warnings)
    }

    /// Removes the figures of an earlier run: they would not show what the tables say.
    pub fn remove_figures(&self, folder: &Path) -> Result<(), Error> {
        remove_others(&folder.join("figures"), &HashSet::new())
    }
}

/// Removes this program's figures in the folder, but for those that were written.
fn remove_others(folder: &Path, written: &HashSet<String>) -> Result<(), Error> {
    let is_own = |stem: &str| NAMES.contains(&stem) || stem.starts_with(AVERAGES);
    figure_files::remove_others(folder, written, |stem, ending| match ending {
        "png" => is_own(stem) || stem.starts_with(WORST),
        "svg" => is_own(stem),
        _ => false,
    })
}
