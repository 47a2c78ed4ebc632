//! Convolutions of 3 x 3 with fewer products: F(2 x 2, 3 x 3) of Winograd (Lavin & Gray 2016).

use crate::blocks::maps::{MapShape, Window};
use crate::blocks::packed::{Epilogue, PackedMatrix};
use crate::blocks::shared_rows::{n_threads_for, on_this_thread};
use crate::blocks::slices::{LANES, put_aside, room, zeros};
use rayon::prelude::*;
use std::array;
use std::ops::Range;

/// Side of the square of inputs from which a tile is computed.
const SIDE: usize = 4;
/// Products per pair of channels and tile; plain convolution needs 36.
const PRODUCTS: usize = SIDE * SIDE;
/// Floats in a block of tiles.
const BLOCK_FLOATS: usize = 1 << 18;
/// With fewer tiles at once, the weights would be read too often.
const MIN_BLOCK_TILES: usize = 96;

/// A convolution with windows of 3 x 3 and stride 1, which computes tiles of 2 x 2 outputs.
///
/// `Y = Aᵀ [Σ_c (G g_c Gᵀ) ⊙ (Bᵀ d_c B)] A`, with the 3 x 3 weights `g_c` of a channel and the 4 x 4 inputs `d_c` of
/// the tile: 16 products for four outputs. The transforms of input and output only add and subtract.
#[derive(Debug, Clone)]
pub(super) struct Winograd {
    /// `G g Gᵀ`: for each of the 16 positions a matrix of (input channel, output channel).
    places: Vec<PackedMatrix>,
    n_in: usize,
    n_out: usize,
}

impl Winograd {
    /// Does this algorithm pay for a convolution with this window? Channels must fill whole lanes.
    pub(super) fn suits(window: &Window, n_in: usize, n_out: usize) -> bool {
        (window.height, window.width, window.stride) == (3, 3, 1)
            && n_in.is_multiple_of(LANES)
            && n_out.is_multiple_of(LANES)
    }

    /// Builds it from weights of shape (`n_out`, row, column, `n_in`).
    pub(super) fn new(n_in: usize, n_out: usize, taps: &[f32]) -> Self {
        let mut columns = zeros(n_out * n_in);
        let places = (0..PRODUCTS).map(|place| {
            let kernels = taps.chunks_exact(9 * n_in);
            for (column, kernel) in columns.chunks_exact_mut(n_in).zip(kernels) {
                for (channel, value) in column.iter_mut().enumerate() {
                    *value = weight(place, |tap| kernel[tap * n_in + channel]);
                }
            }
            PackedMatrix::from_columns(n_in, n_out, |channel| &columns[channel * n_in..][..n_in])
        });
        Winograd {
            places: places.collect(),
            n_in,
            n_out,
        }
    }

    /// Convolves all images into the first channels of maps of shape `output`; `out` begins inside the first map.
    pub(super) fn convolve(
        &self,
        x: &[f32],
        map: &MapShape,
        padding: (usize, usize),
        output: &MapShape,
        out: &mut [f32],
        epilogue: Epilogue<'_>,
    ) {
        let tiles = Tiles {
            map: *map,
            padding,
            output: *output,
        };
        let n_threads = n_threads_for(tiles.len() * PRODUCTS * self.n_in * self.n_out);
        let lines = (output.n_images * output.height.div_ceil(2)).div_ceil(n_threads);
        if n_threads == 1 || output.n_images > 1 {
            return self.convolve_tiles(x, &tiles, 0..tiles.len(), 0, out, epilogue);
        }
        // A row of tiles has two rows of outputs.
        let part = 2 * lines * output.width * output.n_channels;
        let n_values = out.len().min(output.len());
        let parts = out[..n_values].par_chunks_mut(part.max(1)).enumerate();
        parts.for_each(|(index, out)| {
            let first = index * lines * tiles.across();
            let range = first..tiles.len().min(first + lines * tiles.across());
            let start = index * part;
            let epilogue = Epilogue {
                residual: epilogue.residual.map(|residual| &residual[start..]),
                ..epilogue
            };
            on_this_thread(|| self.convolve_tiles(x, &tiles, range, start, out, epilogue));
        });
    }

