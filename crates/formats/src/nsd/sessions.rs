//! Single-trial responses of a session, of which only those in regions are kept in memory.

use super::{NsdFiles, NsdSpace, Regions, VolumeBetas};
use crate::budget::reserve;
use crate::mgh::MghReader;
use crate::{FormatError, Problem};
use std::path::Path;

impl NsdFiles {
    /// The responses of a session (counted from 1) with `n_trials` trials.
    ///
    /// - Shape: (n_trials, places of the regions), trial after trial.
    /// - Units: percent signal change.
    ///
    /// # Errors
    /// Files cannot be read, have another size than the labels, or another number of trials; a place is NaN or infinite
    /// in some trials of the session but not in all.
    pub fn responses(&self, regions: &Regions, session: usize, n_trials: usize) -> Result<Vec<f64>, FormatError> {
        let path = self.session(regions.subject, &regions.hemisphere, session);
        let values = match self.space {
            NsdSpace::Fsaverage => surface(&path, regions, n_trials),
            NsdSpace::Func1pt8mm | NsdSpace::Func1mm => volume(&path, regions, n_trials),
        }?;
        // A place outside the images of a session is NaN in all of its trials.
        let n_places = regions.places.len();
        let is_bad = |at: &usize| !values[*at].is_finite();
        let is_absent = |at: &usize| (*at % n_places..values.len()).step_by(n_places).all(|at| is_bad(&at));
        let mut bad = (0..values.len()).filter(|at| is_bad(at) && !is_absent(at));
        match bad.next() {
            None => Ok(values),
            Some(at) => Err(Problem::non_finite(
                format!(
                    "trial {} of {}, the first of {} such responses,",
                    at / n_places,
                    regions.name_of(at % n_places),
                    1 + bad.count()
                ),
                values[at],
            )
            .at(path)),
        }
    }

    /// Was a response measured? A missing response is NaN, or 0 among whole numbers.
    pub fn is_measured(&self, response: f64) -> bool {
        response.is_finite() && response != 0.0
    }
}

/// All trials of a session on fsaverage.
fn surface(path: &Path, regions: &Regions, n_trials: usize) -> Result<Vec<f64>, FormatError> {
    let mut reader = MghReader::open(path)?;
    let (n_vertices, expected) = (reader.n_places(), regions.grid.size.iter().product::<usize>());
    if n_vertices != expected {
        let expected = format!("{expected}, as {} has", regions.path.display());
        return Err(content(path, format!("{n_vertices} vertices"), expected));
    }
    check_trials(path, reader.n_frames(), n_trials)?;
    let mut values = Vec::new();
    while let Some(frame) = reader.next_frame(&regions.places)? {
        reserve(&mut values, frame.len()).map_err(|exceeded| exceeded.of(path, "the responses"))?;
        values.extend(frame.into_iter().map(f64::from));
    }
    Ok(values)
}

/// All trials of a session in a subject's volume.
fn volume(path: &Path, regions: &Regions, n_trials: usize) -> Result<Vec<f64>, FormatError> {
    let betas = VolumeBetas::open(path)?;
    let ([x, y, z], [label_x, label_y, label_z]) = (betas.size(), regions.grid.size);
    if betas.size() != regions.grid.size {
        let labels = regions.path.display();
        let expected = format!("{label_x} x {label_y} x {label_z}, as {labels} has");
        return Err(content(path, format!("volumes of {x} x {y} x {z} voxels"), expected));
    }
    check_trials(path, betas.n_trials(), n_trials)?;
    betas.read(&regions.places)
}

fn check_trials(path: &Path, found: usize, expected: usize) -> Result<(), FormatError> {
    if found == expected {
        return Ok(());
    }
    let expected = format!("{expected} in this session");
    Err(content(path, format!("{found} trials"), expected))
}

fn content(path: &Path, found: String, expected: String) -> FormatError {
    Problem::content(found, expected).at(path)
}
