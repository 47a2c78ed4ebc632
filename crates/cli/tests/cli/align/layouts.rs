//! The example configurations of THINGS-fMRI and BOLD5000, on miniatures of their files that pandas, nibabel and SciPy wrote
//! (`reference/target_layouts.py`).

use crate::support::alignments::{FEW, arguments, record};
use crate::support::{folder, picture, refused, succeed};
use neurogauge::align::{AlignConfig, Study, UnitTrials};
use neurogauge::formats::image_file::write_png;
use neurogauge::{RunSettings, Silent};
use serde_json::Value;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn golden(name: &str) -> PathBuf {
    Path::new(ROOT)
        .join("../../reference/golden/target_layouts")
        .join(name)
}

fn expected() -> Value {
    serde_json::from_slice(&std::fs::read(golden("expected.json")).unwrap()).unwrap()
}

fn copy(from: &str, to: PathBuf) {
    std::fs::create_dir_all(to.parent().unwrap()).unwrap();
    std::fs::copy(golden(from), to).unwrap();
}

/// The example with some of its words replaced, in a separate folder.
fn example(root: &Path, name: &str, changes: &[(&str, &str)]) -> PathBuf {
    let path = Path::new(ROOT).join("../../examples").join(name);
    let mut text = std::fs::read_to_string(path).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let layers = "layers = [\"layer1:mean\", \"layer4:mean\"]";
    text = text
        .replace("\"resnet50\"", "\"resnet18-untrained-1\"")
        .replace(layers, "layers = [\"layer1:mean\"]");
    let config = root.join("align.toml");
    std::fs::write(&config, format!("{text}\n[settings]\n{FEW}")).unwrap();
    config
}

fn study(config: &Path) -> Study {
    let mut config = AlignConfig::read(config).unwrap();
    config.sources.clear();
    config.study(&RunSettings::default(), &Silent).unwrap()
}

/// A unit's kept trials are those that NumPy has: stimuli and z-scored responses, in order.
fn same(study: &Study, unit: &UnitTrials, expected: &Value) {
    let shown = unit.order.stimuli.iter();
    let shown: Vec<String> = shown
        .map(|&place| study.stimuli[place].to_string())
        .collect();
    let names: Vec<String> = serde_json::from_value(expected["stimuli"].clone()).unwrap();
    assert_eq!(shown, names);
    let rows: Vec<Vec<f64>> = serde_json::from_value(expected["responses"].clone()).unwrap();
    let found = unit.trials.responses();
    assert_eq!(
        (found.n_rows(), found.n_columns()),
        (rows.len(), rows[0].len())
    );
    for (row, values) in rows.iter().enumerate() {
        for (voxel, value) in values.iter().enumerate() {
            let own = found.get(row, voxel);
            assert!((own - value).abs() < 1e-12, "{row} {voxel}: {own} {value}");
        }
    }
}

/// Two subjects of THINGS-fMRI; their responses as pandas has them, or as a plain array for builds without HDF5.
fn things(root: &Path) -> PathBuf {
    let ending = if cfg!(feature = "hdf5") { "h5" } else { "npy" };
    for subject in ["01", "02"] {
        for file in [
            format!("sub-{subject}_ResponseData.{ending}"),
            format!("sub-{subject}_VoxelMetadata.csv"),
            format!("sub-{subject}_StimulusMetadata.csv"),
        ] {
            copy(
                &format!("things/{file}"),
                root.join("betas_csv").join(&file),
            );
        }
    }
    let mut changes = vec![
        ("[\"01\", \"02\", \"03\"]", "[\"01\", \"02\"]"),
        (
            "[\"V1\", \"V2\", \"V3\", \"hV4\"]",
            "[\"V1\", \"LO1 (prf)\"]",
        ),
        ("[\"FFA\", \"PPA\", \"LOC\"]", "\"FFA\""),
    ];
    if ending == "npy" {
        changes.push(("Data.h5:/ResponseData/block0_values", "Data.npy"));
    }
    example(root, "things-fmri.toml", &changes)
}

