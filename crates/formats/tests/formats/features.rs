//! Feature matrices against NumPy's files.

use crate::files;
use crate::prelude::*;

fn golden(name: &str) -> PathBuf {
    files::golden("formats_observations/features").join(name)
}

fn expected() -> Vec<f32> {
    let noise = Synthetic::new("features", 0);
    (0..35).map(|index| noise.uniform(index) - 0.5).collect()
}

#[test]
fn every_float_type_order_and_pooled_shape_is_read() {
    for name in ["single", "double", "fortran", "pooled"] {
        let found = features::read(&golden(&format!("{name}.npy")), &golden("ids.json")).unwrap();
        assert_eq!(found.data(), expected(), "{name}");
        assert_eq!(found.n_features(), 7);
        assert_eq!(found.ids(), ["10", "9", "8", "é", "7_b"]);
    }
    let half = features::read(&golden("half.npy"), &golden("ids.json")).unwrap();
    for (found, expected) in half.data().iter().zip(expected()) {
        // Half precision keeps 11 bits.
        assert!((found - expected).abs() <= expected.abs() / 2048.0, "{found} {expected}");
    }
    let found = features::read(&golden("single.npy"), &golden("integer_ids.json")).unwrap();
    assert_eq!(found.ids(), ["3", "1", "4", "-1", "5"]);
}

#[test]
fn rows_that_stay_in_the_file_are_those_that_are_read() {
    for name in ["single", "double", "half", "fortran", "pooled"] {
        let (matrix, ids) = (golden(&format!("{name}.npy")), golden("ids.json"));
        let (whole, stored) = (features::read(&matrix, &ids).unwrap(), features::open(&matrix, &ids).unwrap());
        assert_eq!((stored.ids(), stored.n_features()), (whole.ids(), 7));
        for row in [4, 0, 2] {
            assert_eq!(*stored.single_row(row).unwrap(), *whole.row(row), "{name}");
            let of_row = stored.row(row).unwrap();
            assert!(of_row.iter().zip(whole.row(row)).all(|(a, b)| *a == f64::from(*b)));
            assert_eq!(stored.values(row, 2..6).unwrap().to_double(), of_row[2..6]);
        }
    }
}

#[test]
fn double_precision_is_kept_and_lowered_only_where_it_fits() {
    let folder = tempfile::tempdir().unwrap();
    let (matrix, ids) = (folder.path().join("m.npy"), folder.path().join("ids.json"));
    std::fs::write(&ids, r#"["a", "b"]"#).unwrap();
    let values = [1e9 + 0.25, -2.0, 1e300, 3.0];
    npy::write_f64(&matrix, &[2, 2], &values).unwrap();
    let stored = features::open(&matrix, &ids).unwrap();
    assert_eq!([stored.row(0).unwrap(), stored.row(1).unwrap()].concat(), values);
    assert_eq!(*stored.single_row(0).unwrap(), [1e9, -2.0]);
    let beyond = "row 1, column 0: is 1e300; expected a number up to 3.4e38, as single precision has";
    for error in [stored.single_row(1).unwrap_err(), features::read(&matrix, &ids).unwrap_err()] {
        assert!(error.to_string().contains(beyond), "{error}");
    }
}

#[test]
fn a_matrix_is_looked_through_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let (matrix, ids) = (folder.path().join("m.npy"), folder.path().join("ids.json"));
    // More than one block, and a number of rows that does not divide evenly.
    let (n_rows, n_features) = (2101, 1000);
    let names: Vec<String> = (0..n_rows).map(|row| row.to_string()).collect();
    std::fs::write(&ids, serde_json::to_string(&names).unwrap()).unwrap();
    let mut data = vec![0.5_f32; n_rows * n_features];
    let shape = [n_rows as u64, n_features as u64];
    npy::write_f32(&matrix, &shape, &data).unwrap();
    let stored = features::open(&matrix, &ids).unwrap();
    data[2100 * n_features + 999] = f32::NEG_INFINITY;
    npy::write_f32(&matrix, &shape, &data).unwrap();
    for error in [features::open(&matrix, &ids).unwrap_err(), features::read(&matrix, &ids).unwrap_err()] {
        let error = error.to_string();
        assert!(error.contains("row 2100, column 999 is -inf"), "{error}");
    }
    // The opened file still exists, with another name or none.
    assert_eq!(stored.row(2100).unwrap()[999], 0.5);
}

