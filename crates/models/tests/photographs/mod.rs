//! The inputs of the image models' goldens: photographs that the scikit-image wheel carries, and noise.

use neurogauge_core::Image;
use neurogauge_core::synthetic::Synthetic;
use std::path::PathBuf;

/// The file of a photograph.
pub fn photograph(name: &str) -> PathBuf {
    let folder = std::env::var_os("NEUROGAUGE_TEST_PHOTOS").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.photos")),
        PathBuf::from,
    );
    let path = folder.join(format!("{name}.png"));
    assert!(
        path.exists(),
        "{} does not exist: `make test` fetches it (NEUROGAUGE_TEST_PHOTOS names its folder)",
        path.display()
    );
    path
}

/// Values in [0, 1]: the central window of a photograph, or noise.
pub fn image(name: &str, size_px: usize) -> Image<f32> {
    if name == "noise" {
        let noise = Synthetic::new("noise", 1);
        let values = (0..(size_px * size_px * 3) as u64).map(|i| noise.uniform(i));
        return Image::new(size_px, size_px, values.collect()).unwrap();
    }
    let whole = neurogauge_formats::image_file::read_rgb8(&photograph(name)).unwrap();
    let (left, top) = (
        (whole.width_px() - size_px) / 2,
        (whole.height_px() - size_px) / 2,
    );
    let mut values = Vec::with_capacity(size_px * size_px * 3);
    for y in 0..size_px {
        for x in 0..size_px {
            for channel in 0..3 {
                values.push(f32::from(whole.at(left + x, top + y, channel)) / 255.0);
            }
        }
    }
    Image::new(size_px, size_px, values).unwrap()
}

/// `(x - mean) / std`.
pub fn normalised(image: &Image<f32>, mean: [f32; 3], std: [f32; 3]) -> Image<f32> {
    let values = image.data().iter().enumerate();
    let values = values.map(|(i, value)| (value - mean[i % 3]) / std[i % 3]);
    Image::new(image.width_px(), image.height_px(), values.collect()).unwrap()
}
