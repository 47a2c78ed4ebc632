//! Regions of interest: labels of vertices or voxels.

use super::NsdFiles;
use super::files::subject_name;
use crate::brain_space::Grid;
use crate::{FormatError, Problem, volume};
use std::ops::Range;
use std::path::PathBuf;

/// The vertices or voxels of one hemisphere that belong to a region.
#[derive(Debug, Clone, PartialEq)]
pub struct Regions {
    /// The subject, from 1.
    pub subject: usize,
    pub hemisphere: String,
    /// The file of labels.
    pub path: PathBuf,
    /// The places that the labels refer to.
    pub grid: Grid,
    /// Places of one region after another; X varies fastest.
    pub places: Vec<usize>,
    /// Each region's name and its range in `places`.
    pub regions: Vec<(String, Range<usize>)>,
}

impl Regions {
    /// Reads the labels of a subject (counted from 1) and hemisphere.
    ///
    /// # Errors
    /// Errors of [`volume::read`]; no vertex or voxel has a region's code.
    pub fn read(files: &NsdFiles, subject: usize, hemisphere: &str) -> Result<Regions, FormatError> {
        let labels = volume::read(&files.labels(subject, hemisphere))?;
        let mut regions = Regions {
            subject,
            hemisphere: hemisphere.to_owned(),
            path: labels.path,
            grid: labels.grid,
            places: Vec::new(),
            regions: Vec::new(),
        };
        for (roi, &code) in &files.rois {
            let first = regions.places.len();
            let is_in = labels.values.iter().enumerate().filter(|&(_, &label)| label == f64::from(code));
            regions.places.extend(is_in.map(|(place, _)| place));
            let places = first..regions.places.len();
            if places.is_empty() {
                let reason = format!(
                    "{} {hemisphere} {roi}: no {} has its code, {code}; correct `rois` or `roi_labels`",
                    subject_name(subject),
                    files.space.place()
                );
                return Err(Problem::invalid(format!("region {roi}"), reason).at(regions.path));
            }
            regions.regions.push((roi.clone(), places));
        }
        Ok(regions)
    }

    /// The name in messages of the vertex or voxel at this position of `places`.
    pub fn name_of(&self, place: usize) -> String {
        let (number, [nx, ny, nz]) = (self.places[place], self.grid.size);
        if ny * nz == 1 {
            return format!("voxel {number}");
        }
        let (x, y, z) = (number % nx, number / nx % ny, number / nx / ny);
        format!("voxel ({x}, {y}, {z})")
    }
}
