//! HDF5, against what h5py wrote and read, through its library and in builds without it.
use crate::goldens::volumes as golden;
use crate::prelude::*;
use neurogauge_formats::array_file::open;
#[cfg(feature = "hdf5")]
use neurogauge_formats::nsd::VolumeBetas;

/// Is this build's reader HDF5's own library?
const LIBRARY: bool = cfg!(feature = "hdf5");

fn expected() -> Value {
    serde_json::from_slice(&std::fs::read(golden("expected.json")).unwrap()).unwrap()
}

fn words(name: &str) -> String {
    open(&golden(name)).unwrap_err().to_string()
}

#[test]
fn every_dataset_is_h5py_s() {
    let expected = expected();
    let mut arrays = expected["arrays"].as_object().unwrap().clone();
    arrays.insert("group/inner/f4".to_owned(), arrays["f4"].clone());
    arrays.insert("deflated".to_owned(), expected["deflated"].clone());
    for file in ["arrays.h5", "latest.hdf5"] {
        for (name, array) in &arrays {
            if !LIBRARY && (file, name.as_str()) == ("latest.hdf5", "deflated") {
                // Only the library reads the newest storage of chunks.
                refused(open(&golden("latest.hdf5:deflated")), "--features hdf5");
                continue;
            }
            let (shape, values): (Vec<u64>, Vec<f64>) = serde_json::from_value(array.clone()).unwrap();
            for mark in [":", ":/", "#"] {
                let found = open(&golden(&format!("{file}{mark}{name}"))).unwrap();
                assert_eq!(found.shape(), shape, "{name}");
                assert_eq!(found.read_f64().unwrap(), values, "{file} {name}");
                let single: Vec<f32> = values.iter().map(|&value| value as f32).collect();
                assert_eq!(found.read_f32().unwrap(), single, "{file} {name}");
            }
        }
    }
    let one = open(&golden("one.h5")).unwrap();
    let named = open(&golden("one.h5:trials")).unwrap();
    assert_eq!(one.read_f64().unwrap(), named.read_f64().unwrap());
    // MATLAB reverses the axes; a file of version 7.3 need not have its header.
    let folder = tempfile::tempdir().unwrap();
    let matlab = folder.path().join("one.mat");
    std::fs::copy(golden("one.h5"), &matlab).unwrap();
    let shape: Vec<u64> = one.shape().iter().rev().copied().collect();
    assert_eq!(open(&matlab).unwrap().shape(), shape);
    let features = embeddings::read(&golden("arrays.h5:/group/inner/f4")).unwrap();
    assert_eq!((features.rows.ids().len(), features.rows.n_features()), (3, 4));
    embeddings::read(&golden("arrays.h5:f2")).unwrap();
}

#[test]
fn what_is_not_there_or_no_number() {
    let absent = words("one.h5:/trails");
    assert!(absent.ends_with("one.h5: no array \"/trails\"; the file has /trials"), "{absent}");
    let group = words("arrays.h5:/group");
    let few = "no array \"/group\"; the file has /big_f4, /big_f8, /big_i2 and 19 more";
    assert!(group.contains(few), "{group}");
    let several = words("arrays.h5");
    assert!(several.contains("expected one array; choose it as"), "{several}");
    let text = words("arrays.h5:text");
    assert!(text.contains("expected real numbers or booleans"), "{text}");
    let nothing = words("nothing.h5:text");
    assert!(nothing.contains("not found; expected an HDF5 file"), "{nothing}");
    refused(open(&golden("arrays.h5:unwritten")), "the file was cut short or its header is wrong");
}

#[cfg(feature = "hdf5")]
#[test]
fn betas_of_every_layout_are_those_of_the_region() {
    let expected = expected()["betas"].clone();
    let places: Vec<usize> = serde_json::from_value(expected["places"].clone()).unwrap();
    let values: Vec<f64> = serde_json::from_value(expected["values"].clone()).unwrap();
    for layout in ["contiguous", "by_trial", "by_voxel", "in_blocks", "float"] {
        let betas = VolumeBetas::open(&golden(&format!("betas_{layout}.hdf5"))).unwrap();
        assert_eq!((betas.size(), betas.n_trials()), ([7, 5, 4], 12));
        let found = betas.read(&places).unwrap();
        let tolerance = if layout == "float" { 1e-6 } else { 0.0 };
        for (found, expected) in found.iter().zip(&values) {
            assert!((found - expected).abs() <= tolerance, "{layout}");
        }
        // In another order, and some positions twice.
        let other: Vec<usize> = places.iter().rev().chain(&places).copied().collect();
        let twice = betas.read(&other).unwrap();
        let n = places.len();
        for (row, of_row) in twice.chunks(2 * n).zip(found.chunks(n)) {
            assert_eq!(&row[n..], of_row);
            assert!(row[..n].iter().rev().eq(of_row));
        }
        assert!(betas.read(&[]).unwrap().is_empty());
        refused(betas.read(&[140]), "voxel 140: the volume has 140 voxels");
    }
}

