//! Metrics of pixels within a disc against NumPy and scikit-image (`reference/foreground.py`), and by hand.

use super::image_pairs::{flat, image_pair};
use crate::support::*;
use neurogauge_core::image::Background;
use neurogauge_metrics::decoding::foreground::{Region, within};
use neurogauge_metrics::decoding::ssim_flavours::SsimFlavour;

fn disc(width: usize, height: usize) -> Region {
    let inside = |i: usize| {
        let (x, y) = ((2 * (i % width)) as f64 - width as f64, (2 * (i / width)) as f64 - height as f64);
        x * x + y * y <= (2.0 * width.min(height) as f64 / 3.0).powi(2)
    };
    let values = (0..width * height).flat_map(|i| [f32::from(u8::from(inside(i))); 3]);
    Region::of(&Image::new(width, height, values.collect()).unwrap())
}

#[test]
fn values_within_a_disc_are_those_of_numpy_and_scikit_image() {
    for case in list(&golden::<Value>("foreground")) {
        let (kind, width, height) =
            (case["kind"].as_str().unwrap(), count(&case["width_px"]), count(&case["height_px"]));
        let (gt, recon) = image_pair(kind, width, height);
        let region = disc(width, height);
        let [gt, recon] = [gt, recon].map(|image| region.on(Background::White, image).unwrap());
        for (id, tolerance) in [("pixcorr", 1e-10), ("psnr", 1e-9), ("ssim", 1e-5)] {
            let found = within(id).unwrap()(&gt, &recon, &region, SsimFlavour::Grey).unwrap();
            match case[id].as_f64() {
                Some(expected) => near(found.unwrap(), expected, tolerance),
                None => assert_eq!(found, Err(Undefined::Constant(Side::Gt)), "{id} of {kind}"),
            }
        }
    }
}

#[test]
fn what_is_outside_counts_for_nothing_and_what_is_lacking_is_said() {
    let (gt, recon) = image_pair("veiled", 40, 30);
    let region = disc(40, 30);
    // Noise around the disc, with another colour around it in the second image.
    let black = region.on(Background::Black, recon.clone()).unwrap();
    for id in ["pixcorr", "psnr"] {
        let of = |recon: &Image<f32>| within(id).unwrap()(&gt, recon, &region, SsimFlavour::Grey).unwrap();
        assert_eq!(of(&recon), of(&black), "{id}");
    }
    let all = Region::of(&flat(1.0, 40, 30));
    let ssim = within("ssim").unwrap();
    let whole = decoding::ssim::ssim(&gt, &recon).unwrap();
    near(ssim(&gt, &recon, &all, SsimFlavour::Grey).unwrap().unwrap(), whole.unwrap(), 1e-14);
    assert_eq!(region.on(Background::AsStored, gt.clone()).unwrap().data(), gt.data());

    let none = Region::of(&flat(0.0, 40, 30));
    for id in ["pixcorr", "psnr", "ssim"] {
        let found = within(id).unwrap()(&gt, &recon, &none, SsimFlavour::Grey).unwrap();
        assert!(found.unwrap_err().to_string().starts_with("no foreground"), "{id}");
        let refused = within(id).unwrap()(&gt, &recon, &disc(30, 30), SsimFlavour::Grey).unwrap_err();
        assert!(refused.to_string().contains("the region is 30 x 30 px"), "{id}: {refused}");
    }
    let colour = ssim(&gt, &recon, &region, SsimFlavour::Colour).unwrap_err();
    assert!(colour.to_string().contains("expected the flavour grey"));
    assert!(within("ms_ssim").is_none() && within("hue_pcc").is_none());
}
