//! Degrades the pixels of a picture as a decoder might.

use neurogauge::core::synthetic::Synthetic;
use neurogauge::core::{Image, Seed};

/// An image out of focus and with noise.
///
/// At `strength` 0 it is the image itself; at 1 it is blurred over about 8 px and every value moves by up to 40.
/// Strengths are clamped to 0..1, and NaN counts as 0. The noise depends only on the seed and the size, so use a
/// different seed for every image.
///
/// ```
/// use neurogauge_demo::{blur_and_noise, stimuli};
/// use neurogauge::core::Seed;
/// let image = &stimuli()?[0].image;
/// assert_eq!(blur_and_noise(image, 0.0, Seed(2)), *image);
/// assert_eq!(blur_and_noise(image, 1.0, Seed(2)).width_px(), 256);
/// # Ok::<(), neurogauge::Error>(())
/// ```
pub fn blur_and_noise(image: &Image<u8>, strength: f64, seed: Seed) -> Image<u8> {
    let strength = strength.clamp(0.0, 1.0).max(0.0);
    let mut out = image.clone();
    if strength == 0.0 {
        return out;
    }
    let (width, height) = (image.width_px(), image.height_px());
    let channels = Image::<u8>::CHANNELS;
    let radius = (4.0 * strength).round() as usize;
    let mut values: Vec<f64> = image.data().iter().map(|&value| f64::from(value)).collect();
    // Two box means in each direction approximate a Gaussian well enough, and are exact on every platform.
    for _ in 0..2 {
        values = box_mean(&values, (width, channels), (height, width * channels), channels, radius);
        values = box_mean(&values, (height, width * channels), (width, channels), channels, radius);
    }
    let noise = Synthetic::new("noise of a reconstruction", seed.0);
    for (index, (pixel, value)) in out.data_mut().iter_mut().zip(values).enumerate() {
        let index = index as u64;
        // A sum of two uniform draws, between -1 and 1.
        let draw = f64::from(noise.uniform(2 * index) + noise.uniform(2 * index + 1)) - 1.0;
        *pixel = (value + 40.0 * strength * draw).round().clamp(0.0, 255.0) as u8;
    }
    out
}

/// The mean over `2 * radius + 1` neighbours in one direction; values at the edge are repeated. `along` and `across`
/// are (count, step) of the two directions.
fn box_mean(values: &[f64], along: (usize, usize), across: (usize, usize), channels: usize, radius: usize) -> Vec<f64> {
    let mut out = vec![0.0; values.len()];
    let n = (2 * radius + 1) as f64;
    for line in 0..across.0 {
        for channel in 0..channels {
            let start = line * across.1 + channel;
            for place in 0..along.0 {
                let window = (0..=2 * radius).map(|step| {
                    let neighbour = (place + step).saturating_sub(radius).min(along.0 - 1);
                    values[start + neighbour * along.1]
                });
                out[start + place * along.1] = window.sum::<f64>() / n;
            }
        }
    }
    out
}
