//! Pooling over windows and over whole maps.

use crate::blocks::concatenation::Part;
use crate::blocks::maps::{MapShape, Window};
use crate::blocks::slices::{Output, on_values, room};
use crate::blocks::tensors::{adaptive_average, average, is_packed, largest};
use candle_core::{Layout, Result, Tensor, bail};

/// The largest value of every window.
pub fn max_pool(x: &Tensor, window: Window) -> Result<Tensor> {
    Pool::Max(window).forward(x)
}

/// The mean of every window; positions outside the map count as zeros.
pub fn average_pool(x: &Tensor, window: Window) -> Result<Tensor> {
    Pool::Average(window).forward(x)
}

/// The means of `size` x `size` parts of the map, which overlap if the map cannot be divided evenly.
pub fn adaptive_average_pool(x: &Tensor, size: usize) -> Result<Tensor> {
    Pool::Adaptive(size).forward(x)
}

/// The mean over all positions: shape (image, channel).
pub fn global_average_pool(x: &Tensor) -> Result<Tensor> {
    adaptive_average_pool(x, 1)?.flatten_from(1)
}

/// The statistic of the values under a window.
pub enum Pool {
    Max(Window),
    Average(Window),
    Adaptive(usize),
}

impl Pool {
    fn computed(&self, x: &[f32], layout: &Layout) -> Output {
        let map = MapShape::of(layout, *layout.dims().last().unwrap_or(&0))?;
        let output = self.output(&map)?;
        let mut out = room(output.len());
        self.write(x, &map, &output, 0, &mut out);
        Ok((out, output.dims().into()))
    }
}

impl Part for Pool {
    fn n_in(&self) -> Option<usize> {
        None
    }

    fn output(&self, map: &MapShape) -> Result<MapShape> {
        match self {
            Pool::Max(window) | Pool::Average(window) => window.slide(map, map.n_channels),
            Pool::Adaptive(size) if map.height > 0 && map.width > 0 => Ok(MapShape {
                height: *size,
                width: *size,
                ..*map
            }),
            Pool::Adaptive(_) => bail!("an empty map has no mean"),
        }
    }

    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        match *self {
            _ if is_packed(x) => on_values([x], |[x], [layout]| self.computed(x, layout)),
            Pool::Max(window) => largest(x, window),
            Pool::Average(window) => average(x, window),
            Pool::Adaptive(size) => adaptive_average(x, size),
        }
    }

    fn write(&self, x: &[f32], map: &MapShape, whole: &MapShape, first: usize, out: &mut [f32]) {
        if map.len() > 0 {
            let images = x.chunks_exact(map.image_len());
            for (image, out) in images.zip(out.chunks_exact_mut(whole.image_len())) {
                pool(self, map, whole, first, image, out);
            }
        }
    }
}

/// Pools all windows of an image into the channels from `first` on.
#[multiversion::multiversion(targets = "simd")]
fn pool(pool: &Pool, map: &MapShape, output: &MapShape, first: usize, image: &[f32], out: &mut [f32]) {
    let n = map.n_channels;
    for (place, out) in out.chunks_exact_mut(output.n_channels).enumerate() {
        let out = &mut out[first..first + n];
        let (y, x) = (place / output.width, place % output.width);
        let (rows, columns, divisor) = match pool {
            Pool::Max(window) | Pool::Average(window) => (
                window.covers(y, window.height, window.padding.0, map.height),
                window.covers(x, window.width, window.padding.1, map.width),
                window.height * window.width,
            ),
            Pool::Adaptive(size) => {
                let part = |index: usize, length: usize| index * length / size..((index + 1) * length).div_ceil(*size);
                let (rows, columns) = (part(y, map.height), part(x, map.width));
                let divisor = rows.len() * columns.len();
                (rows, columns, divisor)
            }
        };
        let largest = matches!(pool, Pool::Max(_));
        out.fill(if largest { f32::NEG_INFINITY } else { 0.0 });
        for row in rows {
            for column in columns.clone() {
                let pixel = &image[(row * map.width + column) * n..][..n];
                if largest {
                    for (max, &value) in out.iter_mut().zip(pixel) {
                        // Keeps NaN.
                        let replaces = value > *max || value.is_nan();
                        *max = if replaces { value } else { *max };
                    }
                } else {
                    for (sum, value) in out.iter_mut().zip(pixel) {
                        *sum += value;
                    }
                }
            }
        }
        if !largest {
            let divisor = divisor as f32;
            for sum in out.iter_mut() {
                *sum /= divisor;
            }
        }
    }
}
