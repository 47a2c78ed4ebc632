//! `--device`: refusals, records, and separate features for each device.

use crate::support::{arg, folder, picture, refused, succeed};
use neurogauge::formats::features;
use neurogauge::formats::image_file::write_png;
use std::fs;
use std::path::{Path, PathBuf};

fn images(root: &Path) -> PathBuf {
    let dir = root.join("images");
    for stem in ["1", "2"] {
        write_png(&dir.join(format!("{stem}.png")), &picture(stem, 48, 30.0)).unwrap();
    }
    dir
}

#[test]
fn a_device_that_is_unknown_or_was_not_built_is_refused() {
    let dir = folder();
    let (images, out) = (images(dir.path()), dir.path().join("out"));
    let args = ["--images", arg(&images), "--with", "stand-in"];
    let perceive = [&["perceive"], &args[..], &["--out", arg(&out), "--device"]].concat();
    let with = |device| [&perceive[..], &[device]].concat();
    refused(&with("gpu"), 2, &["cpu-f64", "cuda:N"]);
    if cfg!(not(feature = "cuda")) {
        refused(
            &with("cuda"),
            2,
            &["cuda:0", "--features cuda", "--device cpu"],
        );
    }
    if cfg!(not(feature = "metal")) {
        refused(&with("metal:1"), 2, &["metal:1", "--features metal"]);
    }
    assert!(!out.exists());
}

#[test]
fn features_of_another_device_are_made_anew_and_differ_by_rounding() {
    let dir = folder();
    let (images, out) = (images(dir.path()), dir.path().join("out"));
    let name = "resnet18-untrained-0.layer4.mean";
    let (matrix, keys) = (
        out.join(format!("features/{name}.npy")),
        out.join(format!("features/{name}.keys.json")),
    );
    let run = |device: &[&str]| {
        let with = ["--with", "resnet18-untrained-0:layer4:mean"];
        let args = ["perceive", "--images", arg(&images), "--out", arg(&out)];
        let ran = succeed(&[&args[..], &with, device].concat());
        let keys: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(&keys).unwrap()).unwrap();
        let rows = features::read(&matrix, &out.join("features/ids.json")).unwrap();
        let values: Vec<f32> = (0..2).flat_map(|row| rows.row(row).to_vec()).collect();
        let device = keys["made"]["recipe"]["device"].clone();
        (ran.stderr, device, values)
    };
    let (_, device, cpu) = run(&[]);
    assert_eq!(device, "cpu");
    let (said, device, wide) = run(&["--device", "cpu-f64"]);
    assert!(said.contains("2 of them seen"), "{said}");
    assert_eq!(device, "cpu-f64");
    assert_ne!(cpu, wide);
    let largest = cpu.iter().fold(0.0_f32, |most, value| most.max(*value));
    for (a, b) in cpu.iter().zip(&wide) {
        assert!((a - b).abs() < 1e-5 * largest, "{a} {b}");
    }
    let (said, ..) = run(&["--device", "cpu-f64"]);
    assert!(said.contains("0 of them seen"), "{said}");
}
