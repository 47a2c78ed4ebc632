//! The example configurations of THINGS-fMRI and BOLD5000, with small versions of their files, written by pandas,
//! nibabel and SciPy (`reference/target_layouts.py`).

use crate::support::alignments::{ALIGN, DRAW, FEW, refusals_of_words, refused};
use crate::support::*;
use neurogauge::align::{AlignConfig, Study, UnitTrials};
use neurogauge::{RunSettings, Silent};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn golden(name: &str) -> PathBuf {
    Path::new(ROOT).join("../../reference/golden/target_layouts").join(name)
}

/// The example with some of its words replaced.
fn example(dir: &Folder, name: &str, changes: &[(&str, &str)]) {
    dir.copy(Path::new(ROOT).join("../../examples").join(name), "align.toml");
    for (from, to) in changes {
        dir.replace("align.toml", from, to);
    }
    let text = dir.read("align.toml").replace("\"resnet50\"", "\"resnet18-untrained-1\"");
    let text = text.replace("layers = [\"layer1:mean\", \"layer4:mean\"]", "layers = [\"layer1:mean\"]");
    dir.write("align.toml", format!("{text}\n[settings]\n{FEW}"));
}

/// The study of the existing configuration, and NumPy's results for it.
fn study(dir: &Folder) -> (Study, Value) {
    let mut config = AlignConfig::read(&dir.join("align.toml")).unwrap();
    config.sources.clear();
    (config.study(&RunSettings::default(), &Silent).unwrap(), dir.json(golden("expected.json")))
}

/// Asserts that a unit's kept trials equal NumPy's: stimuli and z-scored responses, in order.
fn same(study: &Study, unit: &UnitTrials, expected: &Value) {
    let shown: Vec<String> = unit.order.stimuli.iter().map(|&place| study.stimuli[place].to_string()).collect();
    let names: Vec<String> = serde_json::from_value(expected["stimuli"].clone()).unwrap();
    assert_eq!(shown, names);
    let rows: Vec<Vec<f64>> = serde_json::from_value(expected["responses"].clone()).unwrap();
    let found = unit.trials.responses();
    assert_eq!((found.n_rows(), found.n_columns()), (rows.len(), rows[0].len()));
    for (row, values) in rows.iter().enumerate() {
        for (voxel, value) in values.iter().enumerate() {
            let own = found.get(row, voxel);
            assert!((own - value).abs() < 1e-12, "{row} {voxel}: {own} {value}");
        }
    }
}

/// Two subjects of THINGS-fMRI, with responses in pandas' format.
fn things() -> Folder {
    let dir = folder();
    for subject in ["01", "02"] {
        for file in ["ResponseData.h5", "VoxelMetadata.csv", "StimulusMetadata.csv"] {
            let file = format!("sub-{subject}_{file}");
            dir.copy(golden("things").join(&file), format!("betas_csv/{file}"));
        }
    }
    let changes = [
        ("[\"01\", \"02\", \"03\"]", "[\"01\", \"02\"]"),
        ("[\"V1\", \"V2\", \"V3\", \"hV4\"]", "[\"V1\", \"LO1 (prf)\"]"),
        ("[\"FFA\", \"PPA\", \"LOC\"]", "\"FFA\""),
    ];
    example(&dir, "things-fmri.toml", &changes);
    dir
}

#[test]
fn things_fmri_in_table_format() {
    let (study, expected) = study(&things());
    let names: Vec<String> = study.units.iter().map(|unit| unit.trials.unit().to_string()).collect();
    assert_eq!(names[..4], ["01 both V1", "01 both LO1 (prf)", "02 both V1", "02 both LO1 (prf)"]);
    assert_eq!(names[4..], ["01 l FFA", "01 r FFA", "02 l FFA", "02 r FFA"]);
    // Half the images are test images.
    assert_eq!(study.stimuli.len(), 12);
    assert!(study.stimuli.is_sorted());
    assert_eq!(study.stimuli[0].to_string(), "candelabra_12s");
    let expected = &expected["things"];
    for (place, name) in [(0, "01 V1"), (2, "02 V1"), (4, "01 lFFA"), (6, "02 lFFA")] {
        same(&study, &study.units[place], &expected[name]);
        let runs: Vec<u32> = serde_json::from_value(expected[name]["runs"].clone()).unwrap();
        let order = &study.units[place].order;
        for (one, other) in (0..runs.len()).zip(1..runs.len()) {
            let is_same = (order.sessions[one], order.runs[one]) == (order.sessions[other], order.runs[other]);
            assert_eq!(is_same, runs[one] == runs[other]);
        }
    }
}

