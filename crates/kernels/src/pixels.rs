//! Loops over the pixels of images: red, green and blue in turn.

use neurogauge_core::Image;

/// `(value - mean) / std`, by channel.
pub fn normalise(values: &mut [f32], mean: [f32; 3], std: [f32; 3]) {
    let (pixels, _) = values.as_chunks_mut::<3>();
    for pixel in pixels {
        let [red, green, blue] = *pixel;
        *pixel = [(red - mean[0]) / std[0], (green - mean[1]) / std[1], (blue - mean[2]) / std[2]];
    }
}

/// The same of levels from 0 to 255.
pub fn normalised_levels(levels: &[u8], mean: [f32; 3], std: [f32; 3]) -> Vec<f32> {
    let mut values: Vec<f32> = levels.iter().map(|&level| f32::from(level)).collect();
    normalise(&mut values, mean, std);
    values
}

/// The first value that is infinite or not a number.
pub fn non_finite(values: &[f32]) -> Option<f32> {
    values.iter().copied().find(|value| !value.is_finite())
}

/// The mean of each channel.
pub fn mean_colour(values: &[f32]) -> [f64; 3] {
    let (pixels, _) = values.as_chunks::<3>();
    let n_pixels = pixels.len() as f64;
    let mut means = [0.0; 3];
    for pixel in pixels {
        for (mean, &value) in means.iter_mut().zip(pixel) {
            *mean += f64::from(value) / n_pixels;
        }
    }
    means
}

/// Mean colours of `n_cells` x `n_cells` cells, channels first.
pub fn grid_means(image: &Image<f32>, n_cells: usize) -> Vec<f32> {
    let (width_px, height_px) = (image.width_px(), image.height_px());
    let edge = |cell: usize, length_px: usize| cell * length_px / n_cells;
    let mut means = Vec::with_capacity(3 * n_cells * n_cells);
    for channel in 0..Image::<f32>::CHANNELS {
        for row in 0..n_cells {
            for column in 0..n_cells {
                let rows = edge(row, height_px)..edge(row + 1, height_px);
                let columns = edge(column, width_px)..edge(column + 1, width_px);
                let n_pixels = rows.len() * columns.len();
                let sum: f64 = rows
                    .flat_map(|y| columns.clone().map(move |x| (x, y)))
                    .map(|(x, y)| f64::from(image.at(x, y, channel)))
                    .sum();
                means.push((sum / n_pixels as f64) as f32);
            }
        }
    }
    means
}
