//! `neurogauge multiverse` and `neurogauge presets`: their tables and files, and what they refuse.

use crate::support::{Folder, folder};
use insta::assert_snapshot;
use neurogauge::core::synthetic::Synthetic;
use neurogauge::formats::npy::write_f32;

const SIDE: usize = 48;
const N: usize = 5;

/// 8-bit images: steps of grey and colour, blended with noise by eighths.
fn images(noise_eighths: usize) -> Vec<u8> {
    let noise = Synthetic::new("multiverse images", 0);
    let value = |i: usize| {
        let (image, y, x) = (i / (SIDE * SIDE * 3), i / (SIDE * 3) % SIDE, i / 3 % SIDE);
        let step = (x * (image + 2) + y * (image + 1) + 60 * (i % 3)) % 256;
        let blend = (8 - noise_eighths) * step + noise_eighths * usize::from(noise.byte(i as u64));
        (blend / 8) as u8
    };
    (0..N * SIDE * SIDE * 3).map(value).collect()
}

fn systems() -> Folder {
    let dir = folder();
    for (name, noise) in [("gt", 0), ("near", 1), ("far", 5)] {
        write_stack(&dir, name, &images(noise), SIDE);
    }
    dir
}

fn write_stack(dir: &Folder, name: &str, values: &[u8], side: usize) {
    let shape = [N as u64, side as u64, side as u64, 3];
    let values: Vec<f32> = values.iter().map(|v| f32::from(*v) / 255.0).collect();
    write_f32(&dir.join(format!("{name}.npy")), &shape, &values).unwrap();
}

/// A regression snapshot: presets are compared with released code, and effects with statsmodels, where they are computed.
#[test]
fn every_convention_has_an_estimate() {
    let dir = systems();
    let ran = dir
        .run("multiverse gt.npy near=near.npy far=far.npy --metrics ssim --published 0.5 --out m");
    assert_snapshot!(ran, @"");
    for file in ["multiverse.json", "multiverse.md", "multiverse.csv"] {
        assert!(dir.join("m").join(file).is_file(), "{file}");
    }
    assert!(dir.join("m/figures/specification_curve_ssim.svg").is_file());
    assert!(dir.join("m/runs/brain-diffuser/near/run.json").is_file());
}

#[test]
fn all_combinations_of_options_have_main_effects() {
    let dir = systems();
    let command = "multiverse gt.npy near=near.npy --metrics ssim,alexnet2 --image-models placeholder --over options --out m";
    dir.succeed(command);
    let record: serde_json::Value = serde_json::from_str(&dir.read("m/multiverse.json")).unwrap();
    let metrics = record["metrics"].as_array().unwrap();
    let n = |metric: usize| metrics[metric]["conventions"].as_array().unwrap().len();
    assert_eq!((n(0), n(1)), (2 * 3 * 2 * 3, 2 * 2 * 2));
    let factors = |metric: usize| -> Vec<&str> {
        let effects = metrics[metric]["effects"].as_array().unwrap().iter();
        effects
            .map(|effect| effect["factor"].as_str().unwrap())
            .collect()
    };
    let mut of_ssim = factors(0);
    of_ssim.sort_unstable();
    assert_eq!(
        of_ssim,
        ["SSIM", "antialias", "first", "interactions", "size"]
    );
    // Finished runs are read back: the same result.
    let before = dir.read("m/multiverse.json");
    dir.succeed(command);
    assert_eq!(dir.read("m/multiverse.json"), before);
}

#[test]
fn identification_of_mirage_is_too_low_by_one() {
    let dir = systems();
    let run = |preset: &str| {
        let out = format!("out-{preset}");
        dir.succeed(&format!(
            "score gt.npy gt.npy --metrics alexnet2 --image-models placeholder --preset {preset} --out {out}"
        ));
        let summary: serde_json::Value =
            serde_json::from_str(&dir.read(format!("{out}/summary.json"))).unwrap();
        let entry = &summary["alexnet2"];
        let ends = entry["interval"].as_array().unwrap();
        let ends = [ends[0].as_f64().unwrap(), ends[1].as_f64().unwrap()];
        (entry["mean"].as_f64().unwrap(), ends)
    };
    let ((mindbridge, of_mindbridge), (mirage, of_mirage)) = (run("mindbridge"), run("mirage"));
    assert_eq!((mindbridge, mirage), (1.0, 0.75));
    // The interval is the same, moved down.
    for (before, after) in of_mindbridge.iter().zip(of_mirage) {
        assert!((before - 0.25 - after).abs() < 1e-12);
    }
}

#[test]
fn what_cannot_be_compared_is_left_out_or_refused() {
    let dir = systems();
    let small: Vec<u8> = images(0)[..N * 32 * 32 * 3].to_vec();
    write_stack(&dir, "small", &small, 32);
    let ran = dir.run("multiverse gt.npy small=small.npy --metrics pixcorr,psnr --out m --no-figures --format csv");
    assert_snapshot!(ran, @"");
    assert_snapshot!(dir.run("multiverse gt.npy a=near.npy a=far.npy --out n"), @"");
    assert_snapshot!(dir.run("multiverse gt.npy a=near.npy --metrics object_f1 --out n"), @"");
    assert_snapshot!(dir.run("multiverse gt.npy a=near.npy --metrics ssmi --out n"), @"");
    assert_snapshot!(dir.run("score gt.npy near.npy --preset mindeye2,nsd8-native"), @"");
    assert_snapshot!(dir.run("score gt.npy near.npy --metrics alexnet2 --image-models placeholder --identification-subtract-own on --n-way 3"), @"");
}

#[test]
fn presets_are_listed_with_their_code() {
    let dir = folder();
    assert_snapshot!(dir.run("presets"), @"");
    let all: serde_json::Value =
        serde_json::from_str(&dir.succeed("presets --format json").stdout).unwrap();
    assert!(
        all.as_array()
            .unwrap()
            .iter()
            .all(|preset| preset["commit"] != "")
    );
}