#[test]
fn things_fmri_in_table_format() {
    let root = folder();
    let config = things(root.path());
    let study = study(&config);
    let names: Vec<String> = study
        .units
        .iter()
        .map(|unit| unit.trials.unit().to_string())
        .collect();
    assert_eq!(
        names[..4],
        [
            "01 both V1",
            "01 both LO1 (prf)",
            "02 both V1",
            "02 both LO1 (prf)"
        ]
    );
    assert_eq!(names[4..], ["01 l FFA", "01 r FFA", "02 l FFA", "02 r FFA"]);
    // Half the images are test images.
    assert_eq!(study.stimuli.len(), 12);
    assert!(study.stimuli.is_sorted());
    assert_eq!(study.stimuli[0].to_string(), "candelabra_12s");
    let expected = &expected()["things"];
    for (place, name) in [(0, "01 V1"), (2, "02 V1"), (4, "01 lFFA"), (6, "02 lFFA")] {
        same(&study, &study.units[place], &expected[name]);
        let runs: Vec<u32> = serde_json::from_value(expected[name]["runs"].clone()).unwrap();
        let order = &study.units[place].order;
        for (one, other) in (0..runs.len()).zip(1..runs.len()) {
            let is_same = (order.sessions[one], order.runs[one])
                == (order.sessions[other], order.runs[other]);
            assert_eq!(is_same, runs[one] == runs[other]);
        }
    }
}

