//! `neurogauge perceive`: values, files, what is kept and what is made anew.

use crate::support;
use crate::support::{arg, folder, neurogauge, picture, refused, write};
use neurogauge::formats::features;
use neurogauge::formats::image_file::{read_rgb8, write_png};
use neurogauge::models::{ImageModel, ImagePreset, LayerRequest, MeanColours, Pooling};
use std::fs;
use std::path::{Path, PathBuf};

/// More than two batches.
const N_IMAGES: usize = 19;

fn images(root: &Path) -> PathBuf {
    let dir = root.join("images");
    for index in 0..N_IMAGES {
        let stem = index.to_string();
        write_png(&dir.join(format!("{stem}.png")), &picture(&stem, 48, 30.0)).unwrap();
    }
    dir
}

fn perceive(images: &Path, out: &Path, with: &str, options: &[&str]) -> support::Ran {
    let args = ["perceive", "--images", arg(images), "--with", with];
    neurogauge(&[&args[..], &["--out", arg(out)], options].concat())
}

#[track_caller]
fn seen(ran: &support::Ran) -> usize {
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let said = ran.stderr.split(" of them seen").next().unwrap();
    said.rsplit(' ').next().unwrap().parse().unwrap()
}

#[test]
fn rows_are_the_model_s_in_the_order_of_the_stems() {
    let dir = folder();
    let (images, out) = (images(dir.path()), dir.path().join("out"));
    let with = "stand-in:grid16,stand-in:grid4:mean,stand-in";
    let ran = perceive(&images, &out, with, &["--preset", "nsd8-mindeye2"]);
    assert_eq!(seen(&ran), N_IMAGES);
    assert!(
        ran.stderr.contains("numbers mean nothing"),
        "{}",
        ran.stderr
    );
    let names = ["grid16", "grid4.mean", "grid4"].map(|layer| format!("mean-colours.{layer}"));
    let folder = out.join("features");
    let paths = names
        .each_ref()
        .map(|name| folder.join(format!("{name}.npy")));
    let printed: Vec<&Path> = ran.stdout.lines().map(Path::new).collect();
    assert_eq!(printed, paths.each_ref().map(PathBuf::as_path));

    let steps = ImagePreset::Nsd8Mindeye2
        .preprocessing("mean-colours", None)
        .unwrap();
    let requests = [
        ("grid16", Pooling::None),
        ("grid4", Pooling::Mean),
        ("grid4", Pooling::None),
    ]
    .map(|(layer, pooling)| LayerRequest {
        layer: layer.into(),
        pooling,
    });
    for (request, path) in requests.iter().zip(&paths) {
        let found = features::read(path, &folder.join("ids.json")).unwrap();
        let stems: Vec<String> = (0..N_IMAGES).map(|index| index.to_string()).collect();
        assert_eq!(found.ids(), stems, "natural order");
        for (row, stem) in stems.iter().enumerate() {
            let image = read_rgb8(&images.join(format!("{stem}.png"))).unwrap();
            let input = steps.apply(&image.to_unit_float()).unwrap();
            let expected = MeanColours::new()
                .features(&[input], std::slice::from_ref(request))
                .unwrap();
            assert_eq!(found.row(row), expected[0].values);
        }
    }
    let keys = fs::read_to_string(folder.join("mean-colours.grid4.keys.json")).unwrap();
    for part in ["\"stand_in\": true", "\"squash\"", "image_sha256"] {
        assert!(keys.contains(part), "{part} in {keys}");
    }
}

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

    // Another image, an image more, an image less: only what is new.
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
    let failed = perceive(&images, &broken, with, &[]);
    assert_eq!(failed.code, 1);
    assert!(failed.stderr.contains("12.png"), "{}", failed.stderr);
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
fn the_number_of_threads_changes_no_bit() {
    let dir = folder();
    let images = images(dir.path());
    let bits = ["1", "8"].map(|threads| {
        let out = dir.path().join(threads);
        seen(&perceive(
            &images,
            &out,
            "stand-in",
            &["--threads", threads],
        ));
        fs::read(out.join("features/mean-colours.grid4.npy")).unwrap()
    });
    assert_eq!(bits[0], bits[1]);
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
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
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
    let args = ["perceive", "--images", arg(&images), "--with", "stand-in"];
    let args = [&args[..], &["--out", arg(&theirs)]].concat();
    refused(
        &args,
        1,
        &["mean-colours.grid4.npy", "not written by neurogauge"],
    );
    let kept = fs::read(theirs.join("features/mean-colours.grid4.npy")).unwrap();
    assert_eq!(kept, b"precious");
}

#[test]
fn what_cannot_be_done_is_said_with_what_can() {
    let dir = folder();
    let (images, out) = (images(dir.path()), dir.path().join("out"));
    let refused = |with: &str, options: &[&str], parts: &[&str]| {
        let args = ["perceive", "--images", arg(&images), "--out", arg(&out)];
        refused(&[&args[..], &["--with", with], options].concat(), 2, parts);
    };
    refused("stand-im", &[], &["stand-im", "did you mean \"stand-in\"?"]);
    refused("stand-in:grid5", &[], &["grid5", "grid16, grid4"]);
    refused(
        "stand-in:grid4:max",
        &[],
        &["max", "mean-without-class-token"],
    );
    refused("stand-in:grid4:mean:x", &[], &["MODEL:LAYER:POOLING"]);
    refused("stand-in:grid4:class-token", &[], &["no class token"]);
    refused(
        "stand-in",
        &["--antialias", "off"],
        &["Pillow always smooths"],
    );
    refused("stand-in", &["--preset", "official"], &["nsd8-mindeye2"]);
}

#[test]
fn images_of_other_shapes_may_stand_between_those_of_a_batch() {
    let dir = folder();
    let images = images(dir.path());
    let wide = picture("wide", 64, 3.0);
    let rows = wide.data()[..64 * 3 * 40].to_vec();
    let wide = neurogauge::core::Image::new(64, 40, rows).unwrap();
    write_png(&images.join("7.png"), &wide).unwrap();
    let out = dir.path().join("out");
    // A grid has as many cells on any shape.
    let options = ["--preset", "nsd8-native"];
    assert_eq!(
        seen(&perceive(&images, &out, "stand-in", &options)),
        N_IMAGES
    );
    assert_eq!(seen(&perceive(&images, &out, "stand-in", &[])), N_IMAGES);
}
