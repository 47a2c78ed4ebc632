//! `check --explain`: mistakes planted in images are found, and none is found in images without one.

use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};
use moxcms::{ColorProfile, Layout, TransformOptions};
use neurogauge::core::synthetic::Synthetic;
use neurogauge::core::{Input, Silent};
use neurogauge::formats::npy::write_f32;
use neurogauge::{Explanation, ScoreRequest, explain};
use rayon::prelude::*;
use std::path::Path;

const N: usize = 14;
const PX: usize = 16;
const N_VALUES: usize = PX * PX * 3;
const N_CASES: usize = 200;

type Images = Vec<Vec<f32>>;

/// Coarse pictures in colour, and reconstructions of half of their contrast with other coarse structure and noise.
fn clean(case: usize) -> (Images, Images) {
    let coarse = |name: &str, pair: usize| {
        let noise = Synthetic::new(name, (case * N + pair) as u64);
        move |x: usize, y: usize, channel: usize| {
            let at = |x: usize, y: usize| noise.uniform(((y * 5 + x) * 3 + channel) as u64);
            let (column, row) = (x / 5, y / 5);
            let (right, down) = ((x % 5) as f32 / 5.0, (y % 5) as f32 / 5.0);
            let above = at(column, row) * (1.0 - right) + at(column + 1, row) * right;
            let below = at(column, row + 1) * (1.0 - right) + at(column + 1, row + 1) * right;
            above * (1.0 - down) + below * down
        }
    };
    let picture = |of: &dyn Fn(usize, usize, usize) -> f32| -> Vec<f32> {
        (0..N_VALUES).map(|i| of(i / 3 % PX, i / 3 / PX, i % 3)).collect()
    };
    let pairs = (0..N).map(|pair| {
        let (seen, other) = (coarse("seen", pair), coarse("other", pair));
        let noise = Synthetic::new("noise", (case * N + pair) as u64);
        let gt = picture(&seen);
        let recon = picture(&|x, y, channel| {
            let noise = noise.uniform(((y * PX + x) * 3 + channel) as u64) - 0.5;
            (0.5 * seen(x, y, channel) + 0.3 * other(x, y, channel) + 0.1 + 0.2 * noise).clamp(0.0, 1.0)
        });
        (gt, recon)
    });
    pairs.unzip()
}

fn explained((gt, recon): &(Images, Images)) -> Explanation {
    let dir = tempfile::tempdir().unwrap();
    let [seen, made] = ["gt", "recon"].map(|name| dir.path().join(format!("{name}.npy")));
    write(&seen, gt);
    write(&made, recon);
    explained_files(&seen, &made)
}

fn write(path: &Path, images: &Images) {
    write_f32(path, &[images.len() as u64, PX as u64, PX as u64, 3], &images.concat()).unwrap();
}

/// PNG files with a colour profile in them.
fn write_with_profile(folder: &Path, images: &Images, profile: &ColorProfile) {
    std::fs::create_dir(folder).unwrap();
    let from_srgb = ColorProfile::new_srgb()
        .create_transform_f32(Layout::Rgb, profile, Layout::Rgb, TransformOptions::default())
        .unwrap();
    for (place, image) in images.iter().enumerate() {
        let mut stored = vec![0.0; N_VALUES];
        from_srgb.transform(image, &mut stored).unwrap();
        let stored: Vec<u8> = stored.iter().map(|value| (255.0 * value.clamp(0.0, 1.0)).round() as u8).collect();
        let file = std::fs::File::create(folder.join(format!("{place}.png"))).unwrap();
        let mut encoder = PngEncoder::new(file);
        encoder.set_icc_profile(profile.encode().unwrap()).unwrap();
        encoder.write_image(&stored, PX as u32, PX as u32, ExtendedColorType::Rgb8).unwrap();
    }
}

fn explained_files(gt: &Path, recon: &Path) -> Explanation {
    let mut request = ScoreRequest::default();
    request.inputs.set(Input::GT, Some(gt.to_owned()));
    request.inputs.set(Input::RECON, Some(recon.to_owned()));
    explain(&request, &[], &Silent).unwrap()
}

fn shown(found: &Explanation) -> Vec<String> {
    let shown = found.suppositions.iter().filter(|found| found.shown.is_some());
    let shown = shown.max_by_key(|found| found.mistakes.len()).map_or(Vec::new(), |found| found.mistakes.clone());
    found.facts.iter().map(|(mistake, _)| mistake.clone()).chain(shown).collect()
}

fn by_value(recon: &mut Images, of: impl Fn(f32) -> f32) {
    recon.iter_mut().flatten().for_each(|value| *value = of(*value));
}

fn by_pixel(recon: &mut Images, from: impl Fn(usize, usize, usize) -> (usize, usize, usize)) {
    for image in recon {
        let old = image.clone();
        for (i, value) in image.iter_mut().enumerate() {
            let (x, y, channel) = from(i / 3 % PX, i / 3 / PX, i % 3);
            *value = old[(y * PX + x) * 3 + channel];
        }
    }
}