#[cfg(feature = "hdf5")]
#[test]
fn files_that_are_cut_or_damaged_are_errors_or_other_numbers() {
    let (_folder, path) = place("betas.hdf5");
    for layout in ["contiguous", "by_trial"] {
        let bytes = std::fs::read(golden(&format!("betas_{layout}.hdf5"))).unwrap();
        for length in (0..bytes.len()).step_by(97) {
            std::fs::write(&path, &bytes[..length]).unwrap();
            let error = VolumeBetas::open(&path).and_then(|betas| betas.read(&[0, 139])).unwrap_err().to_string();
            assert!(error.starts_with(&path.display().to_string()), "{error}");
        }
        for position in (0..bytes.len()).step_by(13) {
            let mut damaged = bytes.clone();
            damaged[position] ^= 0x41;
            std::fs::write(&path, &damaged).unwrap();
            let _ = VolumeBetas::open(&path).and_then(|betas| betas.read(&[0, 139]));
        }
    }
}

#[test]
fn a_build_without_the_library_says_how_to_have_it() {
    if LIBRARY {
        return;
    }
    let found = nsd::VolumeBetas::open(&golden("betas_by_voxel.hdf5")).unwrap_err().to_string();
    for part in ["without HDF5's own library", "--features hdf5", "CMake 3.26", ".npz"] {
        assert!(found.contains(part), "{found}");
    }
}

#[test]
fn arrays_that_are_cut_or_damaged_are_errors_or_other_numbers() {
    let (_folder, path) = place("array.h5");
    for name in ["one.h5", "betas_in_blocks.hdf5"] {
        let bytes = std::fs::read(golden(name)).unwrap();
        for length in (0..bytes.len()).step_by(97) {
            std::fs::write(&path, &bytes[..length]).unwrap();
            let error = open(&path).and_then(|array| array.read_f64()).unwrap_err().to_string();
            assert!(error.starts_with(&path.display().to_string()), "{error}");
        }
        for position in (0..bytes.len()).step_by(13) {
            let mut damaged = bytes.clone();
            damaged[position] ^= 0x41;
            std::fs::write(&path, &damaged).unwrap();
            let _ = open(&path).and_then(|array| array.read_f64());
        }
    }
}

/// The bytes of an image of 4 x 6 pixels.
fn pixels(image: usize) -> Vec<u8> {
    let values = image * 72..(image + 1) * 72;
    values.map(|value| ((value * 7 + 3) % 256) as u8).collect()
}

#[test]
fn images_are_those_that_h5py_wrote() {
    // Chunks of two images, the last one not full; read in any order.
    let nsd = ImageSource::open(&golden("stimuli/nsd_stimuli.hdf5:/imgBrick")).unwrap();
    assert_eq!(nsd.stems(), ["0", "1", "2", "3", "4"]);
    assert_eq!(nsd.form(), "uint8 4 x 6 x 3");
    for image in [3, 4, 0, 1, 2, 4] {
        let found = nsd.load_u8(image).unwrap().unwrap();
        assert_eq!((found.height_px(), found.width_px()), (4, 6));
        assert_eq!(found.data(), pixels(image));
        let hash = content_hash::of_bytes(&pixels(image));
        assert_eq!(nsd.content_hash(image).unwrap(), hash);
    }
    let mut some = ImageSource::open(&golden("stimuli/nsd_stimuli.hdf5")).unwrap();
    some.retain(|stem| stem == "3");
    assert_eq!(some.load_u8(0).unwrap().unwrap().data(), pixels(3));

    let floats = ImageSource::open(&golden("stimuli/others.h5:floats")).unwrap();
    assert!(floats.load_u8(1).unwrap().is_none());
    let values: Vec<f32> = pixels(1).iter().map(|&v| (f64::from(v) / 255.0) as f32).collect();
    assert_eq!(floats.load(1).unwrap().data(), values);
    let first = ImageSource::open(&golden("stimuli/others.h5:channels_first")).unwrap();
    assert_eq!(first.load_u8(2).unwrap().unwrap().data(), pixels(2));
}

#[test]
fn colour_stimuli_follow_those_of_nsd_synthetic() {
    let both = golden("stimuli/nsdsynthetic_stimuli.hdf5:/imgBrick");
    let both = ImageSource::open(&both).unwrap();
    assert_eq!(both.len(), 5);
    for image in [4, 2, 3, 0] {
        assert_eq!(both.load_u8(image).unwrap().unwrap().data(), pixels(image));
    }
}

#[test]
fn datasets_that_are_no_images() {
    let words = |name: &str| ImageSource::open(&golden(name)).unwrap_err().to_string();
    let doubles = words("stimuli/others.h5:doubles");
    assert!(doubles.contains("uint8, or float32 between 0 and 1"), "{doubles}");
    let flat = words("stimuli/others.h5:flat");
    assert!(flat.contains("(n images, height, width, 3)"), "{flat}");
    let absent = words("stimuli/others.h5:imgBrick");
    assert!(absent.contains("no array \"imgBrick\""), "{absent}");
    let several = words("stimuli/others.h5");
    assert!(several.contains("expected one array"), "{several}");
}