    /// Convolves a range of tiles; `out` and the residual begin at value `start` of the output.
    fn convolve_tiles(
        &self,
        x: &[f32],
        tiles: &Tiles,
        range: Range<usize>,
        start: usize,
        out: &mut [f32],
        epilogue: Epilogue<'_>,
    ) {
        let n_values = PRODUCTS * (self.n_in + self.n_out);
        let n_block = (BLOCK_FLOATS / n_values).max(MIN_BLOCK_TILES).min(range.len()).max(1);
        // One cache line more than the values need, so that rows of a matrix do not all fall into the same cache sets.
        let (in_stride, out_stride) = (PRODUCTS * self.n_in + LANES, PRODUCTS * self.n_out + LANES);
        let mut values = room(n_block * (in_stride + out_stride));
        let (inputs, sums) = values.split_at_mut(n_block * in_stride);
        let nothing = zeros(self.n_in);
        for first in range.clone().step_by(n_block) {
            let block = first..range.end.min(first + n_block);
            for (tile, input) in block.clone().zip(inputs.chunks_exact_mut(in_stride)) {
                transform_input(&tiles.pixels(tile, x, &nothing), self.n_in, input);
            }
            for (place, matrix) in self.places.iter().enumerate() {
                let row = |row: usize, _| &inputs[row * in_stride + place * self.n_in..][..self.n_in];
                let sums = &mut sums[place * self.n_out..];
                matrix.multiply(block.len(), 1, row, sums, out_stride, Epilogue::NONE);
            }
            for (tile, sums) in block.zip(sums.chunks_exact(out_stride)) {
                let targets = tiles.targets(tile, start);
                transform_output(sums, self.n_out, &targets, out, epilogue);
            }
        }
        put_aside(values);
    }
}

/// The tiles of all images, row by row.
struct Tiles {
    map: MapShape,
    padding: (usize, usize),
    output: MapShape,
}

impl Tiles {
    fn across(&self) -> usize {
        self.output.width.div_ceil(2)
    }

    fn of_image(&self) -> usize {
        self.output.height.div_ceil(2) * self.across()
    }

    fn len(&self) -> usize {
        self.output.n_images * self.of_image()
    }

    /// Image, row and column of a tile's first output.
    fn place(&self, tile: usize) -> (usize, usize, usize) {
        let (image, within) = (tile / self.of_image(), tile % self.of_image());
        (image, within / self.across() * 2, within % self.across() * 2)
    }

    /// The input pixels of a tile, row by row; `nothing` for those outside the map.
    fn pixels<'a>(&self, tile: usize, x: &'a [f32], nothing: &'a [f32]) -> [&'a [f32]; PRODUCTS] {
        let (image, row, column) = self.place(tile);
        let MapShape {
            height,
            width,
            n_channels: n,
            ..
        } = self.map;
        // Values below 0 wrap around to beyond any map.
        let (top, left) = (row.wrapping_sub(self.padding.0), column.wrapping_sub(self.padding.1));
        if top < height.saturating_sub(SIDE - 1) && left < width.saturating_sub(SIDE - 1) {
            let start = ((image * height + top) * width + left) * n;
            let lines: [&[f32]; SIDE] = array::from_fn(|line| &x[start + line * width * n..][..SIDE * n]);
            return array::from_fn(|index| &lines[index / SIDE][index % SIDE * n..][..n]);
        }
        let mut pixels = [nothing; PRODUCTS];
        for (index, pixel) in pixels.iter_mut().enumerate() {
            let (row, column) = (top.wrapping_add(index / SIDE), left.wrapping_add(index % SIDE));
            if row < height && column < width {
                *pixel = &x[((image * height + row) * width + column) * n..][..n];
            }
        }
        pixels
    }

    /// Offsets of a tile's four outputs from value `start` of the output; `None` for those outside the map.
    fn targets(&self, tile: usize, start: usize) -> [Option<usize>; 4] {
        let (image, row, column) = self.place(tile);
        let MapShape {
            height,
            width,
            n_channels,
            ..
        } = self.output;
        [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(down, right)| {
            let (y, x) = (row + down, column + right);
            let is_inside = y < height && x < width;
            is_inside.then(|| ((image * height + y) * width + x) * n_channels - start)
        })
    }
}

