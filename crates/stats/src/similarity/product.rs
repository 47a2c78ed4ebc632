//! The matrix product behind the similarities.
//!
//! A library's product would do, but for two things: every entry has to be summed in the same order,
//! at the edges of the matrix too and on every processor, so that equal rows tie exactly; and
//! matrices of early layers (a thousand rows of 184,512 features) should not be copied to `f64`
//! whole. Features are taken a block at a time; an entry is the sum of its blocks, and a block one
//! chain of fused multiply-adds.

use super::row::Row;
use multiversion::multiversion;
use rayon::prelude::*;

/// Features multiplied before sums go back to memory: two tiles of them fit the nearest cache.
const DEPTH: usize = 256;

/// Rows of `x` and of `y` whose products are held in registers. On AVX-512 and on AVX2 this was the
/// shape closest to the processor's peak of those tried (both 4 to 12 by 8 to 16).
const TILE_X: usize = 6;
const TILE_Y: usize = 8;

/// Rows of `x` that one thread multiplies by all of `y`.
const GROUP: usize = 8 * TILE_X;

/// Σ x_ik y_jk for all i and j, row by row of `x`.
pub(super) fn products(x: &[Row<'_>], y: &[Row<'_>], n_features: usize) -> Vec<f64> {
    let mut products = vec![0.0; x.len() * y.len()];
    if products.is_empty() {
        return products;
    }
    for from in (0..n_features).step_by(DEPTH) {
        let to = n_features.min(from + DEPTH);
        let y_tiles = pack::<TILE_Y>(y, from, to);
        products
            .par_chunks_mut(GROUP * y.len())
            .zip(x.par_chunks(GROUP))
            .for_each(|(products, x)| {
                let x_tiles = pack::<TILE_X>(x, from, to);
                multiply(&x_tiles, &y_tiles, y.len(), products);
            });
    }
    products
}

/// Deviations of `WIDTH` rows side by side, feature after feature; rows that are missing are zeros.
type Tile<const WIDTH: usize> = Vec<[f64; WIDTH]>;

fn pack<const WIDTH: usize>(rows: &[Row<'_>], from: usize, to: usize) -> Vec<Tile<WIDTH>> {
    rows.par_chunks(WIDTH)
        .map(|rows| {
            let mut tile = vec![[0.0; WIDTH]; to - from];
            for (place, row) in rows.iter().enumerate() {
                for (features, value) in tile.iter_mut().zip(row.deviations(from, to)) {
                    features[place] = value;
                }
            }
            tile
        })
        .collect()
}

/// Adds the products of these tiles; `products` has `n_y` columns.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw+fma", "x86_64+avx2+fma"))]
fn multiply(x: &[Tile<TILE_X>], y: &[Tile<TILE_Y>], n_y: usize, products: &mut [f64]) {
    for (y_place, y_tile) in y.iter().enumerate() {
        for (x_tile, products) in x.iter().zip(products.chunks_mut(TILE_X * n_y)) {
            let mut sums = [[0.0; TILE_Y]; TILE_X];
            for (x, y) in x_tile.iter().zip(y_tile) {
                for (x, sums) in x.iter().zip(&mut sums) {
                    *sums = std::array::from_fn(|place| x.mul_add(y[place], sums[place]));
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
