//! `neurogauge perceive`: which features are kept and which are computed again.

use super::features::{N_IMAGES, images, perceive, seen};
use crate::support::*;

#[test]
fn what_is_finished_is_kept_and_what_changed_is_made_anew() {
    let dir = images();
    let matrix = dir.join("out/features/mean-colours.grid4.npy");
    let run = |options: &str| seen(&perceive(&dir, "out", &format!("placeholder {options}")));
    let modified = || matrix.metadata().unwrap().modified().unwrap();
    assert_eq!(run(""), N_IMAGES);
    let (bytes, time) = (fs::read(&matrix).unwrap(), modified());
    assert_eq!(run(""), 0);
    assert_eq!(modified(), time);

    // Everything is computed again with another option, and again with the first one.
    assert_eq!(run("--preset nsd8-native"), N_IMAGES);
    assert_ne!(fs::read(&matrix).unwrap(), bytes);
    assert_eq!(run("--preset nsd8-native --set antialias=off"), N_IMAGES);
    assert_eq!(run(""), N_IMAGES);
    assert_eq!(fs::read(&matrix).unwrap(), bytes);

    // If an image changes, is added or is removed, only new images are observed.
    let put = |file: &str, name: &str| {
        write_png(&dir.join("images").join(file), &picture(name, 48, 30.0)).unwrap();
    };
    put("5.png", "other");
    assert_eq!(run(""), 1);
    put("a.png", "more");
    assert_eq!(run(""), 1);
    dir.remove("images/a.png");
    put("5.png", "5");
    assert_eq!(run(""), 1);
    assert_eq!(fs::read(&matrix).unwrap(), bytes);

    // A damaged matrix is noticed.
    fs::write(&matrix, &bytes[..bytes.len() - 7]).unwrap();
    assert_eq!(run(""), N_IMAGES);
    assert_eq!(fs::read(&matrix).unwrap(), bytes);
    assert_eq!(dir.names("out/features").join(" "), "ids.json mean-colours.grid4.keys.json mean-colours.grid4.npy");
}

#[test]
fn an_interrupted_call_goes_on_and_ends_with_the_same_bits() {
    let dir = images();
    let (whole, broken) = (dir.join("whole"), dir.join("broken"));
    let with = "placeholder:grid4,placeholder:grid16";
    seen(&perceive(&dir, "whole", with));

    let image = dir.join("images/12.png");
    let bytes = fs::read(&image).unwrap();
    fs::write(&image, &bytes[..bytes.len() / 2]).unwrap();
    let failed = perceive(&dir, "broken", &format!("{with} --on-failure stop"));
    assert_eq!(failed.code, 1);
    failed.says(&["12.png"]);
    let file = |name: &str| broken.join("features").join(name);
    assert!(!file("mean-colours.grid4.npy").exists());
    // As after a power failure: rows that the journal does not confirm, and half a row.
    let part = file("mean-colours.grid4.part");
    let mut rows = fs::read(&part).unwrap();
    rows.extend([7; 100]);
    fs::write(&part, rows).unwrap();
    let journal = file("mean-colours.grid16.part.jsonl");
    let torn = fs::read_to_string(&journal).unwrap().strip_suffix("12\n").unwrap().to_owned() + "8\n1";
    fs::write(&journal, torn).unwrap();

    fs::write(&image, &bytes).unwrap();
    // The journal confirms 8 rows of grid16, and 12 of grid4.
    assert_eq!(seen(&perceive(&dir, "broken", with)), N_IMAGES - 8);
    for name in ["mean-colours.grid4.npy", "mean-colours.grid16.npy", "ids.json"] {
        assert_eq!(fs::read(file(name)).unwrap(), fs::read(whole.join("features").join(name)).unwrap(), "{name}");
    }
    assert_eq!(fs::read_dir(broken.join("features")).unwrap().count(), 5);
}

#[test]
fn matrices_of_other_images_are_set_aside_and_those_of_others_left_alone() {
    let dir = images();
    let features = dir.join("out/features");
    seen(&perceive(&dir, "out", "placeholder:grid4,placeholder:grid16"));
    dir.remove("images/3.png");
    let ran = perceive(&dir, "out", "placeholder:grid4");
    assert_eq!(seen(&ran), 0);
    assert_snapshot!(ran, @"
    exit 0, stdout: out/features/mean-colours.grid4.npy
    stderr:
    note: out/features: mean-colours.grid16 set aside, being of other images; ask for them again to bring them up to date
    note: images: 18 images, files
    mean-colours.grid4: 18 images, 0 of them seen by the model now (a placeholder: its numbers mean nothing)
    ");
    assert!(!features.join("mean-colours.grid16.npy").exists());
    assert_eq!(seen(&perceive(&dir, "out", "placeholder:grid16")), 0, "its rows were still there");
    let read = |name: &str| {
        features::read(&features.join(format!("mean-colours.{name}.npy")), &features.join("ids.json")).unwrap()
    };
    assert_eq!(read("grid16").ids(), read("grid4").ids());

    let theirs = "theirs/features/mean-colours.grid4.npy";
    dir.write(theirs, "precious");
    assert_snapshot!(perceive(&dir, "theirs", "placeholder"), @"exit 1, stderr: error: theirs/features/mean-colours.grid4.npy: not written by neurogauge (it has no .keys.json beside it), so it is not replaced; choose another --out or move the file");
    assert_eq!(dir.read(theirs), "precious");
}
