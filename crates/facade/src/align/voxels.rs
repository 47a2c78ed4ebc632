//! Accuracies and ceilings of voxels: a table of all, and NIfTI volumes, one file for each subject.

use super::{AlignConfig, UnitTrials, run};
use crate::Error;
use itertools::Itertools;
use neurogauge_alignment::Unit;
use neurogauge_alignment::encoding::{EncodingVoxels, NoiseCeilings, RidgeReadout};
use neurogauge_formats::brain_space::{Grid, Space};
use neurogauge_formats::columns_parquet::{self, ColumnTable};
use neurogauge_formats::nsd::{Regions, subject_name};
use neurogauge_formats::{brain_image, nifti};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The file of the table.
pub(super) const TABLE: &str = "voxels.parquet";
/// A voxel with a lower reliability has no relative accuracy of its own: noise decides it. Means are over all voxels.
pub(super) const LEAST_RELIABILITY: f64 = 0.05;

#[derive(Debug)]
pub struct UnitVoxels {
    unit: Unit,
    /// The position of each voxel in its image or array.
    places: Vec<usize>,
    ncsnr: Vec<f64>,
    reliability: Vec<f64>,
    sources: Vec<EncodingVoxels>,
}

/// Numbers of voxels: of all, of those that are constant, and of those whose reliability is below 0.05.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct VoxelCounts {
    pub n_voxels: usize,
    pub n_constant: usize,
    pub n_below: usize,
}

impl UnitVoxels {
    pub(super) fn of(unit: &UnitTrials, (ceilings, readouts): &(NoiseCeilings, Vec<RidgeReadout>)) -> Self {
        let once = vec![1; unit.trials.n_stimuli()];
        UnitVoxels {
            unit: unit.trials.unit().clone(),
            places: unit.places.clone(),
            ncsnr: ceilings.ncsnr(),
            reliability: ceilings.reliability(&once),
            sources: readouts.iter().map(|readout| EncodingVoxels::of(readout, &once)).collect(),
        }
    }

    pub(super) fn counts(&self) -> VoxelCounts {
        let r = self.sources.first().map_or(&[][..], |own| &own.r);
        VoxelCounts {
            n_voxels: self.places.len(),
            n_constant: r.iter().filter(|r| r.is_nan()).count(),
            n_below: self.reliability.iter().filter(|value| **value < LEAST_RELIABILITY).count(),
        }
    }

    /// An accuracy over its ceiling; NaN for a voxel that noise decides.
    fn relative(&self, value: f64, voxel: usize) -> f64 {
        match self.reliability[voxel] {
            ceiling if ceiling >= LEAST_RELIABILITY => value / ceiling,
            _ => f64::NAN,
        }
    }
}

/// Writes one row for each voxel and source.
pub(super) fn write_table(path: &Path, sources: &[String], units: &[UnitVoxels]) -> Result<(), Error> {
    let rows = units.iter().flat_map(|unit| {
        let names = sources.iter().zip(&unit.sources);
        names.flat_map(move |(name, own)| (0..own.r.len()).map(move |voxel| (unit, name, own, voxel)))
    });
    let finite = |value: f64| Some(value).filter(|value| value.is_finite());
    let columns = ColumnTable::of(rows)
        .text("subject", |(unit, ..)| unit.unit.subject.clone())
        .text("hemisphere", |(unit, ..)| unit.unit.hemisphere.clone())
        .text("roi", |(unit, ..)| unit.unit.roi.clone())
        .whole("place", |(unit, .., voxel)| unit.places[*voxel])
        .text("source", |(_, name, ..)| (*name).clone())
        .number("r", |(_, _, own, voxel)| finite(own.r[*voxel]))
        .number("r2", |(_, _, own, voxel)| finite(own.r[*voxel].powi(2)))
        .number("R2", |(_, _, own, voxel)| finite(own.r_squared[*voxel]))
        .number("ncsnr", |(unit, .., voxel)| finite(unit.ncsnr[*voxel]))
        .number("reliability", |(unit, .., voxel)| finite(unit.reliability[*voxel]))
        // r / √reliability.
        .number("r_relative", |(unit, _, own, voxel)| {
            finite(unit.relative(own.r[*voxel] * unit.reliability[*voxel].sqrt(), *voxel))
        })
        .number("r2_relative", |(unit, _, own, voxel)| finite(unit.relative(own.r[*voxel].powi(2), *voxel)))
        .number("R2_relative", |(unit, _, own, voxel)| finite(unit.relative(own.r_squared[*voxel], *voxel)))
        .into_columns();
    Ok(columns_parquet::write(path, "voxels", &columns)?)
}

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
    /// The positions of the units that are in it.
    #[serde(skip)]
    units: Vec<usize>,
}

/// The volume that a unit's responses are in, and the file that says so; `None` for a surface or an array.
pub(super) fn grid_of(config: &AlignConfig, unit: &Unit) -> Result<Option<(PathBuf, Grid)>, Error> {
    if let Some(files) = &config.nsd {
        let subject = files.subjects.iter().find(|subject| subject_name(**subject) == unit.subject);
        let regions = subject.map(|&subject| Regions::read(files, subject, &unit.hemisphere)).transpose()?;
        let found = regions.map(|regions| (regions.path, regions.grid));
        return Ok(found.filter(|(_, grid)| matches!(grid.space, Space::Voxels(_))));
    }
    let of_unit = (&unit.subject, &unit.hemisphere, &unit.roi);
    let own = config.target_files()?.into_iter().find(|own| (&own.subject, &own.hemisphere, &own.roi) == of_unit);
    match own.and_then(|own| own.trials.into_iter().next()) {
        Some(path) => Ok(brain_image::grid_of_volume(&path)?.map(|grid| (path, grid))),
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
        for (place, unit) in units.iter().enumerate() {
            let Some((_, grid)) = grid_of(config, &unit.unit)? else {
                continue;
            };
            let subject = &unit.unit.subject;
            if let Some(map) = maps.iter_mut().find(|map| map.subject == *subject && map.grid == grid) {
                map.units.push(place);
                continue;
            }
            let part = match maps.iter().filter(|map| map.subject == *subject).count() {
                0 => String::new(),
                n => format!("-{}", n + 1),
            };
            maps.push(VoxelMap {
                file: format!("maps/{}{part}.nii", run::file_part(subject)),
                subject: subject.clone(),
                frames: frames.clone(),
                grid,
                units: vec![place],
            });
        }
        Ok(maps)
    }

    pub(super) fn write(&self, folder: &Path, units: &[UnitVoxels]) -> Result<(), Error> {
        let mut frames = vec![vec![f32::NAN; self.grid.size.iter().product()]; self.frames.len()];
        for unit in self.units.iter().map(|&unit| &units[unit]) {
            let of_sources = unit.sources.iter().flat_map(|own| {
                let relative = own.r_squared.iter().enumerate().map(|(voxel, value)| unit.relative(*value, voxel));
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
