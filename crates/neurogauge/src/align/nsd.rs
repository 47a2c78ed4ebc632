//! Responses out of NSD's own files.

use super::config::{NsdExperiment, NsdFiles};
use super::study::{TrialOrder, UnitTrials};
use crate::{Error, Progress};
use neurogauge_alignment::{AlignmentError, Matrix, Trials, Unit, standardise_within};
use neurogauge_formats::FormatError;
use neurogauge_formats::mgh::MghReader;
use neurogauge_formats::nsd::{
    ExperimentDesign, TRIALS_PER_SESSION, stimulus_info, synthetic_order,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Trials of two consecutive runs of the main experiment: 63 and 62.
const TRIALS_OF_TWO_RUNS: usize = 125;
const FIRST_OF_TWO: usize = 63;
const RUNS_PER_SESSION: usize = 12;
/// Images shared with the number of repeats that each of the eight subjects has seen, in the sessions that
/// were recorded.
const SHARED: [(usize, usize); 4] = [(0, 1000), (1, 907), (2, 766), (3, 515)];
const RECORDED: [usize; 8] = [40, 40, 32, 30, 40, 32, 40, 30];

/// Which trial shows which stimulus.
pub(super) struct NsdTrials {
    /// NSD's numbers of the images that are kept, ascending, from 0.
    pub(super) stimuli: Vec<u64>,
    /// For each subject: for each session, the position in `stimuli` of every trial that is kept.
    subjects: Vec<Vec<Vec<Option<usize>>>>,
}

impl NsdTrials {
    /// From the experiment's design.
    pub(super) fn read(files: &NsdFiles) -> Result<NsdTrials, Error> {
        let experiments = files.folder.join("nsddata/experiments");
        match files.experiment {
            NsdExperiment::CoreShared => shared(files, &experiments.join("nsd")),
            NsdExperiment::Synthetic => {
                let design = experiments.join("nsdsynthetic/nsdsynthetic_expdesign.mat");
                let order = synthetic_order(&design)?;
                let n = order.iter().max().map_or(0, |&last| last as usize + 1);
                let session: Vec<Option<usize>> =
                    order.iter().map(|&image| Some(image as usize)).collect();
                Ok(NsdTrials {
                    stimuli: (0..n as u64).collect(),
                    subjects: vec![vec![session]; files.subjects.len()],
                })
            }
        }
    }
}

fn shared(files: &NsdFiles, folder: &Path) -> Result<NsdTrials, Error> {
    let path = folder.join("nsd_expdesign.mat");
    let design = ExperimentDesign::read(&path)?;
    let invalid = |place: &str, reason: String| FormatError::Invalid {
        path: path.clone(),
        place: place.to_owned(),
        reason,
    };
    let images = design.shared_seen(&files.sessions, files.repeats)?;
    let expected = SHARED.iter().find(|(repeats, _)| *repeats == files.repeats);
    if let Some(&(_, expected)) = expected.filter(|_| files.sessions == RECORDED)
        && images.len() != expected
    {
        let reason = format!(
            "{} shared images were seen at least {} times by every subject; expected {expected}",
            images.len(),
            files.repeats
        );
        return Err(invalid("variable sharedix", reason).into());
    }
    let info = folder.join("nsd_stim_info_merged.csv");
    if info.exists() {
        let info_of = stimulus_info(&info)?;
        let known = |&&image: &&u32| {
            info_of
                .get(image as usize)
                .is_some_and(|image| image.shared)
        };
        if let Some(image) = images.iter().find(|image| !known(image)) {
            let reason = format!(
                "image {image} (counted from 0) is shared here and not in {}",
                info.display()
            );
            return Err(invalid("variable sharedix", reason).into());
        }
    }
    let mut subjects = Vec::new();
    for &subject in &files.subjects {
        let sessions = subject
            .checked_sub(1)
            .and_then(|index| files.sessions.get(index));
        let Some(&n_sessions) = sessions else {
            return Err(Error::Usage(format!(
                "[nsd] subject {subject}: `sessions` has a number for each of {} subjects, \
                 counted from 1",
                files.sessions.len()
            )));
        };
        let trials = design.images_of_trials(subject - 1, n_sessions)?;
        let kept = trials.iter().map(|image| images.binary_search(image).ok());
        let kept: Vec<Option<usize>> = kept.collect();
        subjects.push(kept.chunks(TRIALS_PER_SESSION).map(<[_]>::to_vec).collect());
    }
    Ok(NsdTrials {
        stimuli: images.into_iter().map(u64::from).collect(),
        subjects,
    })
}

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
    for (&subject, sessions) in files.subjects.iter().zip(&trials.subjects) {
        let order = Arc::new(order(sessions, files.experiment));
        for hemisphere in &files.hemispheres {
            let regions = Regions::read(files, subject, hemisphere)?;
            let mut rows = Vec::new();
            let mut measured = vec![allow_nan_voxels; regions.vertices.len()];
            for (session, kept) in sessions.iter().enumerate() {
                let path = betas(files, subject, hemisphere, session + 1);
                rows.push(one_session(&path, &regions, kept, &mut measured)?);
                progress.advance(1);
            }
            if let Some(place) = measured.iter().position(|measured| !measured) {
                return Err(regions.unmeasured(subject, hemisphere, place).into());
            }
            units.extend(regions.units(
                subject,
                hemisphere,
                &rows,
                &order,
                trials.stimuli.len(),
            )?);
        }
    }
    progress.finish();
    Ok(units)
}

