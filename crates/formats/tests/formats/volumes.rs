//! Label volumes, against what nibabel wrote and read.
use crate::goldens::volumes as golden;
use crate::prelude::*;

#[test]
fn labels_of_every_kind_are_nibabel_s() {
    let expected: Value = serde_json::from_slice(&std::fs::read(golden("expected.json")).unwrap()).unwrap();
    let labels = expected["labels"].as_object().unwrap();
    assert_eq!(labels.len(), 15);
    for (name, values) in labels {
        let values: Vec<f64> = serde_json::from_value(values.clone()).unwrap();
        let found = volume::read(&golden(name)).unwrap();
        assert_eq!(found.grid.size, [7, 5, 4], "{name}");
        assert_eq!(found.values, values, "{name}");
    }
}

#[test]
fn version_2_is_read_like_version_1() {
    let version_1 = volume::read(&golden("labels.npy")).unwrap();
    let version_2 = volume::read(&golden("version2.nii")).unwrap();
    assert_eq!((version_2.grid.size, version_2.values), (version_1.grid.size, version_1.values));
}

#[test]
fn a_surface_has_one_axis() {
    let (_folder, path) = place("labels.npy");
    npy::write_f64(&path, &[3], &[0.0, 2.0, 1.0]).unwrap();
    let found = volume::read(&path).unwrap();
    assert_eq!((found.grid.size, found.values), ([3, 1, 1], vec![0.0, 2.0, 1.0]));
    npy::write_f64(&path, &[3, 1], &[0.0, 2.0, 1.0]).unwrap();
    refused(volume::read(&path), "shape [3, 1]");
}

/// A NIfTI-1 file of bytes with these axis sizes.
fn bytes_of_nifti(axes: &[i16], glmin: i32, values: &[u8]) -> Vec<u8> {
    let mut header = vec![0; 352];
    let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, &348_i32.to_le_bytes());
    put(40, &(axes.len() as i16).to_le_bytes());
    for (axis, size) in axes.iter().enumerate() {
        put(42 + 2 * axis, &size.to_le_bytes());
    }
    // Unsigned integers of 8 bits, which begin at byte 352.
    put(70, &2_i16.to_le_bytes());
    put(72, &8_i16.to_le_bytes());
    put(108, &352_f32.to_le_bytes());
    put(144, &glmin.to_le_bytes());
    put(344, b"n+1\0");
    header.extend(values);
    header
}

/// nibabel's `Nifti1Header.get_data_shape` has the same rules.
#[test]
fn surfaces_with_more_places_than_an_axis_can_have_are_read_as_nibabel_reads_them() {
    let (_folder, path) = place("surface.nii");
    let written = |bytes: Vec<u8>| std::fs::write(&path, bytes).unwrap();
    written(bytes_of_nifti(&[-1, 1, 1], 5, &[3, 1, 4, 1, 5]));
    let found = volume::read(&path).unwrap();
    assert_eq!(found.grid.size, [5, 1, 1]);
    assert_eq!(found.values, [3.0, 1.0, 4.0, 1.0, 5.0]);
    let mut places = vec![0; 163_842];
    places[163_841] = 7;
    written(bytes_of_nifti(&[27307, 1, 6], 0, &places));
    let found = volume::read(&path).unwrap();
    assert_eq!((found.grid.size, found.values[163_841]), ([163_842, 1, 1], 7.0));
    written(bytes_of_nifti(&[-1, 1, 1, 2], 3, &[1, 2, 3, 4, 5, 6]));
    let trials = brain_image::read(&path, &Region::default()).unwrap();
    assert_eq!((trials.n_trials, trials.places.len()), (2, 3));
    assert_eq!(trials.values, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);

    for (axes, glmin) in [(&[-1, 1, 1][..], 0), (&[-1, 1, 1], -5), (&[-1, 1], 5), (&[-1, 2, 1], 5)] {
        written(bytes_of_nifti(axes, glmin, &[1; 5]));
        let error = volume::read(&path).unwrap_err().to_string();
        assert!(error.ends_with("an axis has the size -1"), "{axes:?} {glmin}: {error}");
    }
    written(bytes_of_nifti(&[-1, 1, 1, 32767], i32::MAX, &[1; 5]));
    assert!(brain_image::read(&path, &Region::default()).is_err());
    written(bytes_of_nifti(&[-1, 1, 1], i32::MAX, &[1; 5]));
    refused(volume::read(&path), "the file was cut short or its header is wrong");
}

#[test]
fn what_is_no_volume_is_named() {
    let words = |name: &str| volume::read(&golden(name)).unwrap_err().to_string();
    let frames = words("two_frames.nii.gz");
    assert!(frames.contains("shape [7, 5, 4, 2]; expected one volume"), "{frames}");
    let nothing = words("nothing.nii.gz");
    assert!(nothing.contains("not found; expected a NIfTI file"), "{nothing}");
    let (_folder, path) = place("a.nii");
    let whole = std::fs::read(golden("big.nii")).unwrap();
    let refused = |change: &dyn Fn(&mut Vec<u8>), part: &str| {
        let mut bytes = whole.clone();
        change(&mut bytes);
        std::fs::write(&path, &bytes).unwrap();
        let error = volume::read(&path).unwrap_err().to_string();
        assert!(error.starts_with(&path.display().to_string()), "{error}");
        assert!(error.contains(part), "{error}");
    };
    refused(&|bytes| bytes[0] = 9, "length of its header");
    refused(&|bytes| bytes[345] = b'i', ".hdr and .img");
    refused(&|bytes| bytes[71] = 32, "NIfTI's type 32");
    refused(&|bytes| bytes[40] = 9, "axes");
    refused(&|bytes| bytes[42..44].fill(0), "size 0");
    refused(&|bytes| bytes[42..48].fill(0x7f), "needs");
    refused(&|bytes| bytes[108..112].fill(0), "begin at byte 0");
    refused(&|bytes| bytes[108..112].fill(0xff), "begin at byte NaN");
}

#[test]
fn files_that_are_cut_short_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["big.nii", "scaled.nii.gz", "f8.nii.gz"] {
        let bytes = std::fs::read(golden(name)).unwrap();
        let path = folder.path().join(name);
        for length in 0..bytes.len() {
            std::fs::write(&path, &bytes[..length]).unwrap();
            let error = volume::read(&path);
            // A gzip file's last eight bytes are a checksum and a length, which the reader does not need.
            if length + 9 < bytes.len() || name == "big.nii" {
                assert!(error.is_err(), "{name} {length}");
            }
        }
    }
}
