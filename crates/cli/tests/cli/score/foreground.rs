//! `--set region`: metrics of pixels within the alpha of stimuli or within masks.

use super::image_reading::cut_outs;
use crate::support::*;
use neurogauge::core::Image;
use neurogauge::formats::image_file::write_png;

const PX: usize = 24;

/// Stimuli that are opaque in their left half and hide other colours in the right one; reconstructions are the same on
/// the left, but 0.2 brighter, and something else on the right.
fn halves() -> Folder {
    let dir = folder();
    let level = |pair: usize, i: usize| ((i % PX * 7 + i / PX * 5 * (2 * pair + 1)) % 97) as f32 / 128.0;
    let is_left = |i: usize| i % PX < PX / 2;
    let write = |name: &str, channels: usize, pixel: &dyn Fn(usize, usize) -> Vec<f32>| {
        let values: Vec<f32> = (0..2 * PX * PX).flat_map(|i| pixel(i / (PX * PX), i % (PX * PX))).collect();
        write_f32(&dir.join(name), &[2, PX as u64, PX as u64, channels as u64], &values).unwrap();
    };
    write("gt.npy", 4, &|pair, i| match is_left(i) {
        true => [[level(pair, i); 3].as_slice(), &[1.0]].concat(),
        false => vec![1.0, 0.0, level(pair, i), 0.0],
    });
    write("recon.npy", 3, &|pair, i| match is_left(i) {
        true => vec![level(pair, i) + 0.2; 3],
        false => vec![0.0, 0.8, level(1 - pair, i)],
    });
    write("labels.npy", 3, &|_, i| vec![f32::from(u8::from(is_left(i))); 3]);
    fs::create_dir(dir.join("masks")).unwrap();
    for stem in ["0", "1"] {
        let values = (0..PX * PX).flat_map(|i| [u8::from(is_left(i)); 3]).collect();
        write_png(&dir.join(format!("masks/{stem}.png")), &Image::new(PX, PX, values).unwrap()).unwrap();
    }
    dir
}

const SCORE: &str = "score gt.npy recon.npy --metrics pixcorr,ssim,psnr --set pixel_size=own";

#[test]
fn only_the_region_counts_whoever_names_it() {
    let dir = halves();
    // The right half of a stimulus hides colours, so that it must be said what it is.
    let refused = format!("{}", dir.run(&format!("{SCORE} --out refused")));
    assert!(refused.contains("transparent pixels that hide colours"), "{refused}");
    let values = |region: &str, out: &str| {
        let ran = dir.succeed(&format!("{SCORE} --set region={region} --set alpha=white --out {out}"));
        contains(&ran.stdout, &["PixCorr, SSIM, PSNR: within the", "around it both images are white"]);
        ["pixcorr", "ssim", "psnr"].map(|metric| dir.values(out, metric))
    };
    let alpha = values("alpha", "alpha");
    // A shift of 0.2: a correlation of 1, and 10 · log10(1 / 0.2²) dB.
    for pair in 0..2 {
        assert!((alpha[0][pair] - 1.0).abs() < 1e-6 && (alpha[2][pair] - 13.9794).abs() < 1e-4, "{alpha:?}");
    }
    assert_eq!(values("masks", "masked"), alpha);
    assert_eq!(values("labels.npy", "labelled"), alpha);
    let record = dir.json("masked/run.json");
    assert!(record["inputs"].list().iter().any(|input| input["role"] == "region"), "{record}");
    assert!(record["request"]["region"].as_str().unwrap().ends_with("masks"));
    // On white is the default; on black, SSIM's windows at the edge see another colour.
    dir.succeed(&format!("{SCORE} --set region=alpha --out default"));
    assert_eq!(dir.values("default", "ssim"), alpha[1]);
    dir.succeed(&format!("{SCORE} --set region=alpha --set alpha=black --out black"));
    assert_ne!(dir.values("black", "ssim"), alpha[1]);
    assert_eq!(dir.values("black", "psnr"), alpha[2]);
    // Another mask is another run, not the one that is there.
    let same = format!("{SCORE} --set region=masks --set alpha=white --out masked");
    write_png(&dir.join("masks/0.png"), &Image::new(PX, PX, vec![1; 3 * PX * PX]).unwrap()).unwrap();
    let other = format!("{}", dir.run(&same));
    assert!(other.contains("exit ") && other.contains("region"), "{other}");
}

#[test]
fn bad_regions_are_refused() {
    let dir = halves();
    let refused = |options: &str, words: &str| {
        let said = format!("{}", dir.run(&format!("score gt.npy recon.npy {options} --out out")));
        assert!(said.contains("exit ") && said.contains(words), "{words}: {said}");
    };
    refused("--metrics ms_ssim --set region=alpha", "ms_ssim has no form within a region");
    refused("--metrics psnr --set region=alpha --set alpha=as-stored", "expected white or black");
    refused("--metrics psnr --set alpha=white --set region=nowhere", "nowhere");
    dir.remove("masks/1.png");
    refused("--metrics psnr --set alpha=white --set region=masks", "masks: no mask of 1 of 2 stimuli (1)");
    let opaque = format!("{}", dir.run("score recon.npy recon.npy --metrics psnr --set region=alpha --out out"));
    assert!(opaque.contains("no stimulus has a transparent pixel"), "{opaque}");
}

/// Pillow's pixels of alpha 128 or more, blended on each background, correlated by NumPy 2.4.
#[test]
fn the_alpha_of_image_files_is_the_region_too() {
    let dir = folder();
    cut_outs(&dir);
    let expected = [
        ("white", [0.9150793741378866, 0.9209207341490243]),
        ("black", [0.8339648949667047, 0.722563094286676]),
    ];
    for (colour, expected) in expected {
        let score = "score gt recon --metrics pixcorr --set pixel_size=own --set region=alpha";
        dir.succeed(&format!("{score} --set alpha={colour} --out {colour}"));
        for (found, expected) in dir.values(colour, "pixcorr").iter().zip(expected) {
            // Pixels are in single precision.
            assert!((found - expected).abs() < 1e-6, "{colour}: {found} {expected}");
        }
    }
}
