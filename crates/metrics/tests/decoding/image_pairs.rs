//! Pairs of images like those of `reference/image_pairs.py`, and what every metric of two images must do.

use crate::support::*;

pub(crate) type Metric = fn(&Image<f32>, &Image<f32>) -> Result<Outcome, MetricError>;

pub(crate) fn noise(name: &str, width: usize, height: usize) -> Image<f32> {
    Image::new(width, height, uniform(name, width * height * 3)).unwrap()
}

pub(crate) fn ramps(step_x: usize, step_y: usize, width: usize, height: usize) -> Image<f32> {
    let value = |i: usize| {
        let (x, y, channel) = (i / 3 % width, i / 3 / width, i % 3);
        let phase = (x * step_x * (channel + 1) + y * step_y + 40 * channel) % 512;
        phase.min(511 - phase) as f32 / 255.0
    };
    Image::new(width, height, (0..width * height * 3).map(value).collect()).unwrap()
}

pub(crate) fn flat(value: f32, width: usize, height: usize) -> Image<f32> {
    Image::new(width, height, vec![value; width * height * 3]).unwrap()
}

/// The same as `image_pairs` of `reference/image_pairs.py`.
pub(crate) fn image_pair(kind: &str, width: usize, height: usize) -> (Image<f32>, Image<f32>) {
    let gt = ramps(2, 1, width, height);
    match kind {
        "noise" => (noise("gt", width, height), noise("recon", width, height)),
        "ramps" => (gt, ramps(1, 3, width, height)),
        "veiled" => {
            let mut recon = noise("veil", width, height);
            for (recon, gt) in recon.data_mut().iter_mut().zip(gt.data()) {
                *recon = 0.75 * gt + 0.25 * *recon;
            }
            (gt, recon)
        }
        _ => {
            assert_eq!(kind, "flat", "a kind of image that this test cannot make");
            (flat(0.75, width, height), flat(0.6875, width, height))
        }
    }
}

/// Compares a metric with its golden: the difference must be below `tolerance(n_pixels)`; a case without a value must
/// be undefined with the reason of `undefined` for its kind.
pub(crate) fn equals_its_golden(
    id: &str,
    metric: Metric,
    tolerance: impl Fn(usize) -> f64,
    undefined: impl Fn(&str) -> Undefined,
) {
    let cases: Vec<Value> = golden(id);
    assert!(cases.len() >= 20, "{} cases", cases.len());
    for case in &cases {
        let kind = case["kind"].as_str().unwrap();
        let (width, height) = (count(&case["width_px"]), count(&case["height_px"]));
        let (gt, recon) = image_pair(kind, width, height);
        let found = metric(&gt, &recon).unwrap();
        let Some(expected) = case[id].as_f64() else {
            assert_eq!(found, Err(undefined(kind)), "{id} of {kind}");
            continue;
        };
        let difference = found.unwrap() - expected;
        assert!(
            difference.abs() < tolerance(width * height),
            "{id} of {kind} images of {width} x {height} px is off by {difference:e}"
        );
    }
}

/// Properties of any metric of two images of this size: the sides can be swapped, NaN is reported with its side, and
/// images of different sizes are an error.
pub(crate) fn behaves_as_a_metric_of_images(id: &str, metric: Metric, (width, height): (usize, usize)) {
    let (gt, recon) = image_pair("veiled", width + 29, height + 17);
    let forth = metric(&gt, &recon).unwrap().unwrap();
    let back = metric(&recon, &gt).unwrap().unwrap();
    assert!((forth - back).abs() < 1e-14, "{id}: {forth} and {back}");

    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        // The corner is outside the cropped map of SSIM, but inside its windows.
        for position in [0, width * height * 3 - 1] {
            let good = noise("gt", width, height);
            let mut broken = noise("recon", width, height);
            broken.data_mut()[position] = bad;
            let found = metric(&broken, &good).unwrap();
            assert_eq!(found, Err(Undefined::NonFinite(Side::Gt)), "{id} {bad}");
            let found = metric(&good, &broken).unwrap();
            assert_eq!(found, Err(Undefined::NonFinite(Side::Recon)), "{id} {bad}");
        }
    }

    let error = metric(&noise("gt", width + 1, width), &noise("gt", width, width + 1)).unwrap_err();
    assert!(error.to_string().ends_with("both must have the same shape"), "{id}: {error}");
}
