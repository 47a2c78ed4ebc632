//! A small version of the Natural Scenes Dataset's folder.

use super::alignments::{FEW, noise, signal};
use super::*;
use neurogauge::formats::mgh;
use std::io::Write;

pub(crate) const N_VERTICES: usize = 40;
pub(crate) const TRIALS: usize = 750;
pub(crate) const N_SESSIONS: usize = 2;
/// Number of a subject's images; each is shown three times in two sessions.
const N_IMAGES: usize = 500;
const N_SHARED: usize = 36;

/// Writes variables of a MATLAB file, version 5: name, rows, columns, values by column.
pub(crate) fn write_matlab(path: &Path, variables: &[(&str, usize, usize, Vec<f64>)]) {
    let mut file = vec![b' '; 116];
    file.extend([0; 8]);
    file.extend(0x0100_u16.to_le_bytes());
    file.extend(b"IM");
    let element = |kind: u32, data: &[u8]| {
        let mut bytes = [kind.to_le_bytes(), (data.len() as u32).to_le_bytes()].concat();
        bytes.extend(data);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes
    };
    for (name, rows, columns, values) in variables {
        let sizes = [(*rows as i32).to_le_bytes(), (*columns as i32).to_le_bytes()].concat();
        let values: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let parts = [
            element(6, &[6, 0, 0, 0, 0, 0, 0, 0]),
            element(5, &sizes),
            element(1, name.as_bytes()),
            element(9, &values),
        ];
        file.extend(element(14, &parts.concat()));
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, file).unwrap();
}

/// The shared image at a subject's position (from 1), if it is one; later positions have lower numbers.
fn shared_at(position: usize) -> Option<usize> {
    (position.is_multiple_of(13) && position / 13 < N_SHARED).then(|| 70_000 - position)
}

/// The shared image (from 0) of a trial, if it shows one; the same for both subjects.
pub(crate) fn shared_image(session: usize, trial: usize) -> Option<u64> {
    shared_at((session * TRIALS + trial) % N_IMAGES).map(|image| image as u64 - 1)
}

/// The response of a vertex in a trial.
pub(crate) fn beta(subject: usize, session: usize, trial: usize, vertex: usize) -> f32 {
    let (name, position) = (format!("subject {subject}"), (session * TRIALS + trial) % N_IMAGES);
    let index = (session * TRIALS + trial) * N_VERTICES + vertex;
    (signal(&name, vertex, position) + 0.3 * noise(&name, index) + session as f64) as f32
}

/// The region of a vertex: 1, 5, or 0 for none.
pub(crate) fn label(vertex: usize) -> f32 {
    match vertex % 4 {
        1 => 5.0,
        3 => 1.0,
        _ => 0.0,
    }
}

pub(crate) fn betas_of(root: &Path, subject: usize, session: usize) -> PathBuf {
    let folder = format!("nsddata_betas/ppdata/subj{subject:02}/fsaverage");
    root.join(folder).join(format!("betas_fithrf_GLMdenoise_RR/lh.betas_session{session:02}.mgh"))
}

pub(crate) fn write_betas(path: &Path, n_vertices: usize, n_trials: usize, value: impl Fn(usize, usize) -> f32) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let frames = 0..n_trials;
    let frames: Vec<Vec<f32>> =
        frames.map(|trial| (0..n_vertices).map(|vertex| value(trial, vertex)).collect()).collect();
    mgh::write(path, n_vertices, &frames).unwrap();
}

/// Writes which image each trial showed.
fn write_design(root: &Path, n_subjects: usize) {
    let image = |subject: usize, position: usize| shared_at(position).unwrap_or(1000 * (subject + 1) + position) as f64;
    let images = (0..N_IMAGES).flat_map(|position| {
        let subjects = 0..n_subjects;
        subjects.map(move |subject| image(subject, position))
    });
    let order = (0..N_SESSIONS * TRIALS).map(|trial| (trial % N_IMAGES) as f64 + 1.0);
    let shared: Vec<f64> = (0..N_IMAGES).filter_map(shared_at).map(|image| image as f64).collect();
    write_matlab(
        &root.join("nsddata/experiments/nsd/nsd_expdesign.mat"),
        &[
            ("masterordering", 1, N_SESSIONS * TRIALS, order.collect()),
            ("subjectim", n_subjects, N_IMAGES, images.collect()),
            ("sharedix", 1, shared.len(), shared),
        ],
    );
}

