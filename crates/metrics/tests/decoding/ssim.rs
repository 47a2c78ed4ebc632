//! SSIM's window, and its map in double precision against scikit-image (`reference/ssim.py`).

use crate::support::*;
use neurogauge_metrics::decoding::ssim::WINDOW_PX;
use neurogauge_metrics::internals::{SSIM_WEIGHTS, ssim_of_rows};

#[test]
fn weights_are_the_normalised_gaussian() {
    let raw = |d: usize| (-0.5 * (d as f64 / 1.5).powi(2)).exp();
    let total = raw(0) + 2.0 * (1..=WINDOW_PX / 2).map(raw).sum::<f64>();
    for (d, weight) in SSIM_WEIGHTS.iter().enumerate() {
        assert!((weight - raw(d) / total).abs() < 1e-16, "distance {d}");
    }
}

/// Ramps with noise, as in the reference script, grey and in f64 throughout.
#[test]
fn f64_grey_equals_scikit_image() {
    let golden: Value = golden("ssim");
    for case in list(&golden).iter().filter(|case| case["kind"] == "veiled") {
        let pixels = |key: &str| count(&case[key]);
        let (width, height) = (pixels("width_px"), pixels("height_px"));
        let veil = Synthetic::new("veil", 0);
        let read_rows = |y: usize, gt: &mut [f64], recon: &mut [f64]| {
            for x in 0..width {
                let rgb: [(f64, f64); 3] = std::array::from_fn(|channel| {
                    let phase = (x * 2 * (channel + 1) + y + 40 * channel) % 512;
                    let ramp = phase.min(511 - phase) as f32 / 255.0;
                    let noise = veil.uniform(((y * width + x) * 3 + channel) as u64);
                    (ramp.into(), (0.75 * ramp + 0.25 * noise).into())
                });
                gt[x] = 0.2125 * rgb[0].0 + 0.7154 * rgb[1].0 + 0.0721 * rgb[2].0;
                recon[x] = 0.2125 * rgb[0].1 + 0.7154 * rgb[1].1 + 0.0721 * rgb[2].1;
            }
        };
        let similarity = ssim_of_rows(width, height, read_rows);
        let difference = similarity - number(&case["ssim_f64"]);
        assert!(difference.abs() < 1e-10, "{width} x {height}: {difference:e}");
    }
}
