//! Reads responses from the files of the Natural Scenes Dataset, session by session.

use super::read_study::{check_repeats, unmeasured};
use super::{TrialOrder, UnitTrials};
use crate::{Error, Progress};
use neurogauge_alignment::{Matrix, Trials, Unit, standardise_within};
use neurogauge_formats::brain_space::Grid;
use neurogauge_formats::nsd::{NsdExperiment, NsdFiles, NsdSpace, NsdTrials, Regions, subject_name};
use neurogauge_formats::{FormatError, Problem};
use std::path::PathBuf;
use std::sync::Arc;

/// The stimulus of each trial.
pub(super) fn trials(files: &NsdFiles) -> Result<NsdTrials, Error> {
    let n_subjects = files.sessions.len();
    let mut subjects = files.subjects.iter();
    match subjects.find(|subject| !(1..=n_subjects).contains(subject)) {
        Some(subject) if files.experiment == NsdExperiment::CoreShared => Err(Error::Usage(format!(
            "[nsd] subject {subject}: `sessions` has a number for each of {n_subjects} subjects, counted from 1"
        ))),
        _ => Ok(NsdTrials::read(files)?),
    }
}

/// The units of every subject and hemisphere.
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
    for (place, &subject) in files.subjects.iter().enumerate() {
        let order = Arc::new(order(trials, place, files.experiment));
        let mut of_subject: Option<(PathBuf, Grid)> = None;
        for hemisphere in &files.hemispheres {
            let regions = Regions::read(files, subject, hemisphere)?;
            if let Some((path, grid)) = &of_subject {
                // Both masks apply to the same responses, which do not say where their voxels are.
                let (turn, finding) = regions.grid.laid_on(&regions.path, (path, grid))?;
                if !turn.is_none() {
                    return Err(Problem::content(
                        finding.map_or(String::new(), |turned| turned.message),
                        "labels of both hemispheres in the order of the responses",
                    )
                    .at(regions.path)
                    .into());
                }
            } else if files.space != NsdSpace::Fsaverage {
                of_subject = Some((regions.path.clone(), regions.grid.clone()));
            }
            let sessions = Sessions::read(files, &regions, &trials.subjects[place], progress)?;
            if !allow_nan_voxels {
                sessions.check_measured(&regions)?;
            }
            let rows: Vec<(usize, usize)> = sessions
                .kept
                .iter()
                .enumerate()
                .flat_map(|(session, rows)| (0..rows.n_rows()).map(move |row| (session, row)))
                .collect();
            for (roi, places) in &regions.regions {
                let unit = unit_of(&regions, roi);
                let responses = Matrix::from_fn(rows.len(), places.len(), |trial, voxel| {
                    let (session, row) = rows[trial];
                    sessions.kept[session].get(row, places.start + voxel)
                });
                check_repeats(&trials.design, &unit, (&order.stimuli, 2), &trials.stimuli)?;
                units.push(UnitTrials {
                    trials: Trials::new(&unit, responses, &order.stimuli, trials.stimuli.len())?,
                    order: Arc::clone(&order),
                    places: regions.places[places.clone()].to_vec(),
                });
            }
        }
    }
    progress.finish();
    Ok(units)
}

fn unit_of(regions: &Regions, roi: &str) -> Unit {
    Unit::new(&subject_name(regions.subject), &regions.hemisphere, roi)
}

/// Stimulus, session and run of a subject's trials that are kept.
fn order(trials: &NsdTrials, place: usize, experiment: NsdExperiment) -> TrialOrder {
    let trials = trials.of_subject(place, experiment);
    TrialOrder {
        stimuli: trials.iter().map(|trial| trial.stimulus).collect(),
        sessions: trials.iter().map(|trial| trial.session).collect(),
        runs: trials.iter().filter_map(|trial| trial.run).collect(),
    }
}

/// The responses of one subject and hemisphere.
struct Sessions {
    /// For each session, the kept trials, z-scored over all of its trials.
    kept: Vec<Matrix>,
    /// For each voxel or vertex, whether it has any response.
    measured: Vec<bool>,
    /// For each voxel or vertex, a session in which it is NaN in every trial.
    absent: Vec<Option<usize>>,
}

impl Sessions {
    fn read(
        files: &NsdFiles,
        regions: &Regions,
        kept: &[Vec<Option<usize>>],
        progress: &dyn Progress,
    ) -> Result<Sessions, Error> {
        let mut sessions = Sessions {
            kept: Vec::with_capacity(kept.len()),
            measured: vec![false; regions.places.len()],
            absent: vec![None; regions.places.len()],
        };
        for (session, kept) in kept.iter().enumerate() {
            let values = files.responses(regions, session + 1, kept.len())?;
            let trials = Matrix::from_rows(kept.len(), regions.places.len(), &values)?;
            let of_places = sessions.measured.iter_mut().zip(&mut sessions.absent);
            for (place, (measured, absent)) in of_places.enumerate() {
                let responses = trials.column(place);
                *measured |= responses.iter().any(|value| files.is_measured(*value));
                if responses.iter().all(|value| !value.is_finite()) {
                    absent.get_or_insert(session + 1);
                }
            }
            let rows: Vec<usize> = (0..kept.len()).filter(|&trial| kept[trial].is_some()).collect();
            let scores = standardise_within(&trials, &vec![0; kept.len()]);
            sessions.kept.push(scores.rows(&rows));
            progress.advance(1);
        }
        Ok(sessions)
    }

    /// Fails with the first vertex or voxel that has no response in any trial, or in any trial of a session.
    fn check_measured(&self, regions: &Regions) -> Result<(), FormatError> {
        let never = self.measured.iter().position(|measured| !measured);
        let Some(place) = never.or_else(|| self.absent.iter().position(Option::is_some)) else {
            return Ok(());
        };
        let mut rois = regions.regions.iter();
        match rois.find(|(_, places)| places.contains(&place)) {
            Some((roi, _)) => Err(unmeasured(
                &regions.path,
                regions.name_of(place),
                &unit_of(regions, roi),
                self.absent[place].filter(|_| never.is_none()),
            )),
            None => Ok(()),
        }
    }
}
