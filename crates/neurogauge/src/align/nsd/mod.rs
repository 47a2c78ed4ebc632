//! Responses out of the files of the Natural Scenes Dataset.
//!
//! - `trials`: who saw which stimulus when.
//! - `regions`: which vertices or voxels belong to a region.
//! - `betas`: their responses, session by session.

mod betas;
mod regions;
mod trials;

pub(super) use trials::NsdTrials;

use super::UnitTrials;
use super::config::NsdFiles;
use super::read_study::check_repeats;
use crate::{Error, Progress};
use betas::Sessions;
use neurogauge_alignment::{Matrix, Trials};
use regions::Regions;
use std::sync::Arc;

/// The units of every subject and hemisphere, read session by session.
pub(super) fn units(
    files: &NsdFiles,
    trials: &NsdTrials,
    allow_nan_voxels: bool,
    progress: &dyn Progress,
) -> Result<Vec<UnitTrials>, Error> {
    let mut units = Vec::new();
    let n_sessions: usize = trials.subjects.iter().map(Vec::len).sum();
    let total = n_sessions * files.hemispheres.len();
    progress.start("reading sessions", total as u64, 0);
    for (&subject, kept) in files.subjects.iter().zip(&trials.subjects) {
        let order = Arc::new(trials::order(kept, files.experiment));
        for hemisphere in &files.hemispheres {
            let regions = Regions::read(files, subject, hemisphere)?;
            let sessions = Sessions::read(files, &regions, kept, progress)?;
            if !allow_nan_voxels {
                sessions.check_measured(&regions)?;
            }
            let rows: Vec<(usize, usize)> = sessions
                .kept
                .iter()
                .enumerate()
                .flat_map(|(session, rows)| (0..rows.n_rows()).map(move |row| (session, row)))
                .collect();
            for (unit, places) in regions.units() {
                let responses = Matrix::from_fn(rows.len(), places.len(), |trial, voxel| {
                    let (session, row) = rows[trial];
                    sessions.kept[session].get(row, places.start + voxel)
                });
                check_repeats(&trials.design, &unit, &order.stimuli, &trials.stimuli)?;
                units.push(UnitTrials {
                    trials: Trials::new(&unit, responses, &order.stimuli, trials.stimuli.len())?,
                    order: Arc::clone(&order),
                });
            }
        }
    }
    progress.finish();
    Ok(units)
}
