//! Responses in brain images and in MATLAB files, against what nibabel and SciPy wrote and read.

use crate::files;
use crate::prelude::*;

fn golden(name: &str) -> PathBuf {
    files::golden("brain_images").join(name)
}

fn expected(kind: &str) -> serde_json::Map<String, Value> {
    let bytes = std::fs::read(golden("expected.json")).unwrap();
    let mut whole: Value = serde_json::from_slice(&bytes).unwrap();
    whole[kind].as_object_mut().map(std::mem::take).unwrap()
}

fn rows(value: &Value) -> Vec<Vec<f64>> {
    serde_json::from_value(value.clone()).unwrap()
}

fn region(mask: &str, labels: &[i64]) -> Region {
    Region {
        mask: Some(golden(mask)),
        labels: labels.to_vec(),
        structure: None,
    }
}

#[test]
fn trials_of_every_format_are_nibabel_s() {
    let all = expected("trials");
    assert_eq!(all.len(), 11);
    for (name, expected) in &all {
        let expected = rows(expected);
        let found = brain_image::read(&golden(name), &Region::default()).unwrap();
        assert_eq!(found.n_trials, expected.len(), "{name}");
        assert_eq!(found.places, Vec::from_iter(0..expected[0].len()), "{name}");
        assert_eq!(found.values, expected.concat(), "{name}");
    }
}

#[test]
fn a_mask_picks_its_places_whatever_format_it_has() {
    let (all, labels) = (expected("trials"), expected("labels"));
    let pairs = [
        ("labels.nii.gz", vec!["scaled.nii.gz", "version2.nii", "trials.mgz"]),
        ("labels.label.gii", vec!["gzip.func.gii", "columns.func.gii"]),
        ("areas.dlabel.nii", vec!["trials.dtseries.nii", "trials.dscalar.nii"]),
    ];
    for (mask, images) in pairs {
        let values: Vec<f64> = serde_json::from_value(labels[mask].clone()).unwrap();
        assert_eq!(volume::read(&golden(mask)).unwrap().values, values, "{mask}");
        for image in images {
            let expected = rows(&all[image]);
            for wanted in [&[][..], &[1], &[1, 2]] {
                let is_in = |value: f64| match wanted {
                    [] => value != 0.0,
                    wanted => wanted.contains(&(value as i64)),
                };
                let places: Vec<usize> = (0..values.len()).filter(|&p| is_in(values[p])).collect();
                let picked = expected.iter().flat_map(|row| places.iter().map(|&p| row[p]));
                let found = brain_image::read(&golden(image), &region(mask, wanted)).unwrap();
                assert_eq!(found.places, places, "{image} {wanted:?}");
                assert_eq!(found.values, Vec::from_iter(picked), "{image} {wanted:?}");
            }
        }
    }
}

#[test]
fn structures_of_cifti_are_found_by_name() {
    let image = golden("trials.dtseries.nii");
    let of = |structure: &str| Region {
        structure: Some(structure.to_owned()),
        ..Region::default()
    };
    let places = |structure| brain_image::read(&image, &of(structure)).unwrap().places;
    assert_eq!(places("CORTEX_LEFT"), [0, 1, 2, 3]);
    assert_eq!(places("CIFTI_STRUCTURE_CORTEX_RIGHT"), [4, 5, 6]);
    assert_eq!(places("thalamus_left"), [7, 8]);
    let with_mask = Region {
        structure: Some("CORTEX_RIGHT".to_owned()),
        ..region("areas.dlabel.nii", &[2])
    };
    assert_eq!(brain_image::read(&image, &with_mask).unwrap().places, [5]);
    let words = |path: &Path, region: &Region| brain_image::read(path, region).unwrap_err().to_string();
    let unknown = words(&image, &of("CORTEX"));
    assert!(unknown.contains("the structures CORTEX_LEFT, CORTEX_RIGHT, THALAMUS_LEFT"), "{unknown}");
    for other in ["scaled.nii.gz", "gzip.func.gii", "trials.mgz"] {
        let error = words(&golden(other), &of("CORTEX_LEFT"));
        assert!(error.contains("structure"), "{error}");
    }
}

#[test]
fn masks_that_do_not_fit_are_named() {
    let words = |image: &str, region: &Region| brain_image::read(&golden(image), region).unwrap_err().to_string();
    let other_size = words("gzip.func.gii", &region("labels.nii.gz", &[]));
    for part in ["labels.nii.gz", "[4, 3, 2] places", "gzip.func.gii: [11, 1, 1]"] {
        assert!(other_size.contains(part), "{other_size}");
    }
    let empty = words("scaled.nii.gz", &region("labels.nii.gz", &[17]));
    assert!(empty.contains("no place of the region") && empty.contains("[17]"), "{empty}");
    let frames = words("scaled.nii.gz", &region("version2.nii", &[]));
    assert!(frames.contains("[4, 3, 2, 5]"), "{frames}");
}

#[test]
fn matrices_have_the_axes_that_matlab_shows() {
    for (name, expected) in expected("matlab") {
        let (shape, values): (Vec<u64>, Vec<f64>) = serde_json::from_value(expected).unwrap();
        for file in ["plain.mat", "compressed.mat", "version73.mat"] {
            let found = array_file::open(&golden(&format!("{file}:{name}"))).unwrap();
            assert_eq!((found.shape(), found.read_f64().unwrap()), (&shape[..], values.clone()), "{file} {name}");
        }
    }
    assert_eq!(whole_numbers::list(&golden("plain.mat:order")).unwrap(), [1, 2, 3, 4]);
    assert_eq!(array_file::open(&golden("one.mat")).unwrap().shape(), [5, 3]);
    let words = |name: &str| array_file::open(&golden(name)).unwrap_err().to_string();
    let several = words("plain.mat");
    assert!(several.contains("7 arrays (betas, single, counts") && !several.contains("cells"), "{several}");
    assert!(words("plain.mat:cells").contains("cells"), "{}", words("plain.mat:cells"));
}

#[test]
fn damaged_surfaces_are_errors() {
    let (_folder, path) = place("a.gii");
    let whole = std::fs::read_to_string(golden("gzip.func.gii")).unwrap();
    let refused = |change: &dyn Fn(&str) -> String, part: &str| {
        std::fs::write(&path, change(&whole)).unwrap();
        let error = gifti::read(&path).unwrap_err().to_string();
        assert!(error.starts_with(&path.display().to_string()) && error.contains(part), "{error}");
    };
    refused(&|text| text.replace("Dim0=\"11\"", "Dim0=\"12\""), "shape [12] has 11 values");
    refused(&|text| text.replace("Dim0=\"11\"", "Dim0=\"\""), "dimensions");
    refused(&|text| text.replace("FLOAT32", "COMPLEX64"), "COMPLEX64");
    refused(&|text| text.replace("GZipBase64Binary", "ExternalFileBinary"), "ExternalFileBinary");
    refused(&|text| text.replace("<Data>", "<Data>*"), "an array");
    refused(&|text| text.replace("GIFTI", "SURFACE"), "called GIFTI");
    refused(&|text| text.replacen("</GIFTI>", "</GIFT>", 1), "GIfTI");
}
