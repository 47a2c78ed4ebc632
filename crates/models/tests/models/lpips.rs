//! LPIPS against the reference implementation, and properties for any weights.
use crate::dreamsim::write_tensors;
use crate::parity::{golden, on_threads, read};
use crate::photographs::sized;

use neurogauge_core::Image;
use neurogauge_core::synthetic::Synthetic;
use neurogauge_models::{DeviceChoice, LocalImageModel, Lpips, LpipsDistance, LpipsHeads, LpipsNet, WeightOptions};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Largest relative difference from the reference, for the distance and for a layer's part.
const TOLERANCE: f64 = 1e-5;

/// The golden's name of a network.
fn key(net: LpipsNet) -> &'static str {
    net.metric().trim_start_matches("lpips_")
}

fn lpips(net: LpipsNet) -> Lpips {
    Lpips::synthetic(LpipsHeads::synthetic(net, 0).unwrap(), 0).unwrap()
}

/// One of the golden's images, in [0, 1].
fn pixels(name: &str, width_px: usize, height_px: usize) -> Image<f32> {
    if name != "veiled" {
        return sized(name, width_px, height_px);
    }
    let [coffee, veil] = ["coffee", "noise"].map(|name| sized(name, width_px, height_px));
    let both = coffee.data().iter().zip(veil.data());
    let values = both.map(|(coffee, veil)| 0.75 * coffee + 0.25 * veil).collect();
    Image::new(width_px, height_px, values).unwrap()
}

/// Compares every pair of the golden and prints the largest relative difference.
fn check(lpips: &Lpips, expected: &Value, inputs: &Value) {
    let mut worst = 0.0_f64;
    for (name, pair) in expected.as_object().unwrap() {
        let input = &inputs[name];
        let px = |side: &str| input[side].as_u64().unwrap() as usize;
        let image = |side: &str| {
            let name = input[side].as_str().unwrap();
            pixels(name, px("width"), px("height"))
        };
        let found = lpips.compare(&image("reference"), &image("compared")).unwrap();
        let mut expected: Vec<f64> = read(&pair["layers"]);
        expected.push(pair["distance"].as_f64().unwrap());
        let found = [&found.layers[..], &[found.total()]].concat();
        for (found, expected) in found.iter().zip(&expected) {
            worst = worst.max((found - expected).abs() / expected);
        }
    }
    let id = lpips.heads().net().metric();
    println!("{id}: {worst:e}");
    assert!(worst < TOLERANCE, "{id}: {worst:e}");
}

#[test]
fn with_synthetic_weights_it_equals_the_reference() {
    let golden = golden("lpips");
    for net in LpipsNet::ALL {
        check(&lpips(net), &golden[key(net)]["pairs"], &golden["inputs"]);
    }
}