/// Words of a mistake, and how it comes about.
type Planted = (&'static str, fn(&mut Images));

const PLANTED: [Planted; 11] = [
    ("hold -1 to 1", |recon| by_value(recon, |value| 2.0 * value - 1.0)),
    ("hold 0 to 255", |recon| by_value(recon, |value| 255.0 * value)),
    ("divided by 255 twice", |recon| by_value(recon, |value| value / 255.0)),
    ("they are pale", |recon| by_value(recon, |value| (value + 1.0) / 2.0)),
    ("clipped at 0 when saved", |recon| by_value(recon, |value| (2.0 * value - 1.0).clamp(0.0, 1.0))),
    ("(BGR)", |recon| by_pixel(recon, |x, y, channel| (x, y, 2 - channel))),
    ("(transposed)", |recon| by_pixel(recon, |x, y, channel| (y, x, channel))),
    ("reversed order", |recon| recon.reverse()),
    ("of stimulus k + 1", |recon| recon.rotate_left(1)),
    ("of stimulus k - 1", |recon| recon.rotate_right(1)),
    // Rows in the order of text: 0, 1, 10, 11, 12, 13, 2, ...
    ("reconstructions are in the order of text", |recon| {
        let mut names: Vec<String> = (0..N).map(|row| row.to_string()).collect();
        names.sort();
        *recon = names.iter().map(|name| recon[name.parse::<usize>().unwrap()].clone()).collect();
    }),
];

#[test]
fn planted_mistakes_are_found() {
    let missed: Vec<String> = (0..N_CASES)
        .into_par_iter()
        .filter_map(|case| {
            let mut images = clean(case);
            let dir = tempfile::tempdir().unwrap();
            let at = |name: &str| dir.path().join(name);
            // Two further mistakes are of files, and not of their content.
            let (words, found) = match case % (PLANTED.len() + 2) {
                place if place < PLANTED.len() => {
                    let (words, plant) = PLANTED[place];
                    plant(&mut images.1);
                    (words, explained(&images))
                }
                place if place == PLANTED.len() => {
                    let [seen, made] = [at("nsd_stimuli.npy"), at("decoded-by-me.npy")];
                    write(&seen, &images.0);
                    write(&made, &images.1);
                    ("sides are exchanged", explained_files(&made, &seen))
                }
                _ => {
                    let profile = if case % 2 == 0 {
                        ColorProfile::new_pro_photo_rgb()
                    } else {
                        ColorProfile::new_adobe_rgb()
                    };
                    write_with_profile(&at("gt"), &images.0, &profile);
                    write(&at("recon.npy"), &images.1);
                    ("colour profile", explained_files(&at("gt"), &at("recon.npy")))
                }
            };
            let found = shown(&found);
            (found.len() != 1 || !found[0].contains(words)).then(|| format!("{words}: {found:?}"))
        })
        .collect();
    assert!(20 * missed.len() <= N_CASES, "{} of {N_CASES}: {missed:#?}", missed.len());
}

#[test]
fn two_planted_mistakes_are_found_together() {
    // One of values or pixels, and one of order.
    let pairs: Vec<(usize, usize)> = (0..7).flat_map(|one| (7..PLANTED.len()).map(move |other| (one, other))).collect();
    let missed: Vec<String> = pairs
        .par_iter()
        .filter_map(|&(one, other)| {
            let mut images = clean(1000 + 10 * one + other);
            let ((first, plant_first), (second, plant_second)) = (PLANTED[one], PLANTED[other]);
            plant_first(&mut images.1);
            plant_second(&mut images.1);
            let found = shown(&explained(&images)).join(" and ");
            (!found.contains(first) || !found.contains(second)).then(|| format!("{first}, {second}: {found}"))
        })
        .collect();
    assert!(20 * missed.len() <= 3 * pairs.len(), "{} of {}: {missed:#?}", missed.len(), pairs.len());
}

#[test]
fn nothing_is_found_in_images_without_a_mistake() {
    let claimed: Vec<Vec<String>> = (0..N_CASES)
        .into_par_iter()
        .map(|case| {
            let (gt, recon) = clean(5000 + case);
            // Decoders that are good, dark, of low contrast, and at chance.
            let (_, others) = clean(7000 + case);
            let recon = match case % 4 {
                0 => recon,
                1 => recon.into_iter().map(|image| image.into_iter().map(|v| 0.7 * v).collect()).collect(),
                2 => recon.into_iter().map(|image| image.into_iter().map(|v| 0.4 + 0.3 * v).collect()).collect(),
                _ => others,
            };
            if case % 8 > 0 {
                return shown(&explained(&(gt, recon)));
            }
            // The profile of sRGB says nothing.
            let dir = tempfile::tempdir().unwrap();
            write_with_profile(&dir.path().join("stimuli"), &gt, &ColorProfile::new_srgb());
            write(&dir.path().join("recon.npy"), &recon);
            shown(&explained_files(&dir.path().join("stimuli"), &dir.path().join("recon.npy")))
        })
        .filter(|found| !found.is_empty())
        .collect();
    assert!(50 * claimed.len() <= N_CASES, "{} of {N_CASES}: {claimed:#?}", claimed.len());
}
