//! Inputs of the image models' goldens: photographs from the scikit-image wheel, and noise.
#![allow(dead_code)] // Each test uses a part.

use neurogauge_core::Image;
use neurogauge_core::synthetic::Synthetic;
use neurogauge_formats::image_file::read_rgb8;
use neurogauge_kernels::pixels::normalise;
use std::path::{Path, PathBuf};

/// A photograph of scikit-image's (`astronaut`, `coffee`); `make test` fetches them.
pub(crate) fn photograph(name: &str) -> Image<u8> {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.photos/skimage/data");
    let folder = std::env::var_os("NEUROGAUGE_TEST_PHOTOS").map_or_else(default, PathBuf::from);
    let file = folder.join(format!("{name}.png"));
    assert!(
        file.is_file(),
        "{} is absent: run `make test`, which fetches it, or set NEUROGAUGE_TEST_PHOTOS to the \
         folder skimage/data of scikit-image",
        file.display()
    );
    read_rgb8(&file).unwrap()
}

/// The central window of an image; half a pixel is rounded down.
pub(crate) fn window(image: &Image<u8>, width_px: usize, height_px: usize) -> Image<u8> {
    let left = (image.width_px() - width_px) / 2;
    let top = (image.height_px() - height_px) / 2;
    let rows = (top..top + height_px).map(|y| {
        let start = (y * image.width_px() + left) * 3;
        &image.data()[start..start + width_px * 3]
    });
    Image::new(width_px, height_px, rows.collect::<Vec<_>>().concat()).unwrap()
}

/// Values in [0, 1]: the central window of a photograph, or noise.
pub(crate) fn sized(name: &str, width_px: usize, height_px: usize) -> Image<f32> {
    if name != "noise" {
        return window(&photograph(name), width_px, height_px).to_unit_float();
    }
    noise(1, (width_px, height_px), |value| value)
}

/// The same for a square.
pub(crate) fn image(name: &str, size_px: usize) -> Image<f32> {
    sized(name, size_px, size_px)
}

/// Noise in [0, 1], changed by `of`.
pub(crate) fn noise(seed: u64, (width_px, height_px): (usize, usize), of: impl Fn(f32) -> f32) -> Image<f32> {
    let noise = Synthetic::new("noise", seed);
    let values = (0..(width_px * height_px * 3) as u64).map(|i| of(noise.uniform(i)));
    Image::new(width_px, height_px, values.collect()).unwrap()
}

/// `(x - mean) / std`.
pub(crate) fn normalised(image: &Image<f32>, mean: [f32; 3], std: [f32; 3]) -> Image<f32> {
    let mut image = image.clone();
    normalise(image.data_mut(), mean, std);
    image
}