#[test]
fn stimuli_by_name_are_aligned_with_models_that_look_at_them() {
    let dir = things();
    for stimulus in study(&dir).0.stimuli {
        let name = stimulus.to_string();
        let (concept, _) = name.split_once('_').unwrap();
        dir.picture(format!("object_images/{concept}/{name}.png"), &name, 32, 30.0);
    }
    // If a format for papers is requested, the sheets are also PDF.
    dir.succeed(&format!("{DRAW} --stimulus-scores --offline --figure-format pdf"));
    assert!(dir.bytes("run/figures/stimuli_of_01_both_V1.pdf").starts_with(b"%PDF-"));
    let found = dir.json("run/align.json");
    assert_eq!(found["stimuli"][0], "candelabra_12s");
    assert_eq!(found["sources"][1]["source"], "resnet18-untrained-1");
    assert!(dir.bytes("run/figures/stimuli_of_01_both_V1.png").starts_with(b"\x89PNG"));
    dir.succeed("report --align run --out page.html");
    let page = dir.read("page.html");
    let ends = between(&page, "<section id=\"ends\"", "</section>");
    assert!(ends.contains("What does a direction respond to?</h3>"), "{ends}");
    // One sheet for each of the eight target units.
    assert_eq!(ends.matches("src=\"data:image/jpeg;base64,").count(), 8);
    assert!(ends.contains("lowest scores on directions of 01 both V1\""));
    dir.succeed("report --align run --no-images --out without.html");
    let without = dir.read("without.html");
    assert!(!without.contains("data:image/jpeg") && without.contains("pictures of stimuli are left out"));
    let looked = dir.succeed(&format!("{ALIGN} --dry-run")).stdout;
    let units = "8 target units, 12 stimuli, 1 models and 1 other subjects";
    contains(&looked, &[units, "Models look at the stimuli for about"]);
    dir.remove("run/align.json");
    dir.copy("object_images/dog/dog_12s.png", "object_images/dog/cat_12s.png");
    dir.remove("object_images/dog/dog_12s.png");
    let without = refused(&dir);
    for concept in ["dog", "zebra"] {
        dir.copy("object_images/panda/panda_12s.png", format!("object_images/{concept}/dog_12s.png"));
    }
    assert_snapshot!(without + &refused(&dir), @r#"
    exit 1, stderr: error: object_images/**: stimulus dog_12s: no image is called by its number or name, such as 12.png, 00012.png or dog_12s.jpg
    exit 1, stderr: error: object_images: "dog/dog_12s.png" and "zebra/dog_12s.png" share the stem "dog_12s"; expected one file per stem
    "#);
}

/// Two subjects of release 2 of BOLD5000.
fn bold5000() -> Folder {
    let dir = folder();
    let copy = |file: &str, to: &str| dir.copy(golden("bold5000").join(file), format!("{to}{file}"));
    copy("repeated_stimuli_113_list.txt", "BOLD5000_Stimuli/Scene_Stimuli/");
    for subject in ["CSI1", "CSI2"] {
        copy(&format!("{subject}_imgnames.txt"), "");
        for session in 1..=3 {
            copy(&format!("{subject}_GLMbetas-TYPED-FITHRF-GLMDENOISE-RR_ses-{session:02}.nii.gz"), "");
        }
        for roi in ["LHPPA", "RHPPA"] {
            copy(&format!("sub-{subject}_mask-{roi}.nii.gz"), &format!("spm/sub-{subject}/"));
        }
    }
    let changes = [
        ("[\"CSI1\", \"CSI2\", \"CSI3\"]", "\"CSI1\""),
        ("\"CSI4\"", "\"CSI2\""),
        ("[\"EarlyVis\", \"LOC\", \"OPA\", \"PPA\", \"RSC\"]", "[\"PPA\"]"),
        ("{01..15}", "{01..03}"),
        ("{01..09}", "{01..03}"),
    ];
    example(&dir, "bold5000.toml", &changes);
    dir
}

#[test]
fn bold5000_release_2() {
    let (study, expected) = study(&bold5000());
    assert_eq!(study.stimuli.len(), 12);
    let expected = &expected["bold5000"];
    for (place, name) in [(0, "CSI1 LHPPA"), (1, "CSI1 RHPPA"), (2, "CSI2 LHPPA"), (3, "CSI2 RHPPA")] {
        let unit = &study.units[place];
        same(&study, unit, &expected[format!("release 2 {name}")]);
        // Sessions are derived from the files.
        assert_eq!(unit.order.sessions.iter().max(), Some(&2));
        assert!(unit.order.sessions.is_sorted());
    }
}

#[test]
fn bold5000_release_1() {
    let dir = folder();
    let copy = |file: &str, to: &str| dir.copy(golden("bold5000").join(file), to);
    let list = "repeated_stimuli_113_list.txt";
    copy(list, &format!("BOLD5000_Stimuli/Scene_Stimuli/{list}"));
    for subject in ["1", "2"] {
        let matrices = format!("CSI{subject}_ROIs_TR34.mat");
        copy(&matrices, &format!("ROIs/CSI{subject}/mat/{matrices}"));
        copy(&format!("CSI{subject}_stim_lists.txt"), &format!("ROIs/stim_lists/CSI0{subject}_stim_lists.txt"));
    }
    let changes = [
        ("[\"1\", \"2\", \"3\", \"4\"]", "[\"1\", \"2\"]"),
        ("[\"EarlyVis\", \"LOC\", \"OPA\", \"PPA\", \"RSC\"]", "\"PPA\""),
    ];
    example(&dir, "bold5000-release-1.toml", &changes);
    let (study, expected) = study(&dir);
    let expected = &expected["bold5000"];
    for (place, name) in ["CSI1 LHPPA", "CSI1 RHPPA", "CSI2 LHPPA", "CSI2 RHPPA"].iter().enumerate() {
        same(&study, &study.units[place], &expected[format!("release 1 {name}")]);
    }
    // Without the prefix, a repeat counts as another stimulus.
    assert_snapshot!(refusals_of_words(&dir, &[("stimulus_prefix = \"rep_\"", "")]), @"exit 1, stderr: error: ROIs/stim_lists/CSI01_stim_lists.txt: the stimuli: 1 LH PPA: none was shown 3 times (`repeats`) to it and to the targets before; its stimuli were shown at most 2 times");
}

#[test]
fn what_is_wrong_with_a_layout() {
    let dir = bold5000();
    dir.write("CSI1_gap.txt", "a.jpg\n\nb.jpg\n");
    let list = "stimuli = \"BOLD5000_Stimuli/Scene_Stimuli/repeated_stimuli_113_list.txt\"\nrepeats = 3";
    assert_snapshot!(refusals_of_words(&dir, &[
        ("{01..03}", "{01..04}"),
        ("{01..03}", "{03..01}"),
        ("{01..03}", "{01..02}"),
        ("repeats = 3", "repeats = 4"),
        (list, ""),
        ("mask = ", "keep = [\"test\"]\nmask = "),
        ("_imgnames.txt\"", "_names.txt\""),
        ("_imgnames.txt\"", "_gap.txt\""),
        ("mask = ", "voxels_first = true\nmask = "),
    ]), @"
    exit 1, stderr: error: CSI1_GLMbetas-TYPED-FITHRF-GLMDENOISE-RR_ses-04.nii.gz: not found; expected a NIfTI file (.nii or .nii.gz)
    exit 1, stderr: error: CSI1_GLMbetas-TYPED-FITHRF-GLMDENOISE-RR_ses-{03..01}.nii.gz: the range {03..01}: expected the first and the last number of the files, ascending, such as {01..15}
    exit 1, stderr: error: CSI1_imgnames.txt: CSI1 LH PPA: a list of 45; expected 30, one for each trial
    exit 1, stderr: error: CSI1_imgnames.txt: the stimuli: CSI1 LH PPA: none was shown 4 times (`repeats`) to it and to the targets before; its stimuli were shown at most 3 times
    exit 1, stderr: error: CSI2_imgnames.txt: stimulus kitchen100: CSI2 LH PPA has no trial of it; name the stimuli that all have in a file as `stimuli`, or set `repeats`
    exit 1, stderr: error: CSI1_imgnames.txt: CSI1 LH PPA: `keep` without `conditions`; expected `conditions`, a word for each trial
    exit 1, stderr: error: CSI1_names.txt: not found; expected a list with one line for each trial
    exit 1, stderr: error: CSI1_gap.txt: line 2: is empty; expected an entry for each trial
    exit 1, stderr: error: CSI1_GLMbetas-TYPED-FITHRF-GLMDENOISE-RR_ses-01.nii.gz: CSI1 LH PPA: an image of the brain; expected an array for `voxels_first`; images have a frame for each trial
    ");
    // A mask of a different size than the second session's betas.
    let betas = "CSI1_GLMbetas-TYPED-FITHRF-GLMDENOISE-RR_ses-02.nii.gz";
    dir.copy("spm/sub-CSI1/sub-CSI1_mask-LHPPA.nii.gz", betas);
    assert_snapshot!(refused(&dir), @"exit 1, stderr: error: CSI1_imgnames.txt: CSI1 LH PPA: a list of 45; expected 31, one for each trial");
    dir.copy(golden("bold5000").join(betas), betas);
    // Without sources.
    let text = dir.read("align.toml");
    let (targets, rest) = text.split_once("[[sources]]").unwrap();
    let (_, settings) = rest.split_once("[settings]").unwrap();
    dir.write("align.toml", format!("{targets}[settings]{settings}"));
    dir.succeed(ALIGN);
    assert_eq!(dir.json("run/align.json")["units"].list().len(), 4);
}

#[test]
fn what_is_wrong_with_a_table() {
    let dir = things();
    let said = refusals_of_words(
        &dir,
        &[
            (".csv:{roi}", ".csv:{roi}v"),
            (".csv:{roi}", ".csv"),
            (".csv:{roi}", ".csv:glasser-p9-\\n46v"),
            ("[\"test\"]", "[\"catch\"]"),
            ("keep = [\"test\"]", ""),
            ("voxels_first = true", ""),
            // All images with only one trial.
            ("keep = [\"test\"]", "keep = [\"train\"]"),
        ],
    );
    // The responses are in HDF5 if this build can read it.
    assert_snapshot!(said.replace("ResponseData.h5:/ResponseData/block0_values", "ResponseData.npy"), @r#"
    exit 1, stderr: error: betas_csv/sub-01_VoxelMetadata.csv: no column "V1v"; the columns are ["V1", "voxel_id", "voxel_x"] and 5 more
    exit 1, stderr: error: betas_csv/sub-01_VoxelMetadata.csv: 8 columns; choose one, such as betas_csv/sub-01_VoxelMetadata.csv:voxel_id; the columns are ["voxel_id", "voxel_x", "nc_testset"] and 5 more
    exit 1, stderr:
    error: betas_csv/sub-01_VoxelMetadata.csv:glasser-p9-
    46v: holds no place of the region; expected at least one value other than 0
    exit 1, stderr: error: betas_csv/sub-01_StimulusMetadata.csv:trial_type: condition "catch": 01 both V1: no trial has it; there are test, train
    exit 1, stderr: error: betas_csv/sub-01_StimulusMetadata.csv:trial_type: 01 both V1: `conditions` without `keep`; expected `keep`, the conditions of the trials to keep
    exit 1, stderr: error: betas_csv/sub-01_VoxelMetadata.csv:V1: holds [9, 1, 1] places; expected one value for each place of betas_csv/sub-01_ResponseData.npy: [84, 1, 1]
    exit 1, stderr: error: betas_csv/sub-01_StimulusMetadata.csv:stimulus: stimulus candelabra_13s: 01 both V1: 1 repeat of it; a reference needs at least two of each stimulus, so leave it out for all subjects
    "#);
    let trials = "betas_csv/sub-02_StimulusMetadata.csv";
    dir.write(trials, dir.read(trials).replacen("dog_12s.jpg", "", 1));
    assert_snapshot!(refused(&dir), @r#"exit 1, stderr: error: betas_csv/sub-02_StimulusMetadata.csv:2: column "stimulus" holds ""; expected an entry for each trial"#);
}
