//! `nsd_expdesign.mat`: the image shown in each trial.

use super::numbers;
use crate::{FormatError, Problem};
use std::path::{Path, PathBuf};

/// Trials per session of the main experiment.
pub const TRIALS_PER_SESSION: usize = 750;
/// Images of the main experiment.
const N_IMAGES: usize = 73_000;
/// Images of NSD-synthetic.
const N_SYNTHETIC: usize = 284;

/// Which of the 73,000 images each subject saw when; images, subjects and trials are numbered from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExperimentDesign {
    path: PathBuf,
    /// For each trial, the position among the subject's images; it is the same for all subjects.
    order: Vec<u32>,
    /// For each subject, the image at each position.
    images: Vec<Vec<u32>>,
    /// Images that all subjects see.
    shared: Vec<u32>,
}

impl ExperimentDesign {
    /// Reads `masterordering` (1 by trials), `subjectim` (subjects by images) and `sharedix`.
    ///
    /// # Errors
    /// The file is missing or malformed; its content is invalid, with the variable and the entry.
    pub fn read(path: &Path) -> Result<ExperimentDesign, FormatError> {
        let file = numbers::open(path)?;
        let images = numbers::matrix(path, &file, "subjectim", N_IMAGES)?;
        let order = numbers::matrix(path, &file, "masterordering", images.n_columns)?;
        let mut shared = numbers::matrix(path, &file, "sharedix", N_IMAGES)?.values;
        shared.sort_unstable();
        if order.n_rows != 1 {
            return Err(
                Problem::invalid("variable masterordering", format!("has {} rows; expected 1", order.n_rows)).at(path)
            );
        }
        Ok(ExperimentDesign {
            path: path.to_owned(),
            images: (0..images.n_rows).map(|s| images.row(s).collect()).collect(),
            order: order.values,
            shared,
        })
    }

    pub fn n_subjects(&self) -> usize {
        self.images.len()
    }

    pub fn n_sessions(&self) -> usize {
        self.order.len() / TRIALS_PER_SESSION
    }

    /// The image of every trial in a subject's first sessions, in order.
    ///
    /// # Errors
    /// The design does not have the subject or the session.
    pub fn images_of_trials(&self, subject: usize, sessions: usize) -> Result<Vec<u32>, FormatError> {
        let invalid = |place, reason| Problem::invalid(place, reason).at(&self.path);
        let images = self.images.get(subject).ok_or_else(|| {
            let reason = format!("the design has {} subjects", self.n_subjects());
            invalid(format!("subject {}", subject + 1), reason)
        })?;
        let n_trials = sessions * TRIALS_PER_SESSION;
        let order = self.order.get(..n_trials).ok_or_else(|| {
            let reason = format!("the design has {} sessions", self.n_sessions());
            invalid(format!("session {sessions}"), reason)
        })?;
        Ok(order.iter().map(|&position| images[position as usize]).collect())
    }

    /// The shared images that every subject saw at least `repeats` times in its first sessions (`sessions` has a number
    /// for each subject), in ascending order. For the sessions that NSD recorded (40, 40, 32, 30, 40, 32, 40, 30): 515
    /// with 3 repeats, 766 with 2, 907 with 1.
    pub fn shared_seen(&self, sessions: &[usize], repeats: usize) -> Result<Vec<u32>, FormatError> {
        let mut fewest = vec![usize::MAX; self.shared.len()];
        for (subject, &sessions) in sessions.iter().enumerate() {
            let mut seen = vec![0; self.shared.len()];
            for image in self.images_of_trials(subject, sessions)? {
                if let Ok(place) = self.shared.binary_search(&image) {
                    seen[place] += 1;
                }
            }
            for (fewest, seen) in fewest.iter_mut().zip(seen) {
                *fewest = seen.min(*fewest);
            }
        }
        Ok(self.shared.iter().zip(fewest).filter(|(_, n)| *n >= repeats).map(|(&image, _)| image).collect())
    }
}

/// The image of every trial of NSD-synthetic (of 284, counted from 0), from `masterordering` in
/// `nsdsynthetic_expdesign.mat`.
pub fn synthetic_order(path: &Path) -> Result<Vec<u32>, FormatError> {
    Ok(numbers::matrix(path, &numbers::open(path)?, "masterordering", N_SYNTHETIC)?.values)
}
