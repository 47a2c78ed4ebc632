//! `neurogauge align` with HDF5: arrays, and betas in subjects' own volumes.

use crate::support::alignments::{FEW, align, refused};
use crate::support::nsd_folder::{nsd, shared_image};
use crate::support::*;
use neurogauge::align::AlignConfig;
use neurogauge::{RunSettings, Silent};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference/golden/volumes").join(name)
}

/// NSD's folder with one session of two subjects in their volumes.
fn volumes() -> Folder {
    let dir = nsd();
    for subject in ["subj01", "subj02"] {
        let betas = format!("nsddata_betas/ppdata/{subject}/func1pt8mm/betas_fithrf_GLMdenoise_RR");
        let rois = format!("nsddata/ppdata/{subject}/func1pt8mm/roi");
        for (folder, file) in [
            (&betas, "betas_session01.hdf5"),
            (&rois, "lh.prf-visualrois.nii.gz"),
            (&rois, "rh.prf-visualrois.nii.gz"),
        ] {
            dir.copy(golden("session").join(file), format!("{folder}/{file}"));
        }
    }
    for (from, to) in [
        ("sessions = [2, 2]", "sessions = [1, 1]\nrepeats = 2\nspace = \"func1pt8mm\""),
        ("hemispheres = [\"lh\"]", "hemispheres = [\"lh\", \"rh\"]"),
        ("roi_labels = \"labels/{hemisphere}.small.mgh\"\n", ""),
        ("V2 = 5", "V2 = 2"),
    ] {
        dir.replace("align.toml", from, to);
    }
    dir
}

#[test]
fn responses_of_volumes_are_numpy_s() {
    let dir = volumes();
    let config = AlignConfig::read(&dir.join("align.toml")).unwrap();
    let study = config.study(&RunSettings::default(), &Silent).unwrap();
    assert_eq!(study.stimuli.len(), 20);
    let units: Vec<String> = study
        .units
        .iter()
        .map(|unit| format!("{} {}", unit.trials.unit(), unit.trials.n_voxels()))
        .collect();
    assert_eq!(units[..4], ["subj01 lh V1 6", "subj01 lh V2 6", "subj01 rh V1 6", "subj01 rh V2 5"]);
    let expected = folder().json(golden("expected.json"));
    let kept: Vec<usize> = (0..750)
        .filter(|&trial| shared_image(0, trial).is_some_and(|image| study.stimuli.binary_search(&image.into()).is_ok()))
        .collect();
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
fn a_study_in_volumes_and_what_is_wrong_with_one() {
    let dir = volumes();
    align(&dir, "run", "");
    assert_eq!(dir.json("run/align.json")["units"].list().len(), 8);
    dir.remove("run");

    let text = dir.read("align.toml");
    let refuses = |parts: &[&str]| contains(&refused(&dir), parts);
    dir.replace("align.toml", "[settings]", "roi_labels = \"labels.npy\"\n[settings]");
    // Voxel (3, 2, 1) has the value 0 in every trial.
    let mut codes = vec![1.0; 24];
    codes[23] = 2.0;
    write_f64(&dir.join("labels.npy"), &[4, 3, 2], &codes).unwrap();
    refuses(&["exit 1", "labels.npy", "voxel (3, 2, 1)", "subj01 lh V2", "no response"]);
    write_f64(&dir.join("labels.npy"), &[3, 4, 2], &codes).unwrap();
    refuses(&["exit 1", "betas_session01.hdf5", "4 x 3 x 2", "3 x 4 x 2"]);
    dir.write("align.toml", text);
    let betas = "subj02/func1pt8mm/betas_fithrf_GLMdenoise_RR/betas_session01.hdf5";
    let path = format!("nsddata_betas/ppdata/{betas}");
    dir.copy(golden("betas_contiguous.hdf5"), &path);
    refuses(&["exit 1", betas, "7 x 5 x 4"]);
    dir.copy(golden("one.h5"), &path);
    refuses(&["exit 1", betas, "no array \"betas\"", "trials"]);
    dir.remove(&path);
    refuses(&["exit 1", betas, "not found"]);
    dir.remove("nsddata/ppdata/subj02/func1pt8mm/roi/rh.prf-visualrois.nii.gz");
    dir.copy(golden("session/betas_session01.hdf5"), &path);
    refuses(&["exit 1", "subj02/func1pt8mm/roi/rh.prf-visualrois.nii.gz", "not found"]);
}

#[test]
fn trials_and_features_out_of_hdf5() {
    let dir = folder();
    dir.copy(golden("study.h5"), "study.h5");
    dir.write("ids.json", serde_json::json!((5..35).map(|id| id.to_string()).collect::<Vec<_>>()).to_string());
    let targets = ["a", "b"].map(|subject| {
        format!(
            "[[targets]]\nsubject = \"{subject}\"\nhemisphere = \"lh\"\nroi = \"V1\"\n\
             trials = \"study.h5:/{subject}/trials\"\nstimuli = \"study.h5:/{subject}/stimuli\"\n\
             sessions = \"study.h5:/{subject}/sessions\"\n"
        )
    });
    let source = "[[sources]]\nname = \"model\"\nfeatures = [\"study.h5:/features\"]\n[settings]\n";
    dir.write("align.toml", targets.concat() + source + FEW);
    align(&dir, "run", "");
    let found = dir.json("run/align.json");
    assert_eq!(found["stimuli"].list().len(), 30);
    assert_eq!(found["sources"].list().len(), 2);
}
