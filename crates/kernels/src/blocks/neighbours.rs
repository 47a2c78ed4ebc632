//! Merges neighbouring positions of a map.

use crate::blocks::maps::MapShape;
use crate::blocks::slices::{Output, on_values, zeros};
use crate::blocks::tensors::is_packed;
use candle_core::{Layout, Result, Tensor};

/// Maps of half the size and four times the channels: the channels of the upper left, lower left, upper right and lower
/// right position of each square of 2 x 2. Positions below and beside the map count as zeros.
pub fn neighbours(x: &Tensor) -> Result<Tensor> {
    if is_packed(x) {
        return on_values([x], |[x], [layout]| packed_neighbours(x, layout));
    }
    let (n_images, height, width, n) = x.dims4()?;
    let (down, across) = (height.div_ceil(2), width.div_ceil(2));
    x.pad_with_zeros(1, 0, 2 * down - height)?
        .pad_with_zeros(2, 0, 2 * across - width)?
        .contiguous()?
        .reshape(&[n_images, down, 2, across, 2, n])?
        .permute([0, 1, 3, 4, 2, 5])?
        .contiguous()?
        .reshape((n_images, down, across, 4 * n))
}

fn packed_neighbours(x: &[f32], layout: &Layout) -> Output {
    let n = *layout.dims().last().unwrap_or(&0);
    let map = MapShape::of(layout, n)?;
    let (height, width) = (map.height.div_ceil(2), map.width.div_ceil(2));
    let mut out = zeros(map.n_images * height * width * 4 * n);
    for (index, out) in out.chunks_exact_mut((4 * n).max(1)).enumerate() {
        let (image, place) = (index / (height * width), index % (height * width));
        for (part, out) in out.chunks_exact_mut(n).enumerate() {
            let (row, column) = (place / width * 2 + part % 2, place % width * 2 + part / 2);
            if row < map.height && column < map.width {
                let from = ((image * map.height + row) * map.width + column) * n;
                out.copy_from_slice(&x[from..from + n]);
            }
        }
    }
    let shape = (map.n_images, height, width, 4 * n);
    Ok((out, shape.into()))
}