/// One value of `G g Gᵀ`, rounded once.
fn weight(place: usize, tap: impl Fn(usize) -> f32) -> f32 {
    const G: [[f64; 3]; SIDE] = [[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]];
    let (rows, columns) = (G[place / SIDE], G[place % SIDE]);
    let terms = (0..9).map(|index| rows[index / 3] * columns[index % 3] * f64::from(tap(index)));
    terms.sum::<f64>() as f32
}

/// A value for each of sixteen channels.
type Lanes = [f32; LANES];

#[inline(always)]
fn add(mut a: Lanes, b: Lanes) -> Lanes {
    for (a, b) in a.iter_mut().zip(b) {
        *a += b;
    }
    a
}

#[inline(always)]
fn subtract(mut a: Lanes, b: Lanes) -> Lanes {
    for (a, b) in a.iter_mut().zip(b) {
        *a -= b;
    }
    a
}

/// `Bᵀ d`.
#[inline(always)]
fn input_side(d: [Lanes; SIDE]) -> [Lanes; SIDE] {
    [subtract(d[0], d[2]), add(d[1], d[2]), subtract(d[2], d[1]), subtract(d[1], d[3])]
}

/// `Aᵀ m`.
#[inline(always)]
fn output_side(m: [Lanes; SIDE]) -> [Lanes; 2] {
    [add(add(m[0], m[1]), m[2]), subtract(subtract(m[1], m[2]), m[3])]
}

/// `Bᵀ d B` of every channel: `out` gets the channels of the first position, then those of the second, and so on.
#[multiversion::multiversion(targets = "simd")]
fn transform_input(pixels: &[&[f32]; PRODUCTS], n_channels: usize, out: &mut [f32]) {
    let pixels = pixels.map(|pixel| pixel.as_chunks::<LANES>().0);
    let n_lanes = n_channels / LANES;
    let (out, _) = out.as_chunks_mut::<LANES>();
    for lanes in 0..n_lanes {
        let mut d = [[[0.0; LANES]; SIDE]; SIDE];
        for (index, pixel) in pixels.iter().enumerate() {
            d[index % SIDE][index / SIDE] = pixel[lanes];
        }
        let mut rows = [[[0.0; LANES]; SIDE]; SIDE];
        for (column, d) in d.into_iter().enumerate() {
            for (row, value) in input_side(d).into_iter().enumerate() {
                rows[row][column] = value;
            }
        }
        for (row, values) in rows.into_iter().enumerate() {
            for (column, value) in input_side(values).into_iter().enumerate() {
                out[(row * SIDE + column) * n_lanes + lanes] = value;
            }
        }
    }
}

/// `Aᵀ m A` of every channel, followed by the convolution's epilogue, written to the tile's four outputs.
#[multiversion::multiversion(targets = "simd")]
fn transform_output(
    sums: &[f32],
    n_channels: usize,
    targets: &[Option<usize>; 4],
    out: &mut [f32],
    epilogue: Epilogue<'_>,
) {
    const FUSED: bool = multiversion::target::target_cfg_f!(target_feature = "fma");
    let n_lanes = n_channels / LANES;
    let (sums, _) = sums.as_chunks::<LANES>();
    let (bias, _) = epilogue.bias.as_chunks::<LANES>();
    for lanes in 0..n_lanes {
        let mut rows = [[[0.0; LANES]; SIDE]; 2];
        for column in 0..SIDE {
            let mut m = [[0.0; LANES]; SIDE];
            for (row, m) in m.iter_mut().enumerate() {
                *m = sums[(row * SIDE + column) * n_lanes + lanes];
            }
            let [upper, lower] = output_side(m);
            (rows[0][column], rows[1][column]) = (upper, lower);
        }
        let [upper, lower] = rows.map(output_side);
        for (value, start) in [upper[0], upper[1], lower[0], lower[1]].into_iter().zip(targets) {
            let Some(start) = start else { continue };
            let place = start + lanes * LANES;
            let mut value = add(value, bias[lanes]);
            if let Some(residual) = epilogue.residual
                && let Some(residual) = residual[place..].first_chunk()
            {
                value = add(value, *residual);
            }
            epilogue.activation.apply::<FUSED>(&mut value);
            out[place..][..LANES].copy_from_slice(&value);
        }
    }
}
