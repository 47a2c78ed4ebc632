//! Resamples of several columns at once: a drawn pair's values of all of them are next to each other in memory.
//!
//! Each column's sums are those of [`sum_at`](crate::resample::sum_at) and of a single chain over the drawn pairs, so
//! the results are the same to the bit as those of each column alone, several times as fast.

use multiversion::multiversion;

/// Columns side by side.
pub(crate) const WIDTH: usize = 8;

/// Up to [`WIDTH`] columns in which every pair has a value; those that are missing are zeros.
pub(crate) struct SideBySide(Vec<[f64; WIDTH]>);

impl SideBySide {
    pub(crate) fn of(columns: &[&[f64]]) -> Self {
        let n_pairs = columns.first().map_or(0, |column| column.len());
        let mut pairs = vec![[0.0; WIDTH]; n_pairs];
        for (place, column) in columns.iter().take(WIDTH).enumerate() {
            for (pair, value) in pairs.iter_mut().zip(*column) {
                pair[place] = *value;
            }
        }
        SideBySide(pairs)
    }

    /// The mean of the drawn pairs by column.
    pub(crate) fn means_at(&self, drawn: &[u32]) -> [f64; WIDTH] {
        let lanes = lanes_at(&self.0, drawn);
        let sum = |place: usize| lanes.iter().map(|lane| lane[place]).sum::<f64>();
        std::array::from_fn(|place| sum(place) / drawn.len() as f64)
    }

    /// By column, the sum of squares and the largest absolute value of what the drawn pairs deviate from these means.
    pub(crate) fn spreads_at(&self, drawn: &[u32], means: &[f64; WIDTH]) -> [(f64, f64); WIDTH] {
        let (squares, largest) = spreads(&self.0, drawn, means);
        std::array::from_fn(|place| (squares[place], largest[place]))
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn lanes_at(pairs: &[[f64; WIDTH]], drawn: &[u32]) -> [[f64; WIDTH]; 4] {
    let mut lanes = [[0.0; WIDTH]; 4];
    let mut add = |lane: usize, pair: u32| {
        let values = &pairs[pair as usize];
        for place in 0..WIDTH {
            lanes[lane][place] += values[place];
        }
    };
    let (groups, rest) = drawn.as_chunks::<4>();
    for group in groups {
        for (lane, &pair) in group.iter().enumerate() {
            add(lane, pair);
        }
    }
    for (lane, &pair) in rest.iter().enumerate() {
        add(lane, pair);
    }
    lanes
}

#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn spreads(pairs: &[[f64; WIDTH]], drawn: &[u32], means: &[f64; WIDTH]) -> ([f64; WIDTH], [f64; WIDTH]) {
    let (mut squares, mut largest) = ([0.0; WIDTH], [0.0_f64; WIDTH]);
    for &pair in drawn {
        let values = &pairs[pair as usize];
        for place in 0..WIDTH {
            let own = values[place] - means[place];
            squares[place] += own * own;
            // Of a NaN the comparison is false, as `f64::max` leaves it out.
            let size = own.abs();
            largest[place] = if size > largest[place] { size } else { largest[place] };
        }
    }
    (squares, largest)
}
