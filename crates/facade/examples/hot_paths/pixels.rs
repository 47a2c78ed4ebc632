//! Metrics of pixels, and resizing.

use crate::inputs::{defined, image, image_u8};
use crate::{Failure, HotPath, Work};
use neurogauge::core::image::{Filter, resize_float, resize_u8};
use neurogauge::metrics::{Compute, PixelOptions, find};

pub(crate) const PATHS: &[HotPath] = &[
    ("pixcorr", || metric("pixcorr")),
    ("ssim", || metric("ssim")),
    ("ms-ssim", || metric("ms_ssim")),
    ("psnr", || metric("psnr")),
    ("hue-pcc", || metric("hue_pcc")),
    ("resize-bilinear", || float(Filter::Bilinear)),
    ("resize-bicubic-u8", || levels(Filter::Bicubic)),
    ("resize-lanczos-u8", || levels(Filter::Lanczos)),
];

fn metric(id: &'static str) -> Result<Work, Failure> {
    let Some(Compute::Pixels(compute)) = find(id).map(|metric| metric.compute) else {
        return Err(format!("{id} is not a metric of pixels").into());
    };
    let (gt, recon) = (image("gt", 192), image("recon", 192));
    let options = PixelOptions::default();
    Ok(Box::new(move || defined(compute(&gt, &recon, &options)?)))
}

fn float(filter: Filter) -> Result<Work, Failure> {
    let from = image("gt", 192);
    Ok(Box::new(move || Ok(f64::from(resize_float(&from, 320, 320, filter, true)?.at(9, 9, 0)))))
}

fn levels(filter: Filter) -> Result<Work, Failure> {
    let from = image_u8("gt", 256);
    Ok(Box::new(move || Ok(f64::from(resize_u8(&from, 224, 224, filter)?.at(9, 9, 0)))))
}
