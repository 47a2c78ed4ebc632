//! Single-trial responses, session by session: only those of regions are ever held.

use super::super::config::{NsdExperiment, NsdFiles, NsdSpace};
use super::super::read_study::unmeasured;
use super::regions::{Regions, subject_name};
use crate::{Error, Progress};
use neurogauge_alignment::{Matrix, standardise_within};
use neurogauge_formats::FormatError;
use neurogauge_formats::mgh::MghReader;
use neurogauge_formats::nsd::VolumeBetas;
use std::path::{Path, PathBuf};

/// The responses of one subject and hemisphere.
pub(super) struct Sessions {
    /// For each session, the trials that are kept, z-scored over all of its trials.
    pub(super) kept: Vec<Matrix>,
    /// Whether there is any response of a place.
    measured: Vec<bool>,
}

impl Sessions {
    pub(super) fn read(
        files: &NsdFiles,
        regions: &Regions,
        kept: &[Vec<Option<usize>>],
        progress: &dyn Progress,
    ) -> Result<Sessions, Error> {
        let mut sessions = Sessions {
            kept: Vec::with_capacity(kept.len()),
            measured: vec![false; regions.places.len()],
        };
        for (session, kept) in kept.iter().enumerate() {
            let path = path(files, regions, session + 1);
            let trials = match files.space {
                NsdSpace::Fsaverage => surface(&path, regions, kept.len())?,
                NsdSpace::Func1pt8mm | NsdSpace::Func1mm => volume(&path, regions, kept.len())?,
            };
            for (place, measured) in sessions.measured.iter_mut().enumerate() {
                let is_value = |value: &f64| match files.space {
                    NsdSpace::Fsaverage => value.is_finite(),
                    // Whole numbers have no NaN; a voxel outside of what was scanned is 0.
                    NsdSpace::Func1pt8mm | NsdSpace::Func1mm => value.is_finite() && *value != 0.0,
                };
                *measured |= trials.column(place).iter().any(is_value);
            }
            let rows = (0..kept.len()).filter(|&trial| kept[trial].is_some());
            let rows: Vec<usize> = rows.collect();
            let scores = standardise_within(&trials, &vec![0; kept.len()]);
            sessions.kept.push(scores.rows(&rows));
            progress.advance(1);
        }
        Ok(sessions)
    }

    /// An error for the first vertex or voxel without a response in any trial.
    pub(super) fn check_measured(&self, regions: &Regions) -> Result<(), FormatError> {
        let Some(place) = self.measured.iter().position(|measured| !measured) else {
            return Ok(());
        };
        let mut units = regions.units();
        let unit = units.find_map(|(unit, places)| places.contains(&place).then_some(unit));
        let (number, [nx, ny, nz]) = (regions.places[place], regions.size);
        let name = if ny * nz == 1 {
            format!("voxel {number}")
        } else {
            let (x, y, z) = (number % nx, number / nx % ny, number / nx / ny);
            format!("voxel ({x}, {y}, {z})")
        };
        match unit {
            Some(unit) => Err(unmeasured(&regions.path, name, &unit)),
            None => Ok(()),
        }
    }
}

/// The file of a session, counted from 1.
fn path(files: &NsdFiles, regions: &Regions, session: usize) -> PathBuf {
    let subject = subject_name(regions.subject);
    let space = files.space.folder();
    let betas = &files.betas;
    let (folder, name) = match files.experiment {
        NsdExperiment::CoreShared => (
            format!("betas_{betas}"),
            format!("betas_session{session:02}"),
        ),
        NsdExperiment::Synthetic => (
            format!("nsdsyntheticbetas_{betas}"),
            "betas_nsdsynthetic".to_owned(),
        ),
    };
    let name = match files.space {
        NsdSpace::Fsaverage => format!("{}.{name}.mgh", regions.hemisphere),
        NsdSpace::Func1pt8mm | NsdSpace::Func1mm => format!("{name}.hdf5"),
    };
    let folder = format!("nsddata_betas/ppdata/{subject}/{space}/{folder}");
    files.folder.join(folder).join(name)
}

/// All trials of a session on fsaverage.
fn surface(path: &Path, regions: &Regions, n_trials: usize) -> Result<Matrix, Error> {
    let mut reader = MghReader::open(path)?;
    let (n_vertices, expected) = (reader.n_places(), regions.size.iter().product::<usize>());
    if n_vertices != expected {
        let expected = format!("{expected}, as {} has", regions.path.display());
        return Err(content(path, format!("{n_vertices} vertices"), expected).into());
    }
    check_trials(path, reader.n_frames(), n_trials)?;
    let mut values = Vec::with_capacity(n_trials * regions.places.len());
    while let Some(frame) = reader.next_frame(&regions.places)? {
        values.extend(frame);
    }
    Ok(Matrix::from_rows(n_trials, regions.places.len(), &values)?)
}

/// All trials of a session in a subject's volume.
fn volume(path: &Path, regions: &Regions, n_trials: usize) -> Result<Matrix, Error> {
    let betas = VolumeBetas::open(path)?;
    let ([x, y, z], [label_x, label_y, label_z]) = (betas.size(), regions.size);
    if betas.size() != regions.size {
        let labels = regions.path.display();
        let expected = format!("{label_x} x {label_y} x {label_z}, as {labels} has");
        return Err(content(path, format!("volumes of {x} x {y} x {z} voxels"), expected).into());
    }
    check_trials(path, betas.n_trials(), n_trials)?;
    let values = betas.read(&regions.places)?;
    Ok(Matrix::from_rows(n_trials, regions.places.len(), &values)?)
}

fn check_trials(path: &Path, found: usize, expected: usize) -> Result<(), FormatError> {
    if found == expected {
        return Ok(());
    }
    let expected = format!("{expected} in this session");
    Err(content(path, format!("{found} trials"), expected))
}

fn content(path: &Path, found: String, expected: String) -> FormatError {
    FormatError::Content {
        path: path.to_owned(),
        found,
        expected,
    }
}