#[test]
fn each_fault_has_its_error() {
    let ids = golden("ids.json");
    for (matrix, words) in [
        ("faulty/integers.npy", "element type"),
        ("faulty/flat.npy", "an array of shape"),
        ("faulty/maps.npy", "an array of shape"),
        ("faulty/nan.npy", "row 3, column 2 is NaN"),
    ] {
        refused(features::read(&golden(matrix), &ids), words);
    }

    let (_folder, ids) = place("ids.json");
    let read = || features::read(&golden("single.npy"), &ids);
    refused(read(), "the stem of the image of each row of single.npy");
    for (content, words) in [
        (r#"["a", "b"]"#, "2 ids for 5 rows"),
        (r#"["a", "b", "c", "a", "d"]"#, r#"id 3: "a" is id 0 already"#),
        (r#"["1", 1, "c", "b", "d"]"#, r#"id 1: "1" is id 0 already"#),
        ("[1.5]", ":1:5: expected an id, a string or an integer"),
        (r#"{"a": 0}"#, ":1:1: an object; expected a list"),
    ] {
        std::fs::write(&ids, content).unwrap();
        refused(read(), words);
    }
}

fn features(ids: &[&str], n_features: usize, data: &[f32]) -> Features {
    let ids = ids.iter().map(|id| (*id).to_owned()).collect();
    Features::new(ids, n_features, data.to_vec()).unwrap()
}

#[test]
fn what_is_written_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let original = features(&["b", "a"], 3, &[1.0, -0.0, 1e-40, 0.1, 3e38, -7.5]);
    features::write(folder, "clip.final", &original).unwrap();
    features::write(folder, "alexnet10", &original).unwrap();
    features::write(folder, "alexnet2", &original).unwrap();
    let read = features::read(&folder.join("clip.final.npy"), &folder.join("ids.json")).unwrap();
    assert_eq!(read, original);
    assert_eq!(read.row(0)[1].to_bits(), (-0.0_f32).to_bits());
    assert_eq!(features::list(folder).unwrap(), ["alexnet2", "alexnet10", "clip.final"]);
}

#[test]
fn matrices_of_other_images_are_not_mixed_up() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let two = features(&["a", "b"], 1, &[1.0, 2.0]);
    let swapped = features(&["b", "a"], 1, &[2.0, 1.0]);
    features::write(folder, "swav", &two).unwrap();
    features::write(folder, "swav", &swapped).unwrap();
    refused(features::write(folder, "clip", &two), "other matrices have other ids than \"clip\"");
    let ids = folder.join("ids.json");
    assert_eq!(features::read(&folder.join("swav.npy"), &ids).unwrap(), swapped);
}

#[test]
fn what_would_not_be_read_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    for (model, faulty, words) in [
        ("m", features(&["a", "a"], 1, &[1.0, 2.0]), "\"a\" is id 0 already"),
        ("m", features(&["a"], 2, &[1.0, f32::INFINITY]), "row 0, column 1 is inf"),
        ("m", features(&[], 2, &[]), "at least one of each"),
        ("../m", features(&["a"], 1, &[1.0]), "cannot be part of a file name"),
        ("", features(&["a"], 1, &[1.0]), "cannot be part of a file name"),
    ] {
        refused(features::write(folder.path(), model, &faulty), words);
    }
    assert!(features::list(folder.path()).unwrap().is_empty());
}
