//! Inner products of rows in double precision, by the kernel of the similarities of features.

use super::product::{DEPTH, GROUP, TILE_X, TILE_Y, Tile, multiply, tile};
use crate::StatsError;
use neurogauge_core::stopping::stop_if_asked;
use rayon::prelude::*;
use std::ops::Range;

/// The inner product of every row of `x` with every row of `y`.
///
/// - Shapes: `x` is row-major (`n_x`, `n_features`), `y` (`n_y`, `n_features`); the result is row-major
///   (`n_x`, `n_y`).
/// - An entry depends only on its two rows, as in [`similarities`](super::similarities), so equal rows have exactly
///   equal products.
/// - Errors: values that are not whole rows.
///
/// ```
/// use neurogauge_stats::similarity::inner_products;
/// let products = inner_products(&[1.0, 2.0, 3.0, 4.0], &[10.0, 1.0], 2).unwrap();
/// assert_eq!(products, [12.0, 34.0]);
/// ```
pub fn inner_products(x: &[f64], y: &[f64], n_features: usize) -> Result<Vec<f64>, StatsError> {
    for values in [x, y] {
        let are_rows = match n_features {
            0 => values.is_empty(),
            _ => values.len().is_multiple_of(n_features),
        };
        if !are_rows {
            let (found, expected) = (format!("{} in rows of {n_features}", values.len()), "whole rows");
            return Err(StatsError::option("the number of values", found, expected));
        }
    }
    let n_y = y.len() / n_features.max(1);
    let mut products = vec![0.0; x.len() / n_features.max(1) * n_y];
    if products.is_empty() {
        return Ok(products);
    }
    for start in (0..n_features).step_by(DEPTH) {
        let slab = start..n_features.min(start + DEPTH);
        let y_tiles: Vec<_> =
            y.par_chunks(TILE_Y * n_features).map(|rows| tile_of::<TILE_Y>(rows, n_features, &slab)).collect();
        products
            .par_chunks_mut(GROUP * n_y)
            .zip(x.par_chunks(GROUP * n_features))
            .for_each(|(products, rows)| {
                stop_if_asked();
                let x_tiles: Vec<_> =
                    rows.chunks(TILE_X * n_features).map(|rows| tile_of::<TILE_X>(rows, n_features, &slab)).collect();
                multiply(&x_tiles, &y_tiles, n_y, products);
            });
    }
    Ok(products)
}

fn tile_of<const WIDTH: usize>(rows: &[f64], n_features: usize, slab: &Range<usize>) -> Tile<WIDTH> {
    tile(rows.chunks(n_features), slab, |_, value| value)
}
