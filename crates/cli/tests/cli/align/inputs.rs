//! The same study from other kinds of files.

use crate::support::alignments::{Arrays, align, archive, refusals_of_words, refused, units};
use crate::support::*;
use neurogauge::formats::mgh;

#[test]
fn arrays_of_archives_and_other_numbers_of_sessions_are_the_same_study() {
    let arrays = Arrays::new();
    arrays.align("plain", "");
    let dir = &arrays.dir;
    // Sessions may have dates as names; both of these are 0 modulo 2^32.
    let sessions: Vec<f64> = (0..72).map(|trial| f64::from(1 + trial / 36) * 4_294_967_296.0).collect();
    for subject in ["a", "b"] {
        write_f64(&dir.join(format!("{subject}_sessions.npy")), &[72], &sessions).unwrap();
        let names = ["trials", "stimuli", "sessions"];
        let files = names.map(|name| dir.join(format!("{subject}_{name}.npy")));
        archive(&dir.join(format!("{subject}.npz")), &[0, 1, 2].map(|i| (files[i].as_path(), names[i])));
        for name in names {
            dir.replace("align.toml", &format!("{subject}_{name}.npy"), &format!("{subject}.npz:{name}"));
        }
    }
    for layer in ["early", "late"] {
        let file = format!("{layer}/{layer}.npy");
        archive(&dir.join(format!("{layer}/features.npz")), &[(&dir.join(&file), layer)]);
        dir.replace("align.toml", &file, &format!("{layer}/features.npz:{layer}"));
        dir.remove(file);
    }
    align(dir, "zipped", "");
    assert!(units(dir, "plain") == units(dir, "zipped"));
    let [plain, zipped] = ["plain", "zipped"].map(|run| dir.json(format!("{run}/align.json"))["fingerprint"].clone());
    assert_eq!(plain, zipped);
    // The archive lacks this array.
    archive(&dir.join("a.npz"), &[(&dir.join("a_trials.npy"), "responses")]);
    assert_snapshot!(refused(dir), @r#"exit 1, stderr: error: a.npz: no array "stimuli"; the file has responses"#);
}

#[test]
fn images_of_the_brain_with_a_mask_are_the_same_study() {
    let mut arrays = Arrays::new();
    for value in arrays.trials.values_mut().flatten().flat_map(|trial| &mut trial.2) {
        // Images have values in single precision.
        *value = f64::from(*value as f32);
    }
    arrays.align("plain", "");
    let dir = &arrays.dir;
    for (subject, trials) in &arrays.trials {
        // Before each vertex of the region there is one of another region.
        let frame = |voxels: &[f64]| -> Vec<f32> { voxels.iter().flat_map(|&value| [17.0, value as f32]).collect() };
        let frames: Vec<Vec<f32>> = trials.iter().map(|trial| frame(&trial.2)).collect();
        mgh::write(&dir.join(format!("{subject}.mgh")), frames[0].len(), &frames).unwrap();
        dir.replace(
            "align.toml",
            &format!("trials = \"{subject}_trials.npy\""),
            &format!("trials = \"{subject}.mgh\"\nmask = \"regions.mgh\"\nlabels = [3, 4]"),
        );
    }
    let labels = [1.0, 3.0, 0.0, 4.0].repeat(6);
    mgh::write(&dir.join("regions.mgh"), labels.len(), &[labels]).unwrap();
    align(dir, "images", "");
    assert!(units(dir, "plain") == units(dir, "images"));

    assert_snapshot!(refusals_of_words(dir, &[
        ("labels = [3, 4]", "labels = [9]"),
        ("mask = \"regions.mgh\"\n", ""),
        ("labels = [3, 4]", "structure = \"CORTEX_LEFT\""),
        ("labels = [3, 4]", "voxels = \"a_stimuli.npy\""),
        ("\"regions.mgh\"", "\"a.mgh\""),
    ]), @"
    exit 1, stderr: error: regions.mgh: holds no place of the region; expected at least one of the labels [9]
    exit 1, stderr: error: a.mgh: a lh V1: `labels` without a `mask`; expected the mask that has these labels
    exit 1, stderr: error: a.mgh: holds no names of structures of the brain; expected a CIFTI-2 file with the structure CORTEX_LEFT
    exit 1, stderr: error: a.mgh: a lh V1: both `voxels` and a mask, its labels or a structure; expected one of them for the region
    exit 1, stderr: error: a.mgh: holds 72 frames; expected one value for each place
    ");
}
