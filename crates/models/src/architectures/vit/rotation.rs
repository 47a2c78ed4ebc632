//! Positions of patches as rotations of queries and keys.

use neurogauge_kernels::blocks::{Pairs, Turns};
use std::f64::consts::TAU;

/// How the position of a patch rotates the pairs of a head's features. The row rotates one half of the pairs and the
/// column the other, with frequencies in geometric steps. Tokens before the patches are not rotated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rotation {
    /// Perception Encoder: neighbouring features, columns first, counted from 1 (timm's `rope_grid_offset`), by the
    /// angle `position / 10000^(k / n)` for pair `k` of `n`.
    PerceptionEncoder,
    /// DINOv3: features half a head apart, rows first, by `2 π c / 100^(k / n)`, where `c` goes from -1 to 1 between
    /// the edges of the image and belongs to the patch's centre.
    DinoV3,
}

impl Rotation {
    /// The rotations of `n_first` tokens and of a grid of patches after them, row by row.
    pub(super) fn turns(self, n_first: usize, (n_rows, n_columns): (usize, usize), head_width: usize) -> Turns {
        let n_pairs = head_width / 2;
        let n_bands = n_pairs / 2;
        let angle = |row: usize, column: usize, pair: usize| {
            let share = (pair % n_bands) as f64 / n_bands as f64;
            let in_first = pair < n_bands;
            match self {
                Rotation::PerceptionEncoder => {
                    let place = if in_first { column } else { row };
                    (place + 1) as f64 / 10_000_f64.powf(share)
                }
                Rotation::DinoV3 => {
                    let (place, n) = if in_first { (row, n_rows) } else { (column, n_columns) };
                    let centre = 2.0 * (place as f64 + 0.5) / n as f64 - 1.0;
                    TAU * centre / 100_f64.powf(share)
                }
            }
        };
        let first = std::iter::repeat_n(0.0, n_first * n_pairs);
        let patches = (0..n_rows).flat_map(|row| {
            (0..n_columns).flat_map(move |column| (0..n_pairs).map(move |pair| angle(row, column, pair) as f32))
        });
        let pairs = match self {
            Rotation::PerceptionEncoder => Pairs::Neighbours,
            Rotation::DinoV3 => Pairs::Halves,
        };
        Turns::new(first.chain(patches), n_pairs, pairs)
    }
}