/// NumPy's AlexNet, by places (`reference/models_lpips_region.py`).
#[test]
fn within_a_region_it_equals_the_reference() {
    let golden = golden("lpips_region");
    let (width, height) = (83, 71);
    let image = |name: &str| {
        let noise = Synthetic::new(name, 0);
        Image::new(width, height, (0..3 * width * height).map(|i| noise.uniform(i as u64)).collect()).unwrap()
    };
    let (gt, recon) = (image("seen"), image("made"));
    let lpips = lpips(LpipsNet::Alex);
    let check = |name: &str, found: f64| {
        let expected = golden[name].as_f64().unwrap();
        assert!((found - expected).abs() < TOLERANCE * expected, "{name}: {found} {expected}");
    };
    check("whole", lpips.compare(&gt, &recon).unwrap().total());
    type Mask = (&'static str, fn(i64, i64) -> bool);
    let masks: [Mask; 4] = [
        ("all", |_, _| true),
        ("left", |x, _| 2 * x < 83),
        ("disc", |x, y| (x - 41).pow(2) + (y - 35).pow(2) <= 400),
        ("pixel", |x, y| (x, y) == (5, 60)),
    ];
    for (name, is_inside) in masks {
        let inside = (0..(width * height) as i64).map(|i| is_inside(i % width as i64, i / width as i64));
        let inside: Vec<bool> = inside.collect();
        check(name, lpips.compare_within(&gt, &recon, Some(&inside)).unwrap().total());
        assert_eq!(lpips.compare_within(&gt, &gt, Some(&inside)).unwrap().total(), 0.0);
    }
    let nowhere = lpips.compare_within(&gt, &recon, Some(&vec![false; width * height])).unwrap_err();
    assert!(nowhere.to_string().contains("NaN"), "{nowhere}");
}

/// Needs the folder `lpips/weights/v0.1` of the Python package lpips.
#[test]
#[ignore = "needs NEUROGAUGE_TEST_LPIPS, a folder with alex.pth and vgg.pth of the package lpips"]
fn with_the_published_heads_it_equals_the_reference() {
    let folder = PathBuf::from(std::env::var_os("NEUROGAUGE_TEST_LPIPS").unwrap());
    let golden = golden("lpips");
    for net in LpipsNet::ALL {
        let heads = LpipsHeads::open(&folder.join(format!("{}.pth", key(net)))).unwrap();
        let published = &golden[key(net)]["published_heads"];
        assert_eq!(heads.net(), net);
        assert_eq!(heads.identity().revision, "0.1");
        assert_eq!(heads.identity().sha256, published["sha256"]);
        assert_eq!(net.published_heads(), published["file"]);
        let lpips = Lpips::synthetic(heads, 0).unwrap();
        check(&lpips, &published["pairs"], &golden["inputs"]);
    }
}

#[test]
fn it_is_symmetric_zero_for_equals_and_blind_to_batch_and_threads() {
    let lpips = lpips(LpipsNet::Alex);
    let images: Vec<Image<f32>> = (0..6)
        .map(|seed| {
            let noise = Synthetic::new("lpips", seed);
            let size_px = 64 + seed as usize;
            let values = (0..(size_px * size_px * 3) as u64).map(|i| noise.uniform(i));
            Image::new(size_px, size_px, values.collect()).unwrap()
        })
        .collect();
    let inverted: Vec<Image<f32>> = images
        .iter()
        .map(|image| {
            let values = image.data().iter().map(|value| 1.0 - value).collect();
            Image::new(image.width_px(), image.height_px(), values).unwrap()
        })
        .collect();
    let bits = |distances: &[LpipsDistance]| -> Vec<u64> {
        distances.iter().flat_map(|distance| distance.layers.map(f64::to_bits)).collect()
    };
    let together = lpips.distances(&images, &inverted).unwrap();
    let swapped = lpips.distances(&inverted, &images).unwrap();
    assert_eq!(bits(&together), bits(&swapped));
    let single = on_threads(1, || lpips.distances(&images, &inverted).unwrap());
    assert_eq!(bits(&together), bits(&single));
    for (index, distance) in together.iter().enumerate() {
        let alone = lpips.compare(&images[index], &inverted[index]).unwrap();
        assert_eq!(bits(&[alone]), bits(&[*distance]));
        assert!(distance.total() > 0.0);
    }
    for equal in lpips.distances(&images, &images).unwrap() {
        assert_eq!(equal.layers, [0.0; 5]);
    }
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let lpips = lpips(LpipsNet::Alex);
    let grey = |width_px: usize, height_px: usize| {
        Image::new(width_px, height_px, vec![0.5; width_px * height_px * 3]).unwrap()
    };
    let refused = |gt: &Image<f32>, recon: &Image<f32>, parts: &[&str]| {
        let message = lpips.compare(gt, recon).unwrap_err().to_string();
        for part in parts {
            assert!(message.contains(part), "{message}");
        }
    };
    let usual = grey(64, 70);
    refused(&usual, &grey(70, 64), &["64 x 70 px", "70 x 64 px"]);
    refused(&grey(64, 62), &grey(64, 62), &["AlexNet", "64 x 62", "63 px"]);
    let mut holed = usual.data().to_vec();
    holed[100] = f32::NAN;
    let holed = Image::new(64, 70, holed).unwrap();
    refused(&usual, &holed, &["NaN"]);
    let error = lpips.distances(&[usual.clone(), usual.clone()], &[usual]);
    let message = error.unwrap_err().to_string();
    assert!(message.contains("2 stimuli and 1 recon"), "{message}");

    let options = WeightOptions::default();
    for id in ["placeholder", "resnet18-untrained-0"] {
        let other = LocalImageModel::locate(id, &options).unwrap().unwrap();
        let heads = LpipsHeads::synthetic(LpipsNet::Vgg, 0).unwrap();
        let error = Lpips::load(&other, heads, DeviceChoice::Cpu).err().unwrap();
        assert!(error.to_string().contains("looks with vgg16"), "{error}");
    }
}

/// Writes heads with these numbers of channels and this weight, as safetensors.
fn write_heads(path: &Path, channels: &[usize], weight: f32) {
    let shape = |n_channels: &usize| json!([1, n_channels, 1, 1]);
    let shapes = channels.iter().enumerate().map(|(index, n)| (format!("lin{index}.model.1.weight"), shape(n)));
    write_tensors(path, &shapes.collect(), |_, shape| vec![weight; shape.iter().product()]);
}

#[test]
fn heads_are_told_by_their_channels_and_others_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("heads.safetensors");
    write_heads(&path, &[64, 128, 256, 512, 512], 0.5);
    let heads = LpipsHeads::open(&path).unwrap();
    assert_eq!(heads.net(), LpipsNet::Vgg);
    assert_eq!(heads.identity().revision, "");
    assert_eq!(heads.identity().sha256.len(), 64);

    let refused = |channels: &[usize], weight: f32, parts: &[&str]| {
        write_heads(&path, channels, weight);
        let message = LpipsHeads::open(&path).unwrap_err().to_string();
        for part in ["heads.safetensors"].iter().chain(parts) {
            assert!(message.contains(part), "{part} in {message}");
        }
    };
    // SqueezeNet's channels.
    let squeeze = [64, 128, 256, 384, 384, 512, 512];
    refused(&squeeze, 0.5, &["lin3.model.1.weight [1, 384, 1, 1]", "alex.pth"]);
    refused(&squeeze[..3], 0.5, &["no lin4.model.1.weight"]);
    let more = [64, 192, 384, 256, 256, 7];
    refused(&more, 0.5, &["lin5.model.1.weight", "no place"]);
    let alex = &more[..5];
    refused(alex, -0.5, &["lin0.model.1.weight", "-0.5", "at least 0"]);
    refused(alex, f32::NAN, &["NaN"]);
    std::fs::write(&path, "no checkpoint").unwrap();
    assert!(LpipsHeads::open(&path).is_err());
}
