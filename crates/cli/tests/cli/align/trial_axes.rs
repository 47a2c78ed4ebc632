//! Responses with an axis of images and one of repeats.

use crate::support::alignments::{Arrays, N_REPEATS, N_STIMULI, N_VOXELS, align, refusals_of_words, refused, units};
use crate::support::*;

/// Writes the responses of each subject, image after image, as (images, repeats, voxels) or with the repeats first.
fn write_axes(arrays: &Arrays, repeats_first: bool) {
    for (subject, trials) in &arrays.trials {
        let place = |row: usize| match repeats_first {
            true => row % N_STIMULI * N_REPEATS + row / N_STIMULI,
            false => row,
        };
        let values: Vec<f64> = (0..trials.len()).flat_map(|row| trials[place(row)].2.clone()).collect();
        let (n_images, n_repeats) = (N_STIMULI as u64, N_REPEATS as u64);
        let shape = match repeats_first {
            true => [n_repeats, n_images, N_VOXELS as u64],
            false => [n_images, n_repeats, N_VOXELS as u64],
        };
        write_f64(&arrays.dir.join(format!("{subject}_trials.npy")), &shape, &values).unwrap();
    }
}

#[test]
fn an_axis_of_images_needs_no_list_of_trials() {
    let mut arrays = Arrays::new();
    // Image after image, as np.repeat(np.arange(36), 2) lists them, and features in the same order.
    for trials in arrays.trials.values_mut() {
        trials.sort_by_key(|trial| trial.0);
        for (stimulus, session, _) in trials {
            (*stimulus, *session) = (*stimulus - 10, 0);
        }
    }
    for layer in ["early", "late"] {
        fs::remove_file(arrays.dir.join(format!("{layer}/ids.json"))).unwrap();
    }
    arrays.align("listed", "");
    let dir = &arrays.dir;
    let listed = units(dir, "listed");
    let text = dir.read("align.toml");
    let is_kept = |line: &&str| !line.starts_with("stimuli") && !line.starts_with("sessions");
    let lines: Vec<&str> = text.lines().filter(is_kept).collect();
    dir.write("align.toml", lines.join("\n") + "\n");
    let without = refused(dir);
    for repeats_first in [false, true] {
        write_axes(&arrays, repeats_first);
        let ran = align(dir, "by_shape", "").to_string();
        let axes = if repeats_first {
            "repeats, images, voxels"
        } else {
            "images, repeats, voxels"
        };
        let said = format!("a lh V1: 72 trials from ({axes}): 2 of each of 36 images, 12 voxels");
        assert!(ran.contains(&said), "{ran}");
        assert!(units(dir, "by_shape") == listed, "{axes}");
    }
    // Without a known number of images, the axes are named; and a list names the images.
    let named = dir.read("align.toml");
    dir.write(
        "align.toml",
        named.replace("[settings]", "[[sources]]\nname = \"other\"\nfeatures = \"b.npy\"\n[settings]"),
    );
    write_f32(&dir.join("b.npy"), &[2, 3], &[0.5; 6]).unwrap();
    let ambiguous = refused(dir);
    dir.write("align.toml", named.replace("roi = \"V1\"", "roi = \"V1\"\nlayout = \"repeats, images, voxels\""));
    align(dir, "by_name", "");
    assert!(units(dir, "by_name") == listed);
    dir.write("names.txt", (0..N_STIMULI).map(|image| format!("{image}\n")).collect::<String>());
    dir.replace("align.toml", "layout", "stimuli = \"names.txt\"\nlayout");
    align(dir, "by_list", "");
    assert!(units(dir, "by_list") == listed);
    dir.write("names.txt", "0\n1\n");
    let few = refused(dir);
    let words = refusals_of_words(
        dir,
        &[
            ("\"repeats, images, voxels\"", "\"repeats, voxels\""),
            ("layout = \"repeats, images, voxels\"", "layuot = \"repeats, images, voxels\""),
            ("layout = \"repeats, images, voxels\"", "layout = \"repeats, images, voxels\"\nvoxels_first = true"),
        ],
    );
    assert_snapshot!(without + &ambiguous + &few + &words, @r#"
    exit 1, stderr: error: a_trials.npy: a lh V1: no `stimuli`; expected the stimulus of each trial, or an array with an axis of images
    exit 1, stderr: error: a_trials.npy: a lh V1: the shape [2, 36, 12]; expected (n_trials, n_voxels), or the names of three axes in the target's table, such as layout = "images, repeats, voxels" or layout = "repeats, images, voxels"
    exit 1, stderr: error: a_trials.npy: a lh V1: 36 images; expected 2, as names.txt has
    exit 2, stderr: error: align.toml:6: layout "repeats, voxels": expected images, repeats and voxels, each once, in the order of the array's axes, such as "images, repeats, voxels"
    exit 2, stderr: error: align.toml:6: unknown key `layuot` (did you mean "layout"?)
    exit 1, stderr: error: a_trials.npy: a lh V1: both `voxels_first` and `layout`; expected `layout` for arrays of three axes
    "#);
}
