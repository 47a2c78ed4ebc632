//! `neurogauge align` on HDF5: arrays, and betas in subjects' own volumes.

use crate::support;
use crate::support::alignments::{arguments, record};
use crate::support::nsd_folder::{shared_image, write_nsd};
use crate::support::{folder, refused, succeed};
use neurogauge::align::AlignConfig;
use neurogauge::formats::npy::write_f64;
use neurogauge::{RunSettings, Silent};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference/golden/volumes").join(name)
}

/// NSD's folder with one session of two subjects in their volumes.
fn volumes(root: &Path) -> PathBuf {
    let config = write_nsd(root);
    for subject in ["subj01", "subj02"] {
        let betas = format!("nsddata_betas/ppdata/{subject}/func1pt8mm/betas_fithrf_GLMdenoise_RR");
        let rois = format!("nsddata/ppdata/{subject}/func1pt8mm/roi");
        for (folder, file) in [
            (&betas, "betas_session01.hdf5"),
            (&rois, "lh.prf-visualrois.nii.gz"),
            (&rois, "rh.prf-visualrois.nii.gz"),
        ] {
            let folder = root.join(folder);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::copy(golden("session").join(file), folder.join(file)).unwrap();
        }
    }
    let text = std::fs::read_to_string(&config).unwrap();
    let text = text
        .replace("sessions = [2, 2]", "sessions = [1, 1]\nrepeats = 2\nspace = \"func1pt8mm\"")
        .replace("hemispheres = [\"lh\"]", "hemispheres = [\"lh\", \"rh\"]")
        .replace("roi_labels = \"labels/{hemisphere}.small.mgh\"\n", "")
        .replace("V2 = 5", "V2 = 2");
    std::fs::write(&config, text).unwrap();
    config
}

#[test]
fn responses_of_volumes_are_numpy_s() {
    let root = folder();
    let config = AlignConfig::read(&volumes(root.path())).unwrap();
    let study = config.study(&RunSettings::default(), &Silent).unwrap();
    assert_eq!(study.stimuli.len(), 20);
    let units: Vec<String> = study
        .units
        .iter()
        .map(|unit| format!("{} {}", unit.trials.unit(), unit.trials.n_voxels()))
        .collect();
    assert_eq!(units[..4], ["subj01 lh V1 6", "subj01 lh V2 6", "subj01 rh V1 6", "subj01 rh V2 5"]);
    let expected: Value = serde_json::from_slice(&std::fs::read(golden("expected.json")).unwrap()).unwrap();
    let kept = (0..750).filter(|&trial| {
        shared_image(0, trial).is_some_and(|image| study.stimuli.binary_search(&image.into()).is_ok())
    });
    let kept: Vec<usize> = kept.collect();
    assert_eq!(kept.len(), 40);
    for (unit, code) in [(0, "1"), (1, "2")] {
        let scores: Vec<Vec<f64>> = serde_json::from_value(expected["session"][code].clone()).unwrap();
        let responses = study.units[unit].trials.responses();
        for (row, &trial) in kept.iter().enumerate().filter(|(_, trial)| **trial < 100) {
            for (voxel, score) in scores[trial].iter().enumerate() {
                assert!((responses.get(row, voxel) - score).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn a_study_in_volumes() {
    let root = folder();
    let config = volumes(root.path());
    let run = root.path().join("run");
    succeed(&arguments(&config, &run));
    assert_eq!(record(&run)["units"].as_array().unwrap().len(), 8);
}

#[test]
fn what_is_wrong_with_a_volume() {
    let root = folder();
    let config = volumes(root.path());
    let text = std::fs::read_to_string(&config).unwrap();
    let run = root.path().join("run");
    let refuses = |parts: &[&str]| {
        refused(&arguments(&config, &run), 1, parts);
        assert!(!run.join("align.json").exists());
    };
    let labelled = "roi_labels = \"labels.npy\"\n[settings]";
    std::fs::write(&config, text.replace("[settings]", labelled)).unwrap();
    let labels = root.path().join("labels.npy");
    // Voxel (3, 2, 1) is 0 in every trial.
    let mut codes = vec![1.0; 24];
    codes[23] = 2.0;
    write_f64(&labels, &[4, 3, 2], &codes).unwrap();
    refuses(&["labels.npy", "voxel (3, 2, 1)", "subj01 lh V2", "no response"]);
    write_f64(&labels, &[3, 4, 2], &codes).unwrap();
    refuses(&["betas_session01.hdf5", "4 x 3 x 2", "3 x 4 x 2"]);
    std::fs::write(&config, &text).unwrap();
    let betas = "subj02/func1pt8mm/betas_fithrf_GLMdenoise_RR/betas_session01.hdf5";
    let path = root.path().join("nsddata_betas/ppdata").join(betas);
    std::fs::copy(golden("betas_contiguous.hdf5"), &path).unwrap();
    refuses(&[betas, "7 x 5 x 4"]);
    std::fs::copy(golden("one.h5"), &path).unwrap();
    refuses(&[betas, "no array \"betas\"", "trials"]);
    std::fs::remove_file(&path).unwrap();
    refuses(&[betas, "not found"]);
    let rois = root.path().join("nsddata/ppdata/subj02/func1pt8mm/roi");
    std::fs::remove_file(rois.join("rh.prf-visualrois.nii.gz")).unwrap();
    std::fs::copy(golden("session/betas_session01.hdf5"), &path).unwrap();
    refuses(&["subj02/func1pt8mm/roi/rh.prf-visualrois.nii.gz", "not found"]);
}

#[test]
fn trials_and_features_out_of_hdf5() {
    let root = folder();
    let config = root.path().join("align.toml");
    std::fs::copy(golden("study.h5"), root.path().join("study.h5")).unwrap();
    std::fs::write(root.path().join("ids.json"), ids()).unwrap();
    let mut text = String::new();
    for subject in ["a", "b"] {
        text += &format!(
            "[[targets]]\nsubject = \"{subject}\"\nhemisphere = \"lh\"\nroi = \"V1\"\n\
             trials = \"study.h5:/{subject}/trials\"\nstimuli = \"study.h5:/{subject}/stimuli\"\n\
             sessions = \"study.h5:/{subject}/sessions\"\n"
        );
    }
    text += "[[sources]]\nname = \"model\"\nfeatures = [\"study.h5:/features\"]\n[settings]\n";
    text += support::alignments::FEW;
    std::fs::write(&config, text).unwrap();
    let run = root.path().join("run");
    succeed(&arguments(&config, &run));
    let found = record(&run);
    assert_eq!(found["stimuli"].as_array().unwrap().len(), 30);
    assert_eq!(found["sources"].as_array().unwrap().len(), 2);
}

fn ids() -> String {
    let ids: Vec<String> = (5..35).map(|id: u32| id.to_string()).collect();
    serde_json::to_string(&ids).unwrap()
}
