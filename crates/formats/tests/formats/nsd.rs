//! NSD's formats, against files that nibabel and SciPy wrote and read.
use crate::files;
use crate::prelude::*;
use neurogauge_formats::mgh::{MghReader, write};
use neurogauge_formats::nsd::{ExperimentDesign, StimulusInfo, stimulus_info, synthetic_order};

fn golden(name: &str) -> PathBuf {
    files::golden("nsd").join(name)
}

fn expected() -> Value {
    serde_json::from_slice(&std::fs::read(golden("expected.json")).unwrap()).unwrap()
}

#[test]
fn volumes_of_every_type_equal_nibabels() {
    for (name, frames) in expected()["volumes"].as_object().unwrap() {
        let frames: Vec<Vec<f64>> = serde_json::from_value(frames.clone()).unwrap();
        for ending in ["mgh", "mgz"] {
            let mut volume = MghReader::open(&golden(&format!("{name}.{ending}"))).unwrap();
            assert_eq!((volume.n_frames(), volume.n_places()), (4, 42));
            for frame in &frames {
                let places: Vec<usize> = (0..42).rev().collect();
                let values = volume.next_frame(&places).unwrap().unwrap();
                let values: Vec<f64> = values.into_iter().rev().map(f64::from).collect();
                assert_eq!(&values, frame, "{name}.{ending}");
            }
            assert_eq!(volume.next_frame(&[0]).unwrap(), None);
        }
    }
}

#[test]
fn trials_show_the_images_that_scipy_finds() {
    let expected = &expected()["design"];
    let plain = ExperimentDesign::read(&golden("design.mat")).unwrap();
    let design = ExperimentDesign::read(&golden("design_compressed.mat")).unwrap();
    assert_eq!((design.n_subjects(), design.n_sessions()), (3, 2));
    let list = |value: &Value| serde_json::from_value::<Vec<u32>>(value.clone()).unwrap();
    for subject in 0..3 {
        let trials = design.images_of_trials(subject, 2).unwrap();
        assert_eq!(trials, plain.images_of_trials(subject, 2).unwrap());
        assert_eq!(trials[..5], list(&expected["first_trials"][subject]));
        assert_eq!(trials[1495..], list(&expected["last_trials"][subject]));
    }
    for repeats in 0..4 {
        let seen = design.shared_seen(&[2, 1, 2], repeats).unwrap();
        assert_eq!(seen, list(&expected["shared_seen"][repeats.to_string()]));
    }
    let synthetic = synthetic_order(&golden("synthetic.mat")).unwrap();
    assert_eq!(synthetic.len(), 744);
    assert_eq!(synthetic[..5], list(&expected["synthetic_first"]));
}

#[test]
fn what_a_design_does_not_have_is_named() {
    let design = ExperimentDesign::read(&golden("design.mat")).unwrap();
    let subject = design.images_of_trials(3, 1).unwrap_err().to_string();
    assert!(subject.ends_with("subject 4: the design has 3 subjects"), "{subject}");
    let session = design.images_of_trials(0, 3).unwrap_err().to_string();
    assert!(session.ends_with("session 3: the design has 2 sessions"), "{session}");
    let other = ExperimentDesign::read(&golden("synthetic.mat")).unwrap_err().to_string();
    assert!(other.ends_with("variable subjectim: not there; the file has masterordering"), "{other}");
    // Its 744 entries are about 284 images; the design's go up to 700.
    refused(synthetic_order(&golden("design.mat")), "expected a whole number from 1 to 284");
}

/// Every prefix of a file is an error until the last frame is complete: what follows in MGH (here 20 bytes of scan
/// parameters) is not read.
#[test]
fn files_that_are_cut_short_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["f32.mgh", "i16.mgz", "synthetic.mat", "design_compressed.mat"] {
        let bytes = std::fs::read(golden(name)).unwrap();
        let path = folder.path().join(name);
        let end = bytes.len() - if name.ends_with("mat") { 0 } else { 30 };
        for length in (0..end).step_by(bytes.len() / 61 + 1) {
            std::fs::write(&path, &bytes[..length]).unwrap();
            if name.ends_with("mat") {
                assert!(ExperimentDesign::read(&path).is_err(), "{name} {length}");
                assert!(synthetic_order(&path).is_err(), "{name} {length}");
            } else {
                let error = frames(&path).unwrap_err();
                assert!(error.starts_with(&path.display().to_string()), "{error}");
            }
        }
    }
}

fn frames(path: &Path) -> Result<usize, String> {
    let mut volume = MghReader::open(path).map_err(|error| error.to_string())?;
    let mut n = 0;
    while volume.next_frame(&[0]).map_err(|error| error.to_string())?.is_some() {
        n += 1;
    }
    Ok(n)
}

#[test]
fn a_file_cut_short_says_in_which_frame() {
    let (_folder, path) = place("lh.betas_session03.mgh");
    write(&path, 5, &[[1.0; 5], [2.0; 5]]).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    refused(frames(&path), "frame 2 of 2 needs 20 bytes, but 19 are there");
    let mut volume = MghReader::open(&path).unwrap();
    refused(volume.next_frame(&[5]), "place 5: a frame has 5 of them");
    let error = MghReader::open(&path).unwrap().single_frame().unwrap_err();
    assert!(error.to_string().contains("holds 2 frames"), "{error}");
}

#[test]
fn stimuli_are_read_by_name_of_column() {
    let (_folder, path) = place("nsd_stim_info_merged.csv");
    let table = "\
,cocoId,cocoSplit,cropBox,loss,nsdId,flagged,BOLD5000,shared1000,subject1
0,532481,val2017,\"(0, 0, 0.1, 0.1)\",0.1,0,False,False,False,0
1,245764,val2017,\"(0, 0, 0.2, 0.3)\",0.2,1,False,False,True,1
";
    std::fs::write(&path, table).unwrap();
    let images = stimulus_info(&path).unwrap();
    assert_eq!(
        images,
        [
            StimulusInfo {
                coco_id: 532_481,
                shared: false
            },
            StimulusInfo {
                coco_id: 245_764,
                shared: true
            }
        ]
    );
    std::fs::write(&path, table.replace(",1,False", ",3,False")).unwrap();
    refused(stimulus_info(&path), ":3: column \"nsdId\" holds \"3\"; expected 1, the next number");
}
