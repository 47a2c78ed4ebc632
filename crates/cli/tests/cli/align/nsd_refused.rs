//! NSD folders that are refused: files that are missing, truncated, or inconsistent.

use crate::support::alignments::{ALIGN, refused};
use crate::support::nsd_folder::{
    N_SESSIONS, N_VERTICES, TRIALS, beta, betas_of, label, nsd, shared_image, write_betas,
};
use crate::support::*;

/// The messages for folders that were changed in these ways, one at a time.
#[track_caller]
fn refusals(changes: &[&dyn Fn(&Folder)]) -> String {
    let refused = |change: &&dyn Fn(&Folder)| {
        let dir = nsd();
        change(&dir);
        refused(&dir)
    };
    changes.iter().map(refused).collect()
}

/// One of two sessions of the second subject.
const BETAS: &str = "nsddata_betas/ppdata/subj02/fsaverage/betas_fithrf_GLMdenoise_RR/lh.betas_session02.mgh";

#[test]
fn the_table_of_stimuli_must_agree_on_what_is_shared() {
    let table = |shared: &dyn Fn(u64) -> bool| {
        let lines = (0..73_000).map(|image| {
            let shared = if shared(image) { "True" } else { "False" };
            format!("{image},{},{image},{shared}\n", 200_000 + image)
        });
        format!(",cocoId,nsdId,shared1000\n{}", lines.collect::<String>())
    };
    const TABLE: &str = "nsddata/experiments/nsd/nsd_stim_info_merged.csv";
    let is_shared = |image: u64| {
        let trials = (0..N_SESSIONS).flat_map(|s| (0..TRIALS).map(move |t| (s, t)));
        trials.filter_map(|(s, t)| shared_image(s, t)).any(|i| i == image)
    };
    let shared: Vec<u64> = (69_000..70_000).filter(|&image| is_shared(image)).collect();
    let dir = nsd();
    dir.write(TABLE, table(&|image| shared.contains(&image)));
    dir.succeed(ALIGN);
    let others = |image: u64| image != shared[3] && shared.contains(&image);
    assert_snapshot!(refusals(&[&|dir| dir.write(TABLE, table(&others))]), @"exit 1, stderr: error: ./nsddata/experiments/nsd/nsd_expdesign.mat: variable sharedix: image 69583 (counted from 0) is shared here and not in ./nsddata/experiments/nsd/nsd_stim_info_merged.csv");
}

#[test]
fn regions_sessions_and_subjects_that_are_absent_or_do_not_agree() {
    assert_snapshot!(refusals(&[
        &|dir| dir.replace("align.toml", "V2 = 5", "V2 = 9"),
        &|dir| dir.replace("align.toml", "small", "other"),
        &|dir| write_betas(&dir.join("labels/lh.small.mgh"), 41, 1, |_, vertex| label(vertex)),
        &|dir| dir.remove(BETAS),
        &|dir| {
            let bytes = dir.bytes(BETAS);
            dir.write(BETAS, &bytes[..bytes.len() - 1000]);
        },
        &|dir| write_betas(&dir.join(BETAS), N_VERTICES, 749, |_, _| 1.0),
        &|dir| dir.replace("align.toml", "[1, 2]", "[1, 3]"),
        &|dir| dir.replace("align.toml", "sessions = [2, 2]", "sessions = [2, 3]"),
        &|dir| dir.replace("align.toml", "[1, 2]", "[1, 1]"),
    ]), @"
    exit 1, stderr: error: ./labels/lh.small.mgh: region V2: subj01 lh V2: no vertex has its code, 9; correct `rois` or `roi_labels`
    exit 1, stderr: error: ./labels/lh.other.mgh: not found; expected an MGH file (.mgh or .mgz)
    exit 1, stderr: error: ./nsddata_betas/ppdata/subj01/fsaverage/betas_fithrf_GLMdenoise_RR/lh.betas_session01.mgh: holds 40 vertices; expected 41, as ./labels/lh.small.mgh has
    exit 1, stderr: error: ./nsddata_betas/ppdata/subj02/fsaverage/betas_fithrf_GLMdenoise_RR/lh.betas_session02.mgh: not found; expected an MGH file (.mgh or .mgz)
    exit 1, stderr: error: ./nsddata_betas/ppdata/subj02/fsaverage/betas_fithrf_GLMdenoise_RR/lh.betas_session02.mgh: frame 744 of 750 needs 160 bytes, but 120 are there; the file was cut short or its header is wrong
    exit 1, stderr: error: ./nsddata_betas/ppdata/subj02/fsaverage/betas_fithrf_GLMdenoise_RR/lh.betas_session02.mgh: holds 749 trials; expected 750 in this session
    exit 2, stderr: error: [nsd] subject 3: `sessions` has a number for each of 2 subjects, counted from 1
    exit 1, stderr: error: ./nsddata/experiments/nsd/nsd_expdesign.mat: session 3: the design has 2 sessions
    exit 2, stderr: error: subj01 lh V1 is a target twice; give each subject, hemisphere and region once
    ");
}

#[test]
fn a_vertex_that_was_never_measured() {
    // The second vertex of V2, in both sessions of one subject.
    let damage = |dir: &Folder| {
        for session in 1..=2 {
            write_betas(&betas_of(dir.path(), 2, session), N_VERTICES, TRIALS, |trial, vertex| match vertex {
                5 => f32::NAN,
                _ => beta(2, session - 1, trial, vertex),
            });
        }
    };
    assert_snapshot!(refusals(&[&damage]), @"exit 1, stderr: error: ./labels/lh.small.mgh: voxel 5: subj02 lh V2: it has no response in any trial; leave it out of the region, or write `allow_nan_voxels = true` at the top of the configuration, before its first [table], with which such voxels count as constant");
    let dir = nsd();
    damage(&dir);
    dir.prepend("align.toml", "allow_nan_voxels = true\n");
    dir.succeed(ALIGN);
}