fn order(sessions: &[Vec<Option<usize>>], experiment: NsdExperiment) -> TrialOrder {
    let mut order = TrialOrder::default();
    for (session, kept) in sessions.iter().enumerate() {
        for (trial, &stimulus) in kept.iter().enumerate() {
            let Some(stimulus) = stimulus else { continue };
            order.stimuli.push(stimulus);
            order.sessions.push(session as u32);
            if experiment == NsdExperiment::CoreShared {
                let pair = trial / TRIALS_OF_TWO_RUNS;
                let second = trial % TRIALS_OF_TWO_RUNS >= FIRST_OF_TWO;
                let run = session * RUNS_PER_SESSION + 2 * pair + usize::from(second);
                order.runs.push(run as u32);
            }
        }
    }
    order
}

fn betas(files: &NsdFiles, subject: usize, hemisphere: &str, session: usize) -> PathBuf {
    let folder = format!("nsddata_betas/ppdata/subj{subject:02}/fsaverage");
    let betas = &files.betas;
    files.folder.join(folder).join(match files.experiment {
        NsdExperiment::CoreShared => {
            format!("betas_{betas}/{hemisphere}.betas_session{session:02}.mgh")
        }
        NsdExperiment::Synthetic => {
            format!("nsdsyntheticbetas_{betas}/{hemisphere}.betas_nsdsynthetic.mgh")
        }
    })
}

/// The kept trials of a session, z-scored over all of its trials; notes which vertices have a response at all.
fn one_session(
    path: &Path,
    regions: &Regions,
    kept: &[Option<usize>],
    measured: &mut [bool],
) -> Result<Matrix, Error> {
    let mut reader = MghReader::open(path)?;
    let content = |found: String, expected: String| FormatError::Content {
        path: path.to_owned(),
        found,
        expected,
    };
    if reader.n_places() != regions.n_vertices {
        let expected = format!("{}, as the labels of regions have", regions.n_vertices);
        return Err(content(format!("{} vertices", reader.n_places()), expected).into());
    }
    if reader.n_frames() != kept.len() {
        let found = format!("{} trials", reader.n_frames());
        return Err(content(found, format!("{} in this session", kept.len())).into());
    }
    let mut values = Vec::with_capacity(kept.len() * regions.vertices.len());
    while let Some(frame) = reader.next_frame(&regions.vertices)? {
        for (measured, value) in measured.iter_mut().zip(&frame) {
            *measured |= value.is_finite();
        }
        values.extend(frame);
    }
    let trials = Matrix::from_rows(kept.len(), regions.vertices.len(), &values)?;
    let rows: Vec<usize> = (0..kept.len())
        .filter(|&trial| kept[trial].is_some())
        .collect();
    Ok(standardise_within(&trials, &vec![0; kept.len()]).rows(&rows))
}

/// The vertices of one hemisphere that belong to a region.
struct Regions {
    n_vertices: usize,
    /// Region after region.
    vertices: Vec<usize>,
    /// Name and number of vertices of each.
    sizes: Vec<(String, usize)>,
}

impl Regions {
    fn read(files: &NsdFiles, subject: usize, hemisphere: &str) -> Result<Regions, Error> {
        let name = files.roi_labels.replace("{hemisphere}", hemisphere);
        let name = name.replace("{subject}", &format!("subj{subject:02}"));
        let path = files.folder.join(name);
        let labels = MghReader::open(&path)?.single_frame()?;
        let mut regions = Regions {
            n_vertices: labels.len(),
            vertices: Vec::new(),
            sizes: Vec::new(),
        };
        for (roi, &code) in &files.rois {
            let before = regions.vertices.len();
            let is_in = |&(_, label): &(usize, &f32)| *label == code as f32;
            let places = labels
                .iter()
                .enumerate()
                .filter(is_in)
                .map(|(place, _)| place);
            regions.vertices.extend(places);
            let n = regions.vertices.len() - before;
            if n == 0 {
                let error = FormatError::Invalid {
                    path,
                    place: format!("region {roi}"),
                    reason: format!(
                        "no vertex has its code, {code}; correct `rois` or `roi_labels`"
                    ),
                };
                return Err(error.into());
            }
            regions.sizes.push((roi.clone(), n));
        }
        Ok(regions)
    }

    /// The error for a vertex, by its place in `vertices`, that is not finite in any trial.
    fn unmeasured(&self, subject: usize, hemisphere: &str, place: usize) -> AlignmentError {
        let mut end = 0;
        let holds = |(_, n): &&(String, usize)| {
            end += n;
            place < end
        };
        let roi = self.sizes.iter().find(holds).map_or("", |(roi, _)| roi);
        AlignmentError::NanVoxel {
            unit: Unit::new(&format!("subj{subject:02}"), hemisphere, roi),
            voxel: self.vertices[place],
        }
    }

    fn units(
        &self,
        subject: usize,
        hemisphere: &str,
        sessions: &[Matrix],
        order: &Arc<TrialOrder>,
        n_stimuli: usize,
    ) -> Result<Vec<UnitTrials>, AlignmentError> {
        let n_trials = order.stimuli.len();
        let rows: Vec<(usize, usize)> = sessions
            .iter()
            .enumerate()
            .flat_map(|(session, rows)| (0..rows.n_rows()).map(move |row| (session, row)))
            .collect();
        let mut first = 0;
        let sizes = self.sizes.iter();
        sizes
            .map(|(roi, n)| {
                let start = first;
                first += n;
                let unit = Unit::new(&format!("subj{subject:02}"), hemisphere, roi);
                let responses = Matrix::from_fn(n_trials, *n, |trial, voxel| {
                    let (session, row) = rows[trial];
                    sessions[session].get(row, start + voxel)
                });
                Ok(UnitTrials {
                    trials: Trials::new(&unit, responses, &order.stimuli, n_stimuli)?,
                    order: Arc::clone(order),
                })
            })
            .collect()
    }
}
