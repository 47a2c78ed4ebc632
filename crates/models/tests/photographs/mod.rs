//! The photographs that the goldens were made of.

use neurogauge_core::Image;
use neurogauge_formats::image_file::read_rgb8;
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

/// The middle of an image, half a pixel rounded down.
pub(crate) fn window(image: &Image<u8>, width_px: usize, height_px: usize) -> Image<u8> {
    let left = (image.width_px() - width_px) / 2;
    let top = (image.height_px() - height_px) / 2;
    let rows = (top..top + height_px).flat_map(|y| {
        let start = (y * image.width_px() + left) * 3;
        &image.data()[start..start + width_px * 3]
    });
    Image::new(width_px, height_px, rows.copied().collect()).unwrap()
}
