//! Metrics of the images themselves, by pixels or by a network that the caller has, with everything in the registry
//! about them.

use super::definition::{Function, own_function, source};
use super::metric::{Compute, Metric};
use super::papers::Paper;
use crate::decoding::hue_pcc::hue_pcc;
use crate::decoding::ms_ssim::ms_ssim;
use crate::decoding::pixcorr::pixcorr;
use crate::decoding::psnr::psnr;
use crate::decoding::ssim_flavours::ssim_of;
use neurogauge_core::Group;

pub(super) const METRICS: &[Metric] = &[
    Metric::new(
        "pixcorr",
        "PixCorr",
        Group::LowLevel,
        "Pearson correlation of the pixel values",
        Compute::Pixels(|gt, recon, _| pixcorr(gt, recon)),
    )
    .range(-1.0, 1.0)
    .conventions("pixel-size antialias foreground pixcorr-rgb"),
    Metric::new(
        "ssim",
        "SSIM",
        Group::LowLevel,
        "Structural similarity of the grey images",
        Compute::Pixels(|gt, recon, options| ssim_of(gt, recon, options.ssim)),
    )
    .range(-1.0, 1.0)
    .conventions("pixel-size antialias foreground ssim-flavour"),
    Metric::new(
        "psnr",
        "PSNR",
        Group::LowLevel,
        "Peak signal-to-noise ratio in dB, data range 1",
        Compute::Pixels(|gt, recon, _| psnr(gt, recon)),
    )
    .range(0.0, f64::INFINITY)
    .conventions("pixel-size antialias foreground psnr-identical")
    .decimals(2),
    Metric::new(
        "ms_ssim",
        "MS-SSIM",
        Group::LowLevel,
        "Structural similarity of the grey images at five scales",
        Compute::Pixels(|gt, recon, _| ms_ssim(gt, recon)),
    )
    .conventions("pixel-size antialias ssim-flavour ms-ssim-scales")
    .on_request(),
    Metric::new(
        "hue_pcc",
        "hue-pcc",
        Group::LowLevel,
        "Cosine of the hues, as Mind-Animator's code computes it",
        Compute::Pixels(|gt, recon, _| hue_pcc(gt, recon)),
    )
    .conventions("pixel-size antialias hue-pcc")
    .on_request(),
    perceptual(
        "lpips_alex",
        "LPIPS (AlexNet)",
        "Weighted distance of AlexNet's features, layer by layer and place by place",
    ),
    perceptual(
        "lpips_vgg",
        "LPIPS (VGG)",
        "Weighted distance of VGG-16's features, layer by layer and place by place",
    ),
];

/// The files of the functions whose documentation defines these metrics.
pub(super) const FUNCTIONS: &[Function] = &[
    own_function!("pixcorr"),
    own_function!("ssim"),
    own_function!("psnr"),
    own_function!("ms_ssim"),
    own_function!("hue_pcc"),
];

/// The papers that introduced them.
pub(super) const PAPERS: &[Paper] = &[
    (
        "Wang et al. (2004), Image Quality Assessment: From Error Visibility to Structural Similarity, IEEE Transactions on Image Processing",
        "ssim",
    ),
    (
        "Wang et al. (2003), Multiscale Structural Similarity for Image Quality Assessment, Asilomar Conference on Signals Systems and Computers",
        "ms_ssim",
    ),
    (
        "Zhang et al. (2018), The Unreasonable Effectiveness of Deep Features as a Perceptual Metric, CVPR",
        "lpips_alex lpips_vgg",
    ),
    (
        "Lu et al. (2025), Animate Your Thoughts: Decoupled Reconstruction of Dynamic Natural Vision from Slow Brain Activity, ICLR",
        "hue_pcc",
    ),
];

/// LPIPS; the name of its network is also its id.
const fn perceptual(id: &'static str, label: &'static str, about: &'static str) -> Metric {
    Metric::new(id, label, Group::LowLevel, about, Compute::Perceptual { model: id })
        .lower_is_better()
        .range(0.0, f64::INFINITY)
        .conventions("lpips-size antialias foreground lpips-heads")
}
