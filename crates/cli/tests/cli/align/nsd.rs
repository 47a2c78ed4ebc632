//! `neurogauge align` with a small version of NSD's folder.

use crate::support::alignments::{ALIGN, align};
use crate::support::nsd_folder::{
    N_SESSIONS, N_VERTICES, TRIALS, beta, label, nsd, shared_image, write_betas, write_matlab,
};
use crate::support::*;
use neurogauge::align::{AlignConfig, Study};
use neurogauge::{RunSettings, Silent};
use std::io::Write;

/// The z-scored responses of a vertex in a session, computed directly.
fn z_scores(values: &[f64]) -> Vec<f64> {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
    values.iter().map(|value| (value - mean) / variance.sqrt()).collect()
}

fn study(dir: &Folder) -> Study {
    AlignConfig::read(&dir.join("align.toml")).unwrap().study(&RunSettings::default(), &Silent).unwrap()
}

#[test]
fn kept_trials_are_those_of_shared_images_z_scored_in_their_session() {
    let study = study(&nsd());
    assert_eq!(study.stimuli.len(), 36);
    assert!(study.stimuli.is_sorted());
    let names: Vec<String> = study.units.iter().map(|unit| unit.trials.unit().to_string()).collect();
    assert_eq!(names, ["subj01 lh V1", "subj01 lh V2", "subj02 lh V1", "subj02 lh V2"]);

    let kept: Vec<(usize, usize, u64)> = (0..N_SESSIONS)
        .flat_map(|session| (0..TRIALS).map(move |trial| (session, trial)))
        .filter_map(|(session, trial)| Some((session, trial, shared_image(session, trial)?)))
        .collect();
    assert_eq!(kept.len(), 36 * 3);
    // Twelve runs, alternately of 63 and 62 trials.
    let runs: Vec<u32> = (0..12_u32).flat_map(|run| vec![run; if run % 2 == 0 { 63 } else { 62 }]).collect();
    assert_eq!(runs.len(), TRIALS);
    for (index, unit) in study.units.iter().enumerate() {
        let (subject, code) = (1 + index / 2, [1.0, 5.0][index % 2]);
        let vertices: Vec<usize> = (0..N_VERTICES).filter(|&vertex| label(vertex) == code).collect();
        assert_eq!(unit.trials.n_voxels(), vertices.len());
        for (voxel, &vertex) in vertices.iter().enumerate() {
            let sessions = (0..N_SESSIONS).map(|session| {
                z_scores(&(0..TRIALS).map(|t| f64::from(beta(subject, session, t, vertex))).collect::<Vec<_>>())
            });
            let sessions: Vec<Vec<f64>> = sessions.collect();
            for (row, &(session, trial, _)) in kept.iter().enumerate() {
                let found = unit.trials.responses().get(row, voxel);
                assert!((found - sessions[session][trial]).abs() < 1e-12, "{found}");
            }
        }
        for (row, &(session, trial, image)) in kept.iter().enumerate() {
            assert_eq!(study.stimuli[unit.order.stimuli[row]], image);
            assert_eq!(unit.order.sessions[row] as usize, session);
            assert_eq!(unit.order.runs[row], session as u32 * 12 + runs[trial]);
        }
    }
}

/// The synthetic experiment beside the main one, whose folder is aligned first.
#[test]
fn the_synthetic_experiment() {
    let dir = nsd();
    align(&dir, "run", "");
    let record = dir.json("run/align.json");
    assert_eq!(record["units"].list().len(), 4);
    assert_eq!(record["sources"][0]["source"], "other subjects");

    let order: Vec<f64> = (0..80).map(|trial| f64::from(trial * 3 % 40 + 1)).collect();
    let design = "nsddata/experiments/nsdsynthetic/nsdsynthetic_expdesign.mat";
    write_matlab(&dir.join(design), &[("masterordering", 1, 80, order.clone())]);
    for subject in 1..=2 {
        let folder = format!("nsddata_betas/ppdata/subj{subject:02}/fsaverage");
        let file = "nsdsyntheticbetas_fithrf_GLMdenoise_RR/lh.betas_nsdsynthetic.mgh";
        write_betas(&dir.join(folder).join(file), N_VERTICES, 80, |trial, vertex| beta(subject, 0, trial, vertex));
    }
    dir.replace("align.toml", "[nsd]", "[nsd]\nexperiment = \"synthetic\"");
    align(&dir, "run", "");
    assert_eq!(dir.json("run/align.json")["stimuli"].list().len(), 40);
    let study = study(&dir);
    assert_eq!(study.stimuli, (0..40).collect::<Vec<u64>>());
    let unit = &study.units[3];
    assert!(unit.order.stimuli.iter().copied().eq(order.iter().map(|&number| number as usize - 1)));
    // V2 begins with vertex 1.
    let values: Vec<f64> = (0..80).map(|trial| f64::from(beta(2, 0, trial, 1))).collect();
    for (trial, expected) in z_scores(&values).into_iter().enumerate() {
        let found = unit.trials.responses().get(trial, 0);
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
}

#[test]
fn labels_may_be_zipped_or_an_array() {
    let dir = nsd();
    let plain = study(&dir);
    let zipped = fs::File::create(dir.join("labels/lh.small.mgz")).unwrap();
    let mut zipped = flate2::write::GzEncoder::new(zipped, flate2::Compression::default());
    zipped.write_all(&dir.bytes("labels/lh.small.mgh")).unwrap();
    zipped.finish().unwrap();
    let labels: Vec<f64> = (0..N_VERTICES).map(|v| f64::from(label(v))).collect();
    write_f64(&dir.join("labels/lh.small.npy"), &[N_VERTICES as u64], &labels).unwrap();
    for (from, to) in [("small.mgh", "small.mgz"), ("small.mgz", "small.npy")] {
        dir.replace("align.toml", from, to);
        for (one, other) in plain.units.iter().zip(&study(&dir).units) {
            assert_eq!(one.trials.unit(), other.trials.unit());
            for voxel in 0..one.trials.n_voxels() {
                let columns = [one, other].map(|unit| unit.trials.responses().column(voxel));
                assert_eq!(columns[0], columns[1]);
            }
        }
    }
}

#[test]
fn subjects_with_unequal_numbers_of_sessions() {
    let dir = nsd();
    dir.replace("align.toml", "sessions = [2, 2]", "sessions = [2, 1]\nrepeats = 2");
    align(&dir, "run", "");
    let study = study(&dir);
    // One session of 750 trials shows the first 250 of 500 positions twice, and every 13th image is shared.
    assert_eq!(study.stimuli.len(), 20);
    assert_eq!(study.units.iter().map(|unit| unit.trials.n_trials()).collect::<Vec<_>>(), [60, 60, 40, 40]);
    let sessions = |unit: usize| study.units[unit].order.sessions.iter().max().copied();
    assert_eq!((sessions(0), sessions(2)), (Some(1), Some(0)));

    // The second subject saw them once.
    dir.replace("align.toml", "repeats = 2", "repeats = 1");
    assert_snapshot!(dir.run(ALIGN), @"exit 1, stderr: error: ./nsddata/experiments/nsd/nsd_expdesign.mat: stimulus 69544: subj02 lh V1: 1 repeat of it; a reference needs at least two of each stimulus, so leave it out for all subjects");
    assert!(dir.has("run/align.json"), "the run that is there stays");
}
