//! `neurogauge perceive`: which features are kept and which are computed again.

use super::features::{N_IMAGES, images, perceive, seen};
use super::observers::perceiving;
use crate::support::{folder, picture, refused, write};
use neurogauge::formats::features;
use neurogauge::formats::image_file::write_png;
use std::fs;

#[test]
fn what_is_finished_is_kept_and_what_changed_is_made_anew() {
    let dir = folder();
    let (images, out) = (images(dir.path()), dir.path().join("out"));
    let matrix = out.join("features/mean-colours.grid4.npy");
    let run = |options: &[&str]| seen(&perceive(&images, &out, "stand-in", options));
    assert_eq!(run(&[]), N_IMAGES);
    let (bytes, time) = (
        fs::read(&matrix).unwrap(),
        matrix.metadata().unwrap().modified().unwrap(),
    );
    assert_eq!(run(&[]), 0);
    assert_eq!(matrix.metadata().unwrap().modified().unwrap(), time);

    // Another option: all of it. Back again: all of it.
    assert_eq!(run(&["--preset", "nsd8-native"]), N_IMAGES);
    assert_ne!(fs::read(&matrix).unwrap(), bytes);
    assert_eq!(
        run(&["--preset", "nsd8-native", "--antialias", "off"]),
        N_IMAGES
    );
    assert_eq!(run(&[]), N_IMAGES);
    assert_eq!(fs::read(&matrix).unwrap(), bytes);

    // Another image, an image more, an image less: only new images are computed.
    write_png(&images.join("5.png"), &picture("other", 48, 30.0)).unwrap();
    assert_eq!(run(&[]), 1);
    write_png(&images.join("a.png"), &picture("more", 48, 30.0)).unwrap();
    assert_eq!(run(&[]), 1);
    fs::remove_file(images.join("a.png")).unwrap();
    write_png(&images.join("5.png"), &picture("5", 48, 30.0)).unwrap();
    assert_eq!(run(&[]), 1);
    assert_eq!(fs::read(&matrix).unwrap(), bytes);

    // A damaged matrix is noticed.
    fs::write(&matrix, &bytes[..bytes.len() - 7]).unwrap();
    assert_eq!(run(&[]), N_IMAGES);
    assert_eq!(fs::read(&matrix).unwrap(), bytes);
    let mut left: Vec<_> = fs::read_dir(out.join("features"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    let names = [
        "ids.json",
        "mean-colours.grid4.keys.json",
        "mean-colours.grid4.npy",
    ];
    assert_eq!(left, names);
}

#[test]
fn an_interrupted_call_goes_on_and_ends_with_the_same_bits() {
    let dir = folder();
    let images = images(dir.path());
    let (whole, broken) = (dir.path().join("whole"), dir.path().join("broken"));
    let with = "stand-in:grid4,stand-in:grid16";
    seen(&perceive(&images, &whole, with, &[]));

    let image = images.join("12.png");
    let bytes = fs::read(&image).unwrap();
    fs::write(&image, &bytes[..bytes.len() / 2]).unwrap();
    let failed = perceive(&images, &broken, with, &["--on-failure", "stop"]);
    assert_eq!(failed.code, 1);
    failed.says(&["12.png"]);
    let file = |name: &str| broken.join("features").join(name);
    assert!(!file("mean-colours.grid4.npy").exists());
    // As if the power had failed: rows that the journal does not vouch for, and half a row.
    let part = file("mean-colours.grid4.part");
    let mut rows = fs::read(&part).unwrap();
    rows.extend([7; 100]);
    fs::write(&part, rows).unwrap();
    let journal = file("mean-colours.grid16.part.jsonl");
    let lines = fs::read_to_string(&journal).unwrap();
    let torn = lines.strip_suffix("12\n").unwrap().to_owned() + "8\n1";
    fs::write(&journal, torn).unwrap();

    fs::write(&image, &bytes).unwrap();
    // grid16 is vouched for up to 8, grid4 up to 12.
    let ran = perceive(&images, &broken, with, &[]);
    assert_eq!(seen(&ran), N_IMAGES - 8);
    for name in [
        "mean-colours.grid4.npy",
        "mean-colours.grid16.npy",
        "ids.json",
    ] {
        let path = whole.join("features").join(name);
        assert_eq!(
            fs::read(path).unwrap(),
            fs::read(file(name)).unwrap(),
            "{name}"
        );
    }
    assert_eq!(fs::read_dir(broken.join("features")).unwrap().count(), 5);
}

#[test]
fn matrices_of_other_images_are_set_aside_and_those_of_others_left_alone() {
    let dir = folder();
    let (images, out) = (images(dir.path()), dir.path().join("out"));
    let features = out.join("features");
    seen(&perceive(
        &images,
        &out,
        "stand-in:grid4,stand-in:grid16",
        &[],
    ));
    fs::remove_file(images.join("3.png")).unwrap();
    let ran = perceive(&images, &out, "stand-in:grid4", &[]);
    assert_eq!(seen(&ran), 0);
    let said = "mean-colours.grid16 set aside, being of other images";
    ran.says(&[said]);
    assert!(!features.join("mean-colours.grid16.npy").exists());
    let ran = perceive(&images, &out, "stand-in:grid16", &[]);
    assert_eq!(seen(&ran), 0, "its rows were still there");
    let read = |name: &str| {
        let matrix = features.join(format!("mean-colours.{name}.npy"));
        features::read(&matrix, &features.join("ids.json")).unwrap()
    };
    assert_eq!(read("grid16").ids(), read("grid4").ids());

    let theirs = dir.path().join("theirs");
    write(&theirs.join("features/mean-colours.grid4.npy"), "precious");
    refused(
        &perceiving(&images, &theirs, "stand-in", &[]),
        1,
        &["mean-colours.grid4.npy", "not written by neurogauge"],
    );
    let kept = fs::read(theirs.join("features/mean-colours.grid4.npy")).unwrap();
    assert_eq!(kept, b"precious");
}
