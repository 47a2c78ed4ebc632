//! Responses from the files of a target, session by session.

use super::{TargetFiles, TrialAxes};
use crate::array_file::ArrayFile;
use crate::brain_image::{self, Region, Responses};
use crate::brain_space::Grid;
use crate::budget::{collect, reserve};
use crate::{FormatError, Problem, array_file, whole_numbers};
use neurogauge_core::{Finding, counted, first_names};
use std::path::Path;

/// The responses of a region.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetResponses {
    /// The responses of all files, in order.
    pub responses: Responses,
    /// The number of trials in each file.
    pub trials_of_file: Vec<usize>,
}

impl TargetResponses {
    /// The index of each trial's file, from 0.
    pub fn files(&self) -> Vec<u32> {
        let files = (0..).zip(&self.trials_of_file);
        files.flat_map(|(file, &n_trials)| std::iter::repeat_n(file, n_trials)).collect()
    }

    /// The file of a trial, and its position there.
    pub(super) fn place_of<'a>(&self, target: &'a TargetFiles, trial: usize) -> (&'a Path, usize) {
        let (mut path, mut in_file) = (target.stimuli(), trial);
        for (file, &n) in target.trials.iter().zip(&self.trials_of_file) {
            path = file;
            match in_file.checked_sub(n) {
                Some(beyond) => in_file = beyond,
                None => break,
            }
        }
        (path, in_file)
    }

    /// A warning that names trials with one value in all voxels, such as zeros.
    pub fn flat_trials(&self, target: &TargetFiles) -> Option<Finding> {
        let rows = self.responses.values.chunks(self.responses.places.len().max(1)).enumerate();
        let is_flat = |row: &[f64]| row.len() > 1 && row[0].is_finite() && row.iter().all(|value| *value == row[0]);
        let flat: Vec<usize> = rows.filter(|(_, row)| is_flat(row)).map(|(trial, _)| trial).collect();
        let (path, _) = self.place_of(target, *flat.first()?);
        let shown: Vec<String> = flat.iter().map(|trial| self.place_of(target, *trial).1.to_string()).collect();
        let message = format!(
            "{} of {} with one value in all voxels, such as 0, which count as measured; rows from 0: {}",
            flat.len(),
            counted(self.responses.n_trials, "trial"),
            first_names(&shown)
        );
        Some(
            Finding::warning("flat_trials", path.display().to_string(), message)
                .advise("leave them out unless they were measured"),
        )
    }
}

impl TargetFiles {
    /// Reads the region's responses from arrays or from brain images.
    ///
    /// - Shapes: (n_trials, n_voxels), with the trials of each file after those of the previous one; an array with an axis of
    ///   images has a trial for each image and repeat, the repeats of an image next to each other.
    /// - Memory: the region's responses, plus one frame of an image, or the whole array if it is trials by voxels; from
    ///   an array of voxels by trials, only the region is read.
    ///
    /// # Errors
    /// Errors of [`brain_image::read`] and [`array_file::open`]; an array is not a matrix; the region is empty; places
    /// or regions differ between files; a voxel is unknown.
    pub fn responses(&self) -> Result<TargetResponses, FormatError> {
        let mut whole: Option<(&Path, Responses)> = None;
        let mut trials_of_file = Vec::new();
        for path in &self.trials {
            let mut found = self.responses_of(path)?;
            trials_of_file.push(found.n_trials);
            let Some((first, whole)) = &mut whole else {
                whole = Some((path, found));
                continue;
            };
            let (turn, finding) = found.grid.laid_on(path, (first, &whole.grid))?;
            whole.findings.extend(finding);
            whole.findings.append(&mut found.findings);
            let in_first = |column: &usize| turn.place(found.places[*column]);
            let mut columns: Vec<usize> = (0..found.places.len()).collect();
            if !turn.is_none() {
                columns.sort_by_key(in_first);
            }
            if !columns.iter().map(in_first).eq(whole.places.iter().copied()) {
                let (n, expected) = (found.places.len(), whole.places.len());
                let found = format!("{n} voxels of the region, not those of the file before");
                let expected = format!("the {expected} voxels that {} has", first.display());
                return Err(self.refused(path, &found, &expected));
            }
            whole.n_trials += found.n_trials;
            reserve(&mut whole.values, found.values.len()).map_err(|exceeded| exceeded.of(path, "the responses"))?;
            for row in found.values.chunks(columns.len().max(1)) {
                whole.values.extend(columns.iter().map(|&column| row[column]));
            }
        }
        Ok(TargetResponses {
            responses: whole.map(|(_, whole)| whole).unwrap_or_default(),
            trials_of_file,
        })
    }

    /// Numbers of trials and voxels, from the headers of arrays; `None` for brain images, and if a file cannot be read.
    pub fn size(&self) -> Option<(usize, usize)> {
        let (mut n_trials, mut n_voxels) = (0, 0);
        for path in &self.trials {
            let array = array_file::open(path).ok()?;
            let (rows, columns) = match (self.axes_of(path, array.shape()).ok()?, array.shape()) {
                (Some((axes, shape)), _) => {
                    let [n_images, n_repeats, n_voxels] = axes.sizes(shape);
                    (n_images * n_repeats, n_voxels)
                }
                (None, &[rows, columns]) => (rows as usize, columns as usize),
                (None, _) => return None,
            };
            let (of_file, n_places) = match self.files.voxels_first {
                true => (columns, rows),
                false => (rows, columns),
            };
            n_trials += of_file;
            n_voxels = match self.region().mask {
                Some(_) => (self.region().places(path, &Grid::of_places(n_places)).ok()?.0).len(),
                None => self.voxels(path, n_places).ok()?.len(),
            };
        }
        Some((n_trials, n_voxels))
    }

