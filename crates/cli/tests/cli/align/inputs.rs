//! The same study out of other kinds of files.

use crate::support::alignments::{Arrays, arguments, record, units};
use crate::support::{folder, refused, succeed};
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
            text = text.replace(
                &format!("{subject}_{name}.npy"),
                &format!("{subject}.npz:{name}"),
            );
        }
    }
    for layer in ["early", "late"] {
        let folder = root.path().join(layer);
        let file = folder.join(format!("{layer}.npy"));
        archive(&folder.join("features.npz"), &[(&file, layer)]);
        text = text.replace(
            &format!("{layer}/{layer}.npy"),
            &format!("{layer}/features.npz:{layer}"),
        );
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
    for value in arrays
        .trials
        .values_mut()
        .flatten()
        .flat_map(|trial| &mut trial.2)
    {
        // Values of an image in single precision.
        *value = f64::from(*value as f32);
    }
    let config = arrays.write();
    let (plain, images) = (root.path().join("plain"), root.path().join("images"));
    succeed(&arguments(&config, &plain));

    let mut text = std::fs::read_to_string(&config).unwrap();
    for (subject, trials) in &arrays.trials {
        // Before each vertex of the region is one of another.
        let frame = |voxels: &[f64]| -> Vec<f32> {
            voxels
                .iter()
                .flat_map(|&value| [17.0, value as f32])
                .collect()
        };
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

    for (change, parts) in [
        (
            ("labels = [3, 4]", "labels = [9]"),
            &["regions.mgh", "no place of the region"][..],
        ),
        (
            ("mask = \"regions.mgh\"\n", ""),
            &["`labels` without a `mask`"],
        ),
        (
            ("labels = [3, 4]", "structure = \"CORTEX_LEFT\""),
            &["a.mgh", "CIFTI-2"],
        ),
        (
            ("labels = [3, 4]", "voxels = \"a_stimuli.npy\""),
            &["both `voxels` and a mask"],
        ),
        (("\"regions.mgh\"", "\"a.mgh\""), &["a.mgh", "72 frames"]),
    ] {
        std::fs::write(&config, text.replace(change.0, change.1)).unwrap();
        refused(&arguments(&config, &root.path().join("refused")), 1, parts);
    }
}

#[test]
fn an_array_that_an_archive_lacks() {
    let root = folder();
    let config = Arrays::new(root.path()).write();
    let file = root.path().join("a_trials.npy");
    archive(&root.path().join("a.npz"), &[(&file, "responses")]);
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replace("a_trials.npy", "a.npz:trials")).unwrap();
    let run = root.path().join("run");
    let parts = ["a.npz", "no array \"trials\"", "responses"];
    refused(&arguments(&config, &run), 1, &parts);
}

#[test]
fn sessions_may_be_called_by_their_dates() {
    let root = folder();
    let config = Arrays::new(root.path()).write();
    let (small, dates) = (root.path().join("small"), root.path().join("dates"));
    succeed(&arguments(&config, &small));
    for subject in ["a", "b"] {
        // Both are 0 modulo 2^32.
        let sessions = (0..72).map(|trial| f64::from(1 + trial / 36) * 4_294_967_296.0);
        let sessions: Vec<f64> = sessions.collect();
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
    let config = Arrays::new(root.path()).write();
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replace("a_trials.npy", "a.h5:/trials")).unwrap();
    let run = root.path().join("run");
    let parts = ["a.h5", "built without HDF5", "--features hdf5", "cmake"];
    refused(&arguments(&config, &run), 1, &parts);
    assert!(!run.join("align.json").exists());
}