/// The folder with an `align.toml` for it: regions V1 (code 1) and V2 (code 5) of two subjects.
pub(crate) fn nsd() -> Folder {
    let dir = folder();
    write_design(dir.path(), 2);
    write_betas(&dir.join("labels/lh.small.mgh"), N_VERTICES, 1, |_, vertex| label(vertex));
    for (subject, session) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
        write_betas(&betas_of(dir.path(), subject, session), N_VERTICES, TRIALS, |trial, vertex| {
            beta(subject, session - 1, trial, vertex)
        });
    }
    let text = format!(
        "[nsd]\nfolder = \".\"\nsubjects = [1, 2]\nhemispheres = [\"lh\"]\nsessions = [2, 2]\n\
         roi_labels = \"labels/{{hemisphere}}.small.mgh\"\nrois = {{ V1 = 1, V2 = 5 }}\n[settings]\n{FEW}"
    );
    dir.write("align.toml", text);
    dir
}

/// Number of images in the small NSD-synthetic; each subject saw each image three times.
pub(crate) const N_SYNTHETIC: usize = 36;

/// Writes NSD-synthetic for two subjects with NSD's own file names: five vertices in each of the seven regions of both
/// hemispheres.
pub(crate) fn write_synthetic(root: &Path) {
    let n_trials = 3 * N_SYNTHETIC;
    let order: Vec<usize> = (0..n_trials).map(|trial| trial * 7 % N_SYNTHETIC).collect();
    write_matlab(
        &root.join("nsddata/experiments/nsdsynthetic/nsdsynthetic_expdesign.mat"),
        &[("masterordering", 1, n_trials, order.iter().map(|&image| image as f64 + 1.0).collect())],
    );
    write_regions(root);
    for hemisphere in ["lh", "rh"] {
        for subject in ["subj01", "subj02"] {
            let folder = format!("nsddata_betas/ppdata/{subject}/fsaverage/nsdsyntheticbetas_fithrf_GLMdenoise_RR");
            let path = root.join(folder).join(format!("{hemisphere}.betas_nsdsynthetic.mgh"));
            let name = format!("{subject} {hemisphere}");
            write_betas(&path, N_VERTICES, n_trials, |trial, vertex| {
                (signal(&name, vertex, order[trial]) + 0.3 * noise(&name, trial * N_VERTICES + vertex)) as f32
            });
        }
    }
}

/// Writes five vertices for each of the seven regions of both hemispheres.
fn write_regions(root: &Path) {
    let labels = root.join("nsddata/freesurfer/fsaverage/label");
    let plain = labels.join("plain.mgh");
    write_betas(&plain, N_VERTICES, 1, |_, vertex| (vertex % 8) as f32);
    for hemisphere in ["lh", "rh"] {
        let zipped = labels.join(format!("{hemisphere}.Kastner2015.mgz"));
        let mut zip = flate2::write::GzEncoder::new(fs::File::create(zipped).unwrap(), flate2::Compression::fast());
        zip.write_all(&fs::read(&plain).unwrap()).unwrap();
        zip.finish().unwrap();
    }
    fs::remove_file(&plain).unwrap();
}

/// Writes two sessions of two subjects of the main experiment with NSD's own file names, and the regions of
/// [`write_synthetic`].
pub(crate) fn write_core(root: &Path) {
    write_design(root, 8);
    write_regions(root);
    for (subject, session) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
        let left = betas_of(root, subject, session);
        for (place, hemisphere) in ["lh", "rh"].iter().enumerate() {
            let path = left.with_file_name(format!("{hemisphere}.betas_session{session:02}.mgh"));
            write_betas(&path, N_VERTICES, TRIALS, |trial, vertex| {
                beta(subject, session - 1, trial, vertex + place * N_VERTICES)
            });
        }
    }
}