#[test]
fn stimuli_by_name_are_aligned_with_models_that_look_at_them() {
    let root = folder();
    let config = things(root.path());
    for stimulus in study(&config).stimuli {
        let name = stimulus.to_string();
        let concept = name.split('_').next().unwrap();
        let path = root
            .path()
            .join("object_images")
            .join(concept)
            .join(format!("{name}.png"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        write_png(&path, &picture(&name, 32, 30.0)).unwrap();
    }
    let run = root.path().join("run");
    let args = arguments(&config, &run);
    succeed(&[&args[..], &["--stimulus-scores", "--offline"]].concat());
    let found = record(&run);
    assert_eq!(found["stimuli"][0], "candelabra_12s");
    assert_eq!(found["sources"][1]["source"], "resnet18-untrained-1");
    let sheet = std::fs::read(run.join("figures/stimuli_of_01_both_V1.png")).unwrap();
    assert!(sheet.starts_with(b"\x89PNG"));
    let looked = succeed(&[&args[..], &["--dry-run"]].concat());
    let units = "8 target units, 12 stimuli, 1 models and 1 other subjects";
    assert!(looked.stdout.contains(units), "{}", looked.stdout);
    let quickly = "under a second for models to look at stimuli";
    assert!(looked.stdout.contains(quickly), "{}", looked.stdout);
    let dog = root.path().join("object_images/dog/dog_12s.png");
    std::fs::rename(&dog, dog.with_file_name("cat_12s.png")).unwrap();
    let other = root.path().join("other");
    refused(
        &arguments(&config, &other),
        1,
        &["object_images/**", "stimulus dog_12s", "no image"],
    );
    std::fs::copy(root.path().join("object_images/panda/panda_12s.png"), &dog).unwrap();
    let twice = root.path().join("object_images/zebra/dog_12s.png");
    std::fs::copy(&dog, twice).unwrap();
    refused(
        &arguments(&config, &other),
        1,
        &["dog_12s", "dog/dog_12s.png", "zebra/dog_12s.png"],
    );
}

/// Two subjects of release 2 of BOLD5000.
fn bold5000(root: &Path) -> PathBuf {
    let list = "repeated_stimuli_113_list.txt";
    copy(
        &format!("bold5000/{list}"),
        root.join("BOLD5000_Stimuli/Scene_Stimuli").join(list),
    );
    for subject in ["CSI1", "CSI2"] {
        let names = format!("{subject}_imgnames.txt");
        copy(&format!("bold5000/{names}"), root.join(&names));
        for session in 1..=3 {
            let betas =
                format!("{subject}_GLMbetas-TYPED-FITHRF-GLMDENOISE-RR_ses-{session:02}.nii.gz");
            copy(&format!("bold5000/{betas}"), root.join(&betas));
        }
        for roi in ["LHPPA", "RHPPA"] {
            let mask = format!("sub-{subject}_mask-{roi}.nii.gz");
            copy(
                &format!("bold5000/{mask}"),
                root.join(format!("spm/sub-{subject}")).join(&mask),
            );
        }
    }
    let changes = [
        ("[\"CSI1\", \"CSI2\", \"CSI3\"]", "\"CSI1\""),
        ("\"CSI4\"", "\"CSI2\""),
        (
            "[\"EarlyVis\", \"LOC\", \"OPA\", \"PPA\", \"RSC\"]",
            "[\"PPA\"]",
        ),
        ("{01..15}", "{01..03}"),
        ("{01..09}", "{01..03}"),
    ];
    example(root, "bold5000.toml", &changes)
}

#[test]
fn bold5000_release_2() {
    let root = folder();
    let study = study(&bold5000(root.path()));
    assert_eq!(study.stimuli.len(), 12);
    let expected = &expected()["bold5000"];
    for (place, name) in [
        (0, "CSI1 LHPPA"),
        (1, "CSI1 RHPPA"),
        (2, "CSI2 LHPPA"),
        (3, "CSI2 RHPPA"),
    ] {
        let unit = &study.units[place];
        same(&study, unit, &expected[format!("release 2 {name}")]);
        // Sessions follow from the files.
        assert_eq!(unit.order.sessions.iter().max(), Some(&2));
        assert!(unit.order.sessions.is_sorted());
    }
}

#[test]
fn bold5000_release_1() {
    let root = folder();
    let list = "repeated_stimuli_113_list.txt";
    let scenes = root.path().join("BOLD5000_Stimuli/Scene_Stimuli");
    copy(&format!("bold5000/{list}"), scenes.join(list));
    let rois = root.path().join("ROIs");
    for subject in ["1", "2"] {
        let matrices = format!("CSI{subject}_ROIs_TR34.mat");
        let folder = rois.join(format!("CSI{subject}/mat"));
        copy(&format!("bold5000/{matrices}"), folder.join(&matrices));
        let names = format!("stim_lists/CSI0{subject}_stim_lists.txt");
        copy(
            &format!("bold5000/CSI{subject}_stim_lists.txt"),
            rois.join(names),
        );
    }
    let changes = [
        ("[\"1\", \"2\", \"3\", \"4\"]", "[\"1\", \"2\"]"),
        (
            "[\"EarlyVis\", \"LOC\", \"OPA\", \"PPA\", \"RSC\"]",
            "\"PPA\"",
        ),
    ];
    let config = example(root.path(), "bold5000-release-1.toml", &changes);
    let study = study(&config);
    let expected = &expected()["bold5000"];
    for (place, name) in ["CSI1 LHPPA", "CSI1 RHPPA", "CSI2 LHPPA", "CSI2 RHPPA"]
        .iter()
        .enumerate()
    {
        same(
            &study,
            &study.units[place],
            &expected[format!("release 1 {name}")],
        );
    }
    // Without the prefix a repeat is another stimulus.
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replace("stimulus_prefix = \"rep_\"", "")).unwrap();
    let run = root.path().join("run");
    let parts = [
        "CSI01_stim_lists.txt",
        "1 LH PPA",
        "none that it",
        "3 times",
        "its most is 2",
    ];
    refused(&arguments(&config, &run), 1, &parts);
}

#[test]
fn what_is_wrong_with_a_layout() {
    let root = folder();
    let config = bold5000(root.path());
    let text = std::fs::read_to_string(&config).unwrap();
    let run = root.path().join("run");
    let refuses = |from: &str, to: &str, parts: &[&str]| {
        assert!(text.contains(from), "{from}");
        std::fs::write(&config, text.replace(from, to)).unwrap();
        refused(&arguments(&config, &run), 1, parts);
        assert!(!run.join("align.json").exists());
    };
    refuses(
        "{01..03}",
        "{01..04}",
        &["CSI1_GLMbetas", "ses-04.nii.gz", "not found"],
    );
    refuses("{01..03}", "{03..01}", &["the range {03..01}", "{01..15}"]);
    refuses(
        "{01..03}",
        "{01..02}",
        &["CSI1 LH PPA", "30", "stimuli", "45"],
    );
    refuses(
        "repeats = 3",
        "repeats = 4",
        &[
            "CSI1_imgnames.txt",
            "CSI1 LH PPA",
            "4 times",
            "its most is 3",
        ],
    );
    let list = "stimuli = \"BOLD5000_Stimuli/Scene_Stimuli/repeated_stimuli_113_list.txt\"
repeats = 3";
    refuses(
        list,
        "",
        &["CSI2_imgnames.txt", "stimulus kitchen", "set `repeats`"],
    );
    refuses(
        "mask = ",
        "keep = [\"test\"]\nmask = ",
        &["CSI1 LH PPA", "`keep` without `conditions`"],
    );
    refuses(
        "_imgnames.txt\"",
        "_names.txt\"",
        &["CSI1_names.txt", "not found"],
    );
    let gap = root.path().join("CSI1_gap.txt");
    std::fs::write(&gap, "a.jpg\n\nb.jpg\n").unwrap();
    refuses(
        "_imgnames.txt\"",
        "_gap.txt\"",
        &["CSI1_gap.txt", "line 2", "is empty"],
    );
    let parts = ["CSI1_GLMbetas", "an image of the brain", "voxels_first"];
    refuses("mask = ", "voxels_first = true\nmask = ", &parts);
    // A mask of another size, which the second session's is not.
    let betas = |session: usize| {
        root.path().join(format!(
            "CSI1_GLMbetas-TYPED-FITHRF-GLMDENOISE-RR_ses-{session:02}.nii.gz"
        ))
    };
    let second = std::fs::read(betas(2)).unwrap();
    std::fs::copy(
        root.path().join("spm/sub-CSI1/sub-CSI1_mask-LHPPA.nii.gz"),
        betas(2),
    )
    .unwrap();
    refuses("mask = ", "mask = ", &["CSI1 LH PPA", "31", "45"]);
    std::fs::write(betas(2), second).unwrap();
    succeed_without_sources(&config, &text, &run);
}

fn succeed_without_sources(config: &Path, text: &str, run: &Path) {
    let (targets, rest) = text.split_once("[[sources]]").unwrap();
    let settings = rest.split_once("[settings]").unwrap().1;
    std::fs::write(config, format!("{targets}[settings]{settings}")).unwrap();
    succeed(&arguments(config, run));
    assert_eq!(record(run)["units"].as_array().unwrap().len(), 4);
}

#[test]
fn what_is_wrong_with_a_table() {
    let root = folder();
    let config = things(root.path());
    let text = std::fs::read_to_string(&config).unwrap();
    let run = root.path().join("run");
    let refuses = |from: &str, to: &str, parts: &[&str]| {
        assert!(text.contains(from), "{from}");
        std::fs::write(&config, text.replace(from, to)).unwrap();
        refused(&arguments(&config, &run), 1, parts);
    };
    let table = "sub-01_VoxelMetadata.csv";
    refuses(
        ".csv:{roi}",
        ".csv:{roi}v",
        &[table, "no column \"V1v\"", "LO1 (prf)"],
    );
    refuses(".csv:{roi}", ".csv", &[table, "columns; choose one"]);
    refuses(
        ".csv:{roi}",
        ".csv:glasser-p9-\\n46v",
        &[table, "no place of the region"],
    );
    refuses(
        "[\"test\"]",
        "[\"catch\"]",
        &["sub-01_StimulusMetadata.csv", "\"catch\"", "test, train"],
    );
    refuses("keep = [\"test\"]", "", &["`conditions` without `keep`"]);
    refuses(
        "voxels_first = true",
        "",
        &[table, "[9, 1, 1]", "[84, 1, 1]"],
    );
    // All images with only one trial.
    let parts = [
        "sub-01_StimulusMetadata.csv",
        "stimulus",
        "01 both V1",
        "1 repeat",
    ];
    refuses("keep = [\"test\"]", "keep = [\"train\"]", &parts);
    let trials = root.path().join("betas_csv/sub-02_StimulusMetadata.csv");
    let lines = std::fs::read_to_string(&trials).unwrap();
    std::fs::write(&trials, lines.replacen("dog_12s.jpg", "", 1)).unwrap();
    refuses(
        "keep",
        "keep",
        &[
            "sub-02_StimulusMetadata.csv:",
            "column \"stimulus\"",
            "an entry for each trial",
        ],
    );
}