    fn region(&self) -> Region {
        Region {
            mask: self.files.mask.clone(),
            labels: self.files.labels.clone(),
            structure: self.files.structure.clone(),
        }
    }

    fn responses_of(&self, path: &Path) -> Result<Responses, FormatError> {
        let region = self.region();
        if brain_image::is_brain_image(path) {
            if self.files.voxels_first {
                let expected = "an array for `voxels_first`; images have a frame for each trial";
                return Err(self.refused(path, "an image of the brain", expected));
            }
            let mut whole = brain_image::read(path, &region)?;
            whole.findings.push(Finding::read_as("responses", "images of the brain, a frame for each trial"));
            if self.files.voxels.is_none() {
                return Ok(whole);
            }
            let places = self.voxels(path, whole.places.len())?;
            let size = (whole.n_trials, whole.places.len());
            return Ok(Responses {
                grid: whole.grid,
                findings: whole.findings,
                ..among(path, &whole.values, size, places)?
            });
        }
        if region.structure.is_some() {
            let found = "an array, which names no structures of the brain";
            return Err(self.refused(path, found, "a CIFTI-2 file for `structure`"));
        }
        let array = array_file::open(path)?;
        if let Some((axes, shape)) = self.axes_of(path, array.shape())? {
            return self.of_axes_in(path, &array, (axes, shape));
        }
        let read_as = Finding::read_as(
            "responses",
            if self.files.voxels_first {
                "(voxels, trials)"
            } else {
                "(trials, voxels)"
            },
        );
        let &[rows, columns] = array.shape() else {
            let found = format!("the shape {:?}", array.shape());
            let expected = match self.files.voxels_first {
                true => "(n_voxels, n_trials)",
                false => "(n_trials, n_voxels)",
            };
            return Err(self.refused(path, &found, expected));
        };
        let (rows, columns) = (rows as usize, columns as usize);
        let (n_trials, n_voxels) = match self.files.voxels_first {
            true => (columns, rows),
            false => (rows, columns),
        };
        let grid = Grid::of_places(n_voxels);
        let (places, mut findings) = self.places(path, n_voxels)?;
        findings.push(read_as);
        if !self.files.voxels_first {
            return Ok(Responses {
                grid,
                findings,
                ..among(path, &array.read_f64()?, (n_trials, n_voxels), places)?
            });
        }
        let by_voxel = array.read_rows_f64(&places)?;
        let values = (0..n_trials).flat_map(|trial| by_voxel.iter().skip(trial).step_by(n_trials).copied());
        Ok(Responses {
            n_trials,
            values: collect(by_voxel.len(), values, path, "the responses")?,
            places,
            grid,
            findings,
        })
    }

    /// The responses of an array with an axis of images, with a trial for each image and repeat.
    fn of_axes_in(
        &self,
        path: &Path,
        array: &ArrayFile,
        (axes, shape): (TrialAxes, [u64; 3]),
    ) -> Result<Responses, FormatError> {
        let [n_images, n_repeats, n_voxels] = axes.sizes(shape);
        let size = (n_images * n_repeats, n_voxels);
        let (places, mut findings) = self.places(path, n_voxels)?;
        let message =
            format!("{} trials from ({axes}): {n_repeats} of each of {n_images} images, {n_voxels} voxels", size.0);
        findings.push(Finding::note("taken_for", self.to_string(), message));
        Ok(Responses {
            grid: Grid::of_places(n_voxels),
            findings,
            ..among(path, &axes.in_rows(shape, array.read_f64()?), size, places)?
        })
    }

    /// The region's places among the voxels of an array.
    fn places(&self, path: &Path, n_voxels: usize) -> Result<(Vec<usize>, Vec<Finding>), FormatError> {
        let region = self.region();
        if region.mask.is_none() {
            return Ok((self.voxels(path, n_voxels)?, Vec::new()));
        }
        let (places, findings) = region.places(path, &Grid::of_places(n_voxels))?;
        Ok((brain_image::not_empty(path, &region, places)?, findings))
    }

    /// The columns of the region.
    fn voxels(&self, trials: &Path, n_columns: usize) -> Result<Vec<usize>, FormatError> {
        let Some(path) = &self.files.voxels else {
            return collect(n_columns, 0..n_columns, trials, "its columns");
        };
        let voxels = whole_numbers::list(path)?;
        if let Some(voxel) = voxels.iter().find(|&&voxel: &&u64| voxel >= n_columns as u64) {
            let reason = format!("{} has {n_columns} columns, from 0", trials.display());
            return Err(Problem::invalid(format!("voxel {voxel}"), reason).at(path));
        }
        if voxels.is_empty() {
            return Err(Problem::content("no voxel", "the region's columns").at(path));
        }
        Ok(voxels.into_iter().map(|voxel| voxel as usize).collect())
    }
}

/// Some columns of a matrix of trials by voxels.
fn among(
    path: &Path,
    values: &[f64],
    (n_trials, n_columns): (usize, usize),
    places: Vec<usize>,
) -> Result<Responses, FormatError> {
    let values = values.chunks(n_columns.max(1)).flat_map(|row| places.iter().map(|&place| row[place]));
    let n_values = n_trials.saturating_mul(places.len());
    Ok(Responses {
        n_trials,
        values: collect(n_values, values, path, "the responses")?,
        places,
        ..Responses::default()
    })
}
