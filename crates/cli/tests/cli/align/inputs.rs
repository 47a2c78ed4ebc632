//! The same study out of other kinds of files.

use crate::support::alignments::{Arrays, arguments, record, refusals_of_words, units};
use crate::support::{folder, succeed};
use insta::assert_snapshot;
use neurogauge::formats::mgh;
use neurogauge::formats::npy::write_f64;
use std::io::Write;
use std::path::Path;

/// Puts `.npy` files into an archive, under their names; the files go.
fn archive(path: &Path, members: &[(&Path, &str)]) {
    let mut zip = zip::ZipWriter::new(std::fs::File::create(path).unwrap());
    for (file, name) in members {
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(format!("{name}.npy"), options).unwrap();
        zip.write_all(&std::fs::read(file).unwrap()).unwrap();
        std::fs::remove_file(file).unwrap();
    }
    zip.finish().unwrap();
}

#[test]
fn arrays_of_archives_are_the_same_study() {
    let root = folder();
    let arrays = Arrays::new(root.path());
    let config = arrays.write();
    let (plain, zipped) = (root.path().join("plain"), root.path().join("zipped"));
    succeed(&arguments(&config, &plain));

    let mut text = std::fs::read_to_string(&config).unwrap();
    for subject in ["a", "b"] {
        let names = ["trials", "stimuli", "sessions"];
        let files = names.map(|name| root.path().join(format!("{subject}_{name}.npy")));
        let members = [0, 1, 2].map(|i| (files[i].as_path(), names[i]));
        archive(&root.path().join(format!("{subject}.npz")), &members);
        for name in names {
            text = text.replace(&format!("{subject}_{name}.npy"), &format!("{subject}.npz:{name}"));
        }
    }
    for layer in ["early", "late"] {
        let folder = root.path().join(layer);
        let file = folder.join(format!("{layer}.npy"));
        archive(&folder.join("features.npz"), &[(&file, layer)]);
        text = text.replace(&format!("{layer}/{layer}.npy"), &format!("{layer}/features.npz:{layer}"));
    }
    std::fs::write(&config, text).unwrap();
    succeed(&arguments(&config, &zipped));
    assert!(units(&plain) == units(&zipped));
    let [plain, zipped] = [plain, zipped].map(|run| record(&run)["fingerprint"].clone());
    assert_eq!(plain, zipped);
}

#[test]
fn images_of_the_brain_with_a_mask_are_the_same_study() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    for value in arrays.trials.values_mut().flatten().flat_map(|trial| &mut trial.2) {
        // Values of an image in single precision.
        *value = f64::from(*value as f32);
    }
    let config = arrays.write();
    let (plain, images) = (root.path().join("plain"), root.path().join("images"));
    succeed(&arguments(&config, &plain));

    let mut text = std::fs::read_to_string(&config).unwrap();
    for (subject, trials) in &arrays.trials {
        // Before each vertex of the region is one of another.
        let frame = |voxels: &[f64]| -> Vec<f32> { voxels.iter().flat_map(|&value| [17.0, value as f32]).collect() };
        let frames: Vec<Vec<f32>> = trials.iter().map(|trial| frame(&trial.2)).collect();
        let n = frames[0].len();
        mgh::write(&root.path().join(format!("{subject}.mgh")), n, &frames).unwrap();
        text = text.replace(
            &format!("trials = \"{subject}_trials.npy\""),
            &format!("trials = \"{subject}.mgh\"\nmask = \"regions.mgh\"\nlabels = [3, 4]"),
        );
    }
    let labels = [1.0, 3.0, 0.0, 4.0].repeat(6);
    mgh::write(&root.path().join("regions.mgh"), labels.len(), &[labels]).unwrap();
    std::fs::write(&config, &text).unwrap();
    succeed(&arguments(&config, &images));
    assert!(units(&plain) == units(&images));

    let said = refusals_of_words(
        &root,
        &[
            ("labels = [3, 4]", "labels = [9]"),
            ("mask = \"regions.mgh\"\n", ""),
            ("labels = [3, 4]", "structure = \"CORTEX_LEFT\""),
            ("labels = [3, 4]", "voxels = \"a_stimuli.npy\""),
            ("\"regions.mgh\"", "\"a.mgh\""),
        ],
    );
    assert_snapshot!(said, @"
    exit 1, stderr: error: regions.mgh: holds no place of the region; expected at least one of the labels [9]
    exit 1, stderr: error: a.mgh: a lh V1: `labels` without a `mask`; expected the mask that has these labels
    exit 1, stderr: error: a.mgh: holds no names of structures of the brain; expected a CIFTI-2 file with the structure CORTEX_LEFT
    exit 1, stderr: error: a.mgh: a lh V1: both `voxels` and a mask, its labels or a structure; expected one of them for the region
    exit 1, stderr: error: a.mgh: holds 72 frames; expected one value for each place
    ");
}

#[test]
fn an_array_that_an_archive_lacks() {
    let root = folder();
    Arrays::new(root.path()).write();
    archive(&root.join("a.npz"), &[(&root.join("a_trials.npy"), "responses")]);
    let said = refusals_of_words(&root, &[("a_trials.npy", "a.npz:trials")]);
    assert_snapshot!(said, @r#"exit 1, stderr: error: a.npz: no array "trials"; the file has responses"#);
}

#[test]
fn sessions_may_be_called_by_their_dates() {
    let root = folder();
    let config = Arrays::new(root.path()).write();
    let (small, dates) = (root.path().join("small"), root.path().join("dates"));
    succeed(&arguments(&config, &small));
    for subject in ["a", "b"] {
        // Both are 0 modulo 2^32.
        let sessions: Vec<f64> = (0..72).map(|trial| f64::from(1 + trial / 36) * 4_294_967_296.0).collect();
        let path = root.path().join(format!("{subject}_sessions.npy"));
        write_f64(&path, &[72], &sessions).unwrap();
    }
    succeed(&arguments(&config, &dates));
    let [small, dates] = [small, dates].map(|run| record(&run)["fingerprint"].clone());
    assert_eq!(small, dates);
}

#[cfg(not(feature = "hdf5"))]
#[test]
fn hdf5_in_a_build_without_it() {
    let root = folder();
    Arrays::new(root.path()).write();
    let said = refusals_of_words(&root, &[("a_trials.npy", "a.h5:/trials")]);
    assert_snapshot!(said, @"exit 1, stderr: error: a.h5: this neurogauge was built without HDF5; build it with `cargo build --release --package neurogauge --features hdf5` (it needs a C compiler and CMake 3.26), or save the array as .npy or .npz");
}
