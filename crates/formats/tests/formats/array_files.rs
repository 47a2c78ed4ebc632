//! Arrays in `.npz` and other files, against what NumPy wrote and read.
use crate::goldens::volumes as golden;
use crate::prelude::*;
use neurogauge_formats::array_file::{name_of, open};

fn expected() -> Value {
    serde_json::from_slice(&std::fs::read(golden("expected.json")).unwrap()).unwrap()
}

fn words(name: &str) -> String {
    match open(&golden(name)) {
        Ok(array) => array.read_f64().unwrap_err().to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn every_array_of_an_archive_is_numpy_s() {
    let expected = expected();
    let mut arrays = expected["arrays"].as_object().unwrap().clone();
    arrays.insert("fortran".to_owned(), arrays["f8"].clone());
    for file in ["stored.npz", "deflated.npz"] {
        for (name, array) in &arrays {
            let (shape, values): (Vec<u64>, Vec<f64>) = serde_json::from_value(array.clone()).unwrap();
            for mark in [":", "#"] {
                let found = open(&golden(&format!("{file}{mark}{name}"))).unwrap();
                assert_eq!(found.shape(), shape, "{name}");
                assert_eq!(found.read_f64().unwrap(), values, "{name}");
                let single: Vec<f32> = values.iter().map(|&value| value as f32).collect();
                assert_eq!(found.read_f32().unwrap(), single, "{name}");
                assert!(found.path().ends_with(file));
            }
        }
    }
}

#[test]
fn the_only_array_needs_no_name() {
    let one = open(&golden("one.npz")).unwrap();
    let named = open(&golden("one.npz:trials")).unwrap();
    assert_eq!(one.read_f64().unwrap(), named.read_f64().unwrap());
    assert_eq!(one.shape(), [3, 4]);
}

#[test]
fn names_that_are_not_there_or_not_said() {
    let absent = words("one.npz:trails");
    assert!(absent.ends_with("one.npz: no array \"trails\"; the file has trials"), "{absent}");
    let several = words("stored.npz");
    assert!(several.contains("arrays (bool, u1, "), "{several}");
    assert!(several.contains("stored.npz:bool"), "{several}");
    let nothing = words("nothing.npz:trials");
    assert!(nothing.ends_with("nothing.npz: not found; expected an .npz file of arrays"), "{nothing}");
    let (_folder, path) = file("a.npz", "no archive");
    refused(open(&path), "not a readable .npz file");
}

#[test]
fn an_archive_that_is_damaged_anywhere_is_an_error_or_the_same() {
    let (_folder, path) = place("one.npz");
    let bytes = std::fs::read(golden("one.npz")).unwrap();
    let whole = open(&golden("one.npz")).unwrap().read_f64().unwrap();
    for position in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[position] ^= 0x41;
        std::fs::write(&path, &damaged).unwrap();
        if let Ok(found) = open(&path) {
            assert_eq!(found.read_f64().unwrap(), whole, "{position}");
        }
        std::fs::write(&path, &bytes[..position]).unwrap();
        assert!(open(&path).is_err(), "{position}");
    }
}

#[test]
fn arrays_have_names_for_tables() {
    for (path, name) in [
        ("obs/resnet50.layer1.npy", "resnet50.layer1"),
        ("obs/all.npz:layer1", "layer1"),
        ("obs/all.h5:/features/layer1", "features/layer1"),
        ("obs/one.npz", "one"),
    ] {
        assert_eq!(name_of(Path::new(path)), name);
    }
}

#[test]
fn embeddings_out_of_an_archive_have_the_ids_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.npz");
    std::fs::copy(golden("one.npz"), &path).unwrap();
    std::fs::write(folder.path().join("ids.json"), "[7, 5, 3]").unwrap();
    let path = PathBuf::from(format!("{}:trials", path.display()));
    let found = embeddings::read(&path).unwrap();
    assert_eq!(found.rows.ids(), ["7", "5", "3"]);
    assert_eq!(found.rows.n_features(), 4);
    refused(embeddings::read(&golden("stored.npz:i4")), "element type int32");
}

#[test]
fn any_other_ending_is_npy() {
    let (_folder, path) = place("trials.array");
    npy::write_f64(&path, &[2], &[1.0, 2.0]).unwrap();
    assert_eq!(open(&path).unwrap().read_f64().unwrap(), [1.0, 2.0]);
}

/// The local and central headers of two uncompressed members, to which `np.savez` would never give the same name.
#[test]
fn two_members_of_one_name_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let one = folder.path().join("one.npy");
    let path = folder.path().join("a.npz");
    let archive = |names: [&str; 2]| {
        let (mut bytes, mut central) = (Vec::new(), Vec::new());
        for (place, name) in names.iter().enumerate() {
            npy::write_f64(&one, &[2], &[place as f64, 7.0]).unwrap();
            let array = std::fs::read(&one).unwrap();
            let mut hash = flate2::Crc::new();
            hash.update(&array);
            let mut about = Vec::new();
            about.extend([20_u16, 0, 0, 0, 0].iter().flat_map(|part| part.to_le_bytes()));
            about.extend(hash.sum().to_le_bytes());
            about.extend([array.len() as u32; 2].iter().flat_map(|part| part.to_le_bytes()));
            about.extend([name.len() as u16, 0].iter().flat_map(|part| part.to_le_bytes()));
            central.extend(b"PK\x01\x02\x14\x00");
            central.extend(&about);
            central.extend([0; 10]);
            central.extend((bytes.len() as u32).to_le_bytes());
            central.extend(name.as_bytes());
            bytes.extend(b"PK\x03\x04");
            bytes.extend(&about);
            bytes.extend(name.as_bytes());
            bytes.extend(array);
        }
        let start = bytes.len() as u32;
        bytes.extend(&central);
        bytes.extend(b"PK\x05\x06\x00\x00\x00\x00\x02\x00\x02\x00");
        bytes.extend((central.len() as u32).to_le_bytes());
        bytes.extend(start.to_le_bytes());
        bytes.extend([0; 2]);
        std::fs::write(&path, bytes).unwrap();
        open(&folder.path().join("a.npz:clip")).and_then(|array| array.read_f64())
    };
    assert_eq!(archive(["clip.npy", "other.npy"]).unwrap(), [0.0, 7.0]);
    for names in [["clip.npy", "clip.npy"], ["clip.npy", "clip"]] {
        let error = archive(names).unwrap_err().to_string();
        assert!(error.contains("a.npz") && error.contains("arrays"), "{error}");
    }
}
