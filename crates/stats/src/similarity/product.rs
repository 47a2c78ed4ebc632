//! The matrix product behind the similarities.
//!
//! A library's product does not work for two reasons: every entry must be summed in the same order, even at the edges
//! of the matrix and on every processor, so that equal rows tie exactly; and matrices of early layers (a thousand rows
//! of 184,512 features) should neither be entirely in memory nor copied entirely to `f64`. Features are read a block at
//! a time and multiplied a slab at a time; an entry is the sum of its slabs, and a slab is one chain of fused
//! multiply-adds. Blocks are whole slabs, so their width does not affect any bit.

use super::rows::{Centre, ComparedRows};
use crate::StatsError;
use multiversion::multiversion;
use neurogauge_core::RowValues;
use neurogauge_core::stopping::stop_if_asked;
use rayon::prelude::*;
use std::ops::Range;

/// Features multiplied before sums are written back to memory; two tiles of this depth fit into the L1 cache.
pub const DEPTH: usize = 256;

/// Rows of `x` and of `y` whose products are kept in registers. Of the shapes tried on AVX-512 and AVX2 (both 4 to 12
/// by 8 to 16), this one came closest to the processor's peak.
pub(crate) const TILE_X: usize = 6;
pub(crate) const TILE_Y: usize = 8;

/// Rows of `x` that one thread multiplies by all of `y`.
pub(crate) const GROUP: usize = 8 * TILE_X;

#[derive(Clone)]
pub struct RowRange<'a> {
    pub of: &'a ComparedRows<'a>,
    pub rows: Range<usize>,
}

impl RowRange<'_> {
    pub(super) fn centres(&self) -> &[Centre] {
        &self.of.centres[self.rows.clone()]
    }
}

/// Σ x_ik y_jk for all i and j, row by row of `x`. At most `block_bytes` of values (or one slab) are read at a time.
pub fn products(
    x: &RowRange<'_>,
    y: &RowRange<'_>,
    n_features: usize,
    block_bytes: usize,
) -> Result<Vec<f64>, StatsError> {
    let (n_x, n_y) = (x.rows.len(), y.rows.len());
    let mut products = vec![0.0; n_x * n_y];
    if products.is_empty() {
        return Ok(products);
    }
    let n_slabs = block_bytes / (size_of::<f32>() * (n_x + n_y) * DEPTH);
    for from in (0..n_features).step_by(n_slabs.max(1) * DEPTH) {
        let to = n_features.min(from + n_slabs.max(1) * DEPTH);
        let x_block = x.of.block(x.rows.clone(), from..to)?;
        let y_block = y.of.block(y.rows.clone(), from..to)?;
        for start in (0..to - from).step_by(DEPTH) {
            let slab = start..(to - from).min(start + DEPTH);
            let y_tiles = pack::<TILE_Y>(&y_block, y.centres(), &slab);
            products
                .par_chunks_mut(GROUP * n_y)
                .zip(x_block.par_chunks(GROUP).zip(x.centres().par_chunks(GROUP)))
                .for_each(|(products, (rows, centres))| {
                    stop_if_asked();
                    multiply(&pack::<TILE_X>(rows, centres, &slab), &y_tiles, n_y, products);
                });
        }
    }
    Ok(products)
}

/// Values of `WIDTH` rows side by side, feature after feature; missing rows are zeros.
pub(crate) type Tile<const WIDTH: usize> = Vec<[f64; WIDTH]>;

fn pack<const WIDTH: usize>(block: &[RowValues<'_>], centres: &[Centre], slab: &Range<usize>) -> Vec<Tile<WIDTH>> {
    block
        .par_chunks(WIDTH)
        .zip(centres.par_chunks(WIDTH))
        .map(|(rows, centres)| {
            let mut tile = vec![[0.0; WIDTH]; slab.len()];
            for (place, (row, centre)) in rows.iter().zip(centres).enumerate() {
                match row {
                    RowValues::Single(row) => {
                        fill(&mut tile, place, &row[slab.clone()], |value| centre.deviation(value));
                    }
                    RowValues::Double(row) => {
                        fill(&mut tile, place, &row[slab.clone()], |value| centre.deviation(value));
                    }
                }
            }
            tile
        })
        .collect()
}

/// The values of a slab of at most `WIDTH` rows; `value` gets the position of the row.
pub(crate) fn tile<'a, T: Copy + 'a, const WIDTH: usize>(
    rows: impl Iterator<Item = &'a [T]>,
    slab: &Range<usize>,
    value: impl Fn(usize, T) -> f64,
) -> Tile<WIDTH> {
    let mut tile = vec![[0.0; WIDTH]; slab.len()];
    for (place, row) in rows.enumerate() {
        fill(&mut tile, place, &row[slab.clone()], |own| value(place, own));
    }
    tile
}

/// Puts a row into its position in a tile.
fn fill<T: Copy, const WIDTH: usize>(tile: &mut Tile<WIDTH>, place: usize, row: &[T], value: impl Fn(T) -> f64) {
    for (features, &own) in tile.iter_mut().zip(row) {
        features[place] = value(own);
    }
}

/// Adds the products of these tiles; `products` has `n_y` columns.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw+fma", "x86_64+avx2+fma"))]
pub(crate) fn multiply(x: &[Tile<TILE_X>], y: &[Tile<TILE_Y>], n_y: usize, products: &mut [f64]) {
    for (y_place, y_tile) in y.iter().enumerate() {
        for (x_tile, products) in x.iter().zip(products.chunks_mut(TILE_X * n_y)) {
            let mut sums = [[0.0; TILE_Y]; TILE_X];
            // Without closures or iterators inside, and with a whole row at once: otherwise some builds do not
            // vectorise this for the target, and a product takes up to 24 times as long.
            for (x, y) in x_tile.iter().zip(y_tile) {
                for row in 0..TILE_X {
                    let (own, mut next) = (sums[row], [0.0; TILE_Y]);
                    for place in 0..TILE_Y {
                        next[place] = x[row].mul_add(y[place], own[place]);
                    }
                    sums[row] = next;
                }
            }
            for (sums, row) in sums.iter().zip(products.chunks_exact_mut(n_y)) {
                for (sum, product) in sums.iter().zip(&mut row[y_place * TILE_Y..]) {
                    *product += sum;
                }
            }
        }
    }
}
