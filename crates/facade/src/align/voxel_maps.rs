//! Accuracies and ceilings of voxels as NIfTI volumes, one file for each subject.

use super::encoding::UnitVoxels;
use super::{AlignConfig, run};
use crate::Error;
use itertools::Itertools;
use neurogauge_alignment::Unit;
use neurogauge_formats::brain_space::{Grid, Space};
use neurogauge_formats::nsd::{Regions, subject_name};
use neurogauge_formats::{brain_image, nifti};
use serde::Serialize;
use std::path::Path;

/// A file of maps.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VoxelMap {
    /// Relative to the folder of the run.
    pub file: String,
    pub subject: String,
    /// What each frame has: `ncsnr`, `reliability`, and for each source `r`, `R2` and `R2_relative`. Voxels outside of
    /// all regions are NaN.
    pub frames: Vec<String>,
    #[serde(skip)]
    grid: Grid,
}

/// The volume that a unit's responses are in; `None` if it is a surface, an array, or simulated.
fn grid_of(config: &AlignConfig, unit: &Unit) -> Result<Option<Grid>, Error> {
    if let Some(files) = &config.nsd {
        let subject = files.subjects.iter().find(|subject| subject_name(**subject) == unit.subject);
        let grid = subject.map(|&subject| Regions::read(files, subject, &unit.hemisphere)).transpose()?;
        return Ok(grid.map(|regions| regions.grid).filter(|grid| matches!(grid.space, Space::Voxels(_))));
    }
    let targets = config.target_files()?;
    let is_it = |own: &&neurogauge_formats::target_files::TargetFiles| {
        (&own.subject, &own.hemisphere, &own.roi) == (&unit.subject, &unit.hemisphere, &unit.roi)
    };
    match targets.iter().find(is_it).and_then(|own| own.trials.first()) {
        Some(path) => Ok(brain_image::grid_of_volume(path)?),
        None => Ok(None),
    }
}

impl VoxelMap {
    /// The maps that a run has: one for each subject, and for each volume if its regions are in several.
    pub(super) fn all(config: &AlignConfig, sources: &[String], units: &[UnitVoxels]) -> Result<Vec<VoxelMap>, Error> {
        let of_source = |source: &String| ["r", "R2", "R2_relative"].map(|what| format!("{source} {what}"));
        let of_unit = ["ncsnr", "reliability"].map(str::to_owned).into_iter();
        let frames: Vec<String> = of_unit.chain(sources.iter().flat_map(of_source)).collect();
        let mut maps: Vec<VoxelMap> = Vec::new();
        for unit in units {
            let Some(grid) = grid_of(config, &unit.unit)? else {
                continue;
            };
            let subject = &unit.unit.subject;
            if maps.iter().any(|map| map.subject == *subject && map.grid == grid) {
                continue;
            }
            let place = match maps.iter().filter(|map| map.subject == *subject).count() {
                0 => String::new(),
                n => format!("-{}", n + 1),
            };
            maps.push(VoxelMap {
                file: format!("maps/{}{place}.nii", run::file_part(subject)),
                subject: subject.clone(),
                frames: frames.clone(),
                grid,
            });
        }
        Ok(maps)
    }

    /// Writes the voxels of the units that are in it.
    pub(super) fn write(&self, folder: &Path, config: &AlignConfig, units: &[UnitVoxels]) -> Result<(), Error> {
        let mut frames = vec![vec![f32::NAN; self.grid.size.iter().product()]; self.frames.len()];
        for unit in units.iter().filter(|unit| unit.unit.subject == self.subject) {
            if grid_of(config, &unit.unit)?.as_ref() != Some(&self.grid) {
                continue;
            }
            let of_sources = unit.sources.iter().flat_map(|own| {
                let relative =
                    own.r_squared.iter().zip(&unit.reliability).map(|(value, of)| unit.relative(*value, *of));
                [own.r.clone(), own.r_squared.clone(), relative.collect()]
            });
            let all = [unit.ncsnr.clone(), unit.reliability.clone()].into_iter().chain(of_sources);
            for (frame, values) in frames.iter_mut().zip_eq(all) {
                unit.places.iter().zip(values).for_each(|(&place, value)| frame[place] = value as f32);
            }
        }
        Ok(nifti::write(&folder.join(&self.file), &self.grid, &frames)?)
    }
}
